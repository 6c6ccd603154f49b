internal import Datastore
public import JSON
internal import Scenarios

extension KnownFailures {
  private static let format: JSONString = "touchstone-known-failures"

  /// The list as its file contains it.
  public var json: JSONValue {
    [
      "format": .string(Self.format), "version": 1,
      "failures": .array(entries.map { $0.json }),
    ]
  }

  /// Reads a list.
  public init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    try reader.requireFormat(Self.format, version: 1)
    entries = try reader.elements("failures") { (element, path) throws(DecodingFailure) in
      try Entry(element, path: path)
    }
    try reader.finish()
  }

  /// Reads a list; throws its problems.
  package static func read(_ path: String) throws(CorpusError) -> KnownFailures {
    try CorpusFile.read(path: path, named: path) { (json) throws(DecodingFailure) in
      try KnownFailures(json)
    }
  }
}

extension KnownFailures.Entry {
  /// The entry as the list contains it.
  var json: JSONValue {
    var json: JSONObject = [
      "vector": .string(vectors.pattern), "message": .string(message.pattern),
      "reason": .string(reason),
    ]
    json["link"] = link.map { .string($0) }
    json["expires"] = expires.map { .text($0.description) }
    return .object(json)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    vectors = Glob(try reader.filledText("vector"))
    message = Glob(try reader.filledText("message"))
    reason = try reader.filledText("reason")
    link = try reader.optionalText("link")
    expires = try Self.day(&reader)
    try reader.finish()
  }

  private static func day(_ reader: inout ObjectReader) throws(DecodingFailure) -> CalendarDay? {
    guard let text = try reader.optionalText("expires") else { return nil }
    if let day = CalendarDay(text) { return day }
    throw DecodingFailure(
      path: reader.path(to: "expires"), message: "expected a date, YYYY-MM-DD, found '\(text)'")
  }
}
