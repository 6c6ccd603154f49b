package import Datastore
internal import JSON
package import Replication
internal import Scenarios
public import Simulation

/// A mutant of a replicator, of a peer, or of a store in replication.
///
/// It acts at a public boundary (the events and effects of a replicator, the operations of a store,
/// its crashes), and proves that a campaign kills a product that behaves like this.
public struct ReplicationDefect: Sendable {
  public let name: String
  /// The error.
  public let sentence: String
  /// The id of the violated rule if vectors can show it; nil if only faults show it.
  public let clause: String?
  /// A public report of a product with this bug; nil without one.
  public let link: String?
  private let boundary: Boundary

  /// True for a mutant of a replicator.
  public var isOfReplicator: Bool {
    if case .machine = boundary { true } else { false }
  }

  /// True for a mutant of the object layer over a store, which has no effect without applications.
  public var isOfApplications: Bool {
    if case .applications = boundary { true } else { false }
  }

  package enum Boundary: Sendable {
    /// The configuration of the replicator may be changed, too.
    case machine(@Sendable (inout ReplicatorConfiguration) -> any SessionMeddling)
    case store(@Sendable () -> any Misbehaviour)
    /// A mutant of the object layer over a store.
    case applications(@Sendable () -> any Misbehaviour)
    /// A store that loses its last acknowledged write in a power loss.
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

  /// The given participants with the mutant.
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

  /// The same mutant for vectors; nil if they cannot show it.
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

  /// All mutants, in the order of their names.
  public static let all: [ReplicationDefect] =
    (machines + sessions + stores + peers + attachments + identities + losingLeaves).sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
}

/// A change of the requests of a correct replicator, or of their responses.
package protocol SessionMeddling {
  /// Records a request, and returns the request to send; a response instead of a request is
  /// delivered at once, and nothing is sent.
  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?)

  /// The response that the replicator receives.
  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse

  /// The event that the replicator receives instead of a lost response; nil for the loss itself.
  mutating func lost(_ side: ReplicationSide, _ request: PeerRequest) -> PeerResponse?

  /// The pause instead of the replicator's own.
  func waiting(_ timer: ReplicatorTimer, _ range: ClosedRange<UInt64>) -> ClosedRange<UInt64>

  /// True if the replicator receives a cancel.
  mutating func hearsCancel() -> Bool

  /// The state that the replicator reports.
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
  /// The same request with another checkpoint name, if it is about a checkpoint.
  func naming(checkpoint id: DocumentID) -> PeerRequest {
    switch self {
    case .readLocal: .readLocal(id: id)
    case .writeLocal(_, let body): .writeLocal(id: id, body: body)
    default: self
    }
  }

  /// The same request with another sequence in the newest entry, if it writes a checkpoint.
  func recording(_ sequence: UpdateSequence?) -> PeerRequest {
    guard case .writeLocal(let id, let body) = self, let sequence,
      var object = body.objectValue, var history = object["history"]?.arrayValue,
      var entry = history.first?.objectValue
    else { return self }
    entry["recorded"] = sequence.json
    history[0] = .object(entry)
    object["history"] = .array(history)
    return .writeLocal(id: id, body: .object(object))
  }
}

/// A correct replicator with a mutant around it.
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

/// A replica with a mutant of its store.
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
