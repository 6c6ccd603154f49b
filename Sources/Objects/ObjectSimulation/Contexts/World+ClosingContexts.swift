internal import Datastore
internal import JSON
internal import ObjectOperations
internal import Oracles
internal import Scenarios
internal import Simulation

// After all faults have ended, applications resolve the remaining conflicts.

extension World {
  /// The context in which an application resolves conflicts at the end.
  private static let closing: JSONString = "closing"

  /// Lets applications process conflicts, one after the other, until none is left.
  ///
  /// Only one of them decides at a time, and all others receive its decision before the next one
  /// decides. So no conflict is resolved twice, regardless of the policies; the others see the
  /// saved resolution as an edit without a conflict. A resolution can create new conflicts only if
  /// its save changed further objects. The process ends when a round changes nothing.
  mutating func settleContexts() throws(HarnessError) {
    guard replicas.contains(where: { $0.application.model != nil }) else { return }
    try beginClosing()
    for round in 0...2 * replicas.count {
      var isQuiet = true
      for place in replicas.indices where replicas[place].application.model != nil {
        guard try settleContexts(at: place, round) else { continue }
        isQuiet = false
        guard !isOver else { return }
        try settleForNow()
        guard !isOver else { return }
      }
      if isQuiet { return }
    }
    find(.quarrel)
  }

  /// Discards unsaved changes, and creates a new context for each application.
  private mutating func beginClosing() throws(HarnessError) {
    // A new application has no model and uses that of the others.
    let opening = replicas.lazy.compactMap { $0.application.openings.first }.first
    for place in replicas.indices {
      for action in replicas[place].application.openings {
        guard let action = action.contexts else { continue }
        try perform(.contexts(ContextAction(action.context, .reset)), at: place, for: "settle")
      }
      if replicas[place].application.model == nil, let opening {
        try perform(opening, at: place, for: "settle")
      }
      try perform(
        .contexts(ContextAction(Self.closing, .open(policy: "storeTrump"))), at: place,
        for: "settle")
    }
    // New metadata must be replicated as well.
    try settleForNow()
  }

  /// Resolves the conflicts of a replica; returns false if nothing is resolved or saved.
  private mutating func settleContexts(
    at place: Int, _ round: Int
  ) throws(HarnessError) -> Bool {
    let step = StepID(JSONString("settle-\(replicas[place].name)"))
    func ask(_ call: ContextAction.Call) -> StoreAction {
      .contexts(ContextAction(Self.closing, call))
    }
    var conflicts: [ObjectConflict] = []
    if case .conflicts(let found)? = try perform(
      ask(.processConflicts), at: place, for: step
    ).contexts {
      conflicts = found
    }
    if !conflicts.isEmpty {
      var key = ChoiceKey(step.text)
      key.fold(literal: "/policy/")
      key.fold(round)
      var random = choices.random(key)
      let policy = random.pick(["storeTrump", "objectTrump", "overwrite", "rollback"])
      try perform(ask(.resolve(policy: JSONString(policy ?? ""))), at: place, for: step)
    }
    let outcome = try perform(ask(.save), at: place, for: step)
    guard case .saved(let changes, _)? = outcome.contexts else {
      find(.unsaved(replica: replicas[place].label, outcome))
      return true
    }
    return !conflicts.isEmpty || changes != SavedChanges()
  }

  /// The objects of applications at the end; empty if they store none.
  mutating func graphs() throws(HarnessError) -> [FinalGraph] {
    var graphs: [FinalGraph] = []
    for place in replicas.indices {
      guard let model = replicas[place].application.model else { return [] }
      var objects: [JSONValue] = []
      for entity in model.objectValue?["entities"]?.objectValue?.members ?? [] {
        let list = StoreAction.objects(.list(entity: entity.name))
        let outcome = try perform(list, at: place, for: "settle")
        if case .objects(let found)? = outcome.objects { objects += found }
      }
      graphs.append(FinalGraph(model: model, objects: objects))
    }
    return graphs
  }
}
