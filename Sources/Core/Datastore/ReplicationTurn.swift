public import JSON

/// One turn of an implementation's own replicator: an event, and the replicator's next steps as the
/// answer.
///
/// The replicator works between a store of the implementation and a remote store, which it reaches
/// by requests of the CouchDB protocol. It has no network access: the harness transports its
/// requests, and can lose, duplicate or delay them. So `perform` remains synchronous, and a foreign
/// replicator runs under the same faults as the bundled one.
public struct ReplicationTurn: Hashable, Sendable {
  /// The name of the session; never reused.
  public var session: JSONString
  /// What happened since the last turn.
  public var event: Event

  /// Creates a turn of a session.
  public init(session: JSONString, _ event: Event) {
    self.session = session
    self.event = event
  }

  /// The events that a replicator receives.
  public enum Event: Hashable, Sendable {
    /// The session begins.
    case start(Start)
    /// The response to a request.
    case response(number: Int64, HTTPResponse)
    /// No response will arrive; the request may or may not have been performed.
    case lost(number: Int64)
    /// The time that the last turn requested is over.
    case timer
    /// The session is to end early.
    case cancel
  }

  /// The task of a session.
  public struct Start: Hashable, Sendable {
    /// The direction of the copies.
    public var direction: Direction
    /// The path of the remote store in requests, such as `/notes`.
    public var remote: JSONString
    /// The filter of the copied revisions; nil copies all.
    public var filter: Filter?
    /// True if the session continues after it has copied everything.
    public var isContinuous: Bool
    /// A hint: rows of one page of changes, and revisions of one fetch.
    public var batch: Int64?

    /// Creates a task; by default one that ends and copies all revisions.
    public init(
      _ direction: Direction, _ remote: JSONString, filter: Filter? = nil,
      isContinuous: Bool = false,
      batch: Int64? = nil
    ) {
      self.direction = direction
      self.remote = remote
      self.filter = filter
      self.isContinuous = isContinuous
      self.batch = batch
    }
  }

  /// The direction in which revisions are copied.
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// From the implementation's store to the remote store.
    case push
    /// From the remote store to the implementation's store.
    case pull
  }

  /// The next steps of the replicator.
  public struct Answer: Hashable, Sendable {
    /// The requests that the harness is to transport.
    public var requests: [Request]
    /// The delay of the next timer event, in nanoseconds from now. Each turn replaces the value of
    /// the turn before; nil means no timer.
    public var wakeAfter: Int64?
    /// The valid range of `wakeAfter`: up to one hour. A replicator that does not need a timer
    /// omits it.
    public static let wakeAfterRange: ClosedRange<Int64> = 0...3_600_000_000_000
    /// The state after this turn.
    public var state: ReplicatorState
    /// The reason for the state `error`, for people.
    public var message: JSONString?

    /// Creates an answer.
    public init(
      _ requests: [Request], wakeAfter: Int64? = nil, state: ReplicatorState,
      message: JSONString? = nil
    ) {
      self.requests = requests
      self.wakeAfter = wakeAfter
      self.state = state
      self.message = message
    }
  }

  /// A request with its number, unique in the session.
  public struct Request: Hashable, Sendable {
    /// The number by which the response names the request.
    public var number: Int64
    /// The request itself.
    public var request: HTTPRequest

    /// Creates a numbered request.
    public init(number: Int64, _ request: HTTPRequest) {
      self.number = number
      self.request = request
    }
  }
}

extension ReplicationTurn: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    [("session", .string(session)), ("event", event.json)]
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    session = try reader.text("session")
    var event = try reader.reader("event")
    self.event = try Event(&event)
    try event.finish()
  }
}

extension ReplicationTurn.Event {
  fileprivate var json: JSONValue {
    switch self {
    case .start(let start): ["start": start.json]
    case .response(let number, let response):
      ["response": ["number": .integer(number), "response": response.json]]
    case .lost(let number): ["lost": ["number": .integer(number)]]
    case .timer: ["timer": [:]]
    case .cancel: ["cancel": [:]]
    }
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    var inner: ObjectReader
    if let start = try reader.optionalReader("start") {
      inner = start
      self = .start(try ReplicationTurn.Start(&inner))
    } else if let response = try reader.optionalReader("response") {
      inner = response
      self = .response(
        number: try inner.integer("number"),
        try HTTPResponse(try inner.required("response"), path: inner.path(to: "response")))
    } else if let lost = try reader.optionalReader("lost") {
      inner = lost
      self = .lost(number: try inner.integer("number"))
    } else if let timer = try reader.optionalReader("timer") {
      inner = timer
      self = .timer
    } else {
      inner = try reader.reader("cancel")
      self = .cancel
    }
    try inner.finish()
  }
}

extension ReplicationTurn.Start {
  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "direction": .text(direction.rawValue), "remote": .string(remote),
    ]
    object["filter"] = filter?.json
    if isContinuous { object["continuous"] = true }
    object["batch"] = batch.map { .integer($0) }
    return .object(object)
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    direction = try reader.choice("direction")
    remote = try reader.text("remote")
    filter = try reader.optional("filter").map { value throws(DecodingFailure) in
      try Filter(value, path: reader.path(to: "filter"))
    }
    isContinuous = try reader.optionalBool("continuous") ?? false
    batch = try reader.optionalInteger("batch")
    if let batch, !(1...100_000).contains(batch) {
      throw DecodingFailure(path: reader.path(to: "batch"), message: "expected 1 to 100000")
    }
  }
}

extension ReplicationTurn.Answer {
  var json: JSONValue {
    let requests = requests.map { request -> JSONValue in
      ["number": .integer(request.number), "request": request.request.json]
    }
    var object: JSONObject = [
      "requests": .array(requests), "state": .text(state.rawValue),
    ]
    object["wakeAfter"] = wakeAfter.map { .integer($0) }
    object["message"] = message.map { .string($0) }
    return .object(object)
  }

  init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    requests = try reader.elements("requests") { (element, path) throws(DecodingFailure) in
      var reader = try ObjectReader(element, path: path)
      let number = try reader.integer("number")
      let request = try HTTPRequest(
        try reader.required("request"), path: reader.path(to: "request"))
      try reader.finish()
      return ReplicationTurn.Request(number: number, request)
    }
    wakeAfter = try reader.optionalInteger("wakeAfter")
    if let wakeAfter, !Self.wakeAfterRange.contains(wakeAfter) {
      throw DecodingFailure(
        path: reader.path(to: "wakeAfter"),
        message: "expected 0 to \(Self.wakeAfterRange.upperBound)")
    }
    state = try reader.choice("state")
    message = try reader.optionalText("message")
  }
}
