package import Datastore
internal import JSON
internal import Oracles
internal import Replication
internal import Scenarios

/// The end of a run: after all faults, the replicas must converge, and the final state is checked.
extension World {
  /// The progress of the sessions of the last round.
  struct Settling {
    var rounds = 0
    var processed: Int64 = 0
    /// The running session.
    var session: Int?
  }

  /// Ends all faults, replicates until nothing is copied, and checks the contents of the stores.
  mutating func settleForGood() throws(HarnessError) {
    try settleForNow()
    guard !isOver else { return }
    try participants.applications?.converge(&self)
    guard !isOver else { return }
    var stores: [FinalStore] = []
    for place in replicas.indices {
      stores.append(try contents(of: place))
      guard !isOver else { return }
    }
    conclude(stores, try participants.applications?.graphs(&self) ?? [])
  }

  /// Ends all faults and replicates between the pairs that the scenario uses, in both directions,
  /// until nothing is copied.
  package mutating func settleForNow() throws(HarnessError) {
    let weather = conditions
    phase = .calm
    conditions = Conditions(latencyMin: weather.latencyMin, latencyMax: weather.latencyMax)
    defer {
      phase = .faults
      conditions = weather
      settling.session = nil
    }
    links.openAll()
    emit(.calmed)
    for place in replicas.indices {
      try repair(place)
      if replicas[place].store.implementation.description.capabilities.contains(.validation) {
        try perform(.setValidation(refuse: nil), at: place, for: "settle")
      }
    }
    for number in sessions.indices { try notify(number, .cancel) }
    try drainCalm()
    for replica in replicas { try replica.store.settle() }
    // A revision needs one round per step of the longest path, and one more round shows that
    // nothing is copied. A rejected record is copied only after its document changes again, which
    // may need a second series of rounds. So may a revision that a lower history limit removed when
    // its child arrived: a replica that knows the child without its parent sends it once more.
    let turns = hasRefusedRecord || hasHistoryLimit ? 2 : 1
    for _ in 0...turns * replicas.count {
      settling.rounds += 1
      settling.processed = 0
      for way in departure?.arranged(ways) ?? ways {
        let step = StepID(
          JSONString("settle-\(replicas[way.source].name)-\(replicas[way.target].name)"))
        settling.session = sessions.count
        try begin(
          Replicate(
            source: replicas[way.source].name, target: replicas[way.target].name,
            by: replicas[way.target].name), step)
        try drainCalm()
        guard !isOver else { return }
      }
      if settling.processed == 0 { return }
    }
    emit(.restless)
  }

  /// Whether clients change history limits.
  private var hasHistoryLimit: Bool {
    scenario.steps.contains { step in
      guard case .perform(_, let operation) = step.directive else { return false }
      if case .historyLimit = operation.action { return true }
      return false
    }
  }

  /// Repairs the disk of a replica and restarts it.
  mutating func repair(_ place: Int) throws(HarnessError) {
    try setStorage(.well, at: place, draw: 0)
    try restart(place, "settle")
  }

  /// Runs the live sessions to their end; the scenario's steps wait.
  private mutating func drainCalm() throws(HarnessError) {
    var later: [(UInt64, Happening)] = []
    while !isOver, happenings < departsAfter, let (time, event) = queue.next() {
      if case .step = event {
        later.append((time, event))
        continue
      }
      now = max(now, time)
      try happen(event)
    }
    for (time, event) in later { queue.insert(event, at: time) }
    try depart()
  }

  /// The pairs of replicas between which the scenario replicates without a filter, in both
  /// directions; by default a chain of all replicas.
  private var ways: [Way] {
    if departure?.isOfAllPairs == true { return allWays }
    var ways: [Way] = []
    func add(_ left: Int, _ right: Int) {
      for way in [Way(source: left, target: right), Way(source: right, target: left)]
      where !ways.contains(way) {
        ways.append(way)
      }
    }
    for step in scenario.steps {
      guard case .replicate(let directive) = step.directive,
        let source = places[directive.source], let target = places[directive.target],
        source != target
      else { continue }
      add(source, target)
    }
    // Every replica takes part, even if steps were left out.
    var group = Array(replicas.indices)
    for way in ways { group.join(way.source, way.target) }
    for place in replicas.indices.dropFirst() where group[place] != group[place - 1] {
      add(place - 1, place)
      group.join(place - 1, place)
    }
    return ways
  }

  /// All pairs of replicas, in both directions.
  private var allWays: [Way] {
    replicas.indices.flatMap { source in
      replicas.indices.filter { $0 != source }.map { Way(source: source, target: $0) }
    }
  }

  struct Way: Hashable {
    var source: Int
    var target: Int
  }

  /// Reads all visible contents of a store.
  private mutating func contents(of place: Int) throws(HarnessError) -> FinalStore {
    let capabilities = replicas[place].store.implementation.description.capabilities
    return try FinalStore(readsPieces: capabilities.contains(.attachmentPieces)) {
      action throws(HarnessError) in
      try perform(action, at: place, for: "settle")
    }
  }
}

extension [Int] {
  /// Joins two groups, each identified by its smallest member.
  fileprivate mutating func join(_ left: Int, _ right: Int) {
    let (least, other) = (Swift.min(self[left], self[right]), Swift.max(self[left], self[right]))
    for place in indices where self[place] == other { self[place] = least }
  }
}
