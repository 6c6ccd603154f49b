internal import Datastore
internal import JSON

/// A request of an adapter to the runner during an operation.
struct AdapterAsk {
  let number: Int64
  /// The id of the operation in progress.
  let operation: Int64
  let content: Content

  enum Content {
    case time
    case random(byteCount: Int)
    case exchange(HTTPRequest)
    /// Sleep for this many nanoseconds.
    case sleep(Int64)
    case pass
  }

  /// Reads a line of an adapter.
  init(_ object: JSONObject) throws(DecodingFailure) {
    var reader = ObjectReader(object)
    number = try reader.integer("ask")
    operation = try reader.integer("id")
    if let time = try reader.optionalReader("time") {
      try time.finish()
      content = .time
    } else if var random = try reader.optionalReader("random") {
      let count = try random.integer("bytes")
      guard (1...65536).contains(count) else {
        throw DecodingFailure(path: random.path(to: "bytes"), message: "expected 1 to 65536")
      }
      try random.finish()
      content = .random(byteCount: Int(count))
    } else if let exchange = reader.optional("exchange") {
      content = .exchange(try HTTPRequest(exchange, path: "exchange"))
    } else if var sleep = try reader.optionalReader("sleep") {
      let nanoseconds = try sleep.integer("nanoseconds")
      let range = ReplicationTurn.Answer.wakeAfterRange
      guard range.contains(nanoseconds) else {
        throw DecodingFailure(
          path: sleep.path(to: "nanoseconds"), message: "expected 0 to \(range.upperBound)")
      }
      try sleep.finish()
      content = .sleep(nanoseconds)
    } else if var pass = try reader.optionalReader("pass") {
      _ = try pass.optionalText("point")
      try pass.finish()
      content = .pass
    } else {
      throw DecodingFailure(
        path: "ask", message: "expected one of time, random, exchange, sleep, pass")
    }
    try reader.finish()
  }
}
