public import Datastore
public import JSON

/// A request of a replicator to a peer: the part of the contract that replication needs.
///
/// Indirect, because requests are copied more often than they are made.
public indirect enum PeerRequest: Hashable, Sendable {
  case info
  /// A peer may omit rows and leaves that the filter rejects, but does not have to.
  case changes(since: UpdateSequence?, limit: Int64, filter: Filter?)
  case revsDiff([RevisionQuery])
  case getRevisions([RevisionQuery])
  case insertRevisions([RevisionRecord])
  case readLocal(id: DocumentID)
  case writeLocal(id: DocumentID, body: JSONValue)
  case flush
  case readAttachment(
    id: DocumentID, rev: RevisionID?, name: JSONString, offset: Int64?, limit: Int64?)
  case putBlob(digest: JSONString, offset: Int64, bytes: JSONString)
}

extension PeerRequest {
  /// The same request as an operation of the contract, which does not support filters here.
  public var action: StoreAction {
    switch self {
    case .info: .info
    case .changes(let since, let limit, _): .changes(since: since, limit: limit)
    case .revsDiff(let queries): .revsDiff(queries)
    case .getRevisions(let queries): .getRevisions(queries)
    case .insertRevisions(let records): .insertRevisions(records)
    case .readLocal(let id): .readLocal(id: id)
    case .writeLocal(let id, let body): .writeLocal(id: id, body: body)
    case .flush: .flush
    case .readAttachment(let id, let rev, let name, let offset, let limit):
      .readAttachment(id: id, rev: rev, name: name, offset: offset, limit: limit)
    case .putBlob(let digest, let offset, let bytes):
      .putBlob(digest: digest, offset: offset, bytes: bytes)
    }
  }

  /// Whether the request completes a checkpoint, so that a stopped replicator may send it.
  public var savesCheckpoint: Bool {
    switch self {
    case .writeLocal, .flush: true
    default: false
    }
  }

  /// The first subject of the request: a document, or the start of a page or chunk; empty if
  /// nothing distinguishes it from others of its kind.
  public var subject: JSONString {
    switch self {
    case .info, .flush: ""
    case .changes(let since, _, _):
      switch since {
      case nil: "0"
      case .integer(let value): JSONString(String(value))
      case .text(let text): text
      case .array: since.map { JSONString($0.json.serialized()) } ?? ""
      }
    case .revsDiff(let queries), .getRevisions(let queries): queries.first?.id.text ?? ""
    case .insertRevisions(let records): records.first?.id.text ?? ""
    case .readLocal(let id), .writeLocal(let id, _): id.text
    case .readAttachment(let id, _, let name, let offset, _):
      JSONString("\(id) \(name) \(offset ?? 0)")
    case .putBlob(let digest, let offset, let bytes):
      JSONString(bytes == "" ? "\(digest)" : "\(digest) \(offset)")
    }
  }
}

/// The response of a peer.
public enum PeerResponse: Hashable, Sendable {
  case ok(OperationResult)
  /// The store rejected the complete request.
  case refused(DatastoreError)
  /// The peer, or a proxy, failed with an HTTP status and without a response of the store.
  case status(Int)
}
