public import JSON

/// One revision with its history: the only shape in which revisions travel, both ways.
public struct RevisionRecord: Hashable, Sendable {
  public var id: DocumentID
  /// The revision and its ancestors, newest first.
  public var path: [RevisionID]
  public var deleted: Bool
  public var body: JSONValue

  public init(id: DocumentID, path: [RevisionID], deleted: Bool = false, body: JSONValue) {
    self.id = id
    self.path = path
    self.deleted = deleted
    self.body = body
  }

  /// The record as it stands in JSON; `deleted` is written only when true.
  public var json: JSONValue {
    var members: [(Text, JSONValue)] = [
      ("id", id.json), ("path", .array(path.map { $0.json })),
    ]
    if deleted { members.append(("deleted", true)) }
    members.append(("body", body))
    return .object(JSONObject(members))
  }

  /// Reads a record.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.identifier("id")
    self.path = try reader.identifiers("path")
    deleted = try reader.optionalBool("deleted") ?? false
    body = try reader.required("body")
    try reader.finish()
  }
}

/// Some revisions of one document, asked about together.
public struct RevisionQuery: Hashable, Sendable {
  public var id: DocumentID
  public var revs: [RevisionID]
  /// Whether the leaves that descend from each revision are asked for in its place.
  public var latest: Bool

  public init(id: DocumentID, revs: [RevisionID], latest: Bool = false) {
    self.id = id
    self.revs = revs
    self.latest = latest
  }

  /// The query as it stands in JSON; `latest` is written only when true.
  public var json: JSONValue {
    var members: [(Text, JSONValue)] = [
      ("id", id.json), ("revs", .array(revs.map { $0.json })),
    ]
    if latest { members.append(("latest", true)) }
    return .object(JSONObject(members))
  }

  init(
    _ json: JSONValue, path: String, latestAllowed: Bool
  ) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.identifier("id")
    revs = try reader.identifiers("revs")
    latest = latestAllowed ? try reader.optionalBool("latest") ?? false : false
    try reader.finish()
  }
}

extension ObjectReader {
  mutating func identifier<Named>(
    _ name: Text
  ) throws(DecodingFailure) -> Identifier<Named> {
    Identifier(try text(name))
  }

  mutating func optionalIdentifier<Named>(
    _ name: Text
  ) throws(DecodingFailure) -> Identifier<Named>? {
    try optionalText(name).map { Identifier($0) }
  }

  mutating func identifiers<Named>(
    _ name: Text
  ) throws(DecodingFailure) -> [Identifier<Named>] {
    try elements(name) { (element, path) throws(DecodingFailure) in
      try Identifier(element, path: path)
    }
  }
}
