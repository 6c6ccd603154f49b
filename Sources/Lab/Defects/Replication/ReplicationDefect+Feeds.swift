internal import Datastore
internal import JSON
internal import Replication

// Mutants that read the feed of the source wrongly.

extension ReplicationDefect {
  static let feeds: [ReplicationDefect] = [
    ReplicationDefect(
      "last-row-of-page-dropped", breaks: "REPL-001",
      "The last row of a page is dropped when another page follows.",
      boundary: .machine { _ in
        Reading { page in if page.more, page.rows.count > 1 { page.rows.removeLast() } }
      }),
    ReplicationDefect(
      "first-row-after-resume-dropped", breaks: "REPL-003",
      "The first row after a checkpoint is skipped as already processed.",
      boundary: .machine { _ in ResumingLate() }),
    ReplicationDefect(
      "ten-rows-per-run", breaks: "REPL-001", "A run ends after ten rows of the feed.",
      boundary: .machine { _ in EndingEarly(rowsMax: 10) }),
    ReplicationDefect(
      "deleted-losers-not-sent", breaks: "REPL-009",
      "Deleted leaves are not sent beside a live winner.",
      boundary: .machine { _ in
        Reading.leaves { leaves in
          Array(leaves.prefix(1)) + leaves.dropFirst().filter { !$0.deleted }
        }
      }),
    ReplicationDefect(
      "documents-with-deleted-winner-skipped", breaks: "REPL-009",
      "A row whose winner is deleted is skipped.",
      boundary: .machine { _ in Reading { page in page.rows.removeAll { $0.deleted } } }),
    ReplicationDefect(
      "page-after-empty-diff-skipped", breaks: "REPL-025",
      "If no revision of a page is missing, the next page is skipped, too.",
      boundary: .machine { _ in SkippingAfterEmptyDiff() }),
    ReplicationDefect(
      "failed-page-of-feed-is-last", breaks: "REPL-016",
      "A page of the feed that could not be read is treated as an empty last page.",
      boundary: .machine { _ in EndingAtFailedPage() }),
  ]
}

/// Removes the first row after a checkpoint.
private struct ResumingLate: SessionMeddling {
  private var asked = 0
  private var resumes = false

  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    if case .changes(let since, _, _) = request {
      resumes = asked == 0 && since != nil
      asked += 1
    }
    return (request, nil)
  }

  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard resumes, case .changes(let since, _, _) = request, since != nil,
      case .ok(.changes(var page)) = response, !page.rows.isEmpty
    else { return response }
    page.rows.removeFirst()
    return .ok(.changes(page))
  }
}

/// Reads only some rows.
private struct EndingEarly: SessionMeddling {
  let rowsMax: Int
  private var rows = 0

  init(rowsMax: Int) { self.rowsMax = rowsMax }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .ok(.changes(var page)) = response else { return response }
    rows += page.rows.count
    if rows >= rowsMax { page.more = false }
    return .ok(.changes(page))
  }
}

/// Empties the page after one with no missing revisions.
private struct SkippingAfterEmptyDiff: SessionMeddling {
  private var skips = false

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    switch response {
    case .ok(.revsDiff(let found)) where side == .target && found.isEmpty:
      skips = true
    case .ok(.changes(var page)) where skips:
      skips = false
      page.rows = []
      return .ok(.changes(page))
    default: break
    }
    return response
  }
}

/// Ends the feed at a row that cannot be read.
private struct EndingAtFailedPage: SessionMeddling {
  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .changes(let since?, _, _) = request, case .status = response else {
      return response
    }
    return .ok(.changes(ChangesPage(rows: [], last: since, more: false)))
  }
}
