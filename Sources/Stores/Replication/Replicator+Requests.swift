internal import Datastore
internal import JSON

/// Requests and their repetition.
extension Replicator {
  mutating func send(
    _ side: ReplicationSide, _ content: PeerRequest, purpose: Purpose, attempt: Int = 1
  ) {
    lastNumber += 1
    requests.append(
      Request(
        number: lastNumber, side: side, content: content, purpose: purpose, attempt: attempt))
    effects.append(.send(lastNumber, side, purpose: content, attempt: attempt))
  }

  /// The request for a response; nil if the replicator no longer waits for it.
  mutating func take(_ number: RequestNumber) -> Request? {
    guard let place = requests.firstIndex(where: { $0.number == number && !$0.isWaiting })
    else { return nil }
    return requests.remove(at: place)
  }

  mutating func receive(_ response: PeerResponse, to request: Request) {
    switch response {
    case .status(let code):
      let reason = JSONString("the \(request.side.rawValue) returned status \(code)")
      // Rate limits, timeouts and all server errors may be temporary.
      let mayPass = code == 408 || code == 429 || code >= 500
      if mayPass { tryAgain(request, reason) } else { fail(request, reason) }
    case .refused(let error): refuse(request, error)
    case .ok(let result):
      if !accept(result, of: request) {
        tryAgain(
          request, JSONString("the \(request.side.rawValue) did not respond to \(request.name)"))
      }
    }
  }

  /// Processes a successful response; returns false if it is not a response to this request.
  private mutating func accept(_ result: OperationResult, of request: Request) -> Bool {
    switch (request.purpose, result) {
    case (.identity, .info(let info)): identify(request.side, info.incarnation)
    case (.checkpoint, .local(let body)):
      recall(request.side, CheckpointHistory(body, of: request.side))
    case (.changes, .changes(let page)): return turn(to: page)
    case (.diff(let page), .revsDiff(let found)): fetch(found, askedBy: request, page)
    case (.fetch(let page, let round), .revisions(let answers)):
      insert(answers, askedBy: request, page, round: round)
    case (.lookup(let page, let round), .revsDiff(let found)):
      look(at: found, askedBy: request, page, round)
    case (.insert(let page, let covered, let round), .inserted(let errors)):
      return settle(errors, of: request, page, covered: covered, round: round)
    case (.content(let digest), .held(let count)): goOn(digest, from: count, after: request)
    case (.content(let digest), .attachment(let piece)):
      return put(piece, of: digest, askedBy: request)
    case (.flush, .done): saveTarget()
    case (.saveTarget, .done): saveSource()
    case (.saveSource, .done): endSave()
    default: return false
    }
    return true
  }

  private mutating func refuse(_ request: Request, _ error: DatastoreError) {
    let reason = JSONString("the \(request.side.rawValue) rejected \(request.name): \(error)")
    switch (request.purpose, error.kind) {
    case (.checkpoint, .notFound): recall(request.side, CheckpointHistory())
    case (.changes, .badSequence) where feed.position != nil && !feed.hasStartedOver:
      feed.hasStartedOver = true
      feed.position = nil
      feed.isAsking = false
      // The source no longer recognizes the settled position.
      settled = nil
    case (_, .busy), (_, .storage): tryAgain(request, reason)
    case (.fetch(let page, .first), .unsupported) where request.asksForAttachments:
      sourceHasAttachments = false
      fetchWithoutAttachments(request, page)
    case (.fetch(let page, let round), .tooLarge) where divide(request, page, round: round): break
    case (.insert(let page, let covered, let round), .unsupported),
      (.insert(let page, let covered, let round), .missingStub),
      (.insert(let page, let covered, let round), .badAttachment),
      (.insert(let page, let covered, let round), .tooLarge):
      guard state == .started else {
        leaveUnfinished(page)
        return close(page)
      }
      guard divide(request, error, page: page, covered: covered, round: round) else {
        return fail(request, reason)
      }
    case (.content(let digest), .badRequest) where request.side == .target,
      (.content(let digest), .badAttachment) where request.side == .target:
      askAgain(digest, reason)
    case (.content(let digest), .notFound) where request.side == .source:
      giveUp(digest, reason, isGone: true)
    default: fail(request, reason)
    }
  }

  /// Repeats a request after a pause, or gives it up after the maximum number of attempts.
  mutating func tryAgain(_ request: Request, _ reason: JSONString) {
    guard request.attempt < configuration.attemptsMax, state == .started else {
      return fail(request, reason)
    }
    var waiting = request
    waiting.isWaiting = true
    requests.append(waiting)
    let doublings = min(request.attempt - 1, 20)
    let pause = min(configuration.retryPauseMax, configuration.retryPause << UInt64(doublings))
    effects.append(.wait(.retry(request.number), nanoseconds: pause / 2...max(pause, pause / 2)))
  }

  /// Gives up a request permanently.
  private mutating func fail(_ request: Request, _ reason: JSONString) {
    switch request.purpose {
    case .identity, .checkpoint: end(.error, ReplicationReport.Failure(reason: reason))
    case .changes:
      report.record(ReplicationReport.Failure(reason: reason))
      // The pages before this one are still in progress, and count when they complete.
      feed.isAsking = false
      feed.isExhausted = true
      feed.hasFailed = true
    case .diff(let page), .fetch(let page, _), .lookup(let page, _):
      if case .getRevisions(let queries) = request.content, case .fetch(_, .first) = request.purpose
      {
        report.processed += queries.reduce(0) { $0 + Int64($1.revs.count) }
      }
      fail(page, ReplicationReport.Failure(id: request.content.firstDocument, reason: reason))
      close(page)
    case .insert(let page, let covered, _):
      report.processed += covered
      fail(page, ReplicationReport.Failure(id: request.content.firstDocument, reason: reason))
      close(page)
    case .content(let digest): giveUp(digest, reason, isGone: false)
    case .flush, .saveTarget, .saveSource: failSave(reason)
    }
  }
}

extension Replicator.Request {
  /// The name of the operation, for messages.
  var name: String { content.action.name }
}

extension PeerRequest {
  /// The first document that the request concerns.
  fileprivate var firstDocument: DocumentID? {
    switch self {
    case .revsDiff(let queries), .getRevisions(let queries): queries.first?.id
    case .insertRevisions(let records): records.first?.id
    default: nil
    }
  }
}
