internal import Datastore
internal import JSON
internal import RevisionTree

// Deviations in the answers to `revsDiff` and `getRevisions`.

extension Deviation {
  static let queries: [Deviation] = [
    Deviation(
      "stubs-are-missing",
      "`revsDiff` reports known revisions without a body as missing, as often as a query lists them.",
      breaks: ["DIFF-003"], of: [.pouchDB],
      effect: .difference { asked, document in
        asked.filter { document?.tree.contains($0) == true && document?.bodies[$0] == nil }
      }),
    Deviation(
      "unknown-revision-reported-each-time",
      "`revsDiff` reports an unknown revision as often as a query lists it.",
      breaks: ["DIFF-006"], of: [.couchDB, .pouchDB],
      effect: .difference { asked, document in
        asked.filter { document?.tree.contains($0) != true }
      }),
    Deviation(
      "repeated-revision-is-missing",
      "`revsDiff` reports a known revision as missing if a query lists it twice.",
      breaks: ["DIFF-002", "DIFF-006"], of: [.couchDB, .pouchDB],
      effect: .difference { asked, document in
        asked.uniqued.flatMap { revision in
          let count = asked.count { $0 == revision }
          let isKnown = document?.tree.contains(revision) == true
          return Array(repeating: revision, count: isKnown ? count - 1 : 1)
        }
      }),
    Deviation(
      "possible-ancestors-never-reported", "`revsDiff` reports no possible ancestors.",
      breaks: ["DIFF-004"], of: [.pouchDB],
      effect: .response { performance in
        guard case .revsDiff(let differences)? = performance.result else { return }
        // The last deviation of these answers.
        performance.result = .revsDiff(
          differences.map { Difference(id: $0.id, missing: $0.missing, possibleAncestors: []) })
      }),
    Deviation(
      "possible-ancestors-are-stored-revisions",
      "`revsDiff` reports as possible ancestors the revisions with a body that are not deleted, "
        + "whether or not they are leaves.",
      breaks: ["DIFF-004"], of: [.cdtDatastore],
      effect: .response { performance in
        guard case .revsDiff(let differences)? = performance.result,
          let store = performance.storeBefore
        else { return }
        performance.result = .revsDiff(
          differences.map { difference in
            Difference(
              id: difference.id, missing: difference.missing,
              possibleAncestors: store.documents[difference.id]?
                .storedRevisions(below: difference.missing) ?? [])
          })
      }),
    Deviation(
      "repeated-request-answered-once",
      "`getRevisions` answers a revision once that a query lists twice.",
      breaks: ["REC-002"], of: [.couchDB],
      effect: .request { operation, state in
        guard case .getRevisions(let queries) = operation.action else { return nil }
        let asked = queries.map {
          RevisionQuery(
            id: $0.id, revs: $0.revs.uniqued, latest: $0.latest,
            attachmentsSince: $0.attachmentsSince)
        }
        return StoreOperation(operation.store, .getRevisions(asked))
      }),
    Deviation(
      "stubs-read-as-unknown",
      "A known revision without a body reads as an unknown revision.",
      breaks: ["READ-006", "REC-003", "COMP-002"], of: [.couchDB, .pouchDB, .cdtDatastore],
      effect: .response { performance in
        if performance.outcome.errorKind == .notFound(.bodyMissing) {
          performance.fail(.notFound(.missing))
        }
        guard case .revisions(let answers)? = performance.result else { return }
        performance.result = .revisions(
          answers.map { answer in
            var answer = answer
            if answer.found == .bodyMissing { answer.found = .missing }
            return answer
          })
      }),
    Deviation(
      "paths-not-cut-when-read",
      "`getRevisions` cuts paths to the history limit at the latest change of the document, not to "
        + "the present one.",
      breaks: ["LIMIT-002"], of: [.pouchDB],
      effect: .response { performance in
        performance.recordLimits()
        guard case .revisions(let answers)? = performance.result,
          let store = performance.storeBefore, let limit = store.historyLimit
        else { return }
        performance.result = .revisions(
          answers.map { $0.mappingRecords { $0.withUncutPath(in: store, limit: limit) } })
      }),
    Deviation(
      "latest-returns-the-best-leaf",
      "`getRevisions` with `latest` returns one leaf, deleted or not: from the revision downwards, the "
        + "child with the greatest suffix at each branch.",
      breaks: ["REC-004"], of: [.pouchDB],
      effect: .response { performance in
        guard case .getRevisions(let queries) = performance.operation.action,
          queries.contains(where: \.latest), case .revisions(let answers)? = performance.result,
          let store = performance.storeBefore
        else { return }
        performance.result = .revisions(answers.map { $0.withVisitedLeaf(in: store) })
      }),
  ]
}

extension Deviation.Effect {
  /// Reports other revisions as missing.
  ///
  /// - Parameter missing: returns the revisions that are reported for the revisions of a query.
  fileprivate static func difference(
    _ missing: @escaping @Sendable ([Revision], ModelDocument?) -> [Revision]
  ) -> Deviation.Effect {
    .response { performance in
      guard case .revsDiff(let queries) = performance.operation.action,
        case .revsDiff? = performance.result, let store = performance.storeBefore
      else { return }
      var answers = performance.differences ?? queries.map { store.difference($0) }
      for (place, query) in queries.enumerated() {
        let document = store.documents[query.id]
        // An earlier deviation may already report more.
        let reported = answers[place]?.missing ?? []
        var more = missing(query.revs.compactMap { store.collation.revision($0) }, document)
          .map(\.id)
        for revision in reported {
          if let place = more.firstIndex(of: revision) { more.remove(at: place) }
        }
        answers[place] = Difference(query.id, missing: reported + more, in: document)
      }
      performance.differences = answers
      performance.result = .revsDiff(answers.compactMap { $0 })
    }
  }
}

extension ModelDocument {
  /// The live revisions with a body below the highest generation of some revisions.
  fileprivate func storedRevisions(below missing: [RevisionID]) -> [RevisionID] {
    let highest = missing.compactMap { tree.collation.revision($0)?.generation }.max() ?? 0
    return bodies.keys.filter { $0.generation < highest && tree.isDeleted($0) == false }
      .sorted { tree.collation.precedes($1, $0) }.map(\.id)
  }
}

extension ModelStore {
  /// The answer to one query; nil if no revision is missing.
  func difference(_ query: RevisionQuery) -> Difference? {
    let document = documents[query.id]
    let tree = document?.tree ?? RevisionTree(collation: collation)
    let missing = tree.difference(query.revs.compactMap { collation.revision($0) }).missing
    // A deviation may accept invalid ids, which no document has.
    let invalid = query.revs.filter { collation.revision($0) == nil }
    return Difference(query.id, missing: missing.map(\.id) + invalid, in: document)
  }
}

extension Difference {
  /// The answer to a query with these missing revisions; nil without any.
  fileprivate init?(_ id: DocumentID, missing: [RevisionID], in document: ModelDocument?) {
    let collation = document?.tree.collation ?? Collation(.bytes)
    guard !missing.isEmpty else { return nil }
    let highest = missing.compactMap { collation.revision($0)?.generation }.max() ?? 0
    let leaves = document?.tree.leaves.filter { $0.generation < highest } ?? []
    self.init(id: id, missing: missing, possibleAncestors: leaves.map(\.id))
  }
}

extension Sequence where Element: Hashable {
  /// The elements without repetitions, in the order of their first occurrence.
  fileprivate var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension RevisionAnswer {
  /// The answer with the first visited leaf only.
  fileprivate func withVisitedLeaf(in store: ModelStore) -> RevisionAnswer {
    guard case .records(let records) = found, records.count > 1, let document = store.documents[id],
      let revision = store.collation.revision(rev)
    else { return self }
    let leaves = document.tree.leaves(under: revision).filter { document.bodies[$0] != nil }
    let order = VisitingOrder(document.tree, store.deviationMemory.suffixFlags[id])
    let visited = order.revisions.first { leaves.contains($0) }
    guard leaves.count == records.count,
      let place = visited.flatMap({ leaves.firstIndex(of: $0) })
    else { return self }
    return RevisionAnswer(id: id, rev: rev, found: .records([records[place]]))
  }

  /// The answer with other records.
  func mappingRecords(_ map: (RevisionRecord) -> RevisionRecord) -> RevisionAnswer {
    guard case .records(let records) = found else { return self }
    return RevisionAnswer(id: id, rev: rev, found: .records(records.map(map)))
  }
}

extension RevisionRecord {
  /// The record with its whole path, if the history limit has cut it.
  fileprivate func withUncutPath(in store: ModelStore, limit: Int64) -> RevisionRecord {
    guard Int64(path.count) == limit,
      let tip = path.first.flatMap({ store.collation.revision($0) }),
      let tree = store.documents[id]?.tree, tree.contains(tip)
    else { return self }
    var record = self
    record.path = tree.ancestry(of: tip, limit: store.deviationMemory.limitsAtChange[id]).map(\.id)
    return record
  }
}

extension Performance {
  /// Records the history limit for each changed document.
  fileprivate mutating func recordLimits() {
    guard let before = storeBefore, var store else { return }
    for (id, document) in store.documents where document != before.documents[id] {
      store.deviationMemory.limitsAtChange[id] = store.historyLimit
    }
    self.store = store
  }
}
