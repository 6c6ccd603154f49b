package import Datastore
package import Oracles
package import Replication
package import Scenarios

/// What happens in a run, as observers receive it. Replicas and sessions are places in the world.
///
/// Indirect, because every observer copies the event and its payloads are large.
package indirect enum WorldEvent {
  // MARK: Stores

  case directed(ScenarioStep)

  /// A store answered an operation, of whomever.
  case answered(replica: Int, StoreOperation, Outcome)
  /// A client operation was performed, of the scenario or of the harness.
  case performed(replica: Int, StepID, StoreOperation, Outcome)
  /// A step of the scenario did this.
  case acted(replica: Int, StoreAction, Outcome)
  /// A client listed the leaves that it chooses from.
  case listed(replica: Int, [Leaf])
  case application(replica: Int, StepID, StoreOperation, Outcome)
  /// The disk refused a write before the store received it.
  case refusedByDisk(isFull: Bool)

  // MARK: Replicas

  /// A crash is about to happen: now, or within the next operation.
  case crashing(replica: Int, CrashKind, StepID, isArmed: Bool)
  case crashed(replica: Int, CrashKind, StepID, inOperation: Bool)
  /// A replica crashed while it opened its store after a crash.
  case crashedInOpening
  case restarted(replica: Int, StepID)
  case copied(replica: Int)
  case restored(replica: Int)
  /// The restored store is open again.
  case reopened(replica: Int, StepID)
  case lostCheckpoints(replica: Int)

  // MARK: Sessions and messages

  case sessionBegan(Int)
  case sessionEnded(Int)
  /// A session ended with the replica that drives it.
  case sessionGone(Int)
  /// A continuous session waits for the next poll.
  case rested
  case sent(World.RequestMessage, isRemote: Bool)
  /// A message fared otherwise than it was sent.
  ///
  /// `hasEffect` is false for damage to a message without content.
  case spoilt(World.RequestMessage, World.Leg, Fate, hasEffect: Bool)
  /// The link that a message needs is closed.
  case blocked(World.RequestMessage, World.Leg, isOneWay: Bool)
  /// A request arrived at a replica that is down.
  case unserved(World.RequestMessage, replica: Int)
  case served(World.RequestMessage, replica: Int, StoreOperation, Outcome)
  case heard(session: Int, message: Int64, left: UInt64, PeerResponse)
  /// A response arrived at a session that has ended.
  case unheard(session: Int, message: Int64)
  /// A session received a page of changes that it waited for.
  case received(session: Int, since: UpdateSequence?, ChangesPage)

  // MARK: The end

  case calmed
  /// The queue delivered more events than any run without a defect has.
  case exceeded(events: Int)
  /// Replication ended with a round that copied something.
  case restless
  /// An implementation failed; what it wrote last.
  case failed(replica: Int?, HarnessError, log: String)
  /// Everything is settled, and these are the contents.
  case settled([FinalStore], [FinalGraph])
}

/// What an event is about; an observer receives the events of some topics.
package enum EventTopic: Int, CaseIterable {
  /// Answers of stores, for all operations.
  case answers
  /// Operations of clients and applications.
  case operations
  /// What steps of a scenario do.
  case steps
  case replicas
  case sessions
  /// Messages on their way.
  case messages
  /// Answers to requests of sessions.
  case services
  case end
}

extension WorldEvent {
  var topic: EventTopic {
    switch self {
    case .answered: .answers
    case .performed, .application: .operations
    case .directed, .acted, .listed, .refusedByDisk: .steps
    case .crashing, .crashed, .crashedInOpening, .restarted, .copied, .restored, .reopened,
      .lostCheckpoints:
      .replicas
    case .sessionBegan, .sessionEnded, .sessionGone, .rested: .sessions
    case .sent, .spoilt, .blocked, .unserved, .heard, .unheard: .messages
    case .served, .received: .services
    case .calmed, .exceeded, .restless, .failed, .settled: .end
    }
  }
}

/// What observers can read of a world.
package struct WorldState {
  package let now: UInt64
  let replicas: [Replica]
  let sessions: [Session]
  /// The session under way when all faults are over.
  let settlingSession: Int?
}

/// Observes a run without changing it: a trace, probes, a checker.
package protocol EventObserver: AnyObject {
  /// How often rare events happened, as far as the observer counts them.
  var probes: ProbeCounts { get }

  var topics: Set<EventTopic> { get }

  /// Receives an event; appends what is wrong.
  func observe(_ event: WorldEvent, in state: WorldState, _ findings: inout [WorldFinding])
}

extension EventObserver {
  package var probes: ProbeCounts { ProbeCounts() }
}

extension World {
  /// Sends an event to the observers of its topic.
  mutating func emit(_ event: WorldEvent) {
    let observers = observers[event.topic.rawValue]
    if observers.isEmpty { return }
    let state = WorldState(
      now: now, replicas: replicas, sessions: sessions,
      settlingSession: phase == .calm ? settling.session : nil)
    var found: [WorldFinding] = []
    for observer in observers { observer.observe(event, in: state, &found) }
    for finding in found { find(finding) }
  }

  /// Records a finding.
  package mutating func find(_ finding: WorldFinding) { findings.append(finding.rendered(at: now)) }
}
