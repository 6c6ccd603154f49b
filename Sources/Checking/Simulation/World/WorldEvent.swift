package import Datastore
package import Oracles
package import Replication
package import Scenarios

/// An event of a run, as observers receive it. Replicas and sessions are indices in the world.
///
/// Indirect, because every observer copies the event and its payloads are large.
package indirect enum WorldEvent {
  // MARK: Stores

  case directed(ScenarioStep)

  /// A store returned the outcome of an operation of any client.
  case answered(replica: Int, StoreOperation, Outcome)
  /// A client operation was performed, of the scenario or of the harness.
  case performed(replica: Int, StepID, StoreOperation, Outcome)
  /// A step of the scenario performed an operation.
  case acted(replica: Int, StoreAction, Outcome)
  /// A client listed the leaves from which it selects.
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
  /// A message had a fault or a delay.
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
  /// An implementation failed; `log` is its last output.
  case failed(replica: Int?, HarnessError, log: String)
  /// The final replication has ended, with these contents.
  case settled([FinalStore], [FinalGraph])
}

/// The topic of an event; an observer receives the events of some topics.
package enum EventTopic: Int, CaseIterable {
  /// Outcomes of all operations.
  case answers
  /// Operations of clients and applications.
  case operations
  /// Actions of the steps of a scenario.
  case steps
  case replicas
  case sessions
  /// Messages in flight.
  case messages
  /// Responses to requests of sessions.
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

/// The part of a world that observers can read.
package struct WorldState {
  package let now: UInt64
  let replicas: [Replica]
  let sessions: [Session]
  /// The running session after the end of all faults.
  let settlingSession: Int?
}

/// Observes a run without changing it: a trace, probes, a checker.
package protocol EventObserver: AnyObject {
  /// The counts of rare events that the observer counts.
  var probes: ProbeCounts { get }

  var topics: Set<EventTopic> { get }

  /// Receives an event; appends violations.
  func observe(_ event: WorldEvent, in state: WorldState, _ findings: inout [WorldFinding])
}

extension EventObserver {
  package var probes: ProbeCounts { ProbeCounts() }
}

extension World {
  /// Whether any observer receives the events of a topic, so that frequent events are made only for
  /// observers.
  func hears(_ topic: EventTopic) -> Bool { !observers[topic.rawValue].isEmpty }

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
  package mutating func find(_ finding: WorldFinding) {
    if findings.isEmpty { failedReplica = asked }
    findings.append(finding.rendered(at: now))
    if endsWithFinding { isOver = true }
  }
}
