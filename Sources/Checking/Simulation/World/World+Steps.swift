package import Datastore
internal import JSON
internal import Oracles
internal import ReferenceDatastore
internal import Replication
package import Scenarios

/// What directives do.
extension World {
  package mutating func perform(_ step: ScenarioStep) throws(HarnessError) {
    if trace != nil { recordDirective(step) }
    switch step.directive {
    case .perform(let replica, let operation):
      try perform(operation, at: replica, step.id)
    case .replicate(let directive): try begin(directive, step.id)
    case .stop(let other):
      for number in sessions.indices where sessions[number].step == other {
        try notify(number, .cancel)
      }
    case .partition(let groups): links.partition(groups.map { $0.compactMap { places[$0] } })
    case .block(let from, let to):
      if let from = places[from], let to = places[to] { links[from, to] = false }
    case .heal: links.openAll()
    case .crash(let replica, let kind): try crash(replica, kind, step.id)
    case .restart(let replica): if let place = places[replica] { try restart(place, step.id) }
    case .clock(let replica, let offset):
      guard let place = places[replica] else { return }
      probes[.clockWrong] += 1
      replicas[place].clockOffset = offset &* 1_000_000
    case .storage(let replica, let condition):
      guard let place = places[replica] else { return }
      var key = ChoiceKey(step.id.text)
      key.fold(literal: "/storage")
      var random = choices.random(key)
      try setStorage(condition, at: place, draw: random.next())
    case .loseCheckpoint(let replica): try loseCheckpoints(replica, step.id)
    case .copyStore(let replica): try copy(replica, step.id)
    case .restoreStore(let replica): try restore(replica, step.id)
    case .settle: try settleForNow()
    }
  }

  /// A client does something to the store of its replica, if that is there.
  private mutating func perform(
    _ operation: ClientOperation, at replica: ReplicaName, _ step: StepID
  ) throws(HarnessError) {
    guard let place = places[replica], replicas[place].isUp else { return }
    if let applications = participants.applications, applications.handles(operation.action) {
      let action = try applications.sensible(operation.action, at: place, for: step, in: &self)
      if let action { try perform(action, at: place, for: step) }
      return
    }
    guard operation.leaf != nil, let id = operation.action.documents.first else {
      let outcome = try perform(operation.action, at: place, for: step)
      noteProbes(operation.action, outcome, at: place)
      if case .destroy = operation.action {
        probes[.destroyed] += 1
        replicas[place].application.end()
        if replicas[place].isUp { try open(place) }
      }
      return
    }
    let outcome = try perform(.leaves(id: id), at: place, for: step)
    guard replicas[place].isUp, case .ok(.leaves(let leaves)) = outcome else { return }
    if leaves.filter({ !$0.deleted }).count > 1 { probes[.conflicted] += 1 }
    if let winner = leaves.first, !winner.deleted,
      leaves.contains(where: { $0.deleted && $0.rev.generationText > winner.rev.generationText })
    {
      probes[.conflictWithTombstone] += 1
    }
    guard var action = operation.action(with: leaves) else { return }
    if let parent = action.keptFrom {
      let read = try perform(.read(id: parent.id, rev: parent.rev), at: place, for: step)
      guard replicas[place].isUp else { return }
      action = action.keeping(only: read.attachmentNames)
    }
    noteProbes(action, try perform(action, at: place, for: step), at: place)
  }

  private mutating func noteProbes(_ action: Action, _ outcome: Outcome, at place: Int) {
    guard case .ok(let result) = outcome else { return }
    if case .attaching(_, let write) = action {
      probes[.attached] += 1
      return noteProbes(write, outcome, at: place)
    }
    switch (action, result) {
    case (.create, .written(_, let rev)): if rev.generationText > 1 { probes[.recreated] += 1 }
    case (.compact, _): probes[.compacted] += 1
    case (.purge, _): probes[.purged] += 1
    case (.historyLimit, _): probes[.limited] += 1
    case (.insertRevisions, .inserted(let errors)):
      if errors.contains(where: { $0 == nil }) { probes[.imported] += 1 }
    case (.resolve(let id, _, _, _), .resolved(_, let tombstones)) where !tombstones.isEmpty:
      probes[.resolved] += 1
      resolutions[id, default: []].insert(place)
      if resolutions[id]?.count == 2 { probes[.resolvedTwice] += 1 }
    default: break
    }
  }

  // MARK: The life of replicas

  private mutating func crash(
    _ replica: ReplicaName, _ kind: CrashKind, _ step: StepID
  ) throws(HarnessError) {
    guard let place = places[replica], replicas[place].isUp else { return }
    let store = replicas[place].store
    guard store.crashes.contains(kind) else { return }
    probes[kind == .kill ? .killed : .powerLost] += 1
    var key = ChoiceKey(step.text)
    key.fold(literal: "/crash")
    var random = choices.random(key)
    if random.chance(1, in: 2) {
      // In the midst of whatever comes next.
      replicas[place].armedCrash = (kind, random.next(), step)
      if trace != nil { record(place, step, .directed(.crash(replica, kind))) }
      return
    }
    asked = place
    try store.crash(kind, draw: random.next())
    replicas[place].judge?.crashed()
    takeDown(place, kind, step)
  }

  /// The replica is down; what it drove is gone.
  mutating func takeDown(_ place: Int, _ kind: CrashKind, _ step: StepID) {
    if trace != nil { record(place, step, .crashed(kind)) }
    replicas[place].isUp = false
    replicas[place].isOpen = false
    if !replicas[place].application.watch.unsaved.isEmpty { probes[.unsavedLost] += 1 }
    replicas[place].application.end()
    replicas[place].armedCrash = nil
    abandon { $0.by == place }
  }

  /// The replica lives again; continuous sessions that it drove begin anew.
  mutating func restart(_ place: Int, _ step: StepID) throws(HarnessError) {
    replicas[place].armedCrash = nil
    guard !replicas[place].isUp else { return }
    try rise(place, step)
    if trace != nil {
      record(place, step, .restarted)
      recordAllHoldings(at: place, step)
    }
    guard phase == .faults else { return }
    var continued: Set<StepID> = []
    for session in sessions
    where session.by == place && session.directive.isContinuous && !session.isAlive
      && !session.machine.state.isFinal && continued.insert(session.step).inserted
    {
      try begin(session.directive, session.step)
    }
  }

  /// Opens the store of a replica that lives again, which may crash once more while it does so.
  private mutating func rise(_ place: Int, _ step: StepID) throws(HarnessError) {
    var key = ChoiceKey(step.text)
    key.fold(literal: "/rise")
    var random = choices.random(key)
    let store = replicas[place].store
    let kinds = CrashKind.allCases.filter { store.crashes.contains($0) }
    replicas[place].isUp = true
    if phase == .faults, random.chance(1, in: 4), let kind = random.pick(kinds) {
      replicas[place].armedCrash = (kind, random.next(), step)
      try open(place)
      replicas[place].armedCrash = nil
      guard !replicas[place].isUp else { return }
      probes[.crashedInOpening] += 1
      replicas[place].isUp = true
    }
    try open(place)
    try reopen(at: place, step)
  }

  private mutating func loseCheckpoints(
    _ replica: ReplicaName, _ step: StepID
  ) throws(HarnessError) {
    guard let place = places[replica], replicas[place].isUp else { return }
    probes[.lostCheckpoint] += 1
    var ids: Set<DocumentID> = []
    for session in sessions where session.source == place || session.target == place {
      guard let id = session.checkpoint, ids.insert(id).inserted, replicas[place].isUp else {
        continue
      }
      try perform(.writeLocal(id: id, body: nil), at: place, for: step)
    }
    if let finding = oracles.observe(.lostCheckpoints(replica: place)) { find(finding) }
  }

  private mutating func copy(_ replica: ReplicaName, _ step: StepID) throws(HarnessError) {
    guard let place = places[replica], replicas[place].isUp,
      try replicas[place].store.copy()
    else { return }
    replicas[place].copiedJudge = replicas[place].judge
    if let finding = oracles.observe(.copied(replica: place)) { find(finding) }
  }

  /// The store becomes its copy: a new life, in which nothing of the old one is under way.
  private mutating func restore(_ replica: ReplicaName, _ step: StepID) throws(HarnessError) {
    guard let place = places[replica], replicas[place].isUp,
      try replicas[place].store.restore()
    else { return }
    probes[.restored] += 1
    replicas[place].life += 1
    replicas[place].armedCrash = nil
    replicas[place].isOpen = false
    replicas[place].application.end()
    replicas[place].judge = replicas[place].copiedJudge
    replicas[place].judge?.crashed()
    abandon { $0.by == place || $0.source == place || $0.target == place }
    if let finding = oracles.observe(.restored(replica: place)) { find(finding) }
    try open(place)
    if trace != nil { recordAllHoldings(at: place, step) }
  }
}

extension Outcome {
  /// The names of the attachments of a document that was read.
  var attachmentNames: [Text] {
    guard case .ok(.document(let document)) = self else { return [] }
    return document.attachments.map { $0.name }
  }
}

extension RevisionID {
  /// The generation, as far as it can be read; for probes only.
  fileprivate var generationText: Int {
    var number = 0
    for byte in text.utf8 {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { break }
      number = number &* 10 &+ Int(byte &- UInt8(ascii: "0"))
    }
    return number
  }
}
