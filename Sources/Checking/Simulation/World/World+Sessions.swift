internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Replication
internal import Scenarios

/// Replicators, and the replicas that drive them.
extension World {
  /// Begins the session of a step, unless the driving replica is down.
  mutating func begin(_ directive: Replicate, _ step: StepID) throws(HarnessError) {
    guard let source = places[directive.source], let target = places[directive.target],
      let by = places[directive.by], replicas[by].isUp
    else { return }
    let ordinal = beginnings[step, default: 0] + 1
    beginnings[step] = ordinal
    var configuration = ReplicatorConfiguration()
    configuration.filter = directive.filter
    configuration.isContinuous = directive.isContinuous
    configuration.pageRows = directive.batch ?? configuration.pageRows
    configuration.batchRevisions = Int(directive.batch ?? 50)
    for place in [source, target] {
      let description = replicas[place].store.implementation.description
      if !description.capabilities.contains(.attachment) {
        configuration.asksForAttachments = false
      }
      if !description.capabilities.contains(.attachmentPieces) { configuration.usesPieces = false }
      // Not a divisor of the maximum length of content in one message.
      let bytes = Int64(description.limits.inlineBytesMax) / 4 * 3 + 1
      configuration.pieceBytes = min(configuration.pieceBytes, bytes)
    }
    let restrictions = replicas[source].store.implementation.description.restrictions
    configuration.continuesFeed = !restrictions.contains(.changesFromStart)
    let name = JSONString("\(step)/\(ordinal)")
    let number = sessions.count
    let own = ownReplicator(directive, name, source: source, target: target, by: by)
    sessions.append(
      Session(
        name: name, step: step, directive, source: source, target: target, by: by, configuration,
        spellsAnew: conditions.reencodesSequences && source != by,
        machine: own?.machine ?? participants.makeMachine(configuration),
        ownEnvironment: own?.environment))
    emit(.sessionBegan(number))
    try notify(number, .start(session: name))
  }

  /// The own replicator of the driving replica, if it has one that takes part.
  private mutating func ownReplicator(
    _ directive: Replicate, _ name: JSONString, source: Int, target: Int, by: Int
  ) -> (machine: ForeignReplicator, environment: RunEnvironment)? {
    let implementation = replicas[by].store.implementation
    guard implementation.description.capabilities.contains(.replicate), source != target,
      by == source || by == target
    else { return nil }
    let remote = replicas[by == source ? target : source].name
    let start = ReplicationTurn.Start(
      by == source ? .push : .pull, JSONString("/\(remote)"), filter: directive.filter,
      isContinuous: directive.isContinuous, batch: directive.batch)
    var random = choices.random(ChoiceKey(JSONString("\(name)/own")))
    let environment = RunEnvironment(seed: random.next())
    let store = scenario.store
    let machine = ForeignReplicator(start) { turn throws(HarnessError) in
      try implementation.perform(StoreOperation(store, .replicate(turn)), environment)
    }
    return (machine, environment)
  }

  /// Sends an event to a session's machine and performs the effects that it returns.
  mutating func notify(_ number: Int, _ event: ReplicatorEvent) throws(HarnessError) {
    guard sessions[number].isAlive else { return }
    switch event {
    case .lost(let request, _):
      sessions[number].awaited[request] = nil
      sessions[number].hasTrouble = true
    case .cancel: sessions[number].isStopped = true
    case .response(let request, let response):
      noteStalls(number, response.records)
      if response.isTrouble { sessions[number].hasTrouble = true }
      if let since = sessions[number].awaited.removeValue(forKey: request),
        case .ok(.changes(let page)) = response
      {
        emit(.received(session: number, since: since, page))
      }
    default: break
    }
    sessions[number].ownEnvironment?.nowNanoseconds = now
    let effects = sessions[number].machine.handle(event)
    for effect in effects {
      switch effect {
      case .send(let request, let side, let content, let attempt):
        noteStalls(number, content.records)
        if sessions[number].isStopped, !content.savesCheckpoint {
          sessions[number].requestsAfterStop += 1
        }
        send(number, request, side: side, content: content, attempt: attempt)
      case .wait(let timer, let range):
        if timer == .poll {
          emit(.rested)
          if phase == .calm { continue }
        }
        var key = sessions[number].key
        key.fold(literal: "/wait/")
        key.fold(timer)
        var random = choices.random(key)
        let spread = Int(clamping: range.upperBound - range.lowerBound)
        let pause = range.lowerBound + UInt64(random.below(spread + 1))
        queue.insert(.timer(session: number, timer), at: now + pause)
      }
    }
    if sessions[number].machine.state.isFinal { try end(number) }
  }

  /// Notes which declared deviations keep an own replicator from its end after it copied records.
  private func noteStalls(_ number: Int, _ records: @autoclosure () -> [RevisionRecord]) {
    let session = sessions[number]
    guard session.ownEnvironment != nil else { return }
    let records = records()
    for deviation in replicas[session.by].store.deviations {
      let stalls = records.contains {
        $0.attachments.contains { deviation.stallsSession(copying: $0) }
      }
      if stalls { session.stalls.insert(deviation.id) }
    }
  }

  /// Ends a session whose machine has ended.
  private mutating func end(_ number: Int) throws(HarnessError) {
    sessions[number].isAlive = false
    if sessions[number].machine.state == .error, !sessions[number].stalls.isEmpty {
      try endAsDeclared(sessions[number].stalls)
    }
    emit(.sessionEnded(number))
    guard phase == .calm, settling.session == number else { return }
    settling.processed += sessions[number].machine.report.processed
  }

  /// Notes that the store of a replica changes in a way that may end its sessions in an error.
  mutating func trouble(_ place: Int) {
    for number in sessions.indices
    where sessions[number].isAlive
      && (sessions[number].source == place || sessions[number].target == place)
    {
      sessions[number].hasTrouble = true
    }
  }

  /// Ends sessions because their driving replica is down.
  mutating func abandon(where isAffected: (Session) -> Bool) {
    for number in sessions.indices where sessions[number].isAlive && isAffected(sessions[number]) {
      sessions[number].isAlive = false
      emit(.sessionGone(number))
    }
  }
}

extension PeerRequest {
  /// The records that it sends.
  fileprivate var records: [RevisionRecord] {
    if case .insertRevisions(let records) = self { records } else { [] }
  }
}

extension PeerResponse {
  /// Whether a replicator may end in an error because of the response.
  fileprivate var isTrouble: Bool {
    switch self {
    case .ok(.inserted(let errors)): errors.contains { $0 != nil && $0?.kind != .forbidden }
    case .ok(.revisions(let answers)): answers.contains { $0.found == .bodyMissing }
    case .ok: false
    // A store without a checkpoint.
    case .refused(let error): error.kind != .notFound(.missing)
    case .status: true
    }
  }

  /// The records that it returns.
  fileprivate var records: [RevisionRecord] {
    guard case .ok(.revisions(let answers)) = self else { return [] }
    return answers.flatMap { answer -> [RevisionRecord] in
      if case .records(let records) = answer.found { records } else { [] }
    }
  }
}
