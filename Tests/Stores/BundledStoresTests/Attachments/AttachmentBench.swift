import Digest
import Foundation
import ReferenceDatastore
import SQLiteDatastore
import Storage
import TouchstoneKit

/// A bundled store.
enum BundledStore: String, CaseIterable {
  case reference
  case sqlite

  /// A new implementation with its files in memory.
  func make() -> any ImplementationUnderTest {
    switch self {
    case .reference: ReferenceDatastore()
    case .sqlite: SQLiteDatastore(storage: MemoryStorage())
    }
  }
}

/// One open store of an implementation, with helpers for tests of attachments.
final class AttachmentBench {
  let datastore: any ImplementationUnderTest
  private let environment = RunEnvironment(seed: 1)

  init(_ store: BundledStore, revisionIDs: RevisionIDProfile? = nil) {
    datastore = store.make()
    perform(.open(revisionIDs: revisionIDs))
  }

  @discardableResult
  func perform(_ action: StoreAction) -> Outcome {
    do throws(HarnessError) {
      return try datastore.perform(StoreOperation("notes", action), environment)
    } catch {
      return .unknown
    }
  }

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
      let outcome = perform(.readAttachment(id: id, rev: rev, name: attachment.name))
      guard case .ok(.attachment(let piece)) = outcome,
        let bytes = Data(base64Encoded: piece.bytes.string)
      else { throw Unexpected(outcome: outcome) }
      return "\(attachment.name)=\(String(decoding: bytes, as: UTF8.self))"
    }
  }

  /// The error of one inserted record; nil for success.
  func insert(_ record: RevisionRecord) throws -> DatastoreError.Kind? {
    let outcome = perform(.insertRevisions([record]))
    guard case .ok(.inserted(let results)) = outcome, results.count == 1 else {
      throw Unexpected(outcome: outcome)
    }
    return results[0]?.kind
  }

  /// The record of a revision of `d`, for a peer that has the given ancestors.
  func record(_ rev: RevisionID, since: [RevisionID]?) throws -> RevisionRecord {
    let outcome = perform(
      .getRevisions([RevisionQuery(id: "d", revs: [rev], attachmentsSince: since)]))
    guard case .ok(.revisions(let answers)) = outcome,
      case .records(let records)? = answers.first?.found, let record = records.first
    else { throw Unexpected(outcome: outcome) }
    return record
  }

  struct Unexpected: Error {
    let outcome: Outcome
  }
}

/// Bytes in base64.
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> JSONString {
    JSONString(Data(bytes).base64EncodedString())
  }
}

/// New content, with as few members as possible.
func data(_ name: JSONString, _ content: String, type: JSONString? = "text/plain")
  -> RevisionAttachment
{
  RevisionAttachment(name, .data(Base64.encode(Array(content.utf8))), type: type)
}

/// Unchanged content.
func stub(_ name: JSONString) -> RevisionAttachment { RevisionAttachment(name, .stub) }

/// The digest of content: `sha256-` and base64.
func digest(_ bytes: [UInt8]) -> JSONString {
  JSONString("sha256-" + Base64.encode(DigestAlgorithm.sha256.digest(of: bytes)).string)
}

func digest(_ content: String) -> JSONString { digest(Array(content.utf8)) }
