internal import Adapters
internal import Conformance
internal import Datastore

/// `touchstone serve`: makes a bundled implementation an adapter.
struct ServeCommand: Command {
  let implementation: ImplementationEntry
  /// Where its files are; nil for the folder that the runner gives.
  let storage: StorageChoice?
  /// Where it is served; nil for the standard streams.
  let socket: (address: SocketAddress, isListening: Bool)?

  static let manual = Manual(
    words: ["serve"],
    summary: "Be an adapter: answer the protocol for a bundled implementation.",
    options: [
      .init(
        name: "--implementation", value: "NAME",
        help: "Which one: sqlite (the default) or reference."),
      .init(
        name: "--listen", value: "PORT|/path",
        help: "Wait for a runner on the loopback interface or on a Unix socket."),
      .init(
        name: "--connect", value: "HOST:PORT|/path", help: "Call a runner that listens."),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help: "Where a store that keeps files keeps them, if not in the folder of the runner."),
    ],
    notes: """
      Without a socket it speaks over its standard streams, as --implementation exec: has it. A \
      store that keeps files keeps them in the folder that the runner gives, so that it can be \
      killed. Vectors/protocol.md says what is spoken.
      """,
    examples: [
      ("touchstone serve", "what touchstone run --implementation 'exec:touchstone serve' starts"),
      ("touchstone serve --listen 7000", "a store for touchstone run --implementation connect:…"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let entry = try ImplementationEntry.given(arguments, Self.manual, context)
    guard context.implementations.contains(where: { $0.name == entry.name }) else {
      throw UsageError("\(entry.name) is served already", Self.manual)
    }
    implementation = entry
    storage = try .given(arguments, for: entry, Self.manual)
    socket = try Self.socket(arguments)
  }

  private static func socket(
    _ arguments: Arguments
  ) throws(UsageError) -> (address: SocketAddress, isListening: Bool)? {
    let (listen, connect) = (arguments.value("--listen"), arguments.value("--connect"))
    guard listen == nil || connect == nil else {
      throw UsageError("--listen and --connect exclude each other", manual)
    }
    guard let text = listen ?? connect else { return nil }
    do throws(AdapterPlace.Fault) {
      return (try SocketAddress(text, isLocal: listen != nil), listen != nil)
    } catch {
      throw UsageError("\(error)", manual)
    }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let (entry, storage) = (implementation, storage)
    func make(
      _ folder: String?
    ) throws(HarnessError) -> (implementation: any ImplementationUnderTest, keepsFolder: Bool) {
      let place = storage ?? folder.flatMap { entry.keepsFiles ? .disk($0) : nil } ?? .memory
      return (try entry.make(place), storage == nil && place != .memory)
    }
    do throws(HarnessError) {
      var server =
        if let socket {
          try AdapterServer(
            at: socket.address, isListening: socket.isListening, makeImplementation: make)
        } else {
          AdapterServer(makeImplementation: make)
        }
      try server.serve()
    } catch {
      throw CommandFailure("\(error)")
    }
    return .success
  }
}
