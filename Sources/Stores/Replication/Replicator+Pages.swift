internal import Datastore
internal import JSON

/// Iteration over the changes of the source.
extension Replicator {
  /// Starts all requests that have become possible.
  mutating func advance() {
    guard phase == .copying, !state.isFinal else { return }
    settlePages()
    while !feed.isAsking, !feed.isExhausted, state == .started,
      pages.count < configuration.pagesInFlight
    {
      feed.isAsking = true
      send(
        .source,
        .changes(
          since: configuration.continuesFeed ? feed.position : nil,
          limit: configuration.continuesFeed ? configuration.pageRows : .max,
          filter: configuration.filter),
        purpose: .changes)
    }
    if feed.isExhausted, pages.isEmpty { drain() }
  }

  /// Processes the next page; returns false if the page is not a valid successor.
  mutating func turn(to page: ChangesPage) -> Bool {
    // A page with `more` that does not advance would be requested forever.
    if page.more, page.last == feed.position { return false }
    feed.isAsking = false
    feed.position = page.last
    feed.isExhausted = !page.more
    lastPage += 1
    pages.append(Page(number: lastPage, last: page.last))
    var queries: [RevisionQuery] = []
    var count = 0
    for row in page.rows {
      var revs = row.leaves.map { $0.rev }
      if let filter = configuration.filter {
        revs = row.leaves.filter { filter.mayAdmit(row.id, $0) }.map { $0.rev }
      }
      guard !revs.isEmpty else { continue }
      queries.append(RevisionQuery(id: row.id, revs: revs))
      count += revs.count
      if count >= configuration.diffRevisions {
        open(lastPage, .target, content: .revsDiff(queries), purpose: .diff(page: lastPage))
        queries = []
        count = 0
      }
    }
    if !queries.isEmpty {
      open(lastPage, .target, content: .revsDiff(queries), purpose: .diff(page: lastPage))
    }
    return true
  }

  /// Sends a request without which the page cannot complete.
  mutating func open(
    _ page: Int64, _ side: ReplicationSide, content: PeerRequest, purpose: Purpose,
    attempt: Int = 1
  ) {
    change(page) { $0.open += 1 }
    send(side, content, purpose: purpose, attempt: attempt)
  }

  /// Marks one request of the page as done.
  mutating func close(_ page: Int64) { change(page) { $0.open -= 1 } }

  /// Records a failure: something of the page is not at the target.
  mutating func fail(_ page: Int64, _ failure: ReplicationReport.Failure) {
    report.record(failure)
    change(page) { $0.hasFailed = true }
  }

  mutating func change(_ page: Int64, _ change: (inout Page) -> Void) {
    guard let place = pages.firstIndex(where: { $0.number == page }) else { return }
    change(&pages[place])
  }

  /// Removes the completed pages at the front; the recorded sequence never advances past a failed
  /// one.
  private mutating func settlePages() {
    while let page = pages.first, page.open == 0 {
      pages.removeFirst()
      if page.hasFailed { isBlocked = true }
      if !isBlocked { settled = page.last }
    }
    if let settled, settled != report.recorded, settled != unsavable, !isCheckpointTimerSet,
      state == .started
    {
      isCheckpointTimerSet = true
      let interval = configuration.checkpointInterval
      effects.append(.wait(.checkpoint, nanoseconds: interval...interval))
    }
  }
}
