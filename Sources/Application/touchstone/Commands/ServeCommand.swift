internal import Adapters
internal import Conformance
internal import Datastore

/// `touchstone serve`: serves a store as an adapter, or over HTTP with CouchDB's interface.
struct ServeCommand: Command {
  let implementation: ImplementationEntry
  /// The place for the files; nil for the folder that the runner gives.
  let storage: StorageChoice?
  /// The socket to serve on; nil for the standard streams.
  let socket: (address: SocketAddress, isListening: Bool)?
  /// Whether an attachment may come from a file that the runner names.
  let allowsFiles: Bool
  /// Where and how to serve HTTP; nil for the adapter protocol.
  let http: HTTPServing?

  static let manual = Manual(
    words: ["serve"],
    summary: "Serve a store over HTTP with CouchDB's interface, or over the adapter protocol.",
    operands: ["[PORT]"],
    options: HTTPServing.options + [
      .init(
        name: "--implementation", value: "NAME",
        choices: ImplementationEntry.bundled.map(\.name),
        help:
          "sqlite (the default) or reference; with --http any store that run tests, such as "
          + "exec:COMMAND."),
      .init(
        name: "--listen", value: "PORT|/path",
        help: "Wait for one runner on a loopback port or a Unix socket."),
      .init(
        name: "--connect", value: "HOST:PORT|/path", help: "Connect to a runner that listens."),
      .init(
        name: "--allow-files",
        help: "Allow edits to name files as attachment content; not available over a socket."),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help:
          "Where the store keeps its files; the default is the folder of the runner, and memory with "
          + "--http."),
    ],
    notes: """
      With --http, CouchDB clients and replicators can use the store: PouchDB, CDTDatastore, \
      CouchDB itself, curl. PORT is 5984 by default; with 0 the system chooses, and the first line \
      of the output has the address. Only this machine can connect, unless --host says otherwise; \
      then TOUCHSTONE_HTTP_USER and TOUCHSTONE_HTTP_PASSWORD must be set. The server ends with \
      SIGTERM or Control-C, after the requests that are in progress. docs/serve.md lists what is \
      offered.

      Without a socket, the adapter uses its standard streams, as --implementation exec: expects. \
      The store keeps its files in the folder that the runner gives, so that the runner can kill \
      and restart it. Vectors/protocol.md describes the protocol.

      --listen PORT prints a line TOUCHSTONE_SECRET=… with a new secret. A runner must have the \
      same variable in its environment; every other peer is disconnected. The file of a Unix \
      socket has the mode 0600. Over a socket, no file is read and the folder of the runner is not \
      used.

      Exits with 1 if the runner violates the protocol, and with 3 if the implementation fails.
      """,
    examples: [
      (
        "touchstone serve --http --storage disk:DIR",
        "serve http://127.0.0.1:5984/, with files in DIR"
      ),
      (
        "touchstone serve --http 0 --cors '*'",
        "serve pages of all origins, on a port that the system chooses"
      ),
      (
        "touchstone serve",
        "serve on the standard streams, for --implementation 'exec:touchstone serve'"
      ),
      (
        "touchstone serve --listen /tmp/store.sock",
        "serve touchstone run --implementation connect:/tmp/store.sock"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let entry = try ImplementationEntry.given(arguments, Self.manual, context: context)
    if !arguments.has("--http"), (try? AdapterPlace(entry.name)) != nil {
      throw UsageError("cannot serve \(entry.name): it is an adapter already", Self.manual)
    }
    implementation = entry
    http = try HTTPServing(arguments, Self.manual)
    guard http == nil else {
      (storage, socket, allowsFiles) = (try .given(arguments, for: entry, Self.manual), nil, false)
      for name in ["--listen", "--connect", "--allow-files"] where arguments.has(name) {
        throw UsageError("\(name) and --http exclude each other", Self.manual)
      }
      return
    }
    storage = try .given(arguments, for: entry, Self.manual)
    socket = try Self.socket(arguments)
    allowsFiles = arguments.has("--allow-files")
    guard !allowsFiles || socket == nil else {
      throw UsageError(
        "--allow-files needs the standard streams; leave out --listen and --connect", Self.manual)
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
    if let http { return try http.run(implementation, in: storage ?? .memory, context) }
    let (entry, storage) = (implementation, storage)
    let maker = allowsFiles ? entry.makeReadingFiles ?? entry.make : entry.make
    func make(
      _ folder: String?
    ) throws(HarnessError) -> (implementation: any ImplementationUnderTest, keepsFolder: Bool) {
      let place = storage ?? folder.flatMap { entry.keepsFiles ? .shared($0) : nil } ?? .memory
      return (try maker(place), storage == nil && place != .memory)
    }
    var server: AdapterServer
    do throws(HarnessError) {
      server = try self.server(make, context)
      if storage == nil, entry.keepsFiles { server.connections = .process }
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

  /// Returns the server, once its runner is connected.
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
