internal import Datastore
internal import JSON
internal import RevisionTree

/// A deviation in the way in which a store merges records. The rules of one store act together on
/// each record.
enum MergeRule: Hashable, Sendable {
  /// A body that arrives for a stub brings its own deletion flag.
  case lateBodyBringsFlag
  /// A history that joins two components replaces flag and body of its known tip.
  case joinReplacesTip
  /// The history limit is applied although the record changes nothing.
  case cutsWithoutChange
  /// A history that joins two components is cut before it joins them and not afterwards.
  case cutsBeforeJoin
  /// The path of a new revision is read down to its newest known revision only.
  case endsAtKnownRevision
  /// The validation does not apply to design documents.
  case skipsDesignDocuments
  /// Where a call is validated, only records whose revisions are leaves afterwards are merged.
  case dropsInnerRecords
}

extension ModelStore {
  /// Inserts revisions as `insertRevisions` does, with deviating rules.
  mutating func insertRevisions(
    _ records: [RevisionRecord], deviating rules: Set<MergeRule>, _ decisions: inout Decisions
  ) -> OperationResult {
    let (before, answer) = (self, decisions.answer)
    var order: [DocumentID] = []
    var joins: [DocumentID: [Join]] = [:]
    var results: [DatastoreError?] = []
    historyLimit = nil
    let dropped = rules.contains(.dropsInnerRecords) ? innerRecords(of: records) : []
    for (index, record) in records.enumerated() {
      guard !dropped.contains(index) else {
        results.append(nil)
        continue
      }
      if !order.contains(record.id) { order.append(record.id) }
      if case .ok(.inserted(let answers)) = answer, answers.indices.contains(index) {
        decisions.answer = .ok(.inserted([answers[index]]))
      }
      let document = documents[record.id]
      refused =
        rules.contains(.skipsDesignDocuments) && record.id.text.utf8.starts(with: "_design/".utf8)
        ? nil : before.refused
      let sent = rules.contains(.endsAtKnownRevision) ? cut(record) : record
      guard case .inserted(let inserted) = insertRevisions([sent], &decisions) else { continue }
      results += inserted
      guard inserted == [nil], let document, let path = revisionPath(of: record) else { continue }
      if let join = Join(path, document.tree) { joins[record.id, default: []].append(join) }
      correct(record, path, over: document, by: rules)
    }
    (historyLimit, refused, decisions.answer) = (before.historyLimit, before.refused, answer)
    let merged = documents
    documents = before.documents
    lastChange = before.lastChange
    for id in order {
      guard let document = merged[id] else { continue }
      settle(
        id, document, joins: rules.contains(.cutsBeforeJoin) ? joins[id] ?? [] : [],
        cutsWithoutChange: rules.contains(.cutsWithoutChange))
    }
    return .inserted(results)
  }

  /// The places of the records of known documents whose revisions are no new leaves after a call; none
  /// if the call is not validated.
  private func innerRecords(of records: [RevisionRecord]) -> Set<Int> {
    let isValidated =
      refused != nil
      || documents.keys.contains { $0.text.utf8.starts(with: "_design/".utf8) }
      || records.contains {
        $0.id.text.utf8.starts(with: "_design/".utf8) || !$0.attachments.isEmpty
      }
    // A call with an invalid record is refused, and then each record is a call of its own.
    let isOneCall = records.allSatisfy { record in
      (try? Syntax.check(record.id)) != nil && (try? Syntax.check(body: record.body)) != nil
        && revisionPath(of: record) != nil
        && record.attachments.allSatisfy {
          (try? AttachmentDraft($0, inlineBytesMax, allowsEmptyName: true)) != nil
        }
    }
    guard isValidated, isOneCall else { return [] }
    var merged: [DocumentID: RevisionTree] = [:]
    for record in records {
      guard let path = revisionPath(of: record),
        let tree = merged[record.id] ?? documents[record.id]?.tree
      else { continue }
      var other = tree
      _ = other.merge(path, deleted: record.deleted)
      merged[record.id] = other
    }
    return Set(
      records.indices.filter { place in
        let id = records[place].id
        guard let path = revisionPath(of: records[place]), let tree = merged[id],
          let before = documents[id]?.tree, Join(path, before) == nil
        else { return false }
        return !tree.isLeaf(path.tip) || before.isLeaf(path.tip)
      })
  }

  private func revisionPath(of record: RevisionRecord) -> RevisionPath? {
    let revisions = record.path.compactMap { collation.revision($0) }
    return revisions.count == record.path.count ? RevisionPath(revisions) : nil
  }

  /// The record with its path down to the newest known revision.
  private func cut(_ record: RevisionRecord) -> RevisionRecord {
    guard let tree = documents[record.id]?.tree, let path = revisionPath(of: record),
      let known = path.revisions.firstIndex(where: { tree.contains($0) }), known > 0
    else { return record }
    var cut = record
    cut.path = Array(record.path.prefix(known + 1))
    return cut
  }

  /// Changes flag and body of a known tip.
  private mutating func correct(
    _ record: RevisionRecord, _ path: RevisionPath, over document: ModelDocument,
    by rules: Set<MergeRule>
  ) {
    let tree = document.tree
    guard tree.contains(path.tip), var merged = documents[record.id] else { return }
    if document.bodies[path.tip] == nil {
      if rules.contains(.lateBodyBringsFlag), merged.bodies[path.tip] != nil {
        merged.tree.setDeleted(record.deleted, of: path.tip)
      }
    } else if Join(path, tree) != nil, rules.contains(.joinReplacesTip) {
      merged.tree.setDeleted(record.deleted, of: path.tip)
      merged.bodies[path.tip] = record.body
      if record.attachments.isEmpty { merged.attachments[path.tip] = nil }
    }
    documents[record.id] = merged
  }

  /// Stores a document after all records of an operation.
  private mutating func settle(
    _ id: DocumentID, _ document: ModelDocument, joins: [Join], cutsWithoutChange: Bool
  ) {
    let before = documents[id]
    var document = document
    document.changedAt = before?.changedAt ?? 0
    if let historyLimit, cutsWithoutChange || document != before {
      if joins.isEmpty {
        for revision in document.tree.stem(limit: historyLimit) { document.forget(revision) }
      } else {
        document.mergeAgain(joins, limit: historyLimit)
      }
    }
    guard document != before else { return }
    lastChange += 1
    document.changedAt = lastChange
    documents[id] = document.tree.isEmpty ? nil : document
  }
}

/// A path that connects components of a document, in a store that first extends the oldest of them
/// only. It then has the revisions of the path in two trees.
private struct Join {
  /// The newest revision of the path.
  let tip: Revision
  /// The leaves of the other components with their paths before the join, newest first.
  let separate: [Revision: [Revision]]

  /// Returns nil if the path connects no components.
  init?(_ path: RevisionPath, _ tree: RevisionTree) {
    var roots: [Revision] = []
    for revision in path.revisions where tree.contains(revision) {
      guard let root = tree.ancestry(of: revision).last else { continue }
      if !roots.contains(root) { roots.append(root) }
    }
    // A path lists its revisions from the newest to the oldest. Below a root there is another
    // component, unless the path contradicts a known parent.
    guard roots.count > 1, let oldest = roots.last,
      path.revisions.contains(where: { $0.generation < roots[0].generation && tree.contains($0) })
    else { return nil }
    tip = path.tip
    var separate: [Revision: [Revision]] = [:]
    for leaf in tree.leaves {
      let ancestry = tree.ancestry(of: leaf)
      if let root = ancestry.last, root != oldest, roots.contains(root) {
        separate[leaf] = ancestry
      }
    }
    self.separate = separate
  }
}

extension ModelDocument {
  /// Cuts the path of every leaf to a limit and merges the paths again, the lowest first.
  fileprivate mutating func mergeAgain(_ joins: [Join], limit: Int64) {
    var separate: [Revision: [Revision]] = [:]
    for join in joins { separate.merge(join.separate) { first, _ in first } }
    // The tip of a path is a leaf of the component that the path extends.
    let tips = tree.leaves.filter { separate[$0] == nil } + joins.map(\.tip)
    let paths = tips.map { tree.ancestry(of: $0) } + separate.values
    let cut = paths.compactMap { RevisionPath(Array($0.prefix(Int(clamping: limit)))) }
    var merged = RevisionTree(collation: tree.collation)
    for path in cut.sorted(by: { $0.isMerged(before: $1, tree.collation) }) {
      _ = merged.merge(path, deleted: tree.isDeleted(path.tip) ?? false)
    }
    for path in cut {
      for revision in path.revisions {
        if let deleted = tree.isDeleted(revision) { merged.setDeleted(deleted, of: revision) }
      }
    }
    tree = merged
    for revision in bodies.keys where !merged.contains(revision) { forget(revision) }
  }
}

extension RevisionPath {
  /// Whether a path begins at a lower generation than another one, or else at a lower revision.
  fileprivate func isMerged(before other: RevisionPath, _ collation: Collation) -> Bool {
    if oldest.generation != other.oldest.generation {
      return oldest.generation < other.oldest.generation
    }
    for (mine, theirs) in zip(revisions.reversed(), other.revisions.reversed())
    where mine != theirs {
      return collation.precedes(mine, theirs)
    }
    return revisions.count < other.revisions.count
  }
}
