internal import Datastore
internal import JSON
internal import RevisionTree

// Deviations of a store that looks revisions up by their suffix without their generation.

extension Deviation {
  static let suffixes: [Deviation] = [
    Deviation(
      "flag-by-suffix",
      "The store looks up the deletion flag of a revision by its suffix without its generation. What "
        + "it returns for a document after an edit with a wrong flag is not predicted.",
      breaks: ["READ-004", "CHG-004", "WIN-007", "STORE-007", "EDIT-004"], of: [.pouchDB],
      effect: .response { performance in
        performance.recordSuffixFlags()
        performance.leaveMisflagged()
        performance.answerWithSuffixFlags()
      }),
    Deviation(
      "path-by-suffix",
      "The store looks up the path of a revision by its suffix without its generation.",
      breaks: ["REC-001", "TREE-010"], of: [.pouchDB],
      effect: .response { performance in
        guard let store = performance.storeBefore else { return }
        switch performance.result {
        case .revisions(let answers)?:
          performance.result = .revisions(answers.map { $0.withPathBySuffix(in: store) })
        default:
          guard let (id, rev) = performance.operation.action.readRevision,
            performance.outcome.errorKind == .notFound(.bodyMissing),
            let revision = store.collation.revision(rev),
            !store.isFoundBySuffix(revision, of: id)
          else { return }
          performance.fail(.notFound(.missing))
        }
      }),
  ]
}

extension ModelStore {
  fileprivate func order(of id: DocumentID) -> VisitingOrder? {
    documents[id].map { VisitingOrder($0.tree, deviationMemory.suffixFlags[id]) }
  }

  /// Whether a look-up of the paths of all leaves by their suffixes finds a revision.
  fileprivate func isFoundBySuffix(_ revision: Revision, of id: DocumentID) -> Bool {
    guard let document = documents[id], let order = order(of: id) else { return false }
    return document.tree.leaves.contains { leaf in
      document.bodies[leaf] != nil && order.path(of: leaf)?.contains(revision) == true
    }
  }
}

extension RevisionAnswer {
  fileprivate func withPathBySuffix(in store: ModelStore) -> RevisionAnswer {
    var answer = self
    switch found {
    case .records(let records):
      guard let order = store.order(of: id) else { return self }
      let limit = store.deviationMemory.limitsAtChange[id] ?? store.historyLimit ?? .max
      answer.found = .records(
        records.map { record in
          guard let tip = record.path.first, let revision = store.collation.revision(tip),
            let path = order.path(of: revision)
          else { return record }
          var record = record
          record.path = path.prefix(Int(clamping: limit)).map(\.id)
          return record
        })
    case .bodyMissing:
      if let revision = store.collation.revision(rev), !store.isFoundBySuffix(revision, of: id) {
        answer.found = .missing
      }
    case .missing: break
    }
    return answer
  }
}

extension Performance {
  /// Records the flags of written revisions.
  fileprivate mutating func recordSuffixFlags() {
    guard outcome.result != nil, let before = storeBefore, var store else { return }
    if case .insertRevisions(let all) = operation.action, all.count > 1,
      case .inserted(let results)? = result
    {
      let records = zip(all, results).filter { $1 == nil }.map(\.0)
      // Records are written one by one, ordered by document and generation.
      var single = before
      var decisions = start
      for record in records.sortedAsWritten(before.collation) {
        let earlier = single
        _ = single.insertRevisions([record], &decisions)
        single.recordSuffixFlags(since: earlier)
      }
      store.deviationMemory.suffixFlags = single.deviationMemory.suffixFlags
      // The merge of all records at once may differ from that of single ones.
      store.recordSuffixFlags(since: single)
    } else {
      store.recordSuffixFlags(since: before)
    }
    self.store = store
  }

  /// Predicts nothing for a document with a wrong flag after it is edited.
  fileprivate mutating func leaveMisflagged() {
    let id: DocumentID
    switch operation.action.withoutAttachments {
    case .create(let created?, _): id = created
    case .update(let edited, _, _), .delete(let edited, _, _), .resolve(let edited, _, _, _):
      id = edited
    default: return
    }
    guard let store = storeBefore, let document = store.documents[id],
      store.flagged(document.leaves, of: id) != document.leaves
        || store.isDead(id) != document.tree.isWinnerDeleted
    else { return }
    leaveUnpredictable([id], because: "flag-by-suffix")
  }

  fileprivate mutating func answerWithSuffixFlags() {
    guard let store = storeBefore else { return }
    switch (operation.action.withoutAttachments, result) {
    case (.leaves(let id), .leaves(let leaves)?):
      result = .leaves(store.flagged(leaves, of: id))
    case (.changes, .changes(var page)?):
      for place in page.rows.indices {
        let id = page.rows[place].id
        page.rows[place].leaves = Leaves(store.flagged(page.rows[place].leaves.array, of: id))
        if let winner = store.documents[id]?.tree.winner, let order = store.order(of: id) {
          page.rows[place].deleted = order.isDeleted(suffix: winner.suffix)
        }
      }
      result = .changes(page)
    case (.read(let id, nil), _):
      guard let document = store.documents[id], let winner = document.tree.winner else { return }
      if store.isDead(id) {
        if result != nil { fail(.notFound(.deleted)) }
      } else if outcome.errorKind == .notFound(.deleted),
        let read = try? store.document(id, winner.id)
      {
        result = .document(store.flagged(read))
      }
    case (.readAttachment(let id, nil, _, _, _), _):
      guard store.documents[id] != nil else { return }
      if store.isDead(id) {
        if result != nil || outcome.errorKind == .notFound(.missing) { fail(.notFound(.deleted)) }
      } else if outcome.errorKind == .notFound(.deleted) {
        fail(.notFound(.missing))
      }
    case (.read, .document(let document)?): result = .document(store.flagged(document))
    case (.getRevisions, .revisions(let answers)?):
      result = .revisions(
        answers.map { answer in
          var answer = answer
          if case .records(let records) = answer.found {
            answer.found = .records(records.map { store.flagged($0) })
          }
          return answer
        })
    case (.list(let from, _, let descending), .list?):
      result = .list(store.listBySuffixFlags(from, descending: descending))
    case (.info, .info(var info)?):
      let dead = Int64(store.documents.keys.count { store.isDead($0) })
      info.documents = Int64(store.documents.count) - dead
      info.deletedDocuments = dead
      result = .info(info)
    case (.create(let id?, _), .written?):
      if store.documents[id] != nil, !store.isDead(id) { fail(.conflict) }
    case (.resolve(let id, let leaves, _, _), .resolved?):
      let live = store.flagged(store.documents[id]?.leaves ?? [], of: id).filter { !$0.deleted }
      let named = Set(leaves.compactMap { store.collation.revision($0) })
      if Set(live.compactMap { store.collation.revision($0.rev) }) != named { fail(.conflict) }
    case (.resolve(let id, let leaves, let keep, let body), _):
      guard outcome.errorKind == .conflict else { return }
      resolveWithFlaggedTombstones(id, leaves, keep: keep, body: body)
    default: break
    }
  }
}

extension Performance {
  /// Resolves a conflict in which tombstones that are flagged as live are named, too; each of them
  /// gets a tombstone.
  private mutating func resolveWithFlaggedTombstones(
    _ id: DocumentID, _ leaves: [RevisionID], keep: RevisionID, body: JSONValue?
  ) {
    guard let document = storeBefore?.documents[id], let store = storeBefore else { return }
    let flagged = store.flagged(document.leaves, of: id).filter { !$0.deleted }.map(\.rev)
    guard Set(flagged) == Set(leaves), leaves.contains(keep) else { return }
    let live = document.tree.liveLeaves.map(\.id)
    let tombstones = flagged.filter { !live.contains($0) }
    guard !tombstones.isEmpty, live.contains(keep) else { return }
    perform { store, decisions in
      // The kept leaf is named in the answer and is no new revision.
      if body == nil, let kept = store.collation.revision(keep) {
        decisions.take(kept, store.collation)
      }
      guard
        case .resolved(let rev, var made)? = try? store.resolve(
          id, leaves: live, keep: keep, body, attachments: nil, decisions: &decisions)
      else { return nil }
      for tombstone in tombstones {
        guard
          case .written(_, let rev)? = try? store.edit(
            id, tombstone, deleted: true, body: [:], attachments: [], decisions: &decisions)
        else { return nil }
        made.append(rev)
      }
      return .resolved(rev: rev, tombstones: made)
    }
  }
}

extension ModelStore {
  fileprivate mutating func recordSuffixFlags(since before: ModelStore) {
    for (id, document) in documents where document != before.documents[id] {
      let known = before.documents[id]?.bodies ?? [:]
      let isWrite = document.changedAt != before.documents[id]?.changedAt
      guard isWrite else { continue }
      let written = document.bodies.keys.filter { known[$0] == nil }
      let extended = before.documents[id]?.tree.roots.filter { document.tree.parent(of: $0) != nil }
      deviationMemory.suffixFlags[id, default: SuffixFlags()].lost.formUnion(extended ?? [])
      deviationMemory.suffixFlags[id, default: SuffixFlags()].record(document, written: written)
    }
    for id in deviationMemory.suffixFlags.keys where documents[id] == nil {
      deviationMemory.suffixFlags[id] = nil
    }
  }

  fileprivate func isDead(_ id: DocumentID) -> Bool {
    deviationMemory.suffixFlags[id]?.isDead ?? false
  }

  fileprivate func isFlagged(_ revision: RevisionID, of id: DocumentID, else flag: Bool) -> Bool {
    guard let revision = collation.revision(revision), let order = order(of: id),
      let flags = deviationMemory.suffixFlags[id]
    else { return flag }
    return flags.isDeleted(revision, order)
  }

  fileprivate func flagged(_ leaves: [Leaf], of id: DocumentID) -> [Leaf] {
    leaves.map { Leaf(rev: $0.rev, deleted: isFlagged($0.rev, of: id, else: $0.deleted)) }
  }

  fileprivate func flagged(_ document: DocumentRevision) -> DocumentRevision {
    var document = document
    document.deleted = isFlagged(document.rev, of: document.id, else: document.deleted)
    return document
  }

  fileprivate func flagged(_ record: RevisionRecord) -> RevisionRecord {
    guard let tip = record.path.first else { return record }
    var record = record
    record.deleted = isFlagged(tip, of: record.id, else: record.deleted)
    return record
  }

  func listBySuffixFlags(_ from: DocumentID?, descending: Bool) -> [ListRow] {
    let ids = documents.keys.filter { id in
      guard !isDead(id) else { return false }
      guard let from else { return true }
      let (left, right) = descending ? (from, id) : (id, from)
      return !left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
    let sorted = ids.sorted { left, right in
      descending
        ? right.text.utf8.lexicographicallyPrecedes(left.text.utf8)
        : left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
    return sorted.compactMap { id in
      documents[id]?.tree.winner.map { ListRow(id: id, rev: $0.id) }
    }
  }
}

extension [RevisionRecord] {
  /// The records in the order in which PouchDB writes them: by document, then by generation.
  func sortedAsWritten(_ collation: Collation) -> [RevisionRecord] {
    enumerated().sorted { left, right in
      let generations = [left, right].map {
        $0.element.path.first.flatMap { collation.revision($0) }?.generation ?? 0
      }
      let (leftID, rightID) = (left.element.id.text.string, right.element.id.text.string)
      if leftID != rightID {
        return leftID.utf16.lexicographicallyPrecedes(rightID.utf16)
      }
      return (generations[0], left.offset) < (generations[1], right.offset)
    }.map(\.element)
  }
}

extension StoreAction {
  /// The document and the revision of a read by a revision; nil for other actions.
  fileprivate var readRevision: (DocumentID, RevisionID)? {
    switch self {
    case .read(let id, let rev?), .readAttachment(let id, let rev?, _, _, _): (id, rev)
    default: nil
    }
  }
}
