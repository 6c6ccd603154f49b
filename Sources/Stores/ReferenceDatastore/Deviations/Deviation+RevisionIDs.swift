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
      "The store accepts records with an empty suffix, or with a generation that is 0, has a plus "
        + "sign or is above the largest one.",
      breaks: ["REV-001", "REV-002", "REV-003", "REV-008", "REC-010"], of: [.couchDB],
      effect: .response { $0.storeMalformedRevisions() }),
    Deviation(
      "hyphens-in-suffixes-rejected",
      "The store rejects a suffix that contains a hyphen, with all records of the operation.",
      breaks: ["REV-005", "REC-005"], of: [.pouchDB],
      effect: .response { performance in
        let isHit = performance.operation.action.revisionArguments.contains { rev in
          rev.text.utf8.count { $0 == UInt8(ascii: "-") } > 1
        }
        guard isHit, performance.storeBefore != nil else { return }
        performance.fail(.badRevision)
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

extension Performance {
  /// Stores the records that were rejected because of their revision ids.
  fileprivate mutating func storeMalformedRevisions() {
    guard case .insertRevisions(let records) = operation.action,
      case .inserted(var results)? = result, var store
    else { return }
    for (place, record) in records.enumerated() {
      let revisions = record.path.compactMap(Revision.init(lenient:))
      guard results[place]?.kind == .badRevision, revisions.count == record.path.count,
        let path = RevisionPath(revisions)
      else { continue }
      let before = store.documents[record.id]
      var document = before ?? ModelDocument(collation: store.collation)
      document.merge(path, deleted: record.deleted, record.body, attachments: [])
      store.settle(record.id, document, before: before)
      results[place] = nil
    }
    self.store = store
    result = .inserted(results)
  }
}

extension Revision {
  /// The revision of an id whose generation is any integer that the type has, with or without a
  /// plus sign, and whose suffix may be empty.
  fileprivate init?(lenient id: RevisionID) {
    let parts = id.text.string.split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    // 32 characters that are not hexadecimal digits are rejected.
    guard parts.count == 2, let generation = Int64(parts[0]), generation >= 0,
      parts[1].utf8.count != 32
    else { return nil }
    self.init(generation: generation, suffix: JSONString(String(parts[1])))
  }
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
