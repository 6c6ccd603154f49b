internal import Datastore
internal import JSON

// Checkpoint documents: reads, the position at which a session resumes, and the form of writes.

extension TrafficLinter {
  func beginLocal(_ id: DocumentID, _ flow: Flow) {
    let checkpoint = flow.client.checkpoint(id)
    checkpoint.use(flow.database)
    switch flow.method {
    case "GET", "HEAD":
      if flow.contact.hasWorked { checkpoint.feeds = [] }
      flow.contact.beginSession(id, at: flow.place)
      if !checkpoint.readDatabases.contains(where: { $0 === flow.database }) {
        checkpoint.readDatabases.append(flow.database)
      }
    case "PUT":
      guard let body = flow.requestBody else { return }
      beginCheckpoint(checkpoint, body: body, flow)
      flow.contact.hasWorked = true
    default: break
    }
  }

  func endLocal(_ id: DocumentID, _ flow: Flow) {
    switch flow.method {
    case "GET":
      let body = flow.exchange.response?.body.json?.objectValue
      if flow.isSuccess, let body {
        flow.contact.readCheckpoints.append((id, flow.place, body))
        let content = CheckpointBody(body)
        if content.isCheckpoint { flow.client.checkpoint(id).isConfirmed = true }
        for sequence in content.sequences {
          flow.client.checkpointSequences.insert(sequence.digest)
        }
      } else if flow.status == 404 {
        flow.contact.readCheckpoints.append((id, flow.place, nil))
      }
    case "PUT":
      let checkpoint = flow.client.checkpoint(id)
      guard flow.isSuccess,
        let place = checkpoint.writes.firstIndex(where: { $0.database === flow.database })
      else { return }
      checkpoint.writes[place].isComplete = true
    default: break
    }
  }

  /// Checks that a session resumes at or before what both sides have in common.
  func checkResume(_ flow: Flow, _ since: SequenceName) {
    guard since.text != "now" else { return }
    var best: (common: SequenceName, places: [Place])?
    for read in flow.contact.readCheckpoints {
      // A side that worked since its read has another checkpoint by now.
      for contact in flow.client.contacts
      where contact.database !== flow.database && !contact.hasWorked {
        guard let other = contact.readCheckpoints.last(where: { $0.id == read.id }) else {
          continue
        }
        let bodies = (read.body.map { CheckpointBody($0) }, other.body.map { CheckpointBody($0) })
        let common = CheckpointBody.common(bodies.0, bodies.1)
        if best.map({ ($0.common.number ?? 0) < (common.number ?? 0) }) ?? true {
          best = (common, [read.place, other.place])
        }
      }
    }
    guard let best, since != best.common, let position = since.number,
      position > best.common.number ?? .max
    else { return }
    report(
      .resumeAboveCommon,
      "the session begins at \(since.words), and both sides have \(best.common.words)",
      at: best.places.map { ($0, "the checkpoint of one side") } + [
        (flow.place, "since=\(since.words)")
      ])
  }

  private func beginCheckpoint(
    _ checkpoint: CheckpointState, body: JSONObject, _ flow: Flow
  ) {
    let content = CheckpointBody(body)
    guard content.isCheckpoint, let sequence = content.sequence else { return }
    checkpoint.isConfirmed = true
    checkForm(content, flow)
    checkRead(checkpoint, flow)
    checkRecreation(checkpoint, flow)
    let isPaired = checkPartners(checkpoint, content, sequence: sequence, flow: flow)
    checkProgress(checkpoint, sequence: sequence, flow: flow)
    checkCoverage(checkpoint, sequence: sequence, flow)
    flow.client.checkpointSequences.formUnion(content.sequences.map(\.digest))
    checkpoint.writes.removeAll { $0.database === flow.database }
    checkpoint.writes.append(
      .init(
        database: flow.database, place: flow.place, session: content.session,
        sequence: sequence, isPaired: isPaired))
  }

  private func checkForm(_ content: CheckpointBody, _ flow: Flow) {
    if let flaw = content.flaw {
      report(.checkpointForm, flaw, at: [(flow.place, flaw)])
    }
    if content.history.count > CheckpointBody.historyMax {
      report(
        .checkpointHistory, "the history has \(content.history.count) entries",
        at: [(flow.place, "writes \(content.history.count) entries")])
    }
    guard let newest = content.history.first, content.flaw == nil else { return }
    if newest.session != content.session || newest.sequence != content.sequence {
      report(
        .checkpointNewestEntry, "the first entry of the history has other values",
        at: [(flow.place, "the first entry has \(newest.sequence?.words ?? "no sequence")")])
    }
  }

  private func checkRead(_ checkpoint: CheckpointState, _ flow: Flow) {
    guard !checkpoint.isReadReported,
      !checkpoint.readDatabases.contains(where: { $0 === flow.database })
    else { return }
    checkpoint.isReadReported = true
    report(
      .checkpointRead, "_local/\(checkpoint.id) is written without a read",
      at: [(flow.place, "writes the checkpoint")])
  }

  private func checkRecreation(_ checkpoint: CheckpointState, _ flow: Flow) {
    for database in checkpoint.databases {
      let reads = flow.client.contact(database).readCheckpoints
      guard let start = reads.last(where: { $0.id == checkpoint.id })?.place,
        database.recreatedAt > start
      else { continue }
      report(
        .recreatedDatabase, "\(database.name) was created again during the session",
        at: [
          (start, "the session begins"),
          (database.recreatedAt, "the database is another one"),
          (flow.place, "writes a checkpoint"),
        ])
    }
  }

  /// Compares a write with the last one to the same side, and with that to the other side.
  ///
  /// - Returns: whether the write completes a pair.
  private func checkPartners(
    _ checkpoint: CheckpointState, _ content: CheckpointBody, sequence: SequenceName, flow: Flow
  ) -> Bool {
    let own = checkpoint.writes.first { $0.database === flow.database }
    if let own, own.session == content.session, let before = own.sequence.number,
      let after = sequence.number, after < before
    {
      report(
        .checkpointBackwards,
        "the checkpoint moves from \(own.sequence.words) to \(sequence.words)",
        at: [
          (own.place, "records \(own.sequence.words)"),
          (flow.place, "records \(sequence.words)"),
        ])
    }
    // A session may end between the two writes, as after a crash.
    let start = flow.contact.sessionStart
    let other = checkpoint.writes.firstIndex {
      $0.database !== flow.database && !$0.isPaired && $0.place > start
    }
    if let other {
      let write = checkpoint.writes[other]
      checkpoint.writes[other].isPaired = true
      if write.session != content.session || write.sequence != sequence {
        report(
          .checkpointDiffers,
          "the sides get \(write.sequence.words) and \(sequence.words), or other sessions",
          at: [
            (write.place, "records \(write.sequence.words)"),
            (flow.place, "records \(sequence.words)"),
          ])
      }
      return true
    }
    if let own, own.isComplete, !own.isPaired { checkSingle(checkpoint, own, flow: flow) }
    return false
  }

  /// The number of sessions without the second write from which on crashes do not explain them.
  private static let looseMax = 3

  /// Checks a second write to the same side after one that the other side did not get.
  private func checkSingle(
    _ checkpoint: CheckpointState, _ own: CheckpointState.Write, flow: Flow
  ) {
    let isSameSession = own.place > flow.contact.sessionStart
    if !isSameSession { checkpoint.looseCount += 1 }
    guard isSameSession || own.isFollowed || checkpoint.looseCount >= Self.looseMax,
      !checkpoint.isOneSideReported,
      let side = checkpoint.readDatabases.first(where: { $0 !== flow.database })
    else { return }
    checkpoint.isOneSideReported = true
    report(
      .checkpointOneSide, "\(side.name) does not get the checkpoint",
      at: [
        (own.place, "writes the checkpoint"),
        (flow.place, "writes the next one to the same side"),
      ])
  }

  private func checkProgress(
    _ checkpoint: CheckpointState, sequence: SequenceName, flow: Flow
  ) {
    let reads = flow.client.contacts.flatMap(\.readCheckpoints).filter { read in
      read.id == checkpoint.id
        && read.body.map { CheckpointBody($0).sequence == sequence } ?? false
    }
    guard reads.count > 1, let first = reads.map(\.place).min(),
      checkpoint.writes.allSatisfy({ $0.place < first })
    else { return }
    report(
      .checkpointUnchanged, "both sides already have \(sequence.words)",
      at: reads.prefix(2).map { ($0.place, "has \(sequence.words)") } + [
        (flow.place, "writes the same sequence")
      ])
  }
}
