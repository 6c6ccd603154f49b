internal import Digest
internal import JSON

/// Reads an HTTP archive, version 1.2: `log.entries`.
enum ArchiveReader {
  /// Returns the exchanges by the times of their requests.
  static func exchanges(_ value: JSONValue) throws(TranscriptError) -> [Exchange] {
    guard let entries = value.objectValue?["log"]?.objectValue?["entries"]?.arrayValue else {
      throw TranscriptError(
        place: "log.entries", message: "expected an array of exchanges (HAR 1.2)")
    }
    var exchanges: [Exchange] = []
    for (place, entry) in entries.enumerated() {
      do throws(DecodingFailure) {
        exchanges.append(try exchange(entry, number: place + 1))
      } catch {
        throw TranscriptError(place: "entry \(place + 1)", message: "\(error)")
      }
    }
    // Entries with equal times keep their order.
    return exchanges.enumerated().sorted {
      ($0.element.start ?? 0, $0.offset) < ($1.element.start ?? 0, $1.offset)
    }.map(\.element)
  }

  private static func exchange(
    _ value: JSONValue, number: Int
  ) throws(DecodingFailure) -> Exchange {
    var reader = try ObjectReader(value)
    let time = try reader.text("startedDateTime")
    guard let start = Timestamp.microseconds(time) else {
      throw DecodingFailure(
        path: "startedDateTime", message: "expected a time such as 2026-11-20T21:56:30.453Z")
    }
    var end: Int64?
    if let duration = reader.optional("time"), duration != .integer(-1), duration != .null {
      // Browsers round the time of a request down to 1 ms, and its duration less.
      let microseconds = try ProxyLine.microseconds(duration, path: "time")
      end = start + max(microseconds - 1000, 0)
    }
    var request = try reader.reader("request")
    let url = try request.text("url")
    let (server, target) = parts(url)
    let sent = Exchange.Request(
      method: HeaderReader.capitals(try request.text("method")), server: server, target: target,
      headers: try headers(&request), body: try posted(&request))
    var received: Exchange.Response?
    if var response = try reader.optionalReader("response") {
      let status = try response.integer("status")
      // The status is 0 if the request was aborted.
      if status != 0 {
        received = Exchange.Response(
          status: status, headers: try headers(&response),
          body: try content(&response, "content"))
      }
    }
    return Exchange(
      number: number, start: start, end: end, client: "", request: sent, response: received)
  }

  private static func headers(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> [JSONString: JSONString] {
    var headers: [JSONString: JSONString] = [:]
    for value in try reader.optionalArray("headers") ?? [] {
      var header = try ObjectReader(value, path: reader.path(to: "headers"))
      let name = HeaderReader.lowerCase(try header.text("name"))
      if headers[name] == nil { headers[name] = try header.text("value") }
    }
    return headers
  }

  private static func posted(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> Exchange.Content {
    let size = reader.optional("bodySize")?.integerValue ?? 0
    guard reader.optional("postData") != nil else { return size > 0 ? .unrecorded : .empty }
    return try content(&reader, "postData")
  }

  private static func content(
    _ reader: inout ObjectReader, _ name: JSONString
  ) throws(DecodingFailure) -> Exchange.Content {
    guard var content = try reader.optionalReader(name) else { return .empty }
    guard let text = try content.optionalText("text") else {
      return content.optional("size")?.integerValue ?? 0 > 0 ? .unrecorded : .empty
    }
    guard try content.optionalText("encoding") == "base64" else { return .of(Array(text.utf8)) }
    guard let bytes = Base64.decode(text.utf8) else {
      throw DecodingFailure(path: content.path(to: "text"), message: "expected base64")
    }
    return .of(bytes)
  }

  /// Returns the server of a URL, without user and password, and the path with the query.
  private static func parts(_ url: JSONString) -> (server: JSONString, target: JSONString) {
    let bytes = Array(url.utf8)
    let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
    let separator = Array("://".utf8)
    guard bytes.dropFirst(scheme.count).starts(with: separator) else { return ("", url) }
    let rest = bytes.dropFirst(scheme.count + separator.count)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] }
    let server = scheme + separator + (host ?? authority)
    return (
      JSONString(validating: server) ?? "",
      JSONString(validating: rest.dropFirst(authority.count)) ?? "/"
    )
  }
}
