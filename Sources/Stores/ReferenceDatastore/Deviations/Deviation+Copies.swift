internal import Datastore
internal import RevisionTree

// Stores that keep copies of a document on several nodes.

extension Deviation {
  static let copies: [Deviation] = [
    Deviation(
      "stale-copies",
      "A copy may lack the latest writes, above all while a node goes away or comes back. A read may "
        + "answer from it, and is right when it is repeated. Until the copies are equal, an edit may be "
        + "accepted although another copy has a later revision, a refused edit may be stored, and a "
        + "request may fail.",
      breaks: [
        "CHG-001", "DIFF-002", "DIFF-007", "EDIT-003", "EDIT-007", "LIST-002", "READ-003",
        "STORE-007",
      ],
      of: [.couchDBCluster], isConditional: true, effect: .staleAnswers),
    Deviation(
      "cut-leaf-listed-twice",
      "A new history limit reaches one of the copies late; `leaves` then lists a leaf twice whose "
        + "path the copies cut differently.",
      breaks: ["LIMIT-001"], of: [.couchDBCluster], isConditional: true,
      effect: .response { performance in
        guard case .leaves(let id) = performance.operation.action,
          case .leaves(let leaves)? = performance.result,
          case .ok(.leaves(let answered))? = performance.start.answer,
          let store = performance.storeBefore, let limit = store.historyLimit,
          let tree = store.documents[id]?.tree
        else { return }
        var listed: [Leaf] = []
        for leaf in answered {
          guard listed.contains(leaf) else {
            listed.append(leaf)
            continue
          }
          // A shorter path is equal in all copies.
          let revision = store.collation.revision(leaf.rev)
          guard let revision, tree.ancestry(of: revision).count >= limit else { return }
        }
        if listed.agree(with: leaves) { performance.result = .leaves(answered) }
      }),
    Deviation(
      "failed-stub-stores-other-shards",
      "An `insertRevisions` that fails because of a missing stub stores the records of other shards. "
        + "What is returned for its documents is then not predicted.",
      breaks: ["ATT-022", "REC-005"], of: [.couchDBCluster], isConditional: true,
      effect: .response { performance in
        guard case .insertRevisions(let records) = performance.operation.action,
          case .error(let error) = performance.outcome, error.kind == .missingStub
        else { return }
        let ids = records.map(\.id)
        guard Set(ids).count > 1 else { return }
        performance.leaveUnpredictable(ids, because: "failed-stub-stores-other-shards")
      }),
  ]
}
