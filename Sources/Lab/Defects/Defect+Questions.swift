internal import Datastore
internal import JSON

// Mutants in the arguments of operations: the store performs another operation.

extension Defect {
  static let questions: [Defect] = [
    mishearing(
      "ids-composed", "UNI-001", sentence: "Ids are normalised: e and a combining accent are é."
    ) {
      operation, _ in
      operation.mapIDs { $0.composed }
    },
    mishearing(
      "ids-in-lower-case", "UNI-001", sentence: "Ids that differ only in case are one document."
    ) {
      operation, _ in
      operation.mapIDs { JSONString($0.string.lowercased()) }
    },
    mishearing(
      "revisions-in-lower-case", "REV-009", sentence: "Revision ids are folded to lower case."
    ) {
      operation, _ in
      operation.mapRecords { record in
        record.path = record.path.map { RevisionID(JSONString($0.text.string.lowercased())) }
      }
    },
    mishearing("latest-is-ignored", "REC-004", sentence: "getRevisions ignores `latest`.") {
      operation, _ in
      guard case .getRevisions(var queries) = operation.action else { return operation }
      for place in queries.indices { queries[place].latest = false }
      return StoreOperation(operation.store, .getRevisions(queries))
    },
    mishearing("limit-0-is-none", "CHG-007", sentence: "A limit of 0 in changes means no limit.") {
      operation, _ in
      switch operation.action {
      case .changes(let since, 0):
        StoreOperation(operation.store, .changes(since: since, limit: nil))
      default: operation
      }
    },
    mishearing("list-limit-0-is-none", "LIST-004", sentence: "A limit of 0 in list means no limit.")
    {
      operation, _ in
      switch operation.action {
      case .list(let from, 0, let descending):
        StoreOperation(operation.store, .list(from: from, limit: nil, descending: descending))
      default: operation
      }
    },
    mishearing("descending-is-ignored", "LIST-005", sentence: "`descending` is ignored.") {
      operation, _ in
      guard case .list(let from, let limit, _) = operation.action else { return operation }
      return StoreOperation(operation.store, .list(from: from, limit: limit))
    },
    mishearing(
      "paths-are-cut", "TREE-001", sentence: "Only 2 revisions of an arriving path are stored."
    ) {
      operation, _ in
      operation.mapRecords { $0.path.removeSubrange(min(2, $0.path.count)...) }
    },
    mishearing(
      "arrivals-live", "WIN-007",
      sentence: "A tombstone that arrives for a known document is stored as live."
    ) {
      operation, store throws(HarnessError) in
      var known: Set<DocumentID> = []
      for row in try store.feed(operation.store) where row.deleted { known.insert(row.id) }
      let dead = known
      return operation.mapRecords { if dead.contains($0.id) { $0.deleted = false } }
    },
    refusing(
      "deleted-stay-deleted", "EDIT-004", sentence: "A deleted document cannot be created again."
    ) { operation, store throws(HarnessError) in
      guard case .create(let id?, _) = operation.action else { return nil }
      return try store.leaves(operation.store, id).isEmpty ? nil : .conflict
    },
    refusing(
      "resolve-wants-order", "CONF-007",
      sentence: "`resolve` requires the leaves in winning order."
    ) { operation, store throws(HarnessError) in
      guard case .resolve(let id, let given, _, _) = operation.action else { return nil }
      let live = try store.leaves(operation.store, id).filter { !$0.deleted }.map { $0.rev }
      return Set(live) == Set(given) && live != given ? .conflict : nil
    },
    refusing(
      "purge-wants-leaves", "PURGE-005", sentence: "A purge without a leaf is a conflict."
    ) { operation, store throws(HarnessError) in
      guard case .purge(let id, let revs) = operation.action else { return nil }
      let leaves = Set(try store.leaves(operation.store, id).map { $0.rev })
      return !leaves.isDisjoint(with: revs) ? nil : .conflict
    },
    refusing(
      "design-documents-refused", "ID-002", sentence: "Ids that begin with _design/ are refused."
    ) { operation, _ in
      guard case .create(let id?, _) = operation.action else { return nil }
      return id.text.utf8.starts(with: "_design/".utf8) ? .badID : nil
    },
  ]
}
