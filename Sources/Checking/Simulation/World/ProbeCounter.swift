internal import Datastore
internal import JSON
internal import Oracles
internal import Replication
internal import Scenarios

/// Counts rare events of replicas, stores, messages and sessions.
final class ProbeCounter: EventObserver {
  private(set) var probes = ProbeCounts()
  let topics: Set<EventTopic> = [.steps, .replicas, .sessions, .messages, .services]
  /// Replicas on which a conflict of a document was resolved.
  private var resolutions: [DocumentID: Set<Int>] = [:]
  /// The leaves from which the last client selected.
  private var listed: [Leaf] = []
  /// By session.
  private var progress: [SessionProgress] = []

  /// The progress of a session.
  private struct SessionProgress {
    var hasStarted = false
    var remembered: [ReplicationSide: [JSONValue]] = [:]
    var saves = 0
    /// The number of bytes of each content that the target had at the first request.
    var held: [JSONString: Int64] = [:]
    /// Content that is being transferred.
    var transferred: Set<JSONString> = []
  }

  func observe(_ event: WorldEvent, in state: WorldState, _ findings: inout [WorldFinding]) {
    switch event {
    case .directed(let step): if case .clock = step.directive { probes[.clockWrong] += 1 }
    case .acted(let replica, let action, let outcome): count(action, outcome, at: replica)
    case .listed(_, let leaves):
      listed = leaves
      count(leaves)
    case .refusedByDisk(let isFull): probes[isFull ? .storageFull : .storageFailing] += 1
    case .crashing(_, let kind, _, _): probes[kind == .kill ? .killed : .powerLost] += 1
    case .crashed(_, _, _, inOperation: true): probes[.crashedInOperation] += 1
    case .crashedInOpening: probes[.crashedInOpening] += 1
    case .restored: probes[.restored] += 1
    case .lostCheckpoints: probes[.lostCheckpoint] += 1
    case .rested: probes[.continuous] += 1
    case .sessionBegan(let number):
      progress.append(SessionProgress())
      countShared(number, state.sessions)
    case .sessionEnded(let number): countEnd(state.sessions[number], number)
    case .sessionGone(let number):
      probes[.crashedInSession] += 1
      if !progress[number].transferred.isEmpty { probes[.contentCutOff] += 1 }
    case .sent(let message, _): if message.attempt > 1 { probes[.retried] += 1 }
    case .spoilt(let message, let leg, let fate, hasEffect: true): count(fate, of: message, leg)
    case .blocked(_, _, let isOneWay): probes[isOneWay ? .oneWay : .partitioned] += 1
    case .unserved: probes[.peerCrashed] += 1
    case .unheard: probes[.answerToNobody] += 1
    case .served(let message, _, let operation, let outcome):
      if message.isRepetition { probes[.messageTwice] += 1 }
      if state.sessions[message.session].spellsAnew, message.side == .source {
        probes[.reencoded] += 1
      }
      count(operation.action, outcome, side: message.side, session: &progress[message.session])
    default: break
    }
  }

  // MARK: Clients

  private func count(_ action: StoreAction, _ outcome: Outcome, at place: Int) {
    if case .destroy = action { probes[.destroyed] += 1 }
    guard case .ok(let result) = outcome else { return }
    if case .attaching(_, let write) = action {
      probes[.attached] += 1
      return count(write, outcome, at: place)
    }
    switch (action, result) {
    case (.create, .written(_, let rev)): if rev.generationText > 1 { probes[.recreated] += 1 }
    case (.update(_, let parent, _), .written), (.delete(_, let parent, _), .written):
      if listed.dropFirst().contains(where: { $0.rev == parent }) {
        probes[.losingLeafEdited] += 1
      }
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

  private func count(_ leaves: [Leaf]) {
    if leaves.filter({ !$0.deleted }).count > 1 { probes[.conflicted] += 1 }
    if let winner = leaves.first, !winner.deleted,
      leaves.contains(where: { $0.deleted && $0.rev.generationText > winner.rev.generationText })
    {
      probes[.conflictWithTombstone] += 1
    }
  }

  // MARK: Messages

  private func count(_ fate: Fate, of message: World.RequestMessage, _ leg: World.Leg) {
    switch (fate, leg) {
    case (.lost, _):
      probes[leg == .request ? .requestLost : .responseLost] += 1
      if message.content.isPiece { probes[.pieceLost] += 1 }
    case (.late, _): probes[.messageLate] += 1
    case (.damaged, _): probes[.damaged] += 1
    case (.status, .request): probes[.statusError] += 1
    // A request counts when it arrives again.
    case (.twice, .response): probes[.messageTwice] += 1
    case (.truncated, .response): probes[.truncated] += 1
    case (.partial, .response): probes[.partial] += 1
    default: break
    }
  }

  // MARK: Sessions

  private func countShared(_ number: Int, _ sessions: [Session]) {
    let session = sessions[number]
    let isShared = sessions[..<number].contains {
      $0.isAlive && $0.source == session.source && $0.target == session.target
        && $0.directive.filter == session.directive.filter
    }
    if isShared { probes[.shared] += 1 }
  }

  private func countEnd(_ session: Session, _ number: Int) {
    let report = session.machine.report
    switch session.machine.state {
    case .complete: if session.directive.filter != nil { probes[.filtered] += 1 }
    case .error: probes[.failedSession] += 1
    case .stopped: probes[.cancelled] += 1
    case .pending, .started, .stopping: break
    }
    if report.metOtherStore { probes[.identityChanged] += 1 }
    probes[.vanished] += Int(report.vanished)
    if progress[number].saves > 1 { probes[.savedInBetween] += 1 }
  }

  /// Counts the events visible in a response to a session.
  private func count(
    _ action: StoreAction, _ outcome: Outcome, side: ReplicationSide,
    session: inout SessionProgress
  ) {
    guard case .ok(let result) = outcome else { return }
    switch (action, result) {
    case (.changes(let since, _), _) where !session.hasStarted:
      session.hasStarted = true
      let left = session.remembered[.source] ?? []
      let right = session.remembered[.target] ?? []
      if since != nil {
        probes[.resumed] += 1
        if left.first != right.first { probes[.fellBack] += 1 }
      } else if !left.isEmpty || !right.isEmpty {
        probes[.startedOver] += 1
      }
    case (.getRevisions(let queries), .revisions(let answers)):
      let asked = Set(queries.flatMap { $0.revs })
      for answer in answers {
        guard case .records(let records) = answer.found else { continue }
        if records.contains(where: { $0.path.first.map { !asked.contains($0) } ?? false }) {
          probes[.replaced] += 1
        }
      }
    case (.insertRevisions(let records), .inserted(let errors)):
      if errors.contains(where: { $0?.kind == .forbidden }) { probes[.refusedByClientRule] += 1 }
      for (record, error) in zip(records, errors) where !record.attachments.isEmpty {
        count(record, error, session: &session)
      }
    case (.putBlob(let digest, let offset, let bytes), .held(let count)):
      if bytes == "" {
        if session.held.updateValue(count, forKey: digest) == nil, count == 0 {
          session.transferred.insert(digest)
        }
      } else if let had = session.held[digest], had > 0, had == offset,
        session.transferred.insert(digest).inserted
      {
        probes[.contentResumed] += 1
      }
    case (.writeLocal, _): session.saves += 1
    case (.readLocal, .local(let body)):
      session.remembered[side] = body.objectValue?["history"]?.arrayValue ?? []
    default: break
    }
  }

  /// Counts the result of a record with attachments.
  private func count(
    _ record: RevisionRecord, _ error: DatastoreError?, session: inout SessionProgress
  ) {
    switch error?.kind {
    case .missingStub: probes[.stubMissing] += 1
    case .badAttachment: probes[.contentDamaged] += 1
    case nil:
      for attachment in record.attachments {
        switch attachment.content {
        case .stub: probes[.stubTaken] += 1
        case .chunks:
          guard let digest = attachment.digest else { continue }
          probes[session.transferred.remove(digest) != nil ? .pieced : .contentShared] += 1
        case .data, .file: break
        }
      }
    default: break
    }
  }
}

extension RevisionID {
  /// The generation, without a check of its syntax; for probes and coverage only.
  var generationText: Int {
    var number = 0
    for byte in text.utf8 {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { break }
      number = number &* 10 &+ Int(byte &- UInt8(ascii: "0"))
    }
    return number
  }
}

extension PeerRequest {
  /// Whether it or its response contains a piece of content outside of a record.
  fileprivate var isPiece: Bool {
    switch self {
    case .readAttachment: true
    case .putBlob(_, _, let bytes): bytes != ""
    default: false
    }
  }
}
