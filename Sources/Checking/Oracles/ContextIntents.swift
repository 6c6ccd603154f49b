internal import Datastore
internal import JSON

/// What an application asked of a context since it saved last, and which policies decided.
struct ContextIntents {
  private(set) var parent: JSONString?
  private var policy: JSONString = "error"
  /// Attributes that were given a value, the last one, by object; null takes one away.
  private(set) var asked: [DocumentID: [JSONString: JSONValue]] = [:]
  /// Attributes that a child took away, or gave another value than its parent, perhaps only to what it
  /// had seen: with the values that they have when that was no change.
  private(set) var doubtful: [DocumentID: [JSONString: [JSONValue]]] = [:]
  /// Objects that were made here, which have no row to stand on.
  private(set) var inserted: Set<DocumentID> = []
  private(set) var hasDeleted = false
  /// Objects of which all that was asked before is void.
  private(set) var deleted: Set<DocumentID> = []
  /// Whether relationships may change without a word about them: by a look at what others did.
  private(set) var hasLooked = false
  /// Values that relationships were given.
  private(set) var related: [(id: DocumentID, property: JSONString, value: JSONValue)] = []
  /// The conflicts of a pull, with the policy that settles them.
  private(set) var settled: [DocumentID: (policy: JSONString, conflict: ReportedConflict)] = [:]
  /// Conflicts that were settled, and handed over again with other leaves before anything was saved.
  private(set) var earlier: [DocumentID: [ReportedConflict]] = [:]
  /// Policies that decided about objects at a save.
  private(set) var decided: [DocumentID: Set<JSONString>] = [:]
  /// Policies that decided about conflicts of a save that failed, whichever these were.
  private(set) var decidedForSome: Set<JSONString> = []
  private var handed: [ReportedConflict] = []

  mutating func note(_ call: ContextCall, _ model: ModelFacts) {
    guard call.isAnswered else { return }
    switch call.name {
    case "openContext":
      self = ContextIntents()
      parent = call.text("parent")
      policy = call.text("policy") ?? "error"
    case "insertObject":
      inserted.insert(call.id)
      asked[call.id] = call.text("entity").flatMap { model[$0]?.attributes } ?? [:]
      ask(call.id, call["values"] ?? [:], model: model)
    case "changeObject": ask(call.id, call["values"] ?? [:], model: model)
    case "deleteObject":
      hasDeleted = true
      deleted.insert(call.id)
      asked[call.id] = nil
    case "refreshObject":
      hasLooked = true
      // Of what was made here there is nothing else to go back to.
      if call["merges"] == false, !inserted.contains(call.id) { asked[call.id] = nil }
    case "rollbackContext", "resetContext":
      let (parent, policy) = (self.parent, self.policy)
      self = ContextIntents()
      (self.parent, self.policy) = (parent, policy)
    case "mergeChanges": hasLooked = true
    case "processConflicts":
      hasLooked = true
      if !call.conflicts.isEmpty { handed = call.conflicts }
    case "resolveConflicts":
      let policy = call.text("policy") ?? ""
      if handed.isEmpty { decidedForSome.insert(policy) }
      for conflict in handed {
        if let (_, before) = settled[conflict.id] {
          earlier[conflict.id, default: []].append(before)
        }
        settled[conflict.id] = (policy, conflict)
      }
      handed = []
    default: break
    }
  }

  private mutating func ask(_ id: DocumentID, _ values: JSONValue, model: ModelFacts) {
    for member in values.objectValue?.members ?? [] {
      if model.isRelationship(member.name) {
        related.append((id, member.name, member.value))
      } else {
        asked[id, default: [:]][member.name] = member.value
      }
    }
  }

  /// A save that failed handed its conflicts over in the place of others.
  mutating func noteFailedSave() { handed = [] }

  mutating func noteSave() {
    var next = ContextIntents()
    (next.parent, next.policy) = (parent, policy)
    self = next
  }

  /// The policy of the context settled conflicts that the save met.
  mutating func noteConflicts(_ objects: [DocumentID]) {
    for id in objects { decided[id, default: []].insert(policy) }
  }

  /// A child has saved: what was asked of it is now asked of its parent.
  mutating func take(_ child: ContextIntents) {
    for id in child.deleted { asked[id] = nil }
    deleted.formUnion(child.deleted)
    for (id, names) in child.doubtful {
      doubtful[id, default: [:]].merge(names) { $0 + $1 }
    }
    for (id, values) in child.asked {
      for (name, value) in values {
        let own = asked[id]?[name]
        guard value == .null || own != nil && own != value else { continue }
        doubtful[id, default: [:]][name, default: []] += [own].compactMap { $0 }
      }
    }
    for (id, values) in child.asked { asked[id, default: [:]].merge(values) { _, new in new } }
    inserted.formUnion(child.inserted)
    hasDeleted = hasDeleted || child.hasDeleted
    // Without a conflict the child wins over its parent, and says no more about it.
    hasLooked = true
    related += child.related
    settled.merge(child.settled) { _, new in new }
    earlier.merge(child.earlier) { old, new in old + new }
    for (id, policies) in child.decided { decided[id, default: []].formUnion(policies) }
    decidedForSome.formUnion(child.decidedForSome)
  }
}
