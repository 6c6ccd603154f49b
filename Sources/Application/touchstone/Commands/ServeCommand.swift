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
  /// Whether an attachment may come from a file that the runner names.
  let allowsFiles: Bool

  static let manual = Manual(
    words: ["serve"],
    summary: "Serve a bundled implementation over the adapter protocol.",
    options: [
      .init(
        name: "--implementation", value: "NAME",
        help: "Which one: sqlite (the default) or reference."),
      .init(
        name: "--listen", value: "PORT|/path",
        help: "Wait for one runner, on a port of the loopback interface or on a Unix socket."),
      .init(
        name: "--connect", value: "HOST:PORT|/path", help: "Connect to a runner that listens."),
      .init(
        name: "--allow-files",
        help: "Let edits name files as the content of attachments; not over a socket."),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help: "Where a store that keeps files keeps them, if not in the folder of the runner."),
    ],
    notes: """
      Without a socket it speaks over its standard streams, as --implementation exec: has it. A \
      store that keeps files keeps them in the folder that the runner gives, so that it can be \
      killed. Vectors/protocol.md describes the protocol.

      --listen PORT prints a line TOUCHSTONE_SECRET=… with a new secret. A runner has to have the same \
      variable in its environment; every other peer is disconnected. The file of a Unix socket has \
      the mode 0600. Over a socket no file is read and the folder of the runner is not used.

      Exits with 1 when the runner does not keep to the protocol, 3 when the implementation fails.
      """,
    examples: [
      ("touchstone serve", "what touchstone run --implementation 'exec:touchstone serve' starts"),
      (
        "touchstone serve --listen /tmp/store.sock",
        "a store for touchstone run --implementation connect:/tmp/store.sock"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let entry = try ImplementationEntry.given(arguments, Self.manual, context: context)
    guard context.implementations.contains(where: { $0.name == entry.name }) else {
      throw UsageError("\(entry.name) is served already", Self.manual)
    }
    implementation = entry
    storage = try .given(arguments, for: entry, Self.manual)
    socket = try Self.socket(arguments)
    allowsFiles = arguments.has("--allow-files")
    guard !allowsFiles || socket == nil else {
      throw UsageError(
        "--allow-files is for the standard streams; a peer of a socket names no files", Self.manual)
    }
    guard !allowsFiles || entry.makeReadingFiles != nil else {
      throw UsageError("\(entry.name) reads no files, so --allow-files has no effect", Self.manual)
    }
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
    let maker = allowsFiles ? entry.makeReadingFiles ?? entry.make : entry.make
    func make(
      _ folder: String?
    ) throws(HarnessError) -> (implementation: any ImplementationUnderTest, keepsFolder: Bool) {
      let place = storage ?? folder.flatMap { entry.keepsFiles ? .disk($0) : nil } ?? .memory
      return (try maker(place), storage == nil && place != .memory)
    }
    var server: AdapterServer
    do throws(HarnessError) {
      server = try self.server(make, context)
    } catch {
      throw CommandFailure("\(error)")
    }
    do throws(AdapterServer.Failure) {
      try server.run()
    } catch {
      guard case .runner(let message) = error else { throw CommandFailure("\(error)") }
      context.error("touchstone: \(TextLayout.printable(message))\n")
      return .failure
    }
    return .success
  }

  /// The server, when its runner is there.
  private func server(
    _ make: @escaping AdapterServer.Maker, _ context: Context
  ) throws(HarnessError) -> AdapterServer {
    guard let socket else { return AdapterServer(makeImplementation: make) }
    var peers = PeerRules(secret: .environment) { sentence in
      context.error("\(TextLayout.printable(sentence))\n")
    }
    if socket.isListening {
      peers.secret = try socket.address.isTCP ? .random() : nil
    }
    return try AdapterServer(
      at: socket.address, isListening: socket.isListening, peers: peers,
      onListening: {
        context.error("listening on \(socket.address)\n")
        if let secret = peers.secret { context.output(secret.line) }
      }, makeImplementation: make)
  }
}
