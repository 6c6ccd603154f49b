internal import Datastore
internal import JSON

/// The changes that an application requested of a context since its last save, and the policies
/// that decided.
struct ContextIntents {
  private(set) var parent: JSONString?
  private var policy: JSONString = "error"
  /// The last value of each attribute that was set, by object; null removes a value.
  private(set) var asked: [DocumentID: [JSONString: JSONValue]] = [:]
  /// Attributes that a child removed or set to a value other than its parent's. The child may only
  /// have read that value; then the listed values of the parent are valid, too.
  private(set) var doubtful: [DocumentID: [JSONString: [JSONValue]]] = [:]
  /// Objects created here, which have no stored row.
  private(set) var inserted: Set<DocumentID> = []
  private(set) var hasDeleted = false
  /// Objects whose earlier changes are discarded.
  private(set) var deleted: Set<DocumentID> = []
  /// Whether relationships may change without a request, by a merge of other changes.
  private(set) var hasLooked = false
  /// The values that relationships were set to.
  private(set) var related: [(id: DocumentID, property: JSONString, value: JSONValue)] = []
  /// The conflicts of a pull, with the policy that resolves them.
  private(set) var settled: [DocumentID: (policy: JSONString, conflict: ReportedConflict)] = [:]
  /// Resolved conflicts that were reported again with other leaves before a save.
  private(set) var earlier: [DocumentID: [ReportedConflict]] = [:]
  /// The policies that decided about objects at a save.
  private(set) var decided: [DocumentID: Set<JSONString>] = [:]
  /// The policies that decided about the conflicts of a failed save, whichever these were.
  private(set) var decidedForSome: Set<JSONString> = []
  /// The objects that the last save deleted.
  private(set) var lastDeleted: Set<DocumentID> = []
  /// The objects that a save deleted.
  private var everDeleted: Set<DocumentID> = []
  private var handed: [ReportedConflict] = []
  /// The number of stored revisions of each object at the report of its conflict.
  private var countsAtReport: [DocumentID: Int] = [:]

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
      // An object created here has no stored values to return to.
      if call["merges"] == false, !inserted.contains(call.id) {
        asked[call.id] = nil
        settled[call.id] = nil
        earlier[call.id] = nil
        countsAtReport[call.id] = nil
      }
      doubtRemovals(of: [call.id])
    case "rollbackContext", "resetContext":
      let (parent, policy, last, ever) = (self.parent, self.policy, lastDeleted, everDeleted)
      self = ContextIntents()
      (self.parent, self.policy, everDeleted) = (parent, policy, ever)
      // A reset also discards the notification of the last save.
      if call.name == "rollbackContext" { lastDeleted = last }
    case "mergeChanges":
      hasLooked = true
      doubtRemovals(of: Array(asked.keys))
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

  /// Values that were removed may have been empty before; then they are not changes, and the value
  /// of the store remains, which is always permitted for a doubtful attribute.
  private mutating func doubtRemovals(of ids: [DocumentID]) {
    for id in ids {
      for (name, value) in asked[id] ?? [:] where value == .null {
        doubtful[id, default: [:]][name, default: []] += []
      }
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

  /// A failed save reported its conflicts in place of others.
  mutating func noteFailedSave() { handed = [] }

  mutating func noteSave(deleted: Set<DocumentID>) {
    var next = ContextIntents()
    (next.parent, next.policy, next.lastDeleted) = (parent, policy, deleted)
    next.everDeleted = everDeleted.union(deleted)
    self = next
  }

  /// Objects that were created here and not saved are gone, because they or their owners were
  /// deleted. Later changes may be of a stored object with the id.
  mutating func dropInsertions(except saved: Set<DocumentID>) {
    guard hasDeleted else { return }
    for id in inserted.subtracting(saved) { doubt(id) }
  }

  /// A merge of a deletion may discard the changes of the object.
  mutating func noteMergedDeletions(_ ids: Set<DocumentID>) {
    for id in ids { doubt(id) }
  }

  private mutating func doubt(_ id: DocumentID) {
    for (name, value) in asked.removeValue(forKey: id) ?? [:] {
      doubtful[id, default: [:]][name, default: []].append(value)
    }
  }

  /// Compares the number of revisions of decided objects with that at the report of the conflict: if
  /// others have been stored when conflicts are processed again, another replica or context may have
  /// decided, and the values are compared with its decision.
  mutating func noteReport(_ call: ContextCall, _ count: (DocumentID) -> Int) {
    for (id, (_, conflict)) in settled where countsAtReport[id].map({ $0 != count(id) }) ?? false {
      earlier[id, default: []].append(conflict)
    }
    for conflict in call.conflicts { countsAtReport[conflict.id] = count(conflict.id) }
  }

  /// The policy of the context resolved the conflicts of the save.
  mutating func noteConflicts(_ objects: [DocumentID]) {
    for id in objects { decided[id, default: []].insert(policy) }
  }

  /// A child saved: its changes are now changes of its parent.
  mutating func take(_ child: ContextIntents) {
    // A deletion of an object whose deletion the child had merged has no effect here.
    for id in child.deleted { doubt(id) }
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
    // An edit of an object that was deleted here is discarded, also if a pull brings another object
    // of the id.
    for id in child.asked.keys where everDeleted.contains(id) { doubt(id) }
    inserted.formUnion(child.inserted)
    hasDeleted = hasDeleted || child.hasDeleted
    // Without a conflict, the values of the child replace those of its parent.
    hasLooked = true
    related += child.related
    // The child decided with the decision of its parent among the local values.
    for (id, (_, conflict)) in settled where child.settled[id] != nil {
      earlier[id, default: []].append(conflict)
    }
    settled.merge(child.settled) { _, new in new }
    earlier.merge(child.earlier) { old, new in old + new }
    countsAtReport.merge(child.countsAtReport) { _, new in new }
    for (id, policies) in child.decided { decided[id, default: []].formUnion(policies) }
    decidedForSome.formUnion(child.decidedForSome)
  }
}
