internal import Datastore
internal import JSON
internal import RevisionTree

// Deviations of a store that checks few of the ids in its arguments.

extension Deviation {
  static let unchecked: [Deviation] = [
    Deviation(
      "hyphens-in-suffixes-rejected",
      "The store rejects a suffix that contains a hyphen in `update`, `delete` and `getRevisions`, and "
        + "in the newest revision of a record with all records of the call.",
      breaks: ["REV-005", "REC-005"], of: [.pouchDB],
      effect: .response { $0.rejectRevisions { $0.hasHyphenInSuffix } }),
    Deviation(
      "invalid-ids-unknown",
      "`read`, `readAttachment`, `leaves`, `revsDiff`, `getRevisions` and `resolve` treat an invalid id "
        + "as that of an unknown document, and so does a deletion of the empty id without a body, which "
        + "fails as if the document were deleted.",
      breaks: ["ID-001", "ID-002"], of: [.pouchDB],
      effect: .response { $0.answerUnchecked(because: "invalid-ids-unknown") }),
    Deviation(
      "malformed-revision-ids-unknown",
      "`read`, `readAttachment`, `revsDiff` and `resolve` treat an invalid revision id as unknown, and "
        + "so does `getRevisions` if it consists of digits, a hyphen and a suffix. An id without this "
        + "form as the newest revision of a record fails all records of the call.",
      breaks: ["REV-001", "REV-002", "REV-003", "REC-005"], of: [.pouchDB],
      effect: .response { performance in
        performance.answerUnchecked(because: "malformed-revision-ids-unknown")
        guard case .insertRevisions = performance.operation.action else { return }
        performance.rejectRevisions { !$0.isDigitsAndSuffix && !$0.hasHyphenInSuffix }
      }),
    Deviation(
      "malformed-revision-ids-unpredictable",
      "Writes accept revision ids with an empty suffix, or with a generation that is 0, has leading zeros "
        + "or is above the largest one, also as the child of the largest one. What is returned for the "
        + "document is then not predicted.",
      breaks: ["REV-001", "REV-002", "REV-003", "REV-004", "REC-010"], of: [.pouchDB],
      effect: .response { performance in
        guard let collation = performance.storeBefore?.collation else { return }
        let action = performance.operation.action.withoutAttachments
        switch action {
        case .update, .delete, .insertRevisions: break
        default: return
        }
        let ids = action.documents { revs in
          revs.contains { rev in
            guard let revision = collation.revision(rev) else { return rev.isDigitsAndSuffix }
            if case .insertRevisions = action { return false }
            return revision.generation >= Revision.generationMax
          }
        }
        performance.leaveUnpredictable(ids, because: "malformed-revision-ids-unpredictable")
      }),
  ]
}

extension Performance {
  /// Answers a question with invalid ids as one about unknown documents and revisions, if declared
  /// deviations permit all that is invalid in it.
  fileprivate mutating func answerUnchecked(because deviation: Deviation.ID) {
    guard outcome.errorKind == .badID || outcome.errorKind == .badRevision,
      let store = storeBefore
    else { return }
    let action = operation.action.withoutAttachments
    let ids = action.documentArguments.filter { store.isInvalid($0) }
    // The product knows no local documents by these operations.
    guard !ids.contains(where: { $0.text.utf8.starts(with: "_local/".utf8) }) else { return }
    var needed: Set<Deviation.ID> = ids.isEmpty ? [] : ["invalid-ids-unknown"]
    let malformed = action.revisionArguments.filter { store.collation.revision($0) == nil }
    if case .delete = action {
    } else if !malformed.isEmpty {
      needed.insert("malformed-revision-ids-unknown")
    }
    guard needed.contains(deviation), needed.isSubset(of: start.deviations.map(\.id)) else {
      return
    }
    switch action {
    case .read, .readAttachment, .leaves: fail(.notFound(.missing))
    case .delete("", let rev, nil):
      if rev.isDigitsAndSuffix { fail(.notFound(.deleted)) } else { fail(.badRevision) }
    case .resolve(let id, let leaves, let keep, _):
      guard leaves.contains(keep) else { return }
      fail(store.documents[id] == nil ? .notFound(.missing) : .conflict)
    case .revsDiff(let queries):
      let answers = queries.map { store.difference($0) }
      perform { _, _ in .revsDiff(answers.compactMap(\.self)) }
      differences = answers
    case .getRevisions(let queries):
      guard queries.allSatisfy({ $0.revs.allSatisfy(\.isDigitsAndSuffix) }) else {
        fail(.badRevision)
        return
      }
      perform { store, _ in .revisions(queries.flatMap { store.answersUnchecked($0) }) }
    default: break
    }
  }

  /// Rejects revision ids as a product does that checks those of edits, of `getRevisions` and of the
  /// newest revisions of records.
  mutating func rejectRevisions(_ isRejected: (RevisionID) -> Bool) {
    guard storeBefore != nil else { return }
    switch operation.action.withoutAttachments {
    case .update(let id, let rev, let body), .delete(let id, let rev, .some(let body)):
      // An id and a body that the product rejects are found before.
      guard isRejected(rev), !id.isReserved, body.isDocument else { return }
      fail(.badRevision)
    case .delete(_, let rev, nil): if isRejected(rev) { fail(.badRevision) }
    case .getRevisions(let queries):
      if queries.contains(where: { $0.revs.contains(where: isRejected) }) { fail(.badRevision) }
    case .insertRevisions(let records):
      let tips = records.filter(\.isSendable).compactMap(\.path.first)
      if tips.contains(where: isRejected) { failRecords(.badRevision) }
    default: break
    }
  }

  /// Fails all records that reach the product with one error.
  mutating func failRecords(_ kind: DatastoreError.Kind) {
    guard case .insertRevisions(let records) = operation.action,
      case .inserted(let results)? = result
    else { return }
    // An adapter may report the error of the call as one of the operation.
    if case .error? = start.answer {
      fail(kind)
      return
    }
    perform { _, _ in
      .inserted(
        zip(records, results).map { $0.isSendable ? DatastoreError(kind) : $1 })
    }
  }
}

extension ModelStore {
  fileprivate func isInvalid(_ id: DocumentID) -> Bool {
    documents[id] == nil && (try? Syntax.check(id)) == nil
  }

  /// The answers to a query with invalid ids, which no document has.
  fileprivate func answersUnchecked(_ query: RevisionQuery) -> [RevisionAnswer] {
    query.revs.map { rev in
      let valid = RevisionQuery(
        id: query.id, revs: [rev], latest: query.latest,
        attachmentsSince: query.attachmentsSince?.filter { collation.revision($0) != nil })
      guard case .revisions(let answers)? = try? getRevisions([valid]), let answer = answers.first
      else { return RevisionAnswer(id: query.id, rev: rev, found: .missing) }
      return answer
    }
  }
}

extension RevisionRecord {
  /// Whether a record can be sent to a product that gets a path as one generation and suffixes, and
  /// the arguments of a write as members of the body.
  var isSendable: Bool {
    guard !id.text.utf8.starts(with: "_local/".utf8), body.isDocument, let tip = path.first else {
      return false
    }
    guard path.count > 1 else { return true }
    guard let start = Int64(String(decoding: tip.digits, as: UTF8.self)) else { return false }
    return path.enumerated().dropFirst().allSatisfy { place, rev in
      rev.text.utf8.starts(with: "\(start - Int64(place))-".utf8)
    }
  }

  /// Whether the product reads this record before another one.
  func isSent(before other: RevisionRecord) -> Bool {
    let (left, right) = (id.text.string, other.id.text.string)
    if left != right { return left.utf16.lexicographicallyPrecedes(right.utf16) }
    let generations = [self, other].map {
      Int64(String(decoding: $0.path.first?.digits ?? [], as: UTF8.self)) ?? 0
    }
    return generations[0] < generations[1]
  }
}

extension RevisionID {
  /// The digits at the beginning.
  fileprivate var digits: [UInt8] {
    Array(text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  }

  /// Whether the id consists of digits, a hyphen and a suffix without a hyphen, which may be empty.
  var isDigitsAndSuffix: Bool {
    let rest = text.utf8.dropFirst(digits.count)
    return !digits.isEmpty && rest.first == UInt8(ascii: "-")
      && !rest.dropFirst().contains(UInt8(ascii: "-"))
  }

  /// Whether the id consists of digits, a hyphen and a suffix with another hyphen.
  var hasHyphenInSuffix: Bool {
    let rest = text.utf8.dropFirst(digits.count)
    return !digits.isEmpty && rest.first == UInt8(ascii: "-")
      && rest.dropFirst().contains(UInt8(ascii: "-"))
  }
}

extension DocumentID {
  /// Whether the id is empty or begins with an underscore, but not with `_design` or `_local`.
  fileprivate var isReserved: Bool {
    let bytes = text.utf8
    if bytes.starts(with: "_local/".utf8) { return true }
    return bytes.isEmpty
      || bytes.first == UInt8(ascii: "_") && !bytes.starts(with: "_design".utf8)
        && !bytes.starts(with: "_local".utf8)
  }
}

extension JSONValue {
  /// Whether the value is an object without members that are arguments of a write.
  var isDocument: Bool {
    let arguments: Set<JSONString> = ["_id", "_rev", "_revisions", "_deleted", "_attachments"]
    return objectValue?.members.contains { arguments.contains($0.name) } == false
  }
}
