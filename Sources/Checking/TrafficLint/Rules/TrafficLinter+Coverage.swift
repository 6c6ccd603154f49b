internal import Datastore
internal import JSON

// What a checkpoint covers must be in the target; and the checks at the end of a transcript.

extension TrafficLinter {
  /// A leaf that a checkpoint covers although the target may not have it.
  private struct Gap {
    var clause: LintClause
    var sentence: String
    var evidence: [(place: Place, note: String)]
  }

  func checkCoverage(
    _ checkpoint: CheckpointState, sequence: SequenceName, _ flow: Flow
  ) {
    let client = flow.client
    let feeds = (checkpoint.feeds.isEmpty ? client.feeds : checkpoint.feeds).filter { feed in
      checkpoint.databases.contains { $0 === feed.source } || !client.usesCheckpoint(feed.source)
    }
    let covered = feeds.filter { $0.positions[sequence.digest] != nil }
    guard !covered.isEmpty else {
      return checkRecorded(
        checkpoint, feeds: feeds, sequence: sequence, flow)
    }
    var gaps: [[Gap]] = []
    for feed in covered {
      guard let position = feed.positions[sequence.digest] else { continue }
      gaps.append(self.gaps(feed, upTo: position, by: checkpoint, flow))
      feed.drop(upTo: position)
    }
    // Two feeds may have the same sequences: then the checkpoint may belong to either.
    guard gaps.allSatisfy({ !$0.isEmpty }) else { return }
    for gap in gaps.first ?? [] { report(gap.clause, gap.sentence, at: gap.evidence) }
  }

  private func checkRecorded(
    _ checkpoint: CheckpointState, feeds: [Feed], sequence: SequenceName, _ flow: Flow
  ) {
    let client = flow.client
    // A checkpoint in one database that is source and target of the client may be of either
    // direction: then its sequence may be one of the local store.
    let sources = feeds.map(\.source).filter { source in
      checkpoint.databases.count > 1 || !client.contact(source).isTarget
    }
    guard sequence != .zero, !sources.isEmpty,
      sources.allSatisfy({ !$0.sequences.isEmpty && !$0.sequences.contains(sequence.digest) }),
      !client.checkpointSequences.contains(sequence.digest)
    else { return }
    report(
      .checkpointSequence, "the source never returned \(sequence.words)",
      at: [(flow.place, "records \(sequence.words)")])
  }

  private func gaps(
    _ feed: Feed, upTo position: Int, by checkpoint: CheckpointState, _ flow: Flow
  ) -> [Gap] {
    let all = flow.client.targets(of: feed.source)
    let own = all.filter { contact in
      checkpoint.databases.contains { $0 === contact.database }
    }
    let targets = own.isEmpty ? all : own
    guard !targets.isEmpty else { return [] }
    return feed.rows(upTo: position).flatMap { document, row in
      row.leaves.compactMap { leaf -> Gap? in
        let key = RevisionKey(document: document, revision: leaf)
        let found = targets.map { gap(key, row: row, of: feed, target: $0.database, flow) }
        guard found.allSatisfy({ $0 != nil }) else { return nil }
        return found[0]
      }
    }
  }

  private func gap(
    _ key: RevisionKey, row: Feed.Row, of feed: Feed, target: DatabaseState, _ flow: Flow
  ) -> Gap? {
    let facts = target.facts[key] ?? RevisionFacts()
    let source = feed.source.facts[key] ?? RevisionFacts()
    guard !facts.isSettled, source.gone == 0 else { return nil }
    let words = key.words
    let listed = (row.place, "lists \(words)")
    let checkpoint = (flow.place, "writes a checkpoint at or after this row")
    func gap(_ clause: LintClause, _ sentence: String, at place: Place, note: String) -> Gap {
      Gap(clause: clause, sentence: sentence, evidence: [listed, (place, note), checkpoint])
    }
    if facts.rowFailed > 0 {
      return gap(
        .checkpointRowError, "\(words) was answered with a temporary error in its row",
        at: facts.rowFailed, note: "the row of \(words) has an error")
    }
    if facts.written > 0, facts.failed >= facts.written {
      return gap(
        .checkpointFailedWrite, "the write of \(words) failed", at: facts.failed,
        note: "the target answers the write with an error")
    }
    if facts.written > 0 {
      return gap(
        .checkpointUnacknowledged, "the write of \(words) has no response yet",
        at: facts.written, note: "writes \(words)")
    }
    if source.received > 0 {
      return gap(
        .checkpointUnwritten, "\(words) was fetched and never written", at: source.received,
        note: "the source sends \(words)")
    }
    if facts.missing > 0, source.requested > 0 {
      return gap(
        .checkpointFailedFetch, "the fetch of \(words) failed",
        at: max(source.fetchFailed, source.requested), note: "the response does not have \(words)")
    }
    if facts.missing > 0 {
      return gap(
        .checkpointUnfetched, "\(words) is missing in the target and was never fetched",
        at: facts.missing, note: "reports \(words) as missing")
    }
    // Replicators may filter rows that have their documents, and may skip design documents.
    let isSkippable = row.hasDocument || key.document.text.utf8.starts(with: "_design/".utf8)
    guard !isSkippable || row.isAsked else { return nil }
    return gap(
      .checkpointUnasked, "the target has not answered whether it has \(words)", at: facts.asked,
      note: "asks for \(words)")
  }

  /// Reports what is certain only at the end of the transcript.
  func checkEnd(_ client: ClientState) {
    for contact in client.contacts where contact.unreadUse > 0 {
      guard isReplicator(client, contact) else { continue }
      report(
        .databaseInformation, "\(contact.database.name) is used without GET /db",
        at: [(contact.unreadUse, "the first use")])
    }
    for feed in client.feeds where feed.withoutStyle > 0 {
      guard isReplicator(client, client.contact(feed.source)) else { continue }
      report(
        .feedStyle, "the feed lists only winners, so conflicts are not replicated",
        at: [(feed.withoutStyle, "has no style=all_docs")])
    }
    for id in client.checkpointOrder {
      let checkpoint = client.checkpoint(id)
      guard !checkpoint.isOneSideReported, checkpoint.writes.count == 1,
        let write = checkpoint.writes.first, write.isComplete, write.isFollowed,
        let side = checkpoint.readDatabases.first(where: { $0 !== write.database })
      else { continue }
      report(
        .checkpointOneSide, "\(side.name) does not get the checkpoint",
        at: [
          (write.place, "writes the checkpoint to one side"),
          (client.lastPlace, "the last request of the client"),
        ])
    }
  }

  /// Whether a client uses a database for replication: other clients read feeds, too.
  private func isReplicator(_ client: ClientState, _ contact: Contact) -> Bool {
    client.contacts.contains(where: \.isTarget)
      || client.checkpointOrder.contains { id in
        guard let checkpoint = client.checkpoints[id], checkpoint.isConfirmed else { return false }
        return checkpoint.databases.contains { $0 === contact.database }
      }
  }
}
