public import JSON

/// One revision with its history: the only form in which revisions are transferred, in both
/// directions.
public struct RevisionRecord: Hashable, Sendable {
  /// The id of the document.
  public var id: DocumentID
  /// The revision and its ancestors, newest first.
  public var path: [RevisionID]
  /// True if the revision is a tombstone.
  public var deleted: Bool
  /// The body of the revision.
  public var body: JSONValue
  /// The complete set of attachments of the revision.
  public var attachments: [RevisionAttachment]

  /// Creates a record; by default of a live revision without attachments.
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

  /// The record in JSON; `deleted` is written only if true, `attachments` only if not empty.
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

/// A query for revisions of one document.
public struct RevisionQuery: Hashable, Sendable {
  /// The id of the document.
  public var id: DocumentID
  /// The requested revisions.
  public var revs: [RevisionID]
  /// Whether the answer contains the leaves that descend from each revision instead of the
  /// revision.
  public var latest: Bool
  /// The revisions that the client already has: attachments newer than the newest ancestor among
  /// them are returned with their content. Nil returns all attachments as stubs.
  public var attachmentsSince: [RevisionID]?

  /// Creates a query; by default for the revisions themselves, with attachments as stubs.
  public init(
    id: DocumentID, revs: [RevisionID], latest: Bool = false, attachmentsSince: [RevisionID]? = nil
  ) {
    self.id = id
    self.revs = revs
    self.latest = latest
    self.attachmentsSince = attachmentsSince
  }

  /// The query in JSON; `latest` is written only if true.
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

  /// Reads a query.
  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.identifier("id")
    revs = try reader.identifiers("revs")
    latest = try reader.ifPresent("latest")
    attachmentsSince = try reader.ifPresent("attachmentsSince")
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
