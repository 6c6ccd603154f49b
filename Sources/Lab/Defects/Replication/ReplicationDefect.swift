package import Datastore
internal import JSON
package import Replication
internal import Scenarios
public import Simulation

/// A mutant of a replicator, of a peer, or of a store as replicas meet it.
///
/// It lies at a public boundary (the events and effects of a replicator, the operations of a store, its
/// crashes), and proves that a campaign would find a product that behaves like this.
public struct ReplicationDefect: Sendable {
  public let name: String
  /// What is wrong.
  public let sentence: String
  /// The id of the rule that it breaks where vectors can see it; nil when only faults show it.
  public let clause: String?
  /// A public report of a product that was wrong like this; nil for what one gets wrong anyway.
  public let link: String?
  private let boundary: Boundary

  /// Whether it is a replicator that makes the mutant.
  public var isOfReplicator: Bool {
    if case .machine = boundary { true } else { false }
  }

  package enum Boundary: Sendable {
    /// What the replicator is told to do may be changed, too.
    case machine(@Sendable (inout ReplicatorConfiguration) -> any SessionMeddling)
    case store(@Sendable () -> any Misbehaviour)
    /// It is what keeps objects over a store that makes the mutant.
    case applications(@Sendable () -> any Misbehaviour)
    /// A store that loses its last acknowledged write when the power goes.
    case durability
  }

  package init(
    _ name: String, breaks clause: String? = nil, _ sentence: String, link: String? = nil,
    boundary: Boundary
  ) {
    self.name = name
    self.sentence = sentence
    self.clause = clause
    self.link = link
    self.boundary = boundary
  }

  /// Participants that are like the given ones but for the mutant.
  public func applied(to honest: World.Participants) -> World.Participants {
    var participants = honest
    let name = name
    switch boundary {
    case .machine(let make):
      participants.makeMachine = { configuration in
        var configuration = configuration
        let meddling = make(&configuration)
        return MeddledMachine(honest.makeMachine(configuration), meddling)
      }
    case .store(let make):
      participants.makeStore = { replica throws(HarnessError) in
        let store = try honest.makeStore(replica)
        return DefectiveReplica(
          store, DefectiveDatastore(store.implementation, name: name, make))
      }
    case .applications(let make):
      participants.applications = honest.applications.map {
        DefectiveApplications($0, name: name, make)
      }
    case .durability:
      participants.makeStore = { replica throws(HarnessError) in
        let store = try honest.makeStore(replica)
        return store.neglectSyncs() ? store : ForgetfulReplica(store)
      }
    }
    return participants
  }

  /// The same mutant as vectors see it; nil when they cannot.
  var defect: Defect? {
    guard let clause else { return nil }
    switch boundary {
    case .machine(let make):
      let boundary = Defect.Boundary.replicator { configuration in
        var configuration = configuration
        let meddling = make(&configuration)
        return MeddledMachine(Replicator(configuration), meddling)
      }
      return Defect(name, clause, sentence: sentence, link: link, boundary: boundary)
    case .store(let make):
      return Defect(name, clause, sentence: sentence, link: link, boundary: .operations(make))
    case .applications, .durability: return nil
    }
  }

  /// All of them, in the order of their names.
  public static let all: [ReplicationDefect] =
    (machines + sessions + stores + peers + attachments).sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
}

/// What happens to the requests of an honest replicator, and to the answers.
package protocol SessionMeddling {
  /// Takes note of a request, and says what is asked instead; an answer instead of a request is
  /// given at once, and nobody is asked.
  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?)

  /// What the replicator sees of an answer.
  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse

  /// What the replicator sees when no answer comes; nil for just that.
  mutating func lost(_ side: ReplicationSide, _ request: PeerRequest) -> PeerResponse?

  /// How long it waits instead.
  func waiting(_ timer: ReplicatorTimer, _ range: ClosedRange<UInt64>) -> ClosedRange<UInt64>

  /// Whether the replicator hears that it is cancelled.
  mutating func hearsCancel() -> Bool

  /// What the replicator says of how far it has come.
  func shown(_ state: ReplicatorState) -> ReplicatorState
}

extension SessionMeddling {
  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) { (request, nil) }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse { response }

  mutating func lost(_ side: ReplicationSide, _ request: PeerRequest) -> PeerResponse? { nil }

  func waiting(_ timer: ReplicatorTimer, _ range: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
    range
  }

  mutating func hearsCancel() -> Bool { true }

  func shown(_ state: ReplicatorState) -> ReplicatorState { state }
}

extension PeerRequest {
  /// The same, about a checkpoint of another name if it is about one.
  func naming(checkpoint id: DocumentID) -> PeerRequest {
    switch self {
    case .readLocal: .readLocal(id: id)
    case .writeLocal(_, let body): .writeLocal(id: id, body: body)
    default: self
    }
  }
}

/// An honest replicator with a mutant around it.
struct MeddledMachine: ReplicationMachine {
  private var honest: any ReplicationMachine
  private var meddling: any SessionMeddling
  private var requests: [RequestNumber: (ReplicationSide, PeerRequest)] = [:]

  init(_ honest: any ReplicationMachine, _ meddling: any SessionMeddling) {
    self.honest = honest
    self.meddling = meddling
  }

  var state: ReplicatorState { meddling.shown(honest.state) }
  var report: ReplicationReport { honest.report }

  mutating func handle(_ event: ReplicatorEvent) -> [ReplicatorEffect] {
    var event = event
    if event == .cancel, !meddling.hearsCancel() { return [] }
    if case .response(let number, let response) = event,
      let (side, request) = requests.removeValue(forKey: number)
    {
      event = .response(number, meddling.answered(side, request, response: response))
    } else if case .lost(let number, _) = event, let (side, request) = requests[number],
      let answer = meddling.lost(side, request)
    {
      requests[number] = nil
      event = .response(number, answer)
    }
    var queue = honest.handle(event)[...]
    var effects: [ReplicatorEffect] = []
    while let effect = queue.popFirst() {
      guard case .send(let number, let side, let request, let attempt) = effect else {
        if case .wait(let timer, let range) = effect {
          effects.append(.wait(timer, nanoseconds: meddling.waiting(timer, range)))
        }
        continue
      }
      let (asked, answer) = meddling.asked(side, request, attempt: attempt)
      if let answer {
        queue += honest.handle(.response(number, answer))
      } else {
        requests[number] = (side, request)
        effects.append(.send(number, side, purpose: asked, attempt: attempt))
      }
    }
    return effects
  }
}

/// A replica whose store makes a mutant.
final class DefectiveReplica: SimulatedStore {
  private let honest: any SimulatedStore
  private let defective: DefectiveDatastore

  init(_ honest: any SimulatedStore, _ defective: DefectiveDatastore) {
    self.honest = honest
    self.defective = defective
  }

  var implementation: any ImplementationUnderTest { defective }

  var isModel: Bool { honest.isModel }

  var crashes: Set<CrashKind> { honest.crashes }

  func beginRun(_ label: JSONString) throws(HarnessError) { try honest.beginRun(label) }

  func crash(_ kind: CrashKind, draw: UInt64) throws(HarnessError) {
    try honest.crash(kind, draw: draw)
  }

  func setStorage(
    _ condition: Directive.StorageCondition, draw: UInt64
  ) throws(HarnessError) -> Bool { try honest.setStorage(condition, draw: draw) }

  func copy() throws(HarnessError) -> Bool { try honest.copy() }

  func restore() throws(HarnessError) -> Bool { try honest.restore() }

  func witness(of store: StoreName) throws(HarnessError) -> any ImplementationUnderTest {
    defective.copy(before: try honest.witness(of: store))
  }

  var probes: ProbeCounts { honest.probes }

  var digest: UInt64 { honest.digest }
}
