public import Datastore
package import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The adapter side of the protocol: serves an implementation of this process.
///
/// It lets a store in Swift run in a separate process, on another machine or in a debugger, and be
/// killed like any other.
public struct AdapterServer {
  private let makeImplementation: Maker
  private let connection: Connection
  /// Whether the runner is connected over a socket, and may be another user or machine.
  private let isRemote: Bool
  /// The secret that the runner may require.
  private let secret: AdapterSecret?
  private var implementation: (any ImplementationUnderTest)?
  /// Whether several processes may serve the stores of one folder at once; nil if not.
  public var connections: ConnectionKind?
  private var lastAsk: Int64 = 0
  /// Whether the runner serves time and randomness.
  private var isServed = false
  /// The resolver of conflicts; nil for a store without one.
  private var resolve: Resolver?

  /// Creates an implementation at `hello`; the second value tells whether it keeps acknowledged
  /// data in the folder that the runner gives (nil without a folder).
  public typealias Maker = (_ folder: String?) throws(HarnessError) -> (
    implementation: any ImplementationUnderTest, keepsFolder: Bool
  )

  /// Answers a request `resolveConflict`: the value of `ok`.
  package typealias Resolver = (_ conflict: JSONValue) throws(HarnessError) -> JSONValue

  /// Serves a resolver without a store over the standard streams.
  package init(resolver description: ImplementationDescription, _ resolve: @escaping Resolver) {
    self.init { _ in (implementation: NoStore(description), keepsFolder: false) }
    self.resolve = resolve
  }

  /// Serves the standard streams.
  public init(makeImplementation: @escaping Maker) {
    self.makeImplementation = makeImplementation
    connection = Connection(input: Descriptor(1), output: Descriptor(0))
    (isRemote, secret) = (false, nil)
  }

  /// Serves a socket: the first peer that is admitted, or the one that listens.
  ///
  /// File names of a socket peer have no effect: the folder of `hello` is not used, and no
  /// attachment is read from a file.
  ///
  /// - Parameters:
  ///   - peers: the peers to admit; a process that listens on a TCP port should require a secret,
  ///     because every user of the machine can connect to it.
  ///   - onListening: called once a peer can connect; not called if listening fails.
  public init(
    at address: SocketAddress, isListening: Bool, peers: PeerRules,
    onListening: () -> Void = {}, makeImplementation: @escaping Maker
  ) throws(HarnessError) {
    self.makeImplementation = makeImplementation
    isRemote = true
    secret = isListening ? nil : peers.secret(for: address)
    ignoreBrokenPipes()
    do throws(SystemFailure) {
      if isListening {
        let admission = Admission(
          secret: peers.secret, greeting: [], member: "hello", limits: peers.limits,
          report: peers.report)
        let listener = try Listener(address)
        onListening()
        guard let admitted = admission.admit(on: listener, until: .never) else {
          throw SystemFailure.last
        }
        connection = admitted
      } else {
        connection = Connection(socket: try connectSocket(address, until: .after(.seconds(30))))
      }
    } catch {
      throw HarnessError("\(address): \(error)")
    }
  }

  /// The reason why a server ended before `bye`.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The runner violated the protocol.
    case runner(String)
    /// The implementation failed where the protocol has no error response.
    case implementation(HarnessError)

    public var description: String {
      switch self {
      case .runner(let message): message
      case .implementation(let error): "\(error)"
      }
    }
  }

  /// Responds to requests until `bye` or the end of the input.
  ///
  /// A line that is not a request is an error of the runner, and ends the server.
  public mutating func serve() throws(HarnessError) {
    do throws(Failure) { try run() } catch {
      switch error {
      case .runner(let message): throw HarnessError(message)
      case .implementation(let error): throw error
      }
    }
  }

  /// Serves in a dedicated process, and exits with the exit code of the protocol.
  ///
  /// The exit code is 0 after `bye` and at the end of the input, 1 if the runner violates the
  /// protocol, and 3 if the implementation fails. The reason goes to standard error.
  public mutating func serveAndExit() -> Never {
    do throws(Failure) { try run() } catch {
      writeToStandardError("adapter: \(error)\n")
      switch error {
      case .runner: exit(1)
      case .implementation: exit(3)
      }
    }
    exit(0)
  }

  /// Serves in the same way, with an error that states the failing side.
  public mutating func run() throws(Failure) {
    ignoreBrokenPipes()
    while let line = try readLine() {
      let request = try object(line)
      guard let id = request["id"] else { throw .runner("request without an id") }
      let verbs = Self.verbs.filter { request[$0] != nil }
      guard verbs.count == 1 else {
        let wish = verbs.isEmpty ? "no known action" : "several actions"
        throw .runner("request \(id.serialized()) has \(wish)")
      }
      try answer(request, id, reply: try reply(to: request, id))
      if request["bye"] != nil { return }
    }
    if let implementation {
      try attempt { () throws(HarnessError) in try implementation.shutdown() }
    }
  }

  private func attempt<Value>(
    _ work: () throws(HarnessError) -> Value
  ) throws(Failure) -> Value {
    do throws(HarnessError) { return try work() } catch { throw .implementation(error) }
  }

  /// The kinds of requests.
  private static let verbs: [JSONString] = ["hello", "reset", "perform", "bye", "resolveConflict"]

  private mutating func reply(
    to request: JSONObject, _ id: JSONValue
  ) throws(Failure) -> JSONObject {
    if let hello = request["hello"] {
      guard implementation == nil else {
        throw .runner("second hello, in request \(id.serialized())")
      }
      return try greet(hello)
    }
    guard let implementation else { throw .runner("request before hello") }
    if request["reset"] != nil {
      try attempt { () throws(HarnessError) in try implementation.reset() }
    } else if let operation = request["perform"] {
      return try perform(operation, id, implementation: implementation)
    } else if let conflict = request["resolveConflict"] {
      guard let resolve else { throw .runner("this adapter declares no resolver") }
      return ["ok": try attempt { () throws(HarnessError) in try resolve(conflict) }]
    } else {
      try attempt { () throws(HarnessError) in try implementation.shutdown() }
    }
    return ["ok": [:]]
  }

  // MARK: Hello

  private mutating func greet(_ hello: JSONValue) throws(Failure) -> JSONObject {
    let question: AdapterGreeting.Question
    do throws(DecodingFailure) {
      question = try AdapterGreeting.Question(hello)
    } catch {
      throw .runner("invalid hello: \(error)")
    }
    guard question.versions.contains(AdapterGreeting.version) else {
      return [
        "error": [
          "message": .text("only version \(AdapterGreeting.version) of the protocol is supported")
        ]
      ]
    }
    isServed = question.serves.isSuperset(of: ["time", "random"])
    // A peer of a socket may be another user, who must not choose where this user writes.
    let folder = isRemote ? nil : question.usableFolder
    let made: (implementation: any ImplementationUnderTest, keepsFolder: Bool)
    do throws(HarnessError) {
      made = try makeImplementation(folder)
    } catch {
      return ["error": ["message": .text(error.message)]]
    }
    implementation = made.implementation
    var description = made.implementation.description
    // Data outside of the folder does not survive the process.
    if !made.keepsFolder || folder == nil { description.crashes = [] }
    description.crashes.formIntersection([.kill])
    description.isDeterministic = description.isDeterministic && isServed
    return [
      "ok": AdapterGreeting.answer(
        description, canPipeline: !isServed, secret: secret,
        connections: made.keepsFolder && folder != nil ? connections : nil,
        hasResolver: resolve != nil)
    ]
  }

  // MARK: Operations

  private mutating func perform(
    _ json: JSONValue, _ id: JSONValue, implementation: any ImplementationUnderTest
  ) throws(Failure) -> JSONObject {
    let operation: StoreOperation
    do throws(DecodingFailure) {
      operation = try StoreOperation(json)
    } catch {
      let kind: DatastoreError.Kind =
        if error.path == "op", let name = json.objectValue?["op"]?.textValue {
          .unsupported(what: name.string)
        } else {
          .badRequest(path: error.path)
        }
      return ["error": DatastoreError(kind, "\(error)").json]
    }
    let environment = try environment(id)
    let outcome = try attempt { () throws(HarnessError) in
      guard isRemote else { return try implementation.perform(operation, environment) }
      return try operation.withoutFiles { (operation) throws(HarnessError) in
        try implementation.perform(operation, environment)
      }
    }
    return outcome.json.objectValue ?? [:]
  }

  /// The time of the runner, and randomness derived from the runner's.
  private mutating func environment(_ id: JSONValue) throws(Failure) -> RunEnvironment {
    guard isServed else { return RunEnvironment(seed: Deadline.now.nanoseconds) }
    // Both requests are sent together, which saves a round trip.
    let (time, random) = (lastAsk + 1, lastAsk + 2)
    lastAsk += 2
    try write(["ask": .integer(time), "id": id, "time": [:]])
    try write(["ask": .integer(random), "id": id, "random": ["bytes": 8]])
    let nanoseconds = try answer(time)["nanoseconds"]?.integerValue
    let digits = try answer(random)["hex"]?.textValue
    guard let nanoseconds, let seed = digits.flatMap({ UInt64($0.string, radix: 16) }) else {
      throw .runner("the runner does not serve exchanges, although hello lists them")
    }
    return RunEnvironment(seed: seed, nowNanoseconds: UInt64(max(0, nanoseconds)))
  }

  private func answer(_ number: Int64) throws(Failure) -> JSONObject {
    guard let line = try readLine() else { throw .runner("the runner closed the connection") }
    let answer = try object(line)
    guard answer["ask"]?.integerValue == number, let ok = answer["ok"]?.objectValue else {
      throw .runner("the runner did not respond to ask \(number)")
    }
    return ok
  }

  // MARK: Lines

  /// Returns the next line; nil at the end.
  private func readLine() throws(Failure) -> ArraySlice<UInt8>? {
    do throws(Connection.Failure) {
      return try connection.readLine(until: .never)
    } catch {
      guard case .over(let partial) = error else {
        throw .runner("the runner sent a line over the limit")
      }
      guard partial.isEmpty else {
        throw .runner("the input ends inside a line, \(partial.count) bytes after the last LF")
      }
      return nil
    }
  }

  private func object(_ line: ArraySlice<UInt8>) throws(Failure) -> JSONObject {
    let value: JSONValue
    do { value = try JSONValue.parse(Array(line)) } catch {
      throw .runner("the runner sent a line that is not JSON: \(error)")
    }
    guard let object = value.objectValue else {
      throw .runner("the runner sent a line that is not an object")
    }
    return object
  }

  /// Writes the response to a request, or `tooLarge` if it exceeds the line limit.
  private func answer(
    _ request: JSONObject, _ id: JSONValue, reply: JSONObject
  ) throws(Failure) {
    let members: [(JSONString, JSONValue)] = reply.members.map { ($0.name, $0.value) }
    if let line = Conversation.shortLine([("id", id)] + members) { return try write(line) }
    let operation = request["perform"]?.objectValue?["op"]?.textValue ?? ""
    // These operations have already written, and an error would deny it.
    guard operation != "batch", operation != "insertRevisions" else {
      throw .implementation(
        HarnessError("the response to '\(operation)' exceeds the line limit of the protocol"))
    }
    let error = DatastoreError(
      .tooLarge(limit: Int64(Connection.lineBytesMax)),
      "the response exceeds the line limit of the protocol")
    guard let line = Conversation.shortLine([("id", id), ("error", error.json)]) else {
      throw .runner("the id of a request is too long for a response line")
    }
    try write(line)
  }

  private func write(_ value: JSONValue) throws(Failure) {
    try write(value.serializedBytes() + [UInt8(ascii: "\n")])
  }

  private func write(_ line: [UInt8]) throws(Failure) {
    do throws(Connection.Failure) {
      try connection.send(line, until: .never)
    } catch {
      throw .runner("the runner does not read")
    }
  }
}

private func writeToStandardError(_ text: String) {
  let bytes = Array(text.utf8)
  _ = write(2, bytes, bytes.count)
}
