public import JSON

/// One revision with its history: the only shape in which revisions travel, both ways.
public struct RevisionRecord: Hashable, Sendable {
  public var id: DocumentID
  /// The revision and its ancestors, newest first.
  public var path: [RevisionID]
  public var deleted: Bool
  public var body: JSONValue
  /// The complete set of the revision.
  public var attachments: [RevisionAttachment]

  public init(
    id: DocumentID, path: [RevisionID], deleted: Bool = false, body: JSONValue,
    attachments: [RevisionAttachment] = []
  ) {
    self.id = id
    self.path = path
    self.deleted = deleted
    self.body = body
    self.attachments = attachments
  }

  /// The record as it stands in JSON; `deleted` is written only when true, `attachments` when there
  /// are some.
  public var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [
      ("id", id.json), ("path", .array(path.map { $0.json })),
    ]
    if deleted { members.append(("deleted", true)) }
    members.append(("body", body))
    if !attachments.isEmpty { members.append(("attachments", attachments.json)) }
    return .object(JSONObject(members))
  }

  /// Reads a record.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.identifier("id")
    self.path = try reader.identifiers("path")
    deleted = try reader.optionalBool("deleted") ?? false
    body = try reader.required("body")
    attachments = try reader.optionalAttachments() ?? []
    try reader.finish()
  }
}

/// Some revisions of one document, asked about together.
public struct RevisionQuery: Hashable, Sendable {
  public var id: DocumentID
  public var revs: [RevisionID]
  /// Whether the leaves that descend from each revision are asked for in its place.
  public var latest: Bool
  /// Which revisions the asker has: attachments that are newer than the newest ancestor among them
  /// come with their content. Nil leaves all of them stubs.
  public var attachmentsSince: [RevisionID]?

  public init(
    id: DocumentID, revs: [RevisionID], latest: Bool = false, attachmentsSince: [RevisionID]? = nil
  ) {
    self.id = id
    self.revs = revs
    self.latest = latest
    self.attachmentsSince = attachmentsSince
  }

  /// The query as it stands in JSON; `latest` is written only when true.
  public var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [
      ("id", id.json), ("revs", .array(revs.map { $0.json })),
    ]
    if latest { members.append(("latest", true)) }
    if let attachmentsSince {
      members.append(("attachmentsSince", .array(attachmentsSince.map { $0.json })))
    }
    return .object(JSONObject(members))
  }

  /// Reads a query; only one that fetches says more than which revisions it is about.
  init(
    _ json: JSONValue, path: String, isFetch: Bool
  ) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.identifier("id")
    revs = try reader.identifiers("revs")
    latest = isFetch ? try reader.optionalBool("latest") ?? false : false
    attachmentsSince = isFetch ? try reader.optionalIdentifiers("attachmentsSince") : nil
    try reader.finish()
  }
}

extension ObjectReader {
  package mutating func identifier<Named>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Identifier<Named> {
    Identifier(try text(name))
  }

  package mutating func optionalIdentifier<Named>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Identifier<Named>? {
    try optionalText(name).map { Identifier($0) }
  }

  package mutating func identifiers<Named>(
    _ name: JSONString
  ) throws(DecodingFailure) -> [Identifier<Named>] {
    try elements(name) { (element, path) throws(DecodingFailure) in
      try Identifier(element, path: path)
    }
  }

  package mutating func optionalIdentifiers<Named>(
    _ name: JSONString
  ) throws(DecodingFailure) -> [Identifier<Named>]? {
    try optionalElements(name) { (element, path) throws(DecodingFailure) in
      try Identifier(element, path: path)
    }
  }
}
