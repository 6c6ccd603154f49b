package import Datastore
internal import JSON
internal import Replication
package import Scenarios

/// The effects of directives.
extension World {
  package mutating func perform(_ step: ScenarioStep) throws(HarnessError) {
    emit(.directed(step))
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
    case .crash(let replica, let kind): try crash(replica, kind, step: step.id)
    case .restart(let replica): if let place = places[replica] { try restart(place, step.id) }
    case .clock(let replica, let offset):
      guard let place = places[replica] else { return }
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

  /// Performs an operation of a client, unless its replica is down.
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
      emit(.acted(replica: place, operation.action, outcome))
      if case .destroy = operation.action {
        trouble(place)
        replicas[place].application.end()
        if replicas[place].isUp { try open(place) }
      }
      return
    }
    let outcome = try perform(.leaves(id: id), at: place, for: step)
    guard replicas[place].isUp, case .ok(.leaves(let leaves)) = outcome else { return }
    emit(.listed(replica: place, leaves))
    guard var action = operation.action(with: leaves) else { return }
    if let parent = action.keptFrom {
      let read = try perform(.read(id: parent.id, rev: parent.rev), at: place, for: step)
      guard replicas[place].isUp else { return }
      action = action.keeping(only: read.attachmentNames)
    }
    emit(.acted(replica: place, action, try perform(action, at: place, for: step)))
  }

  // MARK: Crashes and restarts

  private mutating func crash(
    _ replica: ReplicaName, _ kind: CrashKind, step: StepID
  ) throws(HarnessError) {
    guard let place = places[replica], replicas[place].isUp else { return }
    let store = replicas[place].store
    guard store.crashes.contains(kind) else { return }
    var key = ChoiceKey(step.text)
    key.fold(literal: "/crash")
    var random = choices.random(key)
    let isArmed = random.chance(1, in: 2)
    emit(.crashing(replica: place, kind, step, isArmed: isArmed))
    guard !isArmed else {
      // Within the next operation.
      replicas[place].armedCrash = (kind, random.next(), step)
      return
    }
    asked = place
    askedOperation = nil
    try store.crash(kind, draw: random.next())
    takeDown(place, kind, step: step, inOperation: false)
  }

  /// Takes a replica down, with the sessions that it drives.
  mutating func takeDown(
    _ place: Int, _ kind: CrashKind, step: StepID, inOperation: Bool
  ) {
    emit(.crashed(replica: place, kind, step, inOperation: inOperation))
    trouble(place)
    replicas[place].isUp = false
    replicas[place].isOpen = false
    replicas[place].application.end()
    replicas[place].armedCrash = nil
    abandon { $0.by == place }
  }

  /// Restarts the replica, and the continuous sessions that it drove.
  mutating func restart(_ place: Int, _ step: StepID) throws(HarnessError) {
    replicas[place].armedCrash = nil
    guard !replicas[place].isUp else { return }
    try rise(place, step)
    emit(.restarted(replica: place, step))
    guard phase == .faults else { return }
    var continued: Set<StepID> = []
    for session in sessions
    where session.by == place && session.directive.isContinuous && !session.isAlive
      && !session.machine.state.isFinal && continued.insert(session.step).inserted
    {
      try begin(session.directive, session.step)
    }
  }

  /// Opens the store of a restarted replica, which may crash again in the process.
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
      emit(.crashedInOpening)
      replicas[place].isUp = true
    }
    try open(place)
    try reopen(at: place, step)
  }

  mutating func loseCheckpoints(
    _ replica: ReplicaName, _ step: StepID
  ) throws(HarnessError) {
    guard let place = places[replica], replicas[place].isUp else { return }
    var ids: Set<DocumentID> = []
    for session in sessions where session.source == place || session.target == place {
      guard let id = session.checkpoint, ids.insert(id).inserted, replicas[place].isUp else {
        continue
      }
      try perform(.writeLocal(id: id, body: nil), at: place, for: step)
    }
    emit(.lostCheckpoints(replica: place))
  }

  private mutating func copy(_ replica: ReplicaName, _ step: StepID) throws(HarnessError) {
    guard let place = places[replica], replicas[place].isUp,
      try replicas[place].store.copy()
    else { return }
    emit(.copied(replica: place))
  }

  /// Restores the store from its copy; messages to the previous state are not delivered.
  private mutating func restore(_ replica: ReplicaName, _ step: StepID) throws(HarnessError) {
    guard let place = places[replica], replicas[place].isUp,
      try replicas[place].store.restore()
    else { return }
    replicas[place].life += 1
    replicas[place].armedCrash = nil
    replicas[place].isOpen = false
    replicas[place].application.end()
    abandon { $0.by == place || $0.source == place || $0.target == place }
    emit(.restored(replica: place))
    try open(place)
    emit(.reopened(replica: place, step))
  }
}

extension Outcome {
  /// The names of the attachments of a read document.
  var attachmentNames: [JSONString] {
    guard case .ok(.document(let document)) = self else { return [] }
    return document.attachments.map { $0.name }
  }
}
