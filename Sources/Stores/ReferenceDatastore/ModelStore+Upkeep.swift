internal import Datastore
internal import RevisionTree

// Removal of data on request.

extension ModelStore {
  /// Removes the bodies and attachments of all revisions that are not leaves, and content that is
  /// then unused; nothing else changes.
  mutating func compact(_ decisions: inout Decisions) -> OperationResult {
    for (id, document) in documents {
      documents[id]?.bodies = document.bodies.filter { document.tree.isLeaf($0.key) }
      documents[id]?.attachments = document.attachments.filter { document.tree.isLeaf($0.key) }
    }
    dropUnusedContent(&decisions)
    return .done
  }

  /// Removes leaves with the ancestors that no other leaf needs, as if they had never existed.
  mutating func purge(
    _ id: DocumentID, _ revs: [RevisionID]
  ) throws(Faults) -> OperationResult {
    var faults = Faults()
    faults.collect { () throws(Faults) in try Syntax.check(id) }
    let revisions = faults.collect { () throws(Faults) in
      try Syntax.revisions(revs, collation)
    }
    guard let asked = revisions, faults.isEmpty else { throw faults }
    let before = documents[id]
    guard var document = before else { return .purged([]) }
    let leaves = document.tree.leaves.filter { asked.contains($0) }
    for leaf in leaves {
      for revision in document.tree.purge(leaf) { document.forget(revision) }
    }
    settle(id, document, before: before)
    return .purged(leaves.map { $0.id })
  }

  /// Limits the number of stored revisions of each branch, from the next change of each document
  /// on.
  mutating func setHistoryLimit(_ limit: Int64) throws(Faults) -> OperationResult {
    guard limit >= 1 else {
      throw Faults(
        DatastoreError(.badRequest(path: "limit"), "expected 1 or more, found \(limit)"))
    }
    historyLimit = limit
    return .done
  }
}
