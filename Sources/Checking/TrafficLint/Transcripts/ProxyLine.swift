internal import Digest
internal import JSON

/// A line of a proxy: one exchange with its request, its response and their times.
enum ProxyLine {
  /// - Parameter lastStart: the time of the request before; the lines are in the order of requests.
  static func exchange(
    _ value: JSONValue, after lastStart: Int64
  ) throws(DecodingFailure) -> Exchange {
    var reader = try ObjectReader(value)
    let number = try reader.integer("n")
    let start = try reader.optional("ms").map { value throws(DecodingFailure) in
      try microseconds(value, path: "ms")
    }
    let end = try reader.optional("end").map { value throws(DecodingFailure) in
      try microseconds(value, path: "end")
    }
    let client = try reader.optionalText("client") ?? ""
    let upstream = try reader.optionalText("upstream") ?? ""
    var request = try reader.reader("request")
    let method = try request.text("method")
    let sent = Exchange.Request(
      method: HeaderReader.capitals(method), server: upstream,
      target: try request.text("target"), headers: try HeaderReader.members(&request),
      body: try content(&request))
    var received: Exchange.Response?
    if var response = try reader.optionalReader("response") {
      received = Exchange.Response(
        status: try response.integer("status"), headers: try HeaderReader.members(&response),
        body: try content(&response))
    }
    // A hostile server cut this body short on purpose: no client can use it.
    if try reader.optionalText("fault") == "truncated" { received = nil }
    return Exchange(
      number: Int(number), start: start.map { max($0, lastStart) }, end: end, client: client,
      request: sent, response: received)
  }

  private static func content(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> Exchange.Content {
    if let body = reader.optional("body") { return .json(body) }
    guard let text = try reader.optionalText("bytes") else { return .empty }
    guard let bytes = Base64.decode(text.utf8) else {
      throw DecodingFailure(path: reader.path(to: "bytes"), message: "expected base64")
    }
    return .of(bytes)
  }

  /// Returns a time in microseconds from one in milliseconds.
  static func microseconds(_ value: JSONValue, path: String) throws(DecodingFailure) -> Int64 {
    let number: Double? =
      switch value {
      case .integer(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    guard let number, (0...1e14).contains(number) else {
      throw DecodingFailure(path: path, message: "expected a number of milliseconds from 0")
    }
    return Int64(number * 1000)
  }
}

/// Headers as transcripts have them.
enum HeaderReader {
  /// Reads the optional object `headers` of a message.
  static func members(
    _ reader: inout ObjectReader, name: JSONString = "headers"
  ) throws(DecodingFailure) -> [JSONString: JSONString] {
    guard let value = reader.optional(name) else { return [:] }
    guard let object = value.objectValue else {
      throw DecodingFailure(path: reader.path(to: name), expected: "an object", found: value)
    }
    var headers: [JSONString: JSONString] = [:]
    for member in object.members {
      // A header that is sent several times is a list; the first value counts.
      let text = member.value.textValue ?? member.value.arrayValue?.first?.textValue
      headers[lowerCase(member.name)] = text ?? ""
    }
    return headers
  }

  static func lowerCase(_ name: JSONString) -> JSONString {
    changed(name) { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  static func capitals(_ name: JSONString) -> JSONString {
    changed(name) { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
  }

  private static func changed(_ text: JSONString, _ change: (UInt8) -> UInt8) -> JSONString {
    JSONString(validating: text.utf8.map(change)) ?? text
  }
}
