internal import Datastore
internal import JSON

/// How a session ends, or rests.
extension Replicator {
  /// Everything that was found is settled: saves, and then ends or rests.
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

  /// Asks whether the stores are still who they were, before it looks for new changes.
  mutating func wake() {
    guard phase == .resting else { return }
    phase = .verifying
    askWhoTheyAre()
  }

  /// The stores are still who they were: ends, or looks for new changes. Pages that failed are tried
  /// again from the last checkpoint on.
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

  /// Stops asking for more; what is on its way to the target is waited for, so that the checkpoint
  /// covers it.
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

  /// Forgets all requests but those that store something.
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

  /// A request of the page is given up without anything having gone wrong.
  private mutating func abandon(_ page: Int64) {
    guard let place = pages.firstIndex(where: { $0.number == page }) else { return }
    pages[place].hasFailed = true
    pages[place].open -= 1
  }

  mutating func end(_ state: ReplicatorState, _ failure: ReplicationReport.Failure? = nil) {
    if let failure { report.note(failure) }
    self.state = state
    requests = []
    pages = []
    deferredRecords = []
    contents = []
  }
}
