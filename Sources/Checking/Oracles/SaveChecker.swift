internal import Datastore
internal import JSON

/// Checks the writes of one acknowledged save.
struct SaveChecker {
  let model: ModelFacts
  let bodies: RevisionBodies
  let intents: ContextIntents
  let writes: [StoreWrite]
  let replica: Int

  func fault() -> SaveFault? {
    for write in writes {
      switch write.kind {
      case .create: if let fault = created(write) { return fault }
      case .update(let rev): if let fault = updated(write, over: rev) { return fault }
      case .delete(let rev): if let fault = deleted(write, rev) { return fault }
      }
    }
    return forgotten() ?? unchanged()
  }

  // MARK: Written values

  private func created(_ write: StoreWrite) -> SaveFault? {
    guard let entity = model.entity(of: write.body), let asked = intents.asked[write.id],
      !isDecided(write.id)
    else { return nil }
    // An object that is created again has more than the requested values.
    let names = intents.inserted.contains(write.id) ? entity.attributeNames : Array(asked.keys)
    for name in entity.attributeNames where names.contains(name) {
      let expected = asked[name] ?? .null
      let others = intents.doubtful[write.id]?[name] ?? []
      if let fault = compare(write, name, expected: [expected] + others, cause: .lost) {
        return fault
      }
    }
    return nil
  }

  private func updated(_ write: StoreWrite, over rev: RevisionID) -> SaveFault? {
    guard let entity = model.entity(of: write.body) else { return nil }
    let before = bodies[write.id, rev]
    for name in entity.attributeNames {
      let asked = intents.asked[write.id]?[name]
      if let (policy, conflict) = intents.settled[write.id] {
        // The result of a policy for earlier leaves, or for the conflict of a failed save, is not
        // observable.
        guard let before, intents.earlier[write.id] == nil, decisions(about: write.id).isEmpty
        else { continue }
        // A removal of a value that the context did not have is no change.
        let values = (asked == .null ? [asked, nil] : [asked]).flatMap { ours in
          settled(name, policy, conflict: conflict, kept: before, rev: rev, asked: ours)
        }
        let others = intents.doubtful[write.id]?[name] ?? []
        let expected = values + [asked].compactMap { $0 } + others
        if let fault = compare(write, name, expected: expected, cause: .againstPolicy) {
          return fault
        }
        continue
      }
      let policies = decisions(about: write.id)
      guard !policies.contains("overwrite"), asked != nil || before != nil else { continue }
      let old = before.map { $0.member(name) }
      // A requested value that was already stored is not a change.
      let others = intents.doubtful[write.id]?[name]
      let isSure = policies.isEmpty && others == nil
      let values = isSure ? [asked ?? old] : [asked, old] + (others ?? [])
      let cause: SaveFault.Cause = asked == nil ? .unrequested : .lost
      if let fault = compare(write, name, expected: values.compactMap { $0 }, cause: cause) {
        return fault
      }
    }
    return relationships(write, entity, before: before)
  }

  /// A changed reference has the requested target, if no other change of relationships was
  /// requested or merged.
  private func relationships(
    _ write: StoreWrite, _ entity: ModelFacts.Entity, before: JSONValue?
  ) -> SaveFault? {
    guard let before, !intents.hasLooked, !intents.hasDeleted, intents.settled.isEmpty,
      intents.decided.isEmpty, intents.decidedForSome.isEmpty, intents.inserted.isEmpty,
      intents.related.count == 1, let asked = intents.related.first, asked.id == write.id,
      entity.relationships[asked.property]?.isToMany == false
    else { return nil }
    // A request without effect leaves the reference to other changes.
    let (old, new) = (before.member(asked.property), write.body.member(asked.property))
    guard new.targets != asked.value.targets, old.targets == new.targets else { return nil }
    // A reference to an object that a pull has deleted below the context is removed.
    let isGone = asked.value.targets.contains { bodies.hasTombstone(DocumentID($0), at: replica) }
    guard !isGone else { return nil }
    return SaveFault(write.id, .unchangedRelationship(asked.property))
  }

  private func deleted(_ write: StoreWrite, _ rev: RevisionID) -> SaveFault? {
    guard let body = bodies[write.id, rev], model.entity(of: body) != nil else { return nil }
    if let (policy, conflict) = intents.settled[write.id] {
      guard conflict.newVersion == 0, policy == "objectTrump" || policy == "overwrite",
        !intents.hasDeleted, intents.earlier[write.id] == nil
      else { return nil }
      return SaveFault(write.id, .deletedAgainst(policy: policy))
    }
    guard !intents.hasDeleted, decisions(about: write.id).isEmpty else { return nil }
    return SaveFault(write.id, .unrequestedDeletion)
  }

  /// Returns the values that a policy permits for a property of a pulled object.
  private func settled(
    _ name: JSONString, _ policy: JSONString, conflict: ReportedConflict, kept: JSONValue,
    rev: RevisionID, asked: JSONValue?
  ) -> [JSONValue] {
    let theirs = kept.member(name)
    // Deleted on the other side: only the live side has values.
    guard conflict.newVersion != 0 else { return [theirs] }
    let ours = asked ?? conflict.cached?.member(name) ?? .null
    // Deleted on this side, perhaps by a delete rule: the object returns with the values of the
    // other side.
    var allowed = intents.hasDeleted ? [theirs] : []
    // The earlier values of an object that was created again are unknown.
    if writes.contains(where: { write in
      guard write.id == conflict.id, case .delete(let other) = write.kind else { return false }
      return !bodies.hasRoot(write.id, other)
    }) || !bodies.hasRoot(conflict.id, rev) {
      allowed += [ours, theirs]
    }
    for base in bases(of: conflict, kept: rev) {
      let old = base?.member(name)
      let isOurs = old.map { !$0.isSameValue(as: ours) } ?? true
      let isTheirs = old.map { !$0.isSameValue(as: theirs) } ?? true
      switch policy {
      case "storeTrump": allowed.append(isOurs && !isTheirs ? ours : theirs)
      case "objectTrump": allowed.append(isOurs ? ours : theirs)
      case "overwrite": allowed.append(ours)
      default: allowed.append(theirs)
      }
    }
    return allowed
  }

  /// Returns the common ancestors of both sides of a conflict, nil for unreadable ones; several if
  /// the leaf of this side is not certain.
  private func bases(of conflict: ReportedConflict, kept: RevisionID) -> [JSONValue?] {
    var bases: [JSONValue?] = []
    for write in writes where write.id == conflict.id {
      guard case .delete(let discarded) = write.kind, let body = bodies[write.id, discarded],
        let entity = model.entity(of: body),
        entity.attributeNames.allSatisfy({ name in
          body.member(name).isSameValue(as: conflict.cached?.member(name) ?? .null)
        })
      else { continue }
      let ancestor = bodies.ancestor(conflict.id, discarded, right: kept)
      bases.append(ancestor.flatMap { bodies.body(conflict.id, $0, at: replica) })
      guard bodies.uncertain.contains(replica) else { continue }
      bases.append(nil)
      if let ancestor, let body = bodies[conflict.id, ancestor] { bases.append(body) }
    }
    return bases.isEmpty ? [nil] : bases
  }

  // MARK: Missing writes

  /// Returns objects with requested changes that the save left out.
  private func forgotten() -> SaveFault? {
    guard !intents.hasDeleted, !intents.hasLooked, intents.decidedForSome.isEmpty else {
      return nil
    }
    for id in intents.asked.keys.sorted(by: { $0.text.isBefore($1.text) })
    where !writes.contains(where: { $0.id == id }) && !isDecided(id) {
      return SaveFault(id, .notWritten)
    }
    return nil
  }

  /// Returns objects with a decision of a policy that the save left unchanged.
  private func unchanged() -> SaveFault? {
    for id in intents.settled.keys.sorted(by: { $0.text.isBefore($1.text) }) {
      guard let (policy, conflict) = intents.settled[id], !intents.hasDeleted,
        intents.earlier[id] == nil
      else { continue }
      let own = writes.filter { $0.id == id }
      let isUpdated = own.contains { if case .update = $0.kind { true } else { false } }
      guard !isUpdated else { continue }
      guard conflict.newVersion != 0 else {
        guard policy == "storeTrump" || policy == "rollback", own.isEmpty else { continue }
        return SaveFault(id, .keptAgainst(policy: policy))
      }
      guard policy == "overwrite", let cached = conflict.cached,
        let pulled = conflict.persisted, let entity = model[conflict.entity]
      else { continue }
      for name in entity.attributeNames {
        let ours = intents.asked[id]?[name] ?? cached.member(name)
        guard !ours.isSameValue(as: pulled.member(name)) else { continue }
        return SaveFault(id, .pulledValue(name, policy: policy))
      }
    }
    return nil
  }

  // MARK: Comparison

  private func decisions(about id: DocumentID) -> Set<JSONString> {
    intents.decidedForSome.union(intents.decided[id] ?? [])
  }

  private func isDecided(_ id: DocumentID) -> Bool {
    intents.settled[id] != nil || !decisions(about: id).isEmpty
  }

  private func compare(
    _ write: StoreWrite, _ name: JSONString, expected: [JSONValue],
    cause: SaveFault.Cause
  ) -> SaveFault? {
    let value = write.body.member(name)
    guard !expected.contains(where: { $0.isSameValue(as: value) }) else { return nil }
    return SaveFault(write.id, .value(value, of: name, expected: expected, cause))
  }
}

extension JSONValue {
  /// A property of a document; null if it is missing.
  fileprivate func member(_ name: JSONString) -> JSONValue { objectValue?[name] ?? .null }
}

extension JSONString {
  fileprivate func isBefore(_ other: JSONString) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
