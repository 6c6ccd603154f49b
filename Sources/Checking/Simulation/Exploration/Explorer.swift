public import Datastore
public import JSON
internal import Oracles
internal import ReferenceDatastore
internal import Replication

/// Enumerates a small scope exhaustively: all orders of client writes, session requests and faults,
/// between replicas of the model.
///
/// States that differ only in names are equal. The search is breadth-first, so the path to the
/// first violation is a shortest one. Each new state is checked. For each distinct contents of the
/// stores, all sessions are ended, everything is replicated, and the final state is checked.
/// `ExplorerRules` defines the moves and what is atomic.
public struct Explorer {
  /// The bounds of the exploration.
  public let scope: ExplorationScope
  /// The counts so far.
  public private(set) var report = ExplorationReport()
  let rules: ExplorerRules
  let participants: World.Participants
  let names: [JSONString]
  private var trodden: [Tread] = []
  private var known: Set<Fingerprint> = []
  private var holdings: Set<Fingerprint> = []
  private var ends: Set<Fingerprint> = []

  /// The first move to a state, with the state before it.
  private struct Tread {
    var from: Int32
    var move: ExplorerMove?
    var depth: Int32
  }

  /// A violation and a shortest path to it.
  public struct Discovery: Sendable {
    /// The oracle that found it.
    public var oracle: JSONString
    /// The kind of the violation.
    public var shape: JSONString
    /// The violation in a sentence.
    public var sentence: JSONString
    /// The moves in words.
    public var path: [String]
    let moves: [ExplorerMove]
  }

  /// - Parameter participants: provides the replicators; the stores are the model's.
  public init(_ scope: ExplorationScope, _ participants: World.Participants = .model) {
    self.scope = scope
    self.participants = participants
    names = (0..<scope.replicas).map { JSONString(String(UnicodeScalar(UInt8(97 + $0)))) }
    rules = ExplorerRules(scope, makeMachine: participants.makeMachine)
  }

  /// Explores the scope; ends at the first violation.
  ///
  /// - Parameter observe: receives the counts from time to time.
  public mutating func explore(
    observe: (ExplorationReport) -> Void = { _ in }
  ) throws(HarnessError) -> Discovery? {
    var layer = [(ExplorerState(scope, names: names), Int32(0))]
    trodden = [Tread(from: -1, move: nil, depth: 0)]
    while !layer.isEmpty {
      var next: [(ExplorerState, Int32)] = []
      for (state, index) in layer {
        for move in rules.moves(in: state) {
          var after = state
          let finding = after.make(move, rules)
          report.transitions += 1
          if let finding { return discovery(finding, index, last: move) }
          let prints = CanonicalForm(after, rules).fingerprints()
          guard known.insert(prints.whole).inserted else { continue }
          let depth = trodden[Int(index)].depth + 1
          trodden.append(Tread(from: index, move: move, depth: depth))
          report.depth = Int(depth)
          if holdings.insert(prints.holdings).inserted, let finding = try heal(after) {
            return discovery(finding, index, last: move)
          }
          note()
          if report.states & 0x3ff == 0 { observe(report) }
          next.append((after, Int32(trodden.count - 1)))
        }
      }
      layer = next
    }
    note()
    return nil
  }

  private mutating func note() {
    report.states = trodden.count
    report.holdings = holdings.count
    report.ends = ends.count
  }

  private func discovery(
    _ finding: OracleFinding, _ index: Int32, last: ExplorerMove
  ) -> Discovery {
    var moves = [last]
    var index = index
    while let move = trodden[Int(index)].move {
      moves.append(move)
      index = trodden[Int(index)].from
    }
    moves.reverse()
    return Discovery(
      oracle: finding.oracle, shape: finding.shape, sentence: finding.sentence,
      path: moves.map { $0.words(names) }, moves: moves)
  }

  // MARK: Healing

  /// Ends all sessions, replicates between neighbours until nothing is copied, and checks.
  private mutating func heal(_ state: ExplorerState) throws(HarnessError) -> OracleFinding? {
    var state = state
    if let finding = state.endSessions(where: { _ in true }) { return finding }
    state.strays = []
    var ways: [(Int, Int)] = []
    for place in 1..<scope.replicas { ways += [(place - 1, place), (place, place - 1)] }
    // A revision needs one round per replica, and one more round shows that nothing is copied.
    for _ in 0...scope.replicas {
      var processed: Int64 = 0
      for (source, target) in ways {
        switch state.run(from: source, to: target, rules) {
        case .finding(let finding): return finding
        case .processed(let count): processed += count
        }
      }
      if processed == 0 { break }
    }
    var stores: [FinalStore] = []
    for replica in 0..<scope.replicas {
      stores.append(
        try FinalStore { (action: StoreAction) throws(HarnessError) in
          state.perform(action, at: replica)
        })
    }
    ends.insert(CanonicalForm(state, rules).tree(of: 0))
    return state.oracles.conclude(stores).first
  }
}

extension ExplorerState {
  fileprivate enum Running {
    case finding(OracleFinding)
    /// The number of processed revisions.
    case processed(Int64)
  }

  /// Runs one session from its beginning to its end.
  fileprivate mutating func run(
    from source: Int, to target: Int, _ rules: ExplorerRules
  ) -> Running {
    if let finding = begin(from: source, to: target, rules) { return .finding(finding) }
    var processed: Int64 = 0
    while let session = sessions.first, let request = session.pending.first {
      if let finding = deliver(request.number, of: 0, spoiling: nil) { return .finding(finding) }
      processed = max(processed, sessions.first?.machine.report.processed ?? 0)
    }
    return .processed(processed)
  }
}
