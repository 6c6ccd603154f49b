internal import Datastore
internal import JSON
internal import Oracles
internal import Replication

/// A violation found by this check.
struct TrialFinding: Hashable {
  /// The class, such as `lost/leaf`; findings of one class have one cause.
  var shape: String
  var sentence: String
}

/// The checks after each run. They use stores and requests, never the internal state of the
/// replicator.
extension ReplicatorTrial {
  /// The maximum number of requests to both sides in a run without changes: identities,
  /// checkpoints, one page of changes, and identities again, with a small margin.
  static let idleRequestsMax = 12

  /// Checks the first run at its end.
  mutating func checkFirstRun() throws(HarnessError) -> TrialFinding? {
    if let finding = checkEnd() { return finding }
    if !isCut, tally.afterStop > 0, facts.isStopped {
      return TrialFinding(
        shape: "claim/stop-ignored",
        sentence: "the stopped run sent \(tally.afterStop) further requests")
    }
    if !isCut, machine.state == .error, !facts.hasFault {
      return TrialFinding(
        shape: "claim/needless-error",
        sentence: "the run ends in an error although no request failed: \(reason)")
    }
    // For a store that the replicator accesses directly, it is unknown whether the store was
    // replaced before or after the last check of its identity.
    let isSure = !facts.isReplaced || visible.count == 2
    if !isCut, isSure, machine.state == .complete {
      var still = try notMissing(facts.promised, at: .source)
      // If a filter selects leaves, a leaf that was replaced in time is not selected.
      if setting.checksRecords(run: 0) { still.formIntersection(try leaves(at: .source)) }
      if let lost = try missing(still.subtracting(facts.exempt), at: .target).first {
        return TrialFinding(
          shape: "claim/complete",
          sentence:
            "the run reports completion, but the target lacks \(lost.rev) of \(lost.id)")
      }
    }
    return try checkpointFinding()
  }

  private func checkEnd() -> TrialFinding? {
    if isCut || machine.state.isFinal { return nil }
    if requests >= Self.requestsMax || tally.wakes > Self.requestsMax {
      return TrialFinding(
        shape: "liveness/endless", sentence: "the run does not end after \(requests) requests")
    }
    return TrialFinding(
      shape: "liveness/stuck",
      sentence: "the run is deadlocked: it waits for no event and has not ended")
  }

  private var reason: String { machine.report.failures.first?.reason.string ?? "no reason given" }

  /// Runs to the end without events.
  mutating func finish() throws(HarnessError) {
    while request != nil, requests < Self.requestsMax { try deliver() }
  }

  /// Performs the second and the third run, and checks the final state.
  mutating func conclude() throws(HarnessError) -> TrialFinding? {
    try begin(run: 1)
    try finish()
    if let finding = checkEnd() { return finding }
    guard machine.state == .complete else {
      return TrialFinding(
        shape: "liveness/second-run",
        sentence: "the run without faults ends in \(machine.state.rawValue): \(reason)")
    }
    if let finding = try finalFinding() { return finding }
    if let finding = try checkpointFinding() { return finding }
    if let finding = wasteOfSecondRun() { return finding }
    try begin(run: 2)
    try finish()
    if let finding = checkEnd() { return finding }
    if machine.state != .complete {
      return TrialFinding(
        shape: "liveness/third-run",
        sentence: "the run without changes ends in \(machine.state.rawValue): \(reason)")
    }
    return wasteOfThirdRun()
  }

  // MARK: The final state

  private mutating func finalFinding() throws(HarnessError) -> TrialFinding? {
    let source = try FinalStore(readsPieces: setting.readsPieces) {
      (action: StoreAction) throws(HarnessError) in
      try stores.perform(action, at: .source)
    }
    let target = try FinalStore(readsPieces: setting.readsPieces) {
      (action: StoreAction) throws(HarnessError) in
      try stores.perform(action, at: .target)
    }
    for document in source.documents {
      let other = target.documents.first { $0.id == document.id }
      for record in document.records {
        guard let rev = record.path.first else { continue }
        let name = LeafName(id: document.id, rev: rev)
        guard setting.admits(run, record), !facts.exempt.contains(name) else { continue }
        guard let copy = other?.records.first(where: { $0.path.first == rev }) else {
          let known = try notMissing([name], at: .target)
          let isLeaf = other?.leaves.contains { $0.rev == rev } ?? false
          if known.isEmpty || isLeaf {
            return TrialFinding(
              shape: "lost/leaf",
              sentence: "the target lacks \(rev) of \(document.id) after a run without faults")
          }
          continue
        }
        if let finding = difference(record, copy) { return finding }
        let (here, there) = (
          document.attachments.filter { $0.rev == rev }, other?.attachments.filter { $0.rev == rev }
        )
        if here != there {
          return TrialFinding(
            shape: "lost/attachment",
            sentence: "the attachments of \(rev) of \(document.id) differ at the target")
        }
      }
    }
    return try strangers(in: target)
  }

  private func difference(_ record: RevisionRecord, _ copy: RevisionRecord) -> TrialFinding? {
    let name = "\(record.path.first?.text.string ?? "") of \(record.id)"
    if record.deleted != copy.deleted || !record.body.isSameValue(as: copy.body) {
      return TrialFinding(shape: "lost/body", sentence: "the body of \(name) differs at the target")
    }
    if record.path != copy.path, !facts.purged.contains(record.id) {
      return TrialFinding(
        shape: "lost/history", sentence: "the history of \(name) differs at the target")
    }
    return nil
  }

  /// Leaves of the target that no client wrote or that no filter admits.
  private mutating func strangers(
    in target: FinalStore
  ) throws(HarnessError) -> TrialFinding? {
    var allowed = facts.written
    for record in setting.targetRecords + setting.sourceRecords {
      for rev in record.path { allowed.insert(LeafName(id: record.id, rev: rev)) }
    }
    for document in target.documents {
      for record in document.records {
        guard let rev = record.path.first else { continue }
        let name = LeafName(id: document.id, rev: rev)
        guard allowed.contains(name) || document.id == "r" || document.id == "p" else {
          return TrialFinding(
            shape: "extra/revision",
            sentence: "the target has \(rev) of \(document.id), which no client wrote")
        }
        let isOwn =
          facts.written.contains(name)
          || setting.targetRecords.contains { $0.id == record.id && $0.path.contains(rev) }
        if let refusal = setting.refusal,
          refusal == .bodyFieldEquals(field: "kind", value: "secret"),
          record.body.objectValue?["kind"] == "secret"
        {
          return TrialFinding(
            shape: "extra/refused",
            sentence: "the target has \(rev) of \(document.id), which its validation rejects")
        }
        guard isOwn || setting.admits(0, record) || setting.admits(run, record) else {
          return TrialFinding(
            shape: "extra/filter",
            sentence: "the target has \(rev) of \(document.id), which no filter accepts")
        }
      }
    }
    return nil
  }

  // MARK: Checkpoints

  /// Whether a common checkpoint is ahead of the contents of the target. Only checkpoints in the
  /// form of CouchDB's protocol are read; for others, the later runs detect the loss.
  private mutating func checkpointFinding() throws(HarnessError) -> TrialFinding? {
    guard !facts.isReplaced, let id = machine.report.checkpoint else { return nil }
    let here = try entries(of: id, at: .source)
    let there = try entries(of: id, at: .target)
    guard let common = here.first(where: { there.contains($0) }),
      let recorded = common.objectValue?["recorded"],
      let since = try? UpdateSequence(recorded, path: "recorded"),
      case .ok(.changes(let rest)) = try stores.perform(.changes(since: since), at: .source)
    else { return nil }
    let later = Set(rest.rows.map { $0.id })
    let before = try leaves(at: .source).filter { !later.contains($0.id) }
    let owed = try admitted(before, run: run).subtracting(facts.exempt)
    guard let lost = try missing(owed, at: .target).first else { return nil }
    return TrialFinding(
      shape: "checkpoint/ahead",
      sentence: "the checkpoint is \(since), but the target lacks \(lost.rev) of \(lost.id)")
  }

  private mutating func entries(
    of id: DocumentID, at side: ReplicationSide
  ) throws(HarnessError) -> [JSONValue] {
    guard case .ok(.local(let body)) = try stores.perform(.readLocal(id: id), at: side),
      body.objectValue?["side"]?.textValue == JSONString(side.rawValue)
    else { return [] }
    return body.objectValue?["history"]?.arrayValue ?? []
  }

  // MARK: Waste

  private func wasteOfSecondRun() -> TrialFinding? {
    if tally.repeated > 0 {
      return TrialFinding(
        shape: "waste/repeated",
        sentence:
          "the second run transferred \(tally.repeated) revisions that the target already had")
    }
    // A stopped run has finished all pages except those in flight.
    let hasSettled = facts.acknowledged >= 4 * Int(setting.batch)
    if facts.isStopped, !facts.hasFault, hasSettled, visible.contains(.source),
      tally.since == .some(nil), setting.filters[0] == setting.filters[1]
    {
      return TrialFinding(
        shape: "waste/stop-forgotten",
        sentence: "the run was stopped after \(facts.acknowledged) revisions had arrived, and the "
          + "next one starts from the beginning")
    }
    return nil
  }

  private func wasteOfThirdRun() -> TrialFinding? {
    if tally.rows > 0 {
      return TrialFinding(
        shape: "waste/rescan",
        sentence: "a run without changes read \(tally.rows) rows of the feed again")
    }
    if tally.transfers + tally.diffs > 0 {
      return TrialFinding(
        shape: "waste/transfer",
        sentence:
          "a run without changes requested the missing revisions \(tally.diffs) times and transferred "
          + "records \(tally.transfers) times")
    }
    if tally.saves > 0 {
      return TrialFinding(
        shape: "waste/checkpoint",
        sentence: "a run without changes wrote a checkpoint \(tally.saves) times")
    }
    if tally.requests > Self.idleRequestsMax {
      return TrialFinding(
        shape: "waste/requests",
        sentence: "a run without changes sent \(tally.requests) requests, more than "
          + "\(Self.idleRequestsMax)")
    }
    return nil
  }

  // MARK: Reading stores

  mutating func leaves(at side: ReplicationSide) throws(HarnessError) -> Set<LeafName> {
    guard case .ok(.changes(let page)) = try stores.perform(.changes(), at: side) else { return [] }
    var names: Set<LeafName> = []
    for row in page.rows {
      for leaf in row.leaves.array { names.insert(LeafName(id: row.id, rev: leaf.rev)) }
    }
    return names
  }

  /// The leaves of the source whose records pass the filter of a run.
  mutating func admitted(
    _ names: Set<LeafName>, run: Int
  ) throws(HarnessError) -> Set<LeafName> {
    guard setting.checksRecords(run: run) else { return names }
    let queries = Self.queries(names)
    guard
      case .ok(.revisions(let answers)) = try stores.perform(.getRevisions(queries), at: .source)
    else { return [] }
    var passing: Set<LeafName> = []
    for answer in answers {
      guard case .records(let records) = answer.found, let record = records.first,
        setting.admits(run, record)
      else { continue }
      passing.insert(LeafName(id: answer.id, rev: answer.rev))
    }
    return passing
  }

  /// The revisions that a side lacks, in a fixed order.
  private mutating func missing(
    _ names: Set<LeafName>, at side: ReplicationSide
  ) throws(HarnessError) -> [LeafName] {
    guard !names.isEmpty,
      case .ok(.revsDiff(let found)) = try stores.perform(.revsDiff(Self.queries(names)), at: side)
    else { return [] }
    return found.flatMap { difference in
      difference.missing.map { LeafName(id: difference.id, rev: $0) }
    }
  }

  private mutating func notMissing(
    _ names: Set<LeafName>, at side: ReplicationSide
  ) throws(HarnessError) -> Set<LeafName> {
    names.subtracting(try missing(names, at: side))
  }

  private static func queries(_ names: Set<LeafName>) -> [RevisionQuery] {
    var revs: [DocumentID: [RevisionID]] = [:]
    for name in names { revs[name.id, default: []].append(name.rev) }
    return revs.map { id, revs in
      RevisionQuery(
        id: id,
        revs: revs.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) })
    }.sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
  }
}
