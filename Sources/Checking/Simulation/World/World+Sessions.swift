internal import Datastore
internal import JSON
internal import Oracles
internal import Replication
internal import Scenarios

/// Replicators, and the replicas that drive them.
extension World {
  /// Begins a session as a step asks; nothing begins at a replica that is down.
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
      // Not a divisor of what stands in one message.
      let bytes = Int64(description.limits.inlineBytesMax) / 4 * 3 + 1
      configuration.pieceBytes = min(configuration.pieceBytes, bytes)
    }
    let name = Text("\(step)/\(ordinal)")
    let number = sessions.count
    if sessions.contains(where: {
      $0.isAlive && $0.source == source && $0.target == target
        && $0.directive.filter == directive.filter
    }) {
      probes[.shared] += 1
    }
    let own = ownReplicator(directive, name, source: source, target: target, by: by)
    sessions.append(
      Session(
        name: name, step: step, directive, source: source, target: target, by: by, configuration,
        spellsAnew: conditions.reencodesSequences && source != by,
        own?.machine ?? participants.makeMachine(configuration), own?.environment))
    // What it writes to its own store nobody sees, so nobody can say what that has to hold.
    if own != nil { replicas[by].judge = nil }
    if trace != nil { record(by, step, .sessionBegan(session: name, directive)) }
    let facts = SessionFacts(
      name: name, source: source, target: target, filter: directive.filter,
      isHalfSeen: own != nil)
    if let finding = oracles.observe(.sessionBegan(number, facts)) { find(finding) }
    try notify(number, .start(session: name))
  }

  /// The replicator that the driving replica brings along, if it does and takes part.
  private mutating func ownReplicator(
    _ directive: Replicate, _ name: Text, source: Int, target: Int, by: Int
  ) -> (machine: ForeignReplicator, environment: SharedEnvironment)? {
    let implementation = replicas[by].store.implementation
    guard implementation.description.capabilities.contains(.replicate), source != target,
      by == source || by == target
    else { return nil }
    let remote = replicas[by == source ? target : source].name
    let start = ReplicationTurn.Start(
      by == source ? .push : .pull, Text("/\(remote)"), filter: directive.filter,
      isContinuous: directive.isContinuous, batch: directive.batch)
    var random = choices.random(ChoiceKey(Text("\(name)/own")))
    let environment = SharedEnvironment(Environment(seed: random.next()))
    let store = scenario.store
    let machine = ForeignReplicator(start) { turn throws(HarnessError) in
      try implementation.perform(Operation(store, .replicate(turn)), &environment.environment)
    }
    return (machine, environment)
  }

  /// Tells a session's machine what happened and does what it wants.
  mutating func notify(_ number: Int, _ event: ReplicatorEvent) throws(HarnessError) {
    guard sessions[number].isAlive else { return }
    switch event {
    case .lost(let request, _): sessions[number].awaited[request] = nil
    case .response(let request, let response):
      if let since = sessions[number].awaited.removeValue(forKey: request),
        case .ok(.changes(let page)) = response,
        let finding = oracles.observe(.received(number, since: since, page))
      {
        find(finding)
      }
    default: break
    }
    sessions[number].ownEnvironment?.environment.nowNanoseconds = now
    let effects = sessions[number].machine.handle(event)
    for effect in effects {
      switch effect {
      case .send(let request, let side, let content, let attempt):
        send(number, request, side, content, attempt: attempt)
      case .wait(let timer, let range):
        if timer == .poll {
          probes[.continuous] += 1
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
    if sessions[number].machine.state.isFinal { end(number) }
  }

  /// A machine has come to its end.
  private mutating func end(_ number: Int) {
    let session = sessions[number]
    sessions[number].isAlive = false
    let report = session.machine.report
    let state = session.machine.state
    switch state {
    case .complete: if session.directive.filter != nil { probes[.filtered] += 1 }
    case .error: probes[.failedSession] += 1
    case .stopped: probes[.cancelled] += 1
    case .pending, .started, .stopping: break
    }
    if report.metOtherStore { probes[.identityChanged] += 1 }
    probes[.vanished] += Int(report.vanished)
    if session.saves > 1 { probes[.savedInBetween] += 1 }
    if trace != nil {
      record(
        session.by, session.step,
        .sessionEnded(
          session: session.name, state: state.name, reason: report.failures.first?.reason))
    }
    let end = SessionEnd(
      isComplete: state == .complete, saysUnsaved: report.unsavedCheckpoint != nil)
    if let finding = oracles.observe(.sessionEnded(number, end)) { find(finding) }
    // What was cancelled for the calm has nothing to say about it.
    guard phase == .calm, settling.session == number else { return }
    settling.processed += report.processed
    if state != .complete {
      let reasons = report.failures.prefix(3).map { $0.reason.string }.joined(separator: "; ")
      findings.append(
        Trace.Finding(
          oracle: "liveness", shape: "session",
          sentence: Text(
            "session \(session.name) ends in \(state.rawValue) although nothing is wrong any more: "
              + "\(reasons)"), time: now))
    }
  }

  /// What became of a record with attachments.
  private mutating func noteProbes(
    of record: RevisionRecord, _ error: DatastoreError?, _ number: Int
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
          let isBrought = sessions[number].bringing.remove(digest) != nil
          probes[isBrought ? .pieced : .contentShared] += 1
        case .data, .file: break
        }
      }
    default: break
    }
  }

  /// The replica that drives these sessions is gone, and they with it.
  mutating func abandon(where isAffected: (Session) -> Bool) {
    for number in sessions.indices where sessions[number].isAlive && isAffected(sessions[number]) {
      sessions[number].isAlive = false
      probes[.crashedInSession] += 1
      if !sessions[number].bringing.isEmpty { probes[.contentCutOff] += 1 }
      if trace != nil {
        record(
          sessions[number].by, sessions[number].step,
          .sessionEnded(session: sessions[number].name, state: "gone", reason: nil))
      }
      let end = SessionEnd(isComplete: false, saysUnsaved: false)
      if let finding = oracles.observe(.sessionEnded(number, end)) { find(finding) }
    }
  }

  /// Rare things that show in what a session is answered.
  mutating func noteProbes(
    _ operation: Operation, _ outcome: Outcome, of number: Int, _ side: ReplicationSide
  ) {
    guard case .ok(let result) = outcome else { return }
    switch (operation.action, result) {
    case (.changes(let since, _), _) where !sessions[number].hasStarted:
      sessions[number].hasStarted = true
      let left = sessions[number].remembered[.source] ?? []
      let right = sessions[number].remembered[.target] ?? []
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
        noteProbes(of: record, error, number)
      }
    case (.putBlob(let digest, let offset, let bytes), .held(let count)):
      let session = sessions[number]
      if bytes == "" {
        if session.held.updateValue(count, forKey: digest) == nil, count == 0 {
          session.bringing.insert(digest)
        }
      } else if let had = session.held[digest], had > 0, had == offset,
        session.bringing.insert(digest).inserted
      {
        probes[.contentResumed] += 1
      }
    case (.writeLocal, _): sessions[number].saves += 1
    case (.readLocal(let id), .local(let body)):
      sessions[number].checkpoint = id
      sessions[number].remembered[side] = body.objectValue?["history"]?.arrayValue ?? []
    default: break
    }
  }
}

extension ReplicatorState {
  fileprivate var name: Text { Text(rawValue) }
}
