public import JSON

/// A rule of the HTTP interface.
public struct WireClause: Hashable, Sendable {
  /// The id, such as `WIR-001`; it never changes.
  public let id: JSONString
  /// Whether a server must follow the rule; otherwise it should.
  public let isRequired: Bool
  /// The rule in one or two sentences.
  public let text: JSONString
  /// Where the rule comes from.
  public let source: JSONString

  /// `MUST` or `SHOULD`.
  public var level: JSONString { isRequired ? "MUST" : "SHOULD" }

  /// Reads a clause.
  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.text("id")
    let level = try reader.text("level")
    guard ["MUST", "SHOULD"].contains(level) else {
      throw DecodingFailure(path: reader.path(to: "level"), message: "expected MUST or SHOULD")
    }
    isRequired = level == "MUST"
    text = try reader.text("text")
    source = try reader.text("source")
    try reader.finish()
  }
}
