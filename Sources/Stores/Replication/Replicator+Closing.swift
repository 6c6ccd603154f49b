internal import Datastore
internal import JSON

/// The end of a session, and the idle state of a continuous one.
extension Replicator {
  /// Saves after all found revisions are processed, and then ends or becomes idle.
  mutating func drain() {
    beginSave()
    guard save == nil else { return }
    if state == .stopping {
      end(report.failures.isEmpty ? .stopped : .error)
    } else if configuration.isContinuous {
      phase = .resting
      guard !isPollTimerSet else { return }
      isPollTimerSet = true
      let interval = configuration.pollInterval
      effects.append(.wait(.poll, nanoseconds: interval...interval))
    } else {
      phase = .verifying
      askWhoTheyAre()
    }
  }

  /// Checks the identity of both stores before it looks for new changes.
  mutating func wake() {
    guard phase == .resting else { return }
    phase = .verifying
    askWhoTheyAre()
  }

  /// Continues after the identity check of both stores: ends, or looks for new changes. Failed
  /// pages are retried from the last checkpoint on.
  mutating func goOn() {
    guard configuration.isContinuous else {
      return end(isBlocked || feed.hasFailed ? .error : .complete)
    }
    phase = .copying
    feed.isExhausted = false
    if isBlocked {
      isBlocked = false
      feed.position = settled
    }
  }

  /// Stops new requests. Requests in transit to the target are awaited, so that the checkpoint
  /// covers them.
  mutating func cancel() {
    switch state {
    case .pending: end(.stopped)
    case .started:
      state = .stopping
      switch phase {
      case .opening, .recalling, .verifying: end(report.failures.isEmpty ? .stopped : .error)
      case .resting, .copying:
        phase = .copying
        feed.isExhausted = true
        feed.isAsking = false
        abandon()
      }
    case .stopping, .stopped, .complete, .error: break
    }
  }

  /// Discards all requests except those that store data.
  private mutating func abandon() {
    for request in requests {
      switch request.purpose {
      case .insert(let page, _, _):
        if request.isWaiting { abandon(page) }
      case .diff(let page), .fetch(let page, _), .lookup(let page, _): abandon(page)
      case .flush, .saveTarget, .saveSource:
        if request.isWaiting { failSave("the replicator was stopped") }
      case .identity, .checkpoint, .changes, .content: break
      }
    }
    for deferred in deferredRecords { abandon(deferred.page) }
    deferredRecords = []
    contents = []
    requests.removeAll { request in
      switch request.purpose {
      case .insert, .flush, .saveTarget, .saveSource: request.isWaiting
      default: true
      }
    }
  }

  /// Leaves a page unfinished without a failure: a replicator that is stopping starts no new
  /// requests.
  mutating func leaveUnfinished(_ page: Int64) { change(page) { $0.hasFailed = true } }

  /// Discards a request of the page without a failure.
  private mutating func abandon(_ page: Int64) {
    guard let place = pages.firstIndex(where: { $0.number == page }) else { return }
    pages[place].hasFailed = true
    pages[place].open -= 1
  }

  mutating func end(_ state: ReplicatorState, _ failure: ReplicationReport.Failure? = nil) {
    if let failure { report.record(failure) }
    self.state = state
    requests = []
    pages = []
    deferredRecords = []
    contents = []
  }
}
