internal import Adapters
internal import ConcurrentClients
internal import Conformance
internal import Datastore
internal import JSON
internal import RacingStores
internal import SQLiteDatastore
internal import Storage
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The connections of one run to the same new stores.
struct ConnectionSet: Sendable {
  let description: ImplementationDescription
  let connect: ConcurrentRun.Connector
  /// The processes of the connections; nil if they are in this process or at a server.
  var processes: ProcessBoard?
  /// Sets the space of the disk in bytes, nil for no limit; nil if the disk cannot be full.
  var limitSpace: (@Sendable (Int?) -> Void)?
  /// What the connections need until the end of the run.
  var owned: (any Sendable)?
}

/// What a command asks of the connections.
struct ConnectionWish: Sendable {
  /// The number of connections.
  var count: Int
  /// Whether each connection is a process.
  var areProcesses: Bool
  /// Whether connections to a server or a socket are cut while a request is in flight.
  var cuts: Bool
  /// Decides which requests are cut.
  var seed: UInt64
  /// Pauses the thread of a connection; nil if the threads run freely.
  var scheduler: TurnScheduler?
}

extension ImplementationEntry {
  typealias ConnectionMaker =
    @Sendable (ConnectionWish) throws(HarnessError) -> ConnectionSet

  /// The model behind a lock, or a mutant of it.
  static func racing(_ defect: RaceDefect?) -> ConnectionMaker {
    { wish throws(HarnessError) in
      let store = RacingStore(defect)
      return ConnectionSet(
        description: store.connection(0).description,
        connect: { number throws(HarnessError) in store.connection(number) })
    }
  }

  /// The bundled SQLite store: connections in this process, or processes.
  static let sqliteConnections: ConnectionMaker = { wish throws(HarnessError) in
    if wish.areProcesses {
      guard let program = Files.executable else {
        throw HarnessError("the path of this program is unknown")
      }
      return try adapterConnections(
        .command("\(shellQuoted(program)) serve"), peers: PeerRules(), wish)
    }
    if let scheduler = wish.scheduler { return steppedConnections(scheduler) }
    let folder: DataFolder
    do throws(SystemFailure) { folder = try DataFolder() } catch { throw HarnessError("\(error)") }
    let path = folder.path
    return ConnectionSet(
      description: SQLiteDatastore(storage: MemoryStorage()).description,
      connect: { _ throws(HarnessError) in
        do throws(StorageError) {
          return SQLiteDatastore(
            storage: try DiskStorage(directory: path), busyMilliseconds: busyMilliseconds)
        } catch {
          throw HarnessError("\(error)")
        }
      }, owned: Handover(folder))
  }

  /// How long a connection waits for another one.
  private static let busyMilliseconds = 10_000

  /// Connections to one storage in memory, of which one runs at a time: each step on the files, each
  /// lock and each wait gives the others a turn.
  private static func steppedConnections(_ scheduler: TurnScheduler) -> ConnectionSet {
    let storage = MemoryStorage()
    let shared = Handover(storage)
    storage.onTurn = { scheduler.pauseCurrent() }
    return ConnectionSet(
      description: SQLiteDatastore(storage: MemoryStorage()).description,
      connect: { _ throws(HarnessError) in
        SQLiteDatastore(storage: shared.value, busyMilliseconds: busyMilliseconds)
      }, limitSpace: { shared.value.capacityBytes = $0 })
  }

  /// An adapter that declares how several connections use its stores.
  static func adapterConnections(
    _ place: AdapterPlace, peers: PeerRules, _ wish: ConnectionWish
  ) throws(HarnessError) -> ConnectionSet {
    let runner = "touchstone \(toolVersion)"
    var limits = AdapterLimits()
    limits.vector = .seconds(3600)
    let folder: DataFolder
    do throws(SystemFailure) { folder = try DataFolder() } catch { throw HarnessError("\(error)") }
    let first = try AdapterImplementation(
      place, runner: runner, limits: limits, peers: peers, folder: folder, isShared: true)
    let kind: ConnectionKind
    if case .listening = place {
      kind = .socket
    } else if let declared = first.connections {
      kind = declared
    } else {
      throw HarnessError(
        "it declares no \"connections\" in its response to hello, so one connection only "
          + "can use its stores")
    }
    let board = ProcessBoard()
    let joined: AdapterPlace
    switch (kind, place) {
    case (.process, _): joined = place
    case (.socket, .listening): joined = place
    case (.socket, _):
      let path = "\(folder.path)/connections"
      try first.listen(at: path)
      joined = .listening(.path(path))
    }
    let kept = Handover((first, folder))
    let rules = Handover((limits, peers))
    return ConnectionSet(
      description: first.description,
      connect: { number throws(HarnessError) in
        let adapter =
          number == 1
          ? kept.value.0
          : try AdapterImplementation(
            joined, runner: runner, limits: rules.value.0, peers: rules.value.1,
            folder: kind == .process ? kept.value.1 : nil, isShared: true)
        let connection = ProcessConnection(adapter, number: number, board: board)
        connection.survives = wish.cuts
        // The first connection of an adapter is its standard streams.
        if wish.cuts, kind == .socket, number > 1 {
          connection.cuts = RandomGenerator(seed: wish.seed &+ UInt64(number))
        }
        return connection
      }, processes: kind == .process ? board : nil, owned: kept)
  }
}

/// The processes of connections, for faults that come from another thread.
final class ProcessBoard: Sendable {
  private let processes = Mutex<[Int: Int32]>([:])

  func set(_ process: Int32?, of connection: Int) {
    processes.withLock { $0[connection] = process }
  }

  /// Sends a signal to the process of a connection; nil if it has none.
  ///
  /// A process that is killed is forgotten: another process may get its number.
  func send(_ signal: Int32, to connection: Int) -> Int32? {
    processes.withLock { processes in
      guard let process = processes[connection], kill(process, signal) == 0 else { return nil }
      if signal == SIGKILL { processes[connection] = nil }
      return process
    }
  }
}

/// A connection that is a process of its own, or a socket of an adapter.
private final class ProcessConnection: ImplementationLayer {
  var base: any ImplementationUnderTest { adapter }
  private let adapter: AdapterImplementation
  private let number: Int
  private let board: ProcessBoard
  /// Whether connections are cut, and open themselves again.
  var survives = false
  /// Decides which requests are cut; nil for none.
  var cuts: RandomGenerator?

  /// One request in so many is cut.
  private static let rarity: UInt64 = 24

  init(_ adapter: AdapterImplementation, number: Int, board: ProcessBoard) {
    self.adapter = adapter
    self.number = number
    self.board = board
    board.set(adapter.processIdentifier, of: number)
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    if let draw = cuts?.next(), draw % Self.rarity == 0 {
      try adapter.cut(during: operation)
      throw HarnessError(
        "the connection was cut", breakdown: .init(shape: "cut", isProtocolError: false))
    }
    return try adapter.perform(operation, environment)
  }

  func crash(_ kind: CrashKind) throws(HarnessError) {
    // A connection that was cut is already a new one.
    guard !survives else { return }
    board.set(nil, of: number)
    try adapter.crash(kind)
    board.set(adapter.processIdentifier, of: number)
  }

  func shutdown() throws(HarnessError) {
    board.set(nil, of: number)
    try adapter.shutdown()
  }
}
