public import Datastore
public import JSON

/// A client, its backend and the network between them: each request is answered before the next
/// one.
///
/// Only the caller makes decisions about the run; requests are answered in the order in which they
/// were sent.
public struct CollectionSession: Sendable {
  /// The outcome of a request in transit.
  public enum Outcome: Hashable, Sendable {
    /// The request is performed, and the response arrives.
    case answered
    /// The request never arrives.
    case failed(NetworkFailure)
    /// The request is performed, but the response never arrives.
    case lost(NetworkFailure)
    /// The request is answered with this response without being performed.
    case refused(BackendResponse)
  }

  /// The client with its cache and its offline queue.
  public var client = CollectionClient()
  /// The outcomes of the next requests, in order.
  public var next: [Outcome] = []
  /// The outcome of all other requests.
  public var standing = Outcome.answered

  /// Creates a session with a new client, whose requests are all answered.
  public init() {}

  /// The events of a call, each kind in order.
  public struct Report: Hashable, Sendable {
    /// The requests with their outcomes.
    public var requests: [Exchange] = []
    /// The results of calls.
    public var callbacks: [CollectionCallback] = []
    /// The progress of calls.
    public var progress: [CollectionProgress] = []
    /// The relations that were loaded in the background.
    public var fills: [FilledRelation] = []
    /// The events of the offline queue.
    public var queueEvents: [QueueEvent] = []

    /// Creates a report without events.
    public init() {}
  }

  /// A request and its outcome.
  public struct Exchange: Hashable, Sendable {
    /// The request.
    public var request: BackendRequest
    /// The response, or the reason why none arrived.
    public var reply: BackendReply
  }

  /// Makes a call and processes all resulting requests to the end.
  public mutating func perform(
    _ call: CollectionCall, on collection: JSONString, _ backend: any BackendEndpoint,
    environment: RunEnvironment
  ) throws(HarnessError) -> Report {
    try carry(
      client.perform(call, on: collection, environment), backend, environment: environment)
  }

  /// Sends the entries of the offline queue.
  public mutating func drain(
    _ backend: any BackendEndpoint, _ environment: RunEnvironment
  ) throws(HarnessError) -> Report {
    try carry(client.drain(), backend, environment: environment)
  }

  private mutating func carry(
    _ effects: [CollectionEffect], _ backend: any BackendEndpoint, environment: RunEnvironment
  ) throws(HarnessError) -> Report {
    var report = Report()
    var sent: [BackendRequest] = []
    func note(_ effects: [CollectionEffect]) {
      for effect in effects {
        switch effect {
        case .send(let request): sent.append(request)
        case .progress(_, let progress): report.progress.append(progress)
        case .callBack(let callback): report.callbacks.append(callback)
        case .fill(let relation): report.fills.append(relation)
        case .queue(let event): report.queueEvents.append(event)
        }
      }
    }
    note(effects)
    var place = 0
    while place < sent.count {
      let request = sent[place]
      let reply = try reply(to: request, backend, environment)
      report.requests.append(Exchange(request: request, reply: reply))
      note(client.receive(reply, to: request.number, environment))
      place += 1
    }
    return report
  }

  private mutating func reply(
    to request: BackendRequest, _ backend: any BackendEndpoint, _ environment: RunEnvironment
  ) throws(HarnessError) -> BackendReply {
    let outcome = next.isEmpty ? standing : next.removeFirst()
    switch outcome {
    case .failed(let failure): return .failure(failure)
    case .refused(let response): return .response(response)
    case .answered, .lost:
      let reply = try backend.reply(to: request, environment)
      if case .lost(let failure) = outcome { return .failure(failure) }
      return reply
    }
  }
}
