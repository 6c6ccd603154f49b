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
}

extension ModelStore {
  /// Inserts revisions as `insertRevisions` does, with deviating rules.
  mutating func insertRevisions(
    _ records: [RevisionRecord], deviating rules: Set<MergeRule>, _ decisions: inout Decisions
  ) -> OperationResult {
    let (before, answer) = (self, decisions.answer)
    var order: [DocumentID] = []
    var joined: Set<DocumentID> = []
    var results: [DatastoreError?] = []
    historyLimit = nil
    for (index, record) in records.enumerated() {
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
      if correct(record, path, over: document, rules) { joined.insert(record.id) }
    }
    (historyLimit, refused, decisions.answer) = (before.historyLimit, before.refused, answer)
    let merged = documents
    documents = before.documents
    lastChange = before.lastChange
    for id in order {
      guard let document = merged[id] else { continue }
      let isCut = !(rules.contains(.cutsBeforeJoin) && joined.contains(id))
      settle(
        id, document, isCut: isCut, cutsWithoutChange: rules.contains(.cutsWithoutChange))
    }
    return .inserted(results)
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

  /// Changes flag and body of a known tip; returns whether the record joined two components.
  private mutating func correct(
    _ record: RevisionRecord, _ path: RevisionPath, over document: ModelDocument,
    _ rules: Set<MergeRule>
  ) -> Bool {
    let tree = document.tree
    let known = path.revisions.firstIndex { tree.contains($0) }
    guard let known else { return false }
    let root = tree.ancestry(of: path.revisions[known]).last
    let isJoin = path.revisions.contains {
      $0.generation < root?.generation ?? 0 && tree.contains($0)
    }
    guard known == 0, var merged = documents[record.id] else { return isJoin }
    if document.bodies[path.tip] == nil {
      if rules.contains(.lateBodyBringsFlag), merged.bodies[path.tip] != nil {
        merged.tree.setDeleted(record.deleted, of: path.tip)
      }
    } else if isJoin, rules.contains(.joinReplacesTip) {
      merged.tree.setDeleted(record.deleted, of: path.tip)
      merged.bodies[path.tip] = record.body
    }
    documents[record.id] = merged
    return isJoin
  }

  /// Stores a document after all records of an operation.
  private mutating func settle(
    _ id: DocumentID, _ document: ModelDocument, isCut: Bool, cutsWithoutChange: Bool
  ) {
    let before = documents[id]
    var document = document
    document.changedAt = before?.changedAt ?? 0
    if isCut, let historyLimit, cutsWithoutChange || document != before {
      for revision in document.tree.stem(limit: historyLimit) { document.forget(revision) }
    }
    guard document != before else { return }
    lastChange += 1
    document.changedAt = lastChange
    documents[id] = document.tree.isEmpty ? nil : document
  }
}
