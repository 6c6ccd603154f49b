internal import Datastore
internal import JSON
internal import RevisionTree

// Deviations in the merge of records.

extension Deviation {
  static let records: [Deviation] = [
    Deviation(
      "late-body-brings-flag",
      "A body that arrives for a revision without one brings its own deletion flag.",
      breaks: ["TREE-006", "TREE-027"], of: [.couchDB], isConditional: true,
      effect: .merging(.lateBodyBringsFlag)),
    Deviation(
      "join-replaces-tip",
      "A history that joins two parts of a document replaces body and deletion flag of its known "
        + "newest revision.",
      breaks: ["TREE-006", "TREE-013", "TREE-027"], of: [.couchDB], isConditional: true,
      effect: .merging(.joinReplacesTip)),
    Deviation(
      "limit-cuts-without-change",
      "A known record makes the store apply a lowered history limit and move the row in the feed.",
      breaks: ["LIMIT-002", "TREE-007"], of: [.couchDB], effect: .merging(.cutsWithoutChange)),
    Deviation(
      "limit-cuts-before-join",
      "A history that joins two parts of a document is cut before it joins them. Each leaf keeps its "
        + "own part of the history, and nothing is cut afterwards.",
      breaks: ["LIMIT-001"], of: [.couchDB], effect: .merging(.cutsBeforeJoin)),
    Deviation(
      "inner-records-dropped",
      "If a call or the store contains a design document, or the call an attachment, or a validation is "
        + "set, a record of a known document is dropped with its path when another record of the call "
        + "descends from it.",
      breaks: ["REC-007"], of: [.couchDB], isConditional: true,
      effect: .merging(.dropsInnerRecords)),
    Deviation(
      "limit-splits-repeated-suffixes",
      "The history limit cuts the history of a document wrongly if a suffix occurs at two generations. "
        + "What is returned for the document is then not predicted.",
      breaks: ["LIMIT-001", "LIMIT-003", "TREE-010"], of: [.couchDB, .pouchDB],
      effect: .response { $0.leaveRepeatedSuffixes() }),
    Deviation(
      "limit-separates-branches",
      "Where the history limit cuts a branch at a revision that another branch keeps, the store separates "
        + "the two branches. What is returned for the document is then not predicted.",
      breaks: ["LIMIT-003"], of: [.pouchDB],
      effect: .response { performance in
        guard let store = performance.store, let limit = store.historyLimit,
          let before = performance.storeBefore
        else { return }
        let ids = store.documents.filter { id, document in
          document != before.documents[id]
            && document.tree.leaves.contains {
              Int64(document.tree.ancestry(of: $0).count) > limit
            }
        }.keys
        performance.leaveUnpredictable(ids, because: "limit-separates-branches")
      }),
    Deviation(
      "cut-revision-not-stored-again",
      "A record of a revision that the history limit has cut may be acknowledged and not stored. What "
        + "is returned for the document is then not predicted.",
      breaks: ["TREE-003"], of: [.pouchDB],
      effect: .response { performance in
        performance.recordCutRevisions()
        guard case .insertRevisions(let records) = performance.operation.action,
          let before = performance.storeBefore
        else { return }
        let again = records.filter { record in
          record.path.first.flatMap { before.collation.revision($0) }.map {
            before.deviationMemory.cut[record.id]?.contains($0) == true
          } ?? false
        }
        performance.leaveUnpredictable(again.map(\.id), because: "cut-revision-not-stored-again")
      }),
    Deviation(
      "joining-path-stored-twice",
      "A path that joins two parts of a document is stored in both, so the feed lists its leaf twice. "
        + "What is returned for the document is then not predicted.",
      breaks: ["TREE-005"], of: [.pouchDB],
      effect: .response { performance in
        performance.leaveUnpredictable(
          performance.joinedDocuments, because: "joining-path-stored-twice")
      }),
    Deviation(
      "invalid-record-fails-all-records",
      "A record with an invalid id or body fails the whole `insertRevisions` with its error. Of several "
        + "such records the first one counts, ordered by id and generation.",
      breaks: ["REC-005", "ID-005"], of: [.pouchDB],
      effect: .response { performance in
        guard case .insertRevisions(let records) = performance.operation.action,
          case .inserted(let results)? = performance.result
        else { return }
        let failed = records.indices.filter { place in
          let kind = results[place]?.kind
          return records[place].isSendable && (kind == .badID || kind == .badBody)
        }
        let first = failed.min { records[$0].isSent(before: records[$1]) }
        if let first, let kind = results[first]?.kind { performance.failRecords(kind) }
      }),
    Deviation(
      "path-ends-at-known-revision",
      "The store reads the path of a new revision down to its newest known revision only.",
      breaks: ["TREE-005"], of: [.cdtDatastore], effect: .merging(.endsAtKnownRevision)),
    Deviation(
      "design-records-not-validated",
      "The validation does not apply to records of design documents.",
      breaks: ["VALID-001", "VALID-005"], of: [.couchDB], effect: .merging(.skipsDesignDocuments)),
  ]
}

extension Performance {
  /// Remembers the revisions that the operation removes from the histories of documents.
  fileprivate mutating func recordCutRevisions() {
    guard let before = storeBefore, let after = store, after.historyLimit != nil else { return }
    for (id, document) in before.documents {
      guard let tree = after.documents[id]?.tree, tree != document.tree else { continue }
      let cut = document.tree.parts.reduce(into: Set()) { $0.formUnion($1) }
        .filter { !tree.contains($0) }
      if !cut.isEmpty { store?.deviationMemory.cut[id, default: []].formUnion(cut) }
    }
  }

  /// The documents of records whose path has revisions of several parts of the document, and whose
  /// newest revision is unknown.
  fileprivate var joinedDocuments: [DocumentID] {
    guard case .insertRevisions(let records) = operation.action, let before = storeBefore else {
      return []
    }
    var parts: [DocumentID: [Set<Revision>]] = [:]
    var joined: [DocumentID] = []
    for record in records {
      let path = record.path.compactMap { before.collation.revision($0) }
      guard let tip = path.first else { continue }
      let tree = before.documents[record.id]?.tree
      var others = parts[record.id] ?? tree?.parts ?? []
      let touched = others.filter { !$0.isDisjoint(with: path) }
      if touched.count > 1, !touched.contains(where: { $0.contains(tip) }) {
        joined.append(record.id)
      }
      others.removeAll { !$0.isDisjoint(with: path) }
      parts[record.id] = others + [touched.reduce(into: Set(path)) { $0.formUnion($1) }]
    }
    return joined
  }

  /// Predicts nothing for documents that a history limit may have cut although a suffix occurs at two
  /// generations.
  fileprivate mutating func leaveRepeatedSuffixes() {
    guard let limit = storeBefore?.historyLimit, let after = store else { return }
    let ids: [DocumentID] =
      switch operation.action.withoutAttachments {
      case .create(let id?, _), .update(let id, _, _), .delete(let id, _, _),
        .resolve(let id, _, _, _), .purge(let id, _):
        [id]
      case .insertRevisions(let records): records.map(\.id)
      case .compact: Array(after.documents.keys)
      default: []
      }
    for id in ids {
      var paths = [storeBefore?.documents[id]?.tree, after.documents[id]?.tree].compactMap(\.self)
        .flatMap { tree in tree.leaves.map { tree.ancestry(of: $0) } }
      if case .insertRevisions(let records) = operation.action {
        paths += records.filter { $0.id == id }.map {
          $0.path.compactMap { after.collation.revision($0) }
        }
      }
      let revisions = Set(paths.flatMap(\.self))
      guard paths.contains(where: { Int64($0.count) >= limit }),
        Set(revisions.map(\.suffix)).count < revisions.count
      else { continue }
      leaveUnpredictable([id], because: "limit-splits-repeated-suffixes")
    }
  }
}

extension RevisionTree {
  /// The revisions of each part: those with a common oldest revision.
  fileprivate var parts: [Set<Revision>] {
    var parts: [Revision: Set<Revision>] = [:]
    for leaf in leaves {
      let path = ancestry(of: leaf)
      guard let oldest = path.last else { continue }
      parts[oldest, default: []].formUnion(path)
    }
    return parts.keys.sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
      .compactMap { parts[$0] }
  }
}
