internal import Datastore
internal import JSON
internal import Oracles
internal import Replication
internal import Scenarios

/// Sends the events of a run to the oracles of histories.
final class OracleObserver: EventObserver {
  private var oracles: Oracles
  /// Receives each outcome before this observer; nil if all stores are the model.
  private let modelChecker: ModelChecker?
  private var attachmentBranches = 0

  let topics: Set<EventTopic> = [.operations, .replicas, .sessions, .services, .end]

  init(_ oracles: Oracles, _ modelChecker: ModelChecker?) {
    self.oracles = oracles
    self.modelChecker = modelChecker
  }

  func observe(_ event: WorldEvent, in state: WorldState, _ findings: inout [WorldFinding]) {
    switch event {
    case .performed(let replica, let step, let operation, let outcome):
      var outcome = outcome
      if state.replicas[replica].store.isDisturbed {
        guard !operation.action.isRead else { return }
        // A copy that gave no answer may have stored what the others refused.
        if case .error = outcome, operation.action.isEdit { outcome = .unknown }
      }
      observe(operation, outcome, at: replica, step: step.text, findings: &findings)
    case .application(let replica, let step, let operation, let outcome):
      observe(.application(replica: replica, step: step.text, operation, outcome), &findings)
    case .served(let message, _, let operation, let outcome):
      let isSource = message.side == .source
      observe(.session(message.session, isSource: isSource, operation, outcome), &findings)
    case .received(let session, let since, let page):
      observe(.received(session, since: since, page), &findings)
    case .sessionBegan(let number):
      let session = state.sessions[number]
      let facts = SessionFacts(
        name: session.name, source: session.source, target: session.target,
        filter: session.directive.filter, isHalfSeen: session.ownEnvironment != nil,
        continuesFeed: session.configuration.continuesFeed)
      observe(.sessionBegan(number, facts), &findings)
    case .sessionEnded(let number):
      let session = state.sessions[number]
      let end = SessionEnd(
        isComplete: session.machine.state == .complete,
        saysUnsaved: session.machine.report.unsavedCheckpoint != nil,
        isStoppedCleanly: session.machine.state == .stopped && !session.hasTrouble)
      observe(.sessionEnded(number, end), &findings)
    case .sessionGone(let number):
      observe(.sessionEnded(number, SessionEnd(isComplete: false, saysUnsaved: false)), &findings)
    case .copied(let replica): observe(.copied(replica: replica), &findings)
    case .restored(let replica): observe(.restored(replica: replica), &findings)
    case .lostCheckpoints(let replica): observe(.lostCheckpoints(replica: replica), &findings)
    case .settled(let stores, let graphs):
      findings += oracles.conclude(stores, graphs).map { .oracle($0) }
      attachmentBranches = stores.first?.attachmentBranches ?? 0
    default: break
    }
  }

  private func observe(_ observation: Observation, _ findings: inout [WorldFinding]) {
    let isDeclared = modelChecker?.deviates == true
    if let finding = oracles.observe(observation, isDeclared: isDeclared) {
      findings.append(.oracle(finding))
    }
  }

  /// Reports an operation of a client; a batch write by write.
  private func observe(
    _ operation: StoreOperation, _ outcome: Outcome, at replica: Int, step: JSONString,
    findings: inout [WorldFinding]
  ) {
    for (operation, outcome) in operation.writes(with: outcome) {
      observe(.client(replica: replica, step: step, operation, outcome), &findings)
    }
  }

  /// The final state of each acknowledged write.
  func ledger(_ stores: [FinalStore]) -> [LedgerEntry] { oracles.ledger(stores) }

  /// The declared flaws because of which a revision id has several contents.
  var contentFlaws: Set<ContentFlaw> { oracles.contentFlaws }

  /// What the oracles counted.
  var probes: ProbeCounts {
    var probes = ProbeCounts()
    probes[.lostConvergence] = oracles.lostConvergence
    probes[.attachmentsBranched] = attachmentBranches
    return probes
  }
}

extension StoreAction {
  /// Whether the action makes a revision of one document.
  fileprivate var isEdit: Bool {
    switch self {
    case .create, .update, .delete, .resolve: true
    case .attaching(_, let write): write.isEdit
    default: false
    }
  }
}

extension FinalStore {
  /// The number of documents with leaves that have different attachments of one name.
  fileprivate var attachmentBranches: Int {
    documents.count { document in
      document.attachments.contains { attachment in
        document.attachments.contains {
          $0.name == attachment.name && $0.rev != attachment.rev && $0.digest != attachment.digest
        }
      }
    }
  }
}
