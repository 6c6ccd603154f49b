internal import Adapters
internal import Collections
internal import ConcurrentClients
internal import Conformance
internal import Datastore
internal import ObjectContexts
internal import ObjectOperations
internal import ReferenceDatastore
internal import SQLiteDatastore
internal import Storage

/// An implementation that the command line can test.
struct ImplementationEntry: Sendable {
  let name: String
  /// Whether it can keep its stores on a disk.
  let keepsFiles: Bool
  /// Whether it follows the model wherever the contract leaves a choice.
  let followsModel: Bool
  /// Whether several instances can run in this process at a time without shared state.
  ///
  /// If not, or if this is unknown, one instance runs unless the user requests more.
  let runsBesideItself: Bool
  /// Whether an adapter that connects needs a new secret.
  var requiresSecret = false
  /// The options about the server, if it is one.
  var serverOptions = ServerOptions()
  /// What a worker process needs and its command line must not show, as `NAME=value`.
  var secretVariables: [String] = []
  /// Whether adapters connect to this process, so that no other process can run beside it.
  var isCalled = false
  /// Why nothing else can test it at the same time; nil if other processes can.
  var reasonForOneJob: String? {
    if isCalled { return "\(name) accepts adapters in one process only" }
    return serverOptions.commands == nil ? nil : "--stop-command kills the server of all jobs"
  }
  /// Creates an implementation whose edits may name files of this machine; nil for one that reads
  /// none.
  var makeReadingFiles: Maker?
  /// Opens a connection for the vectors of HTTP; nil if the implementation is not a server.
  var makeWire: WireMaker?
  /// Opens several connections to the same stores; nil if the implementation has only one.
  var makeConnections: ConnectionMaker?
  let make: Maker

  /// The words that the value of `--implementation` may begin with.
  static var completions: [String] { bundled.map(\.name) + places + serverPrefixes + modelPrefixes }

  /// The beginnings of the places of adapters, such as `exec:`.
  static var places: [String] { AdapterPlace.schemes.map { "\($0):" } }

  /// The same implementation with several connections.
  func with(connections: @escaping ConnectionMaker) -> ImplementationEntry {
    var entry = self
    entry.makeConnections = connections
    return entry
  }

  typealias Maker = @Sendable (StorageChoice) throws(HarnessError) -> any ImplementationUnderTest

  /// The default implementation of `run`.
  static let defaultName = "sqlite"

  /// The bundled implementations. To add one, add an entry here.
  static let bundled: [ImplementationEntry] = [
    ImplementationEntry(
      name: "sqlite", keepsFiles: true, followsModel: true, runsBesideItself: true,
      makeReadingFiles: { choice throws(HarnessError) in
        CollectionDatastore(
          ContextDatastore(
            SQLiteDatastore(
              storage: try choice.storage(), busyMilliseconds: choice.busyMilliseconds,
              readsFiles: true)))
      }
    ) { choice throws(HarnessError) in
      CollectionDatastore(
        ContextDatastore(
          SQLiteDatastore(
            storage: try choice.storage(), busyMilliseconds: choice.busyMilliseconds)))
    }.with(connections: sqliteConnections),
    ImplementationEntry(
      name: "reference", keepsFiles: false, followsModel: true, runsBesideItself: true
    ) { _ in
      CollectionDatastore(ContextDatastore(ReferenceDatastore()))
    }.with(connections: racing(nil)),
  ]

  /// The implementation that `--implementation` names, or the default one.
  static func given(
    _ arguments: Arguments, _ manual: Manual, context: Context
  ) throws(UsageError) -> ImplementationEntry {
    let name = arguments.value("--implementation") ?? defaultName
    return try named(
      name, manual, context: context,
      requiresSecret: try requiresSecret(arguments, of: [name], manual),
      serverOptions: try ServerOptions(arguments, of: [name], manual))
  }

  /// The options of the command line that name it.
  var words: [String] {
    ["--implementation", name] + (requiresSecret ? [Manual.Option.requireSecret.name] : [])
      + serverOptions.words
  }

  /// Whether an adapter that connects needs a secret, as `--require-secret` requests.
  static func requiresSecret(
    _ arguments: Arguments, of names: [String], _ manual: Manual
  ) throws(UsageError) -> Bool {
    guard arguments.has(Manual.Option.requireSecret.name) else { return false }
    let isUsed = names.contains { name in
      if case .calling(let address) = try? AdapterPlace(name) { address.isTCP } else { false }
    }
    guard isUsed else {
      throw UsageError("--require-secret needs --implementation listen:PORT", manual)
    }
    return true
  }

  /// Returns the implementation of this name.
  ///
  /// - Parameters:
  ///   - requiresSecret: whether an adapter that connects to a port needs a new secret.
  ///   - serverOptions: how it is tested if it is a server.
  static func named(
    _ name: String, _ manual: Manual, context: Context, requiresSecret: Bool = false,
    serverOptions: ServerOptions = ServerOptions()
  ) throws(UsageError) -> ImplementationEntry {
    if let entry = context.implementations.first(where: { $0.name == name }) { return entry }
    do throws(AdapterPlace.Fault) {
      if let place = try AdapterPlace(name) {
        return adapter(place, context, requiresSecret: requiresSecret)
      }
    } catch {
      throw UsageError("\(error)", manual)
    }
    if let entry = try server(name, manual, context: context, options: serverOptions) {
      return entry
    }
    if let entry = try wireMutant(name, manual, context: context, options: serverOptions) {
      return entry
    }
    if let entry = try deviating(name, manual) { return entry }
    if let entry = mutant(name) { return entry }
    if let entry = try variant(name, manual) { return entry }
    if let error = mutantError(name, manual) { throw error }
    let known =
      context.implementations.map(\.name) + AdapterPlace.schemes.map { "\($0):…" }
      + serverPrefixes.map { "\($0)URL" }
    throw UsageError(
      "unknown implementation '\(name)'; expected one of \(known.joined(separator: ", "))", manual,
      suggestion: nearest(to: name, among: known))
  }
}

extension ImplementationEntry {
  /// A store behind an adapter.
  private static func adapter(
    _ place: AdapterPlace, _ context: Context, requiresSecret: Bool
  ) -> ImplementationEntry {
    var isTCP = false
    var isCalled = false
    if case .calling(let address) = place { (isTCP, isCalled) = (address.isTCP, true) }
    var peers: PeerRules?
    let pool = AdapterPool { () throws(HarnessError) in
      // All adapters of a command have one secret, and connect to one listener.
      let rules: PeerRules
      if let peers {
        rules = peers
      } else {
        rules = try .ofRunner(place, context, requiresSecret: requiresSecret)
        peers = rules
      }
      place.announceWaiting(context)
      return try AdapterImplementation(place, runner: "touchstone \(toolVersion)", peers: rules)
    }
    let entry = ImplementationEntry(
      name: place.description, keepsFiles: false, followsModel: false, runsBesideItself: false,
      requiresSecret: requiresSecret && isTCP, isCalled: isCalled
    ) { _ throws(HarnessError) in
      try pool.take()
    }
    guard !isCalled else { return entry }
    let report = Handover(context)
    return entry.with { wish throws(HarnessError) in
      let rules = try PeerRules.ofRunner(place, report.value, requiresSecret: requiresSecret)
      return try adapterConnections(place, peers: rules, wish)
    }
  }
}

extension StorageChoice {
  /// Returns the value of `--storage`; nil if it was not given.
  static func given(
    _ arguments: Arguments, for implementation: ImplementationEntry, _ manual: Manual
  ) throws(UsageError) -> StorageChoice? {
    guard let text = arguments.value("--storage") else { return nil }
    guard implementation.keepsFiles else {
      throw UsageError(
        "\(implementation.name) keeps no files, so --storage has no effect", manual)
    }
    return try StorageChoice(text, manual)
  }

  /// The file that marks a folder of stores: a run removes all stores that it finds in it.
  private static let markerName = ".touchstone"

  private static let markerText = "Stores of touchstone run; safe to delete.\n"

  private static func marker(in folder: String) -> String { "\(folder)/\(markerName)" }

  /// Marks a folder of stores that this process writes and another process opens.
  static func mark(_ folder: String) throws(HarnessError) {
    do { try Files.write(markerText, to: marker(in: folder)) } catch {
      throw HarnessError("\(error)")
    }
  }

  /// How long a store waits for another connection.
  fileprivate var busyMilliseconds: Int {
    if case .shared = self { 10_000 } else { 0 }
  }

  /// Returns the storage; a folder with content must have the mark, and must not be in use.
  fileprivate func storage() throws(HarnessError) -> any Storage {
    if case .shared(let folder) = self {
      do throws(StorageError) { return try DiskStorage(directory: folder) } catch {
        throw HarnessError("\(error)")
      }
    }
    guard case .disk(let folder) = self else { return MemoryStorage() }
    let marker = Self.marker(in: folder)
    do {
      let storage = try DiskStorage(directory: folder)
      guard try Files.exists(marker) || Files.names(inFolder: folder).isEmpty else {
        throw HarnessError(
          "\(folder) is not empty, and a run removes the stores that it finds; name a new folder")
      }
      // Another run would remove the stores of this one, and the failure would be blamed on the
      // store.
      guard try Files.hold(marker, orMakeOf: Self.markerText) else {
        throw HarnessError("\(folder) is in use by another run")
      }
      return storage
    } catch {
      throw (error as? HarnessError) ?? HarnessError("\(error)")
    }
  }
}
