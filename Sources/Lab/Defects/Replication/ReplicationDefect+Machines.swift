internal import Datastore
internal import JSON
internal import Replication

// Mutants of replicators.

extension ReplicationDefect {
  static let machines: [ReplicationDefect] = [
    ReplicationDefect(
      "checkpoint-ahead", breaks: "REPL-003", "The checkpoint is written before the data.",
      link: "https://github.com/pouchdb/pouchdb/issues/1240",
      boundary: .machine { _ in CheckpointAhead() }),
    ReplicationDefect(
      "losing-leaves-not-sent", breaks: "REPL-008", "Only the winner of each document is sent.",
      link: "https://github.com/pouchdb/pouchdb/issues/3136",
      boundary: .machine { _ in Reading.leaves { Array($0.prefix(1)) } }),
    ReplicationDefect(
      "deleted-leaves-not-sent", breaks: "REPL-009", "A session does not send deleted leaves.",
      link: "https://github.com/pouchdb/pouchdb/issues/2955",
      boundary: .machine { _ in Reading.leaves { leaves in leaves.filter { !$0.deleted } } }),
    ReplicationDefect(
      "write-failures-forgotten", "The count of failed writes is lost when a batch is repeated.",
      link: "https://github.com/apache/couchdb/issues/2414",
      boundary: .machine { _ in ForgettingFailures() }),
    ReplicationDefect(
      "shared-checkpoint", breaks: "REPL-012", "Two replicators share one checkpoint.",
      link: "https://github.com/couchbase/couchbase-lite-android/issues/1568",
      boundary: .machine { _ in SharingCheckpoints() }),
    ReplicationDefect(
      "final-checkpoint-not-saved", breaks: "REPL-014", "The final checkpoint is never saved.",
      link: "https://github.com/couchbase/couchbase-lite-net/issues/1036",
      boundary: .machine { _ in ForgettingSession(.always) }),
    ReplicationDefect(
      "server-error-as-success", "A response with a status of 500 or more is treated as success.",
      boundary: .machine { _ in TakingErrorsForSuccess() }),
    ReplicationDefect(
      "missing-item-ignored", "An item that a bulk response lacks is treated as done.",
      boundary: .machine { _ in IgnoringGaps() }),
    ReplicationDefect(
      "repeated-as-new-edit", "A write whose response was lost is repeated as a new edit.",
      boundary: .machine { _ in EditingAgain() }),
  ]
}

/// Writes the newest sequence that it has received, as early as possible.
private struct CheckpointAhead: SessionMeddling {
  private var newest: UpdateSequence?

  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) { (request.recording(newest), nil) }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    if case .ok(.changes(let page)) = response { newest = page.last }
    return response
  }

  func waiting(_ timer: ReplicatorTimer, _ range: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
    timer == .checkpoint ? 1_000_000...1_000_000 : range
  }
}

/// Treats a record that could not be stored as stored.
private struct ForgettingFailures: SessionMeddling {
  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    switch (request, response) {
    case (.insertRevisions(let records), .refused(let error)):
      guard case .storage = error.kind else { return response }
      return .ok(.inserted(records.map { _ in nil }))
    default: return response
    }
  }
}

/// Uses one name for the checkpoints of all sessions.
private struct SharingCheckpoints: SessionMeddling {
  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    (request.naming(checkpoint: "replication"), nil)
  }
}

/// Reads an error as an empty response.
private struct TakingErrorsForSuccess: SessionMeddling {
  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .status(let code) = response, code >= 500 else { return response }
    switch request {
    case .revsDiff: return .ok(.revsDiff([]))
    case .insertRevisions(let records): return .ok(.inserted(records.map { _ in nil }))
    case .writeLocal, .flush: return .ok(.done)
    default: return response
    }
  }
}

/// Treats a revision without a result as gone.
private struct IgnoringGaps: SessionMeddling {
  private var gaps: [DocumentID: [RevisionID]] = [:]

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    switch (request, response) {
    case (.getRevisions(let queries), .ok(.revisions(var answers))):
      for query in queries {
        for rev in query.revs
        where !answers.contains(where: { $0.id == query.id && $0.rev == rev }) {
          gaps[query.id, default: []].append(rev)
          answers.append(RevisionAnswer(id: query.id, rev: rev, found: .missing))
        }
      }
      return .ok(.revisions(answers))
    case (.revsDiff(let queries), .ok(.revsDiff(var found))) where side == .source:
      for query in queries {
        let ignored = query.revs.filter { gaps[query.id]?.contains($0) == true }
        guard !ignored.isEmpty else { continue }
        found.append(Difference(id: query.id, missing: ignored, possibleAncestors: []))
      }
      return .ok(.revsDiff(found))
    default: return response
    }
  }
}

/// Repeats a write as an edit of its result.
private struct EditingAgain: SessionMeddling {
  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard attempt > 1, case .insertRevisions(let records) = request else { return (request, nil) }
    let edited = records.map { record in
      var record = record
      guard let first = record.path.first else { return record }
      let parts = first.text.string.split(separator: "-", maxSplits: 1)
      guard parts.count == 2, let generation = Int(parts[0]) else { return record }
      record.path.insert(
        RevisionID(JSONString("\(generation + 1)-\(String(parts[1].reversed()))")), at: 0)
      return record
    }
    return (.insertRevisions(edited), nil)
  }
}
