internal import Datastore
internal import JSON
internal import RevisionTree

// Deviations in the syntax and the order of revision ids.

extension Deviation {
  static let revisionIDs: [Deviation] = [
    Deviation(
      "hexadecimal-suffixes",
      "The store requires a suffix of 32 characters to be hexadecimal, and folds it to lower case, "
        + "under every collation.",
      breaks: ["REV-009"], of: [.couchDB],
      effect: .request { operation, state in
        guard case .open(let revisionIDs, .none) = operation.action.openedByBytes,
          state.defaults.collation != .couchdb || operation.action.opensWithBytes
        else { return nil }
        return StoreOperation(
          operation.store, .open(revisionIDs: revisionIDs, collation: .couchdb))
      }),
    Deviation(
      "sixteen-bytes-are-their-digits",
      "The store treats a suffix of 16 bytes as the same revision as its 32 hexadecimal digits, which "
        + "no vector tests.",
      breaks: ["REV-023"], of: [.couchDB],
      effect: .request { operation, state in
        guard state.stores[operation.store]?.collation.name == .couchdb else { return nil }
        return operation.mappingRevisions { rev in
          rev.mappingSuffix { suffix in
            suffix.count == 16 ? Array(suffix.flatMap { $0.hexadecimalDigits }) : suffix
          }
        }
      }),
    Deviation(
      "leading-zeros-dropped", "The store drops leading zeros of a generation.",
      breaks: ["REV-002"], of: [.couchDB],
      effect: .request { operation, _ in
        operation.mappingRevisions { $0.withoutLeadingZeros }
      }),
    Deviation(
      "malformed-revision-ids-stored",
      "The store accepts revision ids with an empty suffix, or with a generation that is 0, has a "
        + "plus sign or is above the largest one.",
      breaks: ["REV-001", "REV-002", "REV-003", "REV-008", "REC-010"], of: [.couchDB],
      effect: .syntax(.anyInteger)),
    Deviation(
      "generation-0-names-no-revision",
      "An edit by a revision id of generation 0 is performed as if it named none. What is returned for "
        + "the document is then not predicted.",
      breaks: ["REV-002"], of: [.couchDB],
      effect: .response { performance in
        let id: DocumentID
        let rev: RevisionID
        switch performance.operation.action.withoutAttachments {
        case .update(let document, let named, _), .delete(let document, let named, _):
          (id, rev) = (document, named)
        default: return
        }
        guard Revision(anyInteger: rev)?.generation == 0 else { return }
        performance.leaveUnpredictable([id], because: "generation-0-names-no-revision")
      }),
    Deviation(
      "huge-generations-stored",
      "The store accepts generations above 2⁶³ − 1. What it returns for such a document is not "
        + "predicted.",
      breaks: ["REV-003", "REC-010"], of: [.couchDB],
      effect: .response { performance in
        let ids = performance.operation.action.documents {
          $0.contains(where: \.hasHugeGeneration)
        }
        performance.leaveUnpredictable(ids, because: "huge-generations-stored")
      }),
    Deviation(
      "long-generations-not-editable",
      "The store rejects an edit of a revision with a generation above 99,999,999.",
      breaks: ["REV-003", "EDIT-006"], of: [.cdtDatastore],
      effect: .response { performance in
        guard case .written? = performance.result, let parent = performance.parentOfEdit,
          parent.generation > 99_999_999
        else { return }
        performance.fail(.badRevision)
      }),
  ]
}

extension StoreAction {
  /// The action `open` without a collation if it requests none or `bytes`.
  fileprivate var openedByBytes: StoreAction {
    if case .open(let revisionIDs, .bytes) = self { return .open(revisionIDs: revisionIDs) }
    return self
  }

  fileprivate var opensWithBytes: Bool {
    if case .open(_, .bytes) = self { true } else { false }
  }
}

extension StoreOperation {
  func mappingRevisions(_ map: (RevisionID) -> RevisionID) -> StoreOperation {
    StoreOperation(store, action.mapping(revisions: map))
  }
}

extension RevisionID {
  /// The id with another suffix, given and returned as bytes.
  fileprivate func mappingSuffix(_ map: ([UInt8]) -> [UInt8]) -> RevisionID {
    let bytes = Array(text.utf8)
    guard let dash = bytes.firstIndex(of: UInt8(ascii: "-")) else { return self }
    let mapped = bytes[...dash] + map(Array(bytes[(dash + 1)...]))
    return JSONString(validating: mapped).map { RevisionID($0) } ?? self
  }

  /// Whether the generation is an integer above 2⁶³ − 1.
  fileprivate var hasHugeGeneration: Bool {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "-") }
    return digits.count < text.utf8.count && digits.count > 18
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && Int64(String(decoding: digits, as: UTF8.self)) == nil
  }

  fileprivate var withoutLeadingZeros: RevisionID {
    let bytes = Array(text.utf8)
    let zeros = bytes.prefix { $0 == UInt8(ascii: "0") }.count
    let isNumber = bytes.dropFirst(zeros).first.map {
      (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0)
    }
    guard zeros > 0, isNumber == true else { return self }
    return JSONString(validating: bytes[zeros...]).map { RevisionID($0) } ?? self
  }
}

extension UInt8 {
  /// The two lower-case hexadecimal digits.
  fileprivate var hexadecimalDigits: [UInt8] {
    [self >> 4, self & 15].map { $0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: "a") + $0 - 10 }
  }
}
