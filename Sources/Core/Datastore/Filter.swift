public import JSON

/// A filter of revisions: a closed value, which each party evaluates with separate code.
public indirect enum Filter: Hashable, Sendable {
  /// Revisions of the given documents.
  case documentIDs([DocumentID])
  /// Revisions whose body has this top-level member with this JSON value.
  case bodyFieldEquals(field: JSONString, value: JSONValue)
  /// Revisions that are not deleted.
  case live
  /// Revisions whose content a selector matches; `_id` and `_rev` are those of the revision, and
  /// `_rev` has no value before the revision exists.
  case selector(FindSelector)

  /// The filter in JSON.
  public var json: JSONValue {
    switch self {
    case .documentIDs(let ids): ["documentIDs": .array(ids.map { $0.json })]
    case .bodyFieldEquals(let field, let value):
      ["bodyFieldEquals": ["field": .string(field), "value": value]]
    case .live: ["live": true]
    case .selector(let selector): ["selector": selector.json]
    }
  }

  /// Reads a filter: an object with exactly one of the members.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    if reader.optional("documentIDs") != nil {
      self = .documentIDs(
        try reader.elements("documentIDs") { (element, path) throws(DecodingFailure) in
          try DocumentID(element, path: path)
        })
    } else if reader.optional("bodyFieldEquals") != nil {
      var equality = try reader.reader("bodyFieldEquals")
      self = .bodyFieldEquals(
        field: try equality.text("field"), value: try equality.required("value"))
      try equality.finish()
    } else if reader.optional("live") != nil {
      guard try reader.bool("live") else {
        throw DecodingFailure(path: reader.path(to: "live"), message: "expected true")
      }
      self = .live
    } else if let selector = reader.optional("selector") {
      do throws(DatastoreError) { self = .selector(try FindSelector(selector)) } catch {
        throw DecodingFailure(path: reader.path(to: "selector"), message: "\(error)")
      }
    } else {
      throw DecodingFailure(
        path: path, message: "expected one of documentIDs, bodyFieldEquals, live, selector")
    }
    try reader.finish()
  }
}
