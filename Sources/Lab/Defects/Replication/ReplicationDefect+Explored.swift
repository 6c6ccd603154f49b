internal import Datastore
internal import JSON
internal import Replication

// Mutants of replicators that have an effect only with an event at a certain request, or that only
// waste work.

extension ReplicationDefect {
  /// Mutants that `touchstone explore --replicator` kills; campaigns and vectors need not kill
  /// them, so they are not in `all`.
  public static let explored: [ReplicationDefect] =
    (feeds + transfers + endings + memories + wastes).sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }

  /// All mutants of replicators, in the order of their names.
  public static let ofReplicators: [ReplicationDefect] =
    (all.filter { $0.isOfReplicator } + explored).sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }

  private static let transfers: [ReplicationDefect] = [
    ReplicationDefect(
      "newest-descendants-not-asked", breaks: "REPL-024",
      "The listed revision is fetched instead of its current descendants.",
      boundary: .machine { _ in FetchingListedOnly() }),
    ReplicationDefect(
      "body-missing-takes-the-batch", breaks: "REPL-024",
      "If the source has no body of one revision, the others of the batch count as vanished.",
      boundary: .machine { _ in LosingBatch { $0 == .bodyMissing } }),
    ReplicationDefect(
      "vanished-takes-the-batch", breaks: "REPL-023",
      "If one revision of a batch vanished, the others of the batch count as vanished.",
      boundary: .machine { _ in LosingBatch { $0 == .missing } }),
    ReplicationDefect(
      "vanished-ends-feed", breaks: "REPL-023",
      "After a revision vanished the current page is treated as the last.",
      boundary: .machine { _ in EndingAfterVanished() }),
    ReplicationDefect(
      "not-delivered-is-vanished", breaks: "REPL-016",
      "A revision that the source lists and does not deliver counts as purged.",
      boundary: .machine { _ in TakingUndeliveredForGone(fromStatus: false) }),
    ReplicationDefect(
      "fetch-404-is-vanished", breaks: "REPL-016",
      "Status 404 of a fetch counts as if all its revisions had been purged.",
      boundary: .machine { _ in TakingUndeliveredForGone(fromStatus: true) }),
    ReplicationDefect(
      "body-missing-is-vanished", breaks: "REPL-016",
      "A stub revision of the source counts as purged.",
      boundary: .machine { _ in TakingMissingBodyForGone() }),
    ReplicationDefect(
      "first-result-for-all", breaks: "REPL-017",
      "The first result of an insert is used for all its records.",
      boundary: .machine { _ in
        AlteredInsertErrors { errors in errors.map { _ in errors.first ?? nil } }
      }),
    ReplicationDefect(
      "last-result-for-all", breaks: "REPL-017",
      "The last result of an insert is used for all its records.",
      boundary: .machine { _ in
        AlteredInsertErrors { errors in errors.map { _ in errors.last ?? nil } }
      }),
    ReplicationDefect(
      "record-errors-ignored", breaks: "REPL-017",
      "Errors of single records within a successful insert are ignored.",
      boundary: .machine { _ in AlteredInsertErrors { errors in errors.map { _ in nil } } }),
    ReplicationDefect(
      "storage-error-of-record-is-refusal", breaks: "REPL-017",
      "A record that the target could not store counts as refused by validation.",
      boundary: .machine { _ in
        AlteredInsertErrors { errors in
          errors.map { error in
            guard case .storage = error?.kind else { return error }
            return DatastoreError(.forbidden)
          }
        }
      }),
    ReplicationDefect(
      "insert-4xx-is-refusal", breaks: "REPL-017",
      "A status of 400 to 499 to an insert counts as a refusal of its records.",
      boundary: .machine { _ in TakingStatusForRefusal() }),
    ReplicationDefect(
      "repeated-insert-keeps-first", breaks: "REPL-016",
      "A repeated insert contains only the first of its records.",
      boundary: .machine { _ in RepeatingFirstOnly() }),
    ReplicationDefect(
      "repeated-fetch-loses-rest", breaks: "REPL-016",
      "A repeated fetch requests only its first revision.",
      boundary: .machine { _ in RefetchingFirstOnly() }),
    ReplicationDefect(
      "batch-boundary-drops-one", breaks: "REPL-001",
      "A fetch of several revisions loses the last one.",
      boundary: .machine { _ in DroppingLastOfBatch() }),
    ReplicationDefect(
      "histories-cut", breaks: "REPL-001",
      "Records are sent with their parent and no other ancestor.",
      boundary: .machine { _ in
        Sending { record in record.path = Array(record.path.prefix(2)) }
      }),
    ReplicationDefect(
      "tombstones-revived", breaks: "REPL-009", "Deleted revisions are sent as live ones.",
      boundary: .machine { _ in Sending { $0.deleted = false } }),
    ReplicationDefect(
      "tombstones-emptied", breaks: "REPL-009", "The bodies of deleted revisions are not sent.",
      boundary: .machine { _ in Sending { if $0.deleted { $0.body = [:] } } }),
    ReplicationDefect(
      "attachment-dropped-when-missing", breaks: "REPL-001",
      "A record that the target refuses for a missing attachment is sent without attachments.",
      boundary: .machine { _ in DroppingStubs() }),
    ReplicationDefect(
      "refusal-ends-batch", breaks: "REPL-007",
      "After one refused record the records of later batches are not sent.",
      boundary: .machine { _ in StoppingAtRefusal() }),
  ]
}

/// Does not fetch descendants.
private struct FetchingListedOnly: SessionMeddling {
  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .getRevisions(var queries) = request else { return (request, nil) }
    for place in queries.indices { queries[place].latest = false }
    return (.getRevisions(queries), nil)
  }
}

/// Treats all revisions of a batch as gone if one has this result.
private struct LosingBatch: SessionMeddling {
  let isHit: @Sendable (RevisionAnswer.Found) -> Bool
  private var replaced: Set<RevisionID> = []

  init(_ isHit: @escaping @Sendable (RevisionAnswer.Found) -> Bool) { self.isHit = isHit }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    var loses = false
    if case .ok(.revisions(let answers)) = response { loses = answers.contains { isHit($0.found) } }
    return response.hidingAsGone({ _ in loses }, &replaced, side: side, request: request)
  }
}

/// Reads no page after one with a vanished revision.
private struct EndingAfterVanished: SessionMeddling {
  private var hasVanished = false

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    switch response {
    case .ok(.revisions(let answers)) where answers.contains { $0.found == .missing }:
      hasVanished = true
    case .ok(.changes(var page)) where hasVanished:
      page.rows = []
      page.more = false
      return .ok(.changes(page))
    default: break
    }
    return response
  }
}

/// Treats a revision that is not delivered as gone at once.
private struct TakingUndeliveredForGone: SessionMeddling {
  let fromStatus: Bool
  private var replaced: Set<RevisionID> = []

  init(fromStatus: Bool) { self.fromStatus = fromStatus }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    if fromStatus, case .status(404) = response, case .getRevisions(let queries) = request {
      let answers = queries.flatMap { query in
        query.revs.map { RevisionAnswer(id: query.id, rev: $0, found: .missing) }
      }
      for answer in answers { replaced.insert(answer.rev) }
      return .ok(.revisions(answers))
    }
    return response.hidingAsGone(
      { !fromStatus && $0.found == .missing }, &replaced, side: side, request: request)
  }
}

/// Treats a revision without a body as gone.
private struct TakingMissingBodyForGone: SessionMeddling {
  private var replaced: Set<RevisionID> = []

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    response.hidingAsGone({ $0.found == .bodyMissing }, &replaced, side: side, request: request)
  }
}

extension PeerResponse {
  /// The response with some fetched revisions as missing, and as unknown to the source in later
  /// requests.
  fileprivate func hidingAsGone(
    _ isHidden: (RevisionAnswer) -> Bool, _ replaced: inout Set<RevisionID>,
    side: ReplicationSide, request: PeerRequest
  ) -> PeerResponse {
    switch (request, self) {
    case (.getRevisions, .ok(.revisions(var answers))):
      for place in answers.indices where isHidden(answers[place]) {
        replaced.insert(answers[place].rev)
        answers[place].found = .missing
      }
      return .ok(.revisions(answers))
    case (.revsDiff(let queries), .ok(.revsDiff)) where side == .source:
      guard queries.contains(where: { $0.revs.contains { replaced.contains($0) } }) else {
        return self
      }
      return .ok(
        .revsDiff(
          queries.map { Difference(id: $0.id, missing: $0.revs, possibleAncestors: []) }))
    default: return self
    }
  }
}

/// Interprets the results of inserts differently.
private struct AlteredInsertErrors: SessionMeddling {
  let change: @Sendable ([DatastoreError?]) -> [DatastoreError?]

  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .ok(.inserted(let errors)) = response else { return response }
    return .ok(.inserted(change(errors)))
  }
}

/// Interprets a status that refuses the request as a refusal of every record.
private struct TakingStatusForRefusal: SessionMeddling {
  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .insertRevisions(let records) = request, case .status(let code) = response,
      (400..<500).contains(code)
    else { return response }
    return .ok(.inserted(records.map { _ in DatastoreError(.forbidden) }))
  }
}

/// Sends only one of several records when it retries.
private struct RepeatingFirstOnly: SessionMeddling {
  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard attempt > 1, case .insertRevisions(let records) = request else { return (request, nil) }
    return (.insertRevisions(Array(records.prefix(1))), nil)
  }

  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .insertRevisions(let records) = request, case .ok(.inserted(var errors)) = response
    else { return response }
    while errors.count < records.count { errors.append(nil) }
    return .ok(.inserted(errors))
  }
}

/// Fetches only one of several revisions when it retries, and treats the others as gone.
private struct RefetchingFirstOnly: SessionMeddling {
  private var replaced: Set<RevisionID> = []
  private var isRepeating = false

  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    if case .getRevisions = request { isRepeating = attempt > 1 }
    return (request, nil)
  }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    let first: RevisionID? =
      if case .ok(.revisions(let answers)) = response { answers.first?.rev } else { nil }
    let hides = isRepeating
    return response.hidingAsGone(
      { hides && $0.rev != first }, &replaced, side: side, request: request)
  }
}

/// Loses the last revision of a fetch of several, as if the target had it.
private struct DroppingLastOfBatch: SessionMeddling {
  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard side == .target, case .ok(.revsDiff(var found)) = response else { return response }
    let count = found.reduce(0) { $0 + $1.missing.count }
    guard count > 1, let last = found.indices.last else { return response }
    found[last].missing.removeLast()
    if found[last].missing.isEmpty { found.removeLast() }
    return .ok(.revsDiff(found))
  }
}

/// Changes each record that it sends.
private struct Sending: SessionMeddling {
  let change: @Sendable (inout RevisionRecord) -> Void

  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .insertRevisions(var records) = request else { return (request, nil) }
    for place in records.indices { change(&records[place]) }
    return (.insertRevisions(records), nil)
  }
}

/// Fetches only stubs, and sends records refused for them without attachments.
private struct DroppingStubs: SessionMeddling {
  private var refused: Set<RevisionID> = []

  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    switch request {
    case .getRevisions(var queries):
      for place in queries.indices { queries[place].attachmentsSince = nil }
      return (.getRevisions(queries), nil)
    case .insertRevisions(var records):
      for place in records.indices {
        guard let rev = records[place].path.first, refused.contains(rev) else { continue }
        records[place].attachments = []
      }
      return (.insertRevisions(records), nil)
    default: return (request, nil)
    }
  }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .insertRevisions(let records) = request, case .ok(.inserted(let errors)) = response
    else { return response }
    for (record, error) in zip(records, errors) where error?.kind == .missingStub {
      if let rev = record.path.first { refused.insert(rev) }
    }
    return response
  }
}

/// Sends nothing after a refusal, and treats it as stored.
private struct StoppingAtRefusal: SessionMeddling {
  private var isRefused = false

  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard isRefused, case .insertRevisions(let records) = request else { return (request, nil) }
    return (request, .ok(.inserted(records.map { _ in nil })))
  }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    if case .ok(.inserted(let errors)) = response,
      errors.contains(where: { $0?.kind == .forbidden })
    {
      isRefused = true
    }
    return response
  }
}
