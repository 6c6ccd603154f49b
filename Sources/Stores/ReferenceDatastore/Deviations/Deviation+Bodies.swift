internal import Datastore
internal import JSON
internal import RevisionTree

// Deviations in the special members of bodies: top-level members that begin with `_`.

extension Deviation {
  static let bodies: [Deviation] = [
    Deviation(
      "special-members-ignored",
      "The store removes `_conflicts`, `_deleted_conflicts`, `_local_seq` and `_revs_info` from a "
        + "body instead of rejecting it.",
      breaks: ["BODY-002"], of: [.couchDB],
      effect: .request { operation, _ in
        let ignored: Set<JSONString> = [
          "_conflicts", "_deleted_conflicts", "_local_seq", "_revs_info",
        ]
        return StoreOperation(operation.store, operation.action.removingMembers(ignored))
      }),
    Deviation(
      "special-members-dropped",
      "The store removes `_conflicts`, `_deleted_conflicts`, `_local_seq`, `_removed`, `_rev_tree` and "
        + "`_revs_info` from the body of a document instead of rejecting it.",
      breaks: ["BODY-002"], of: [.pouchDB],
      effect: .request { operation, _ in
        if case .writeLocal = operation.action { return nil }
        return StoreOperation(
          operation.store,
          operation.action.removingMembers([
            "_conflicts", "_deleted_conflicts", "_local_seq", "_removed", "_rev_tree", "_revs_info",
          ]))
      }),
    Deviation(
      "members-named-proto-lost",
      "The store drops members named `__proto__` at every level of a body.",
      breaks: ["BODY-003", "BODY-004"], of: [.pouchDB],
      effect: .request { operation, _ in
        let action = operation.action.mapping(bodies: { $0.withoutMembers(named: "__proto__") })
        return StoreOperation(operation.store, action)
      }),
    Deviation(
      "special-members-stored",
      "The store stores the members `_access` and `_replication_` with id, state, state_reason, "
        + "state_time or stats instead of rejecting the body.",
      breaks: ["BODY-002"], of: [.couchDB, .pouchDB],
      effect: .response {
        $0.storeMembers([
          "_access", "_replication_id", "_replication_state", "_replication_state_reason",
          "_replication_state_time", "_replication_stats",
        ])
      }),
    Deviation(
      "special-members-removed-from-records",
      "The store removes the special members of CouchDB from the body of a record instead of "
        + "rejecting the record.",
      breaks: ["BODY-002"], of: [.cdtDatastore],
      effect: .request { operation, _ in
        guard case .insertRevisions = operation.action else { return nil }
        let removed: Set<JSONString> = [
          "_id", "_rev", "_attachments", "_deleted", "_revisions", "_revs_info", "_conflicts",
          "_deleted_conflicts", "_local_seq",
        ]
        return StoreOperation(operation.store, operation.action.removingMembers(removed))
      }),
    Deviation(
      "special-members-of-records-stored",
      "The store stores the members `_replication_` with id, state, state_time or stats of a record "
        + "instead of rejecting the record.",
      breaks: ["BODY-002"], of: [.cdtDatastore],
      effect: .response { performance in
        guard case .insertRevisions = performance.operation.action else { return }
        performance.storeMembers([
          "_replication_id", "_replication_state", "_replication_state_time", "_replication_stats",
        ])
      }),
  ]
}

extension Performance {
  /// Performs a write as if top-level members with these names were valid.
  ///
  /// The model rejects them: it performs the write without them, and the stored body is replaced.
  fileprivate mutating func storeMembers(_ names: Set<JSONString>) {
    let write = operation.action
    let valid = write.removingMembers(names)
    guard valid != write, write.withoutAttachments == write, let store = storeBefore else { return }
    var (state, decisions) = (before, start)
    decisions.takeFirstAlternatives()
    var result = state.performByRules(StoreOperation(operation.store, valid), &decisions)
    switch (write, result) {
    case (.insertRevisions(let records), .ok(.inserted(let errors))):
      for (record, error) in zip(records, errors) where error == nil {
        guard let tip = record.path.first.flatMap({ store.collation.revision($0) }),
          store.documents[record.id]?.bodies[tip] == nil,
          state.stores[operation.store]?.documents[record.id]?.bodies[tip] != nil
        else { continue }
        state.stores[operation.store]?.documents[record.id]?.bodies[tip] = record.body
      }
    case (.writeLocal(let id, let body), .ok):
      state.stores[operation.store]?.locals[id] = body
    case (_, .ok(.written(let id, let rev))):
      let written = store.edit(write, of: id)
      result = .ok(
        .written(
          id: id,
          rev: state.replaceBody(in: operation.store, id, rev, edit: written, decisions: start)))
    case (.resolve(let id, _, _, _), .ok(.resolved(let rev, let tombstones))):
      let written = store.edit(write, of: id)
      let name = state.replaceBody(in: operation.store, id, rev, edit: written, decisions: start)
      result = .ok(.resolved(rev: name, tombstones: tombstones))
    default: break
    }
    after = state
    outcome = result
    self.decisions = decisions
  }
}

/// An edit of one document.
private struct SingleEdit {
  var parent: Revision?
  var deleted = false
  var body: JSONValue
}

extension ModelStore {
  /// The edit that a write makes in this state; nil for other operations.
  fileprivate func edit(_ write: StoreAction, of id: DocumentID) -> SingleEdit? {
    switch write {
    case .create(_, let body): SingleEdit(parent: documents[id]?.tree.winner, body: body)
    case .update(_, let rev, let body): SingleEdit(parent: collation.revision(rev), body: body)
    case .delete(_, let rev, let body):
      SingleEdit(parent: collation.revision(rev), deleted: true, body: body ?? [:])
    case .resolve(_, _, let keep, let body):
      body.map { SingleEdit(parent: collation.revision(keep), body: $0) }
    default: nil
    }
  }
}

extension ModelState {
  /// Replaces the body of a new revision, and its id if that depends on the body; returns the id.
  fileprivate mutating func replaceBody(
    in name: StoreName, _ id: DocumentID, _ rev: RevisionID, edit: SingleEdit?,
    decisions: Decisions
  ) -> RevisionID {
    guard let edit, let store = stores[name], var document = store.documents[id],
      let revision = store.collation.revision(rev)
    else { return rev }
    var (named, decisions) = (revision, decisions)
    if store.revisionIDs != .own,
      let other = try? decisions.revision(
        of: id, after: edit.parent, deleted: edit.deleted, body: edit.body, AttachmentSet(),
        in: store), !document.tree.contains(other)
    {
      named = other
      document.tree.rename(revision, to: named)
      document.bodies[revision] = nil
    }
    document.bodies[named] = edit.body
    stores[name]?.documents[id] = document
    return named.id
  }
}

extension JSONValue {
  /// This value without members of a name in any of its objects.
  fileprivate func withoutMembers(named name: JSONString) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.withoutMembers(named: name) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { $0.name != name }
            .map { ($0.name, $0.value.withoutMembers(named: name)) }))
    default: self
    }
  }
}

extension StoreAction {
  /// This action with bodies without some top-level members.
  fileprivate func removingMembers(_ names: Set<JSONString>) -> StoreAction {
    mapping(bodies: { body in
      guard let object = body.objectValue,
        object.members.contains(where: { names.contains($0.name) })
      else { return body }
      let kept = object.members.filter { !names.contains($0.name) }
      return .object(JSONObject(kept.map { ($0.name, $0.value) }))
    })
  }
}
