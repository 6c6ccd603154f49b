import Datastore
import Digest
import JSON
import Testing

@testable import SQLiteDatastore

/// New content with the minimum of members.
func data(_ name: JSONString, _ content: String, type: JSONString? = "text/plain")
  -> RevisionAttachment
{
  RevisionAttachment(name, .data(Base64.encode(Array(content.utf8))), type: type)
}

/// Unchanged content.
func stub(_ name: JSONString) -> RevisionAttachment { RevisionAttachment(name, .stub) }

/// The digest of content.
func digest(_ bytes: [UInt8]) -> JSONString {
  BlobDigest(bytes: DigestAlgorithm.sha256.digest(of: bytes)).text
}

/// The digest of content.
func digest(_ content: String) -> JSONString { digest(Array(content.utf8)) }

extension Bench {
  /// The revision written by an action, which must succeed.
  func write(_ action: StoreAction) throws -> RevisionID {
    let outcome = perform(action)
    switch outcome {
    case .ok(.written(_, let rev)), .ok(.resolved(let rev, _)): return rev
    default: throw Unexpected(outcome: outcome)
    }
  }

  /// The attachments of a revision, or of the winner.
  func attachments(_ id: DocumentID = "d", _ rev: RevisionID? = nil) throws -> [RevisionAttachment]
  {
    let outcome = perform(.read(id: id, rev: rev))
    guard case .ok(.document(let document)) = outcome else { throw Unexpected(outcome: outcome) }
    return document.attachments
  }

  /// Names and contents of the attachments of a revision, or of the winner.
  func contents(_ id: DocumentID = "d", _ rev: RevisionID? = nil) throws -> [String] {
    try attachments(id, rev).map { attachment in
      "\(attachment.name)=\(try content(attachment.name, id, rev))"
    }
  }

  /// The content of an attachment, read in one piece.
  func content(_ name: JSONString, _ id: DocumentID = "d", _ rev: RevisionID? = nil) throws
    -> String
  {
    let outcome = perform(.readAttachment(id: id, rev: rev, name: name))
    guard case .ok(.attachment(let piece)) = outcome, let bytes = Base64.decode(piece.bytes) else {
      throw Unexpected(outcome: outcome)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The error of one record, nil for success.
  func insert(_ record: RevisionRecord) throws -> DatastoreError.Kind? {
    let outcome = perform(.insertRevisions([record]))
    guard case .ok(.inserted(let results)) = outcome, results.count == 1 else {
      throw Unexpected(outcome: outcome)
    }
    return results[0]?.kind
  }
}

struct Unexpected: Error {
  let outcome: Outcome
}
