public import Datastore
internal import Digest
internal import JSON

/// A store behind an adapter: another process, in any language, that implements the protocol of
/// `Vectors/protocol.md`.
///
/// A crash, a hang or a malformed response is a `HarnessError` with a `breakdown`. The request in
/// progress throws it, and so does every later one until the next `begin`, `reset` or `crash`
/// starts another process.
public final class AdapterImplementation: ImplementationUnderTest {
  /// The command or the address of the adapter.
  public let place: AdapterPlace
  public private(set) var description: ImplementationDescription
  /// Whether the adapter accepts a request before it has responded to the previous one.
  public private(set) var canPipeline = false
  /// How further connections to the same stores are opened; nil if there is only one.
  public private(set) var connections: ConnectionKind?
  /// Whether the adapter resolves conflicts.
  public private(set) var hasResolver = false
  /// Whether the stores belong to several connections: the folder remains after a failure, and the
  /// adapter may ask where another connection can run.
  private let isShared: Bool

  private let runner: String
  let limits: AdapterLimits
  private let peers: PeerRules
  private var listener: Listener?
  private var folder: DataFolder?
  var conversation: Conversation?
  /// The error that ends all requests until the next beginning.
  private(set) var breakdown: HarnessError?
  private var failedStarts = 0
  /// Whether the process may have open stores.
  var isUsed = false
  /// The subject of the operations.
  private var label: JSONString?
  private var labelDeadline: Deadline?
  private var log: [UInt8] = []
  /// The last request to the process before the current one, for the doctor.
  private(set) var lastRequestOfEnded: JSONValue?
  /// Sessions of blocking replicators that wait for the runner, the innermost last.
  var waiting: [WaitingSession] = []

  /// The shape of an invalid response after which the conversation can continue.
  private static let wrongAnswer: JSONString = "answer"

  /// The number of failed starts in a row after which no further start is tried.
  private static let failedStartsMax = 3

  /// Starts the adapter, or connects to it, and sends `hello`.
  ///
  /// - Parameters:
  ///   - runner: the name of the runner, such as `touchstone 0.1.0`, for the logs of the adapter.
  ///   - peers: the secret that a connecting adapter must send, or that is sent to a listening
  ///     adapter; without effect for a command.
  public convenience init(
    _ place: AdapterPlace, runner: String, limits: AdapterLimits = AdapterLimits(),
    peers: PeerRules = PeerRules()
  ) throws(HarnessError) {
    try self.init(place, runner: runner, limits: limits, peers: peers, folder: nil)
  }

  /// Starts the adapter as `init(_:runner:limits:peers:)` does.
  ///
  /// - Parameters:
  ///   - folder: the folder of the adapter, with the files of an earlier process or of other
  ///     connections; nil for a new one.
  ///   - isShared: whether several connections use the stores at once.
  package init(
    _ place: AdapterPlace, runner: String, limits: AdapterLimits = AdapterLimits(),
    peers: PeerRules = PeerRules(), folder: DataFolder?, isShared: Bool = false
  ) throws(HarnessError) {
    self.folder = folder
    self.isShared = isShared
    self.place = place
    self.runner = runner
    self.limits = limits
    self.peers = peers
    description = ImplementationDescription(name: "", version: "")
    ignoreBrokenPipes()
    if case .calling(let address) = place {
      do throws(SystemFailure) {
        listener = try peers.entrance.listener(address)
      } catch {
        throw HarnessError("cannot listen on \(address): \(error)")
      }
    }
    let greeting = try start()
    description = greeting.description
    canPipeline = greeting.canPipeline
    connections = greeting.connections
    hasResolver = greeting.hasResolver
  }

  // MARK: The life of the process

  /// Starts a process, in the folder of the previous one if it still exists.
  private func start() throws(HarnessError) -> AdapterGreeting {
    do throws(HarnessError) {
      let deadline = Deadline.after(limits.start)
      let reply: JSONObject
      if let listener {
        let question = Conversation.line([("id", 0), ("hello", question())])
        self.conversation = Conversation(
          try admit(on: listener, question, until: deadline), lastID: 0)
        reply = try self.reply(to: 0, until: deadline)
      } else {
        self.conversation = Conversation(try connect(until: deadline))
        reply = try exchange([("hello", question())], until: deadline)
      }
      if let refusal = reply["error"]?.objectValue?["message"]?.textValue {
        throw HarnessError("the adapter rejected hello: \(refusal)")
      }
      let greeting: AdapterGreeting
      do throws(DecodingFailure) {
        greeting = try AdapterGreeting(reply["ok"] ?? .null)
      } catch {
        throw HarnessError("invalid response to \"hello\": \(error)")
      }
      failedStarts = 0
      isUsed = false
      return greeting
    } catch {
      failedStarts += 1
      drop()
      var hint = ""
      if case .listening(.tcp) = place, error.breakdown?.shape == "closed" {
        hint = " (does it need a secret? Set TOUCHSTONE_SECRET to the one that it printed)"
      }
      throw HarnessError("the adapter did not start: \(error.message)\(hint)\(withLog)")
    }
  }

  /// The first request of a conversation.
  private func question() -> JSONValue {
    var secret: AdapterSecret?
    if case .listening(let address) = place { secret = peers.secret(for: address) }
    return AdapterGreeting.question(
      runner: runner, folder: folder?.path, secret: secret, servesPass: isShared)
  }

  private func connect(until deadline: Deadline) throws(HarnessError) -> Connection {
    do throws(SystemFailure) {
      switch place {
      case .command(let command):
        if folder == nil { folder = try DataFolder() }
        return Connection(try ChildProcess(command: command))
      case .listening(let address):
        return Connection(socket: try connectSocket(address, until: deadline))
      case .calling: break
      }
    } catch {
      throw HarnessError("\(error)")
    }
    throw HarnessError("this process does not listen for adapters")
  }

  /// Sends `hello` to each adapter that connects, and accepts the first one with a valid response.
  private func admit(
    on listener: Listener, _ question: [UInt8], until deadline: Deadline
  ) throws(HarnessError) -> Connection {
    var limits = peers.limits
    limits.firstLine = self.limits.start
    let admission = peers.entrance.admission {
      Admission(
        secret: peers.secret, greeting: question, member: "ok", limits: limits,
        report: peers.report)
    }
    guard let connection = admission.admit(on: listener, until: deadline) else {
      throw HarnessError("no adapter connected and responded to hello within \(limits.firstLine)")
    }
    return connection
  }

  /// Returns a running process; starts another one if the last has ended.
  func ensureProcess() throws(HarnessError) {
    breakdown = nil
    guard conversation == nil else { return }
    guard failedStarts < Self.failedStartsMax else {
      throw HarnessError("the adapter failed to start \(failedStarts) times in a row")
    }
    let greeting = try start()
    guard greeting.description == description else {
      throw noted(
        Conversation.breakdown(
          "two processes of this adapter describe themselves differently in \"hello\"",
          shape: "hello"))
    }
  }

  /// Kills the process, and keeps its standard error for messages.
  func drop() {
    log += conversation?.takeLog() ?? []
    lastRequestOfEnded = conversation?.lastRequest ?? lastRequestOfEnded
    conversation?.close()
    conversation = nil
    waiting = []
  }

  /// Records that no further request is possible, with the standard error of the process.
  func noted(_ error: HarnessError) -> HarnessError {
    guard let shape = error.breakdown?.shape, shape != Self.wrongAnswer else { return error }
    drop()
    // Its files may now be in any state.
    if !isShared { folder = nil }
    breakdown = error
    return error
  }

  private var withLog: String {
    let text = takeLog()
    return text.isEmpty ? "" : "; standard error of the adapter:\n\(text)"
  }

  public func takeLog() -> String {
    let bytes = log + (conversation?.takeLog() ?? [])
    log = []
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Requests

  var operationDeadline: Deadline {
    let deadline = Deadline.after(limits.operation)
    return labelDeadline.map { min($0, deadline) } ?? deadline
  }

  /// Sends a request of the runner and reads the response.
  func exchange(
    _ members: [(JSONString, JSONValue)], until deadline: Deadline
  ) throws(HarnessError) -> JSONObject {
    guard let conversation else { throw HarnessError("the adapter is not running") }
    return try reply(to: try conversation.send(members, until: deadline), until: deadline)
  }

  /// Reads the response to a request of the runner.
  private func reply(to id: Int64, until deadline: Deadline) throws(HarnessError) -> JSONObject {
    guard let conversation else { throw HarnessError("the adapter is not running") }
    switch try conversation.next(for: id, until: deadline) {
    case .reply(let reply): return reply
    case .ask:
      throw Conversation.breakdown(
        "the adapter sent a request outside of an operation", shape: "ask")
    }
  }

  private func resetStores() throws(HarnessError) {
    do throws(HarnessError) {
      let reply = try exchange([("reset", [:])], until: operationDeadline)
      guard reply["ok"] == [:], reply.count == 1 else {
        throw Conversation.breakdown(
          "invalid response to reset: \(JSONValue.object(reply).serialized())", shape: "reset",
          answer: .object(reply))
      }
      isUsed = false
      // The adapter has forgotten its sessions.
      waiting = []
    } catch {
      throw noted(error)
    }
  }

  public func reset() throws(HarnessError) {
    try ensureProcess()
    labelDeadline = nil
    if isUsed || place.isElsewhere { try resetStores() }
  }

  public func begin(_ undertaking: Undertaking) throws(HarnessError) {
    label = undertaking.label
    try reset()
    log = []
    _ = conversation?.takeLog()
    if case .vector = undertaking { labelDeadline = .after(limits.vector) }
  }

  public func end() throws(HarnessError) {
    defer { labelDeadline = nil }
    guard conversation != nil, isUsed else { return }
    // A duplicate response, or garbage after the last one, is read in place of this response.
    try resetStores()
  }

  public func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    if let breakdown { throw breakdown }
    if case .replicate(let turn) = operation.action,
      let place = waiting.lastIndex(where: { $0.session == turn.session })
    {
      return try proceed(place, turn.event, action: operation.action, environment: environment)
    }
    guard let conversation else { throw HarnessError("the adapter is not running") }
    isUsed = true
    do throws(HarnessError) {
      let deadline = operationDeadline
      guard
        let id = try conversation.sendIfShort(request(operation.json), until: deadline)
      else {
        return .error(
          DatastoreError(
            .tooLarge(limit: Int64(Connection.lineBytesMax)),
            "the operation exceeds the line limit of the protocol"))
      }
      return try outcome(of: operation.action, id, until: deadline, environment)
    } catch {
      throw noted(error)
    }
  }

  /// The members of a request to perform an operation.
  func request(_ operation: JSONValue) -> [(JSONString, JSONValue)] {
    (label.map { [("for", .string($0))] } ?? []) + [("perform", operation)]
  }

  /// Waits for the outcome of an operation, and serves the requests of the adapter; the outcome of
  /// a blocking replicator that needs the other store is its request.
  func outcome(
    of action: StoreAction, _ id: Int64, until deadline: Deadline,
    _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    guard let conversation else { throw HarnessError("the adapter is not running") }
    while true {
      switch try conversation.next(for: id, until: deadline) {
      case .reply(let reply): return try Self.outcome(reply, of: action)
      case .ask(let ask):
        switch ask.content {
        case .time, .random, .pass: try serve(ask, on: conversation, until: deadline, environment)
        case .exchange, .sleep:
          guard case .replicate(let turn) = action else {
            throw Conversation.breakdown(
              "the adapter requested an exchange or sleep during \(action.name)",
              shape: "ask")
          }
          return wait(turn, id, ask: ask, environment: environment)
        }
      }
    }
  }

  /// Responds to an adapter that requests the time or random bytes.
  func serve(
    _ ask: AdapterAsk, on conversation: Conversation, until deadline: Deadline,
    _ environment: RunEnvironment
  ) throws(HarnessError) {
    switch ask.content {
    case .time:
      let time = Int64(clamping: environment.nowNanoseconds)
      try conversation.answer(
        ask.number, "ok", value: ["nanoseconds": .integer(time)], until: deadline)
    case .random(let count):
      let hex = JSONString(environment.randomBytes(count).hexadecimal)
      try conversation.answer(ask.number, "ok", value: ["hex": .string(hex)], until: deadline)
    case .pass:
      environment.pass()
      try conversation.answer(ask.number, "ok", value: [:], until: deadline)
    case .exchange, .sleep:
      throw Conversation.breakdown("the adapter requested an exchange or sleep", shape: "ask")
    }
  }

  private static func outcome(
    _ reply: JSONObject, of action: StoreAction
  ) throws(HarnessError) -> Outcome {
    let json = JSONValue.object(reply)
    do throws(DecodingFailure) {
      guard reply["ok"] != nil || reply["error"] != nil else {
        throw DecodingFailure(path: "", message: "expected ok or error")
      }
      return try Outcome(json, of: action)
    } catch {
      throw Conversation.breakdown(
        "invalid response to \(action.name): \(error)", shape: wrongAnswer.string, answer: json)
    }
  }

  /// Responds to a blocking replicator, and waits for its next request.
  func answerWaiting(
    _ session: WaitingSession, _ name: JSONString, value: JSONValue, action: StoreAction,
    environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    do throws(HarnessError) {
      let deadline = operationDeadline
      try conversation?.answer(session.ask.number, name, value: value, until: deadline)
      return try outcome(of: action, session.operation, until: deadline, environment)
    } catch {
      throw noted(error)
    }
  }

  public func crash(_ kind: CrashKind) throws(HarnessError) {
    guard description.crashes.contains(kind) else {
      throw HarnessError("\(description.name) does not declare the crash \(kind.rawValue)")
    }
    drop()
    breakdown = nil
    let wasUsed = isUsed
    do throws(HarnessError) {
      try ensureProcess()
      isUsed = wasUsed
    } catch {
      throw noted(
        HarnessError(
          "restart after a kill: \(error.message)",
          breakdown: error.breakdown ?? .init(shape: "start after kill")))
    }
  }

  deinit { end(within: .milliseconds(500)) }

  public func shutdown() throws(HarnessError) {
    end(within: .seconds(2))
  }

  /// Sends `bye`; a missing response has no consequence.
  private func end(within duration: Duration) {
    guard conversation != nil else { return }
    let deadline = Deadline.after(duration)
    _ = try? exchange([("bye", [:])], until: deadline)
    conversation?.close(after: deadline)
    conversation = nil
    folder = nil
  }
}

extension AdapterPlace {
  /// Whether another program starts the adapter and keeps its files.
  var isElsewhere: Bool {
    if case .command = self { false } else { true }
  }
}
