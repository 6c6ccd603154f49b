internal import Datastore
internal import JSON

/// The conversation with one process of an adapter: requests and responses, until it crashes, hangs
/// or violates the protocol.
final class Conversation {
  private let connection: Connection
  private var lastID: Int64
  private var lastMembers: [(JSONString, JSONValue)] = []
  /// The highest number that the adapter has used for an `ask`.
  private var lastAsk: Int64 = 0

  /// - Parameter lastID: the id of the last request sent so far; -1 for none.
  init(_ connection: Connection, lastID: Int64 = -1) {
    self.connection = connection
    self.lastID = lastID
  }

  /// Encodes an object as a line of the protocol.
  static func line(_ members: [(JSONString, JSONValue)]) -> [UInt8] {
    JSONValue.object(JSONObject(members)).serializedBytes() + [UInt8(ascii: "\n")]
  }

  /// Encodes an object as a line of the protocol; nil if it exceeds the limit.
  static func shortLine(_ members: [(JSONString, JSONValue)]) -> [UInt8]? {
    let object = JSONValue.object(JSONObject(members))
    guard var line = object.serializedBytes(atMost: Connection.lineBytesMax - 1) else { return nil }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// A line of the adapter.
  enum Message {
    /// The response to a request, without its id.
    case reply(JSONObject)
    case ask(AdapterAsk)
  }

  /// The last request, without its id and its label; nil before the first.
  var lastRequest: JSONValue? {
    lastMembers.isEmpty ? nil : .object(JSONObject(lastMembers.filter { $0.0 != "for" }))
  }

  /// Sends a request, and returns its id.
  func send(
    _ members: [(JSONString, JSONValue)], until deadline: Deadline
  ) throws(HarnessError) -> Int64 {
    lastID += 1
    lastMembers = members
    try write(Self.line([("id", .integer(lastID))] + members), until: deadline)
    return lastID
  }

  /// Sends a request, and returns its id; nil if it exceeds the line limit and was not sent.
  func sendIfShort(
    _ members: [(JSONString, JSONValue)], until deadline: Deadline
  ) throws(HarnessError) -> Int64? {
    let id = lastID + 1
    guard let line = Self.shortLine([("id", .integer(id))] + members) else { return nil }
    lastID = id
    lastMembers = members
    try write(line, until: deadline)
    return id
  }

  /// Responds to an `ask` of the adapter; `name` is `ok`, `lost` or `cancelled`.
  func answer(
    _ ask: Int64, _ name: JSONString, value: JSONValue, until deadline: Deadline
  ) throws(HarnessError) {
    try write(Self.line([("ask", .integer(ask)), (name, value)]), until: deadline)
  }

  private func write(_ line: [UInt8], until deadline: Deadline) throws(HarnessError) {
    do throws(Connection.Failure) {
      try connection.send(line, until: deadline)
    } catch {
      throw breakdown(of: error, "the adapter does not read its requests")
    }
  }

  /// Returns the next line of the adapter during a request.
  func next(for id: Int64, until deadline: Deadline) throws(HarnessError) -> Message {
    let line: ArraySlice<UInt8>
    do throws(Connection.Failure) {
      line = try connection.readLine(until: deadline)
    } catch {
      throw breakdown(of: error, "no response")
    }
    var object: JSONObject
    do {
      guard case .object(let found) = try JSONValue.parse(Array(line)) else {
        throw Self.fault("malformed response: not a JSON object", line, shape: "garbage")
      }
      object = found
    } catch {
      if let error = error as? HarnessError { throw error }
      throw Self.fault("malformed response: not JSON", line, shape: "garbage")
    }
    if object["ask"] != nil { return .ask(try ask(object, for: id)) }
    guard let echoed = object["id"] else {
      throw Self.fault("malformed response: neither id nor ask", line, shape: "garbage")
    }
    guard let answered = echoed.integerValue else {
      throw Self.fault(
        "the id of the response is not an integer: expected \(id), found", line,
        shape: "wrong id")
    }
    guard answered == id else {
      let message =
        answered < id && answered >= 0
        ? "duplicate or late response to request \(answered)" : "wrong id"
      throw Self.fault(
        "\(message): expected \(id), found", line, shape: "wrong id")
    }
    object["id"] = nil
    return .reply(object)
  }

  private func ask(_ object: JSONObject, for id: Int64) throws(HarnessError) -> AdapterAsk {
    do throws(DecodingFailure) {
      let ask = try AdapterAsk(object)
      guard ask.operation == id else {
        throw DecodingFailure(path: "id", message: "request \(ask.operation) is not in progress")
      }
      guard ask.number > lastAsk else {
        throw DecodingFailure(
          path: "ask", message: "expected an ask number above \(lastAsk)")
      }
      lastAsk = ask.number
      return ask
    } catch {
      throw Self.breakdown("invalid ask: \(error)", shape: "ask")
    }
  }

  /// Sends a line this many times, each time after a response line.
  func bounce(_ line: [UInt8], count: Int) throws(HarnessError) {
    do throws(Connection.Failure) {
      for _ in 0..<count {
        let deadline = Deadline.after(.seconds(10))
        try connection.send(line, until: deadline)
        _ = try connection.readLine(until: deadline)
      }
    } catch {
      throw breakdown(of: error, "no response")
    }
  }

  /// The process, if this conversation started it.
  var process: ChildProcess? { connection.child }

  /// Kills the process, or closes the connection to it.
  func close() { connection.close() }

  /// Waits for a process to exit, and kills it at the end of the time.
  func close(after deadline: Deadline) {
    connection.child?.waitForEnd(until: deadline)
    connection.close()
  }

  /// The standard error since the last call.
  func takeLog() -> [UInt8] {
    connection.readError()
    defer { connection.forgetError() }
    return connection.errorTail
  }

  // MARK: Errors of the adapter

  static func breakdown(
    _ message: String, shape: String, answer: JSONValue? = nil, isProtocolError: Bool = true
  ) -> HarnessError {
    HarnessError(
      message,
      breakdown: .init(
        shape: JSONString(shape), answer: answer, isProtocolError: isProtocolError))
  }

  private static func fault(
    _ message: String, _ line: ArraySlice<UInt8>, shape: String
  ) -> HarnessError {
    HarnessError(
      "\(message): \(quoted(line))",
      breakdown: .init(shape: JSONString(shape), form: JSONString(message)))
  }

  private func breakdown(of failure: Connection.Failure, _ what: String) -> HarnessError {
    switch failure {
    case .timedOut(let partial):
      let rest = partial.isEmpty ? "" : ", only an incomplete line: \(Self.quoted(partial[...]))"
      return Self.breakdown("\(what) in time\(rest)", shape: "hang")
    case .tooLong:
      return Self.breakdown(
        "the adapter wrote a line of more than \(Connection.lineBytesMax >> 20) MiB",
        shape: "long line")
    case .over(let partial):
      // The pipe closes shortly before the process ends.
      connection.child?.waitForEnd(until: .after(.seconds(1)))
      let rest = partial.isEmpty ? "" : ", after an incomplete line: \(Self.quoted(partial[...]))"
      guard let end = connection.child?.end else {
        let message =
          connection.child == nil
          ? "the adapter closed the connection" : "the adapter closed its standard output"
        return Self.breakdown("\(message)\(rest)", shape: "closed")
      }
      return Self.breakdown("\(end)\(rest)", shape: end.shape, isProtocolError: false)
    }
  }

  /// The beginning of a line, for messages.
  private static func quoted(_ line: ArraySlice<UInt8>) -> String {
    let shown = String(decoding: line.prefix(200), as: UTF8.self)
    return line.isEmpty ? "an empty line" : line.count > 200 ? "\(shown)…" : shown
  }
}
