internal import Datastore
internal import JSON
internal import Replication

// Mutants that treat a failure as success, keep wrong state, or do needless work.

extension ReplicationDefect {
  static let endings: [ReplicationDefect] = [
    ReplicationDefect(
      "lost-insert-is-done", breaks: "REPL-016",
      "An insert without a response is treated as performed.",
      boundary: .machine { _ in TakingSilenceForSuccess { $0.successOfInsert } }),
    ReplicationDefect(
      "lost-diff-is-empty", breaks: "REPL-016",
      "A revsDiff without a response is treated as if nothing were missing.",
      boundary: .machine { _ in
        TakingSilenceForSuccess { request in
          if case .revsDiff = request { .ok(.revsDiff([])) } else { nil }
        }
      }),
    ReplicationDefect(
      "busy-insert-is-done", breaks: "REPL-016",
      "An insert that a busy target refuses is treated as performed.",
      boundary: .machine { _ in
        TakingRefusalForSuccess { response in
          if case .refused(let error) = response { error.kind == .busy } else { false }
        }
      }),
    ReplicationDefect(
      "conflict-insert-is-done", breaks: "REPL-016",
      "Status 409 of an insert is treated as if the records were stored.",
      boundary: .machine { _ in TakingRefusalForSuccess { $0 == .status(409) } }),
  ]

  static let memories: [ReplicationDefect] = [
    ReplicationDefect(
      "checkpoint-of-source-believed", breaks: "REPL-004",
      "The checkpoint of the source is used without that of the target.",
      boundary: .machine { _ in BelievingSource() }),
    ReplicationDefect(
      "checkpoint-passes-failed-page", breaks: "REPL-017",
      "The last checkpoint of a run is the end of the feed, despite failures before it.",
      boundary: .machine { _ in SavingLastPage() }),
    ReplicationDefect(
      "checkpoint-of-source-not-written", breaks: "REPL-014",
      "The checkpoint is written only to the target.",
      boundary: .machine { _ in SavingOneSide(.target) }),
    ReplicationDefect(
      "checkpoint-of-target-not-written", breaks: "REPL-014",
      "The checkpoint is written only to the source.",
      boundary: .machine { _ in SavingOneSide(.source) }),
    ReplicationDefect(
      "oldest-checkpoint-used", breaks: "REPL-014",
      "A run continues from the oldest entry that both checkpoints have.",
      boundary: .machine { _ in ReadingOldest() }),
  ]

  static let wastes: [ReplicationDefect] = [
    ReplicationDefect(
      "checkpoint-not-read", breaks: "REPL-014",
      "Every run begins at the start of the feed, despite a checkpoint.",
      boundary: .machine { _ in StartingOver() }),
    ReplicationDefect(
      "everything-sent-again", breaks: "REPL-014",
      "All revisions of a page are sent without a revsDiff.",
      boundary: .machine { _ in SendingAll() }),
    ReplicationDefect(
      "checkpoint-rewritten", breaks: "REPL-005",
      "At its end a run writes an unchanged checkpoint again.",
      boundary: .machine { _ in Rewriting() }),
  ]
}

extension PeerRequest {
  /// The result of an insert with every record stored; nil for other requests.
  fileprivate var successOfInsert: PeerResponse? {
    guard case .insertRevisions(let records) = self else { return nil }
    return .ok(.inserted(records.map { _ in nil }))
  }
}

/// Treats a request without a response as performed.
private struct TakingSilenceForSuccess: SessionMeddling {
  let success: @Sendable (PeerRequest) -> PeerResponse?

  func lost(_ side: ReplicationSide, _ request: PeerRequest) -> PeerResponse? { success(request) }
}

/// Treats an insert that was refused as a whole as performed.
private struct TakingRefusalForSuccess: SessionMeddling {
  let isIgnored: @Sendable (PeerResponse) -> Bool

  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard isIgnored(response), let success = request.successOfInsert else { return response }
    return success
  }
}

/// Returns the checkpoint of the source as that of the target.
private struct BelievingSource: SessionMeddling {
  private var body: JSONValue?

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .readLocal = request else { return response }
    switch side {
    case .source:
      if case .ok(.local(let body)) = response { self.body = body }
      return response
    case .target:
      guard var object = body?.objectValue else { return response }
      object["side"] = .text(side.rawValue)
      return .ok(.local(body: .object(object)))
    }
  }
}

/// Writes the end of the last page that it received.
private struct SavingLastPage: SessionMeddling {
  private var newest: UpdateSequence?

  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) { (request.recording(newest), nil) }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    if case .ok(.changes(let page)) = response, !page.more { newest = page.last }
    return response
  }
}

/// Reports a checkpoint as written on both sides, and writes it on one.
private struct SavingOneSide: SessionMeddling {
  let saved: ReplicationSide

  init(_ saved: ReplicationSide) { self.saved = saved }

  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    if side != saved, case .writeLocal = request { return (request, .ok(.done)) }
    return (request, nil)
  }
}

/// Reads histories from their end.
private struct ReadingOldest: SessionMeddling {
  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .ok(.local(let body)) = response, var object = body.objectValue,
      let history = object["history"]?.arrayValue
    else { return response }
    object["history"] = .array(history.reversed())
    return .ok(.local(body: .object(object)))
  }
}

/// Requests the first page of each run from the beginning.
private struct StartingOver: SessionMeddling {
  private var hasStarted = false

  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .changes(_, let limit, let filter) = request, !hasStarted else {
      return (request, nil)
    }
    hasStarted = true
    return (.changes(since: nil, limit: limit, filter: filter), nil)
  }
}

/// Treats every revision as missing.
private struct SendingAll: SessionMeddling {
  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard side == .target, case .revsDiff(let queries) = request else { return (request, nil) }
    let all = queries.map { Difference(id: $0.id, missing: $0.revs, possibleAncestors: []) }
    return (request, .ok(.revsDiff(all)))
  }
}

/// Writes the checkpoint of the target again instead of reading the target's identity.
private struct Rewriting: SessionMeddling {
  private var info: PeerResponse?
  private var checkpoint: (id: DocumentID, body: JSONValue)?

  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard side == .target else { return (request, nil) }
    switch request {
    case .writeLocal(let id, let body): checkpoint = (id, body)
    case .info:
      if info != nil, let checkpoint {
        return (.writeLocal(id: checkpoint.id, body: checkpoint.body), nil)
      }
    default: break
    }
    return (request, nil)
  }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard side == .target else { return response }
    switch (request, response) {
    case (.readLocal(let id), .ok(.local(let body))): checkpoint = (id, body)
    case (.info, .ok(.info)): info = response
    case (.info, .ok(.done)): return info ?? response
    default: break
    }
    return response
  }
}
