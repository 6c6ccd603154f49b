internal import Adapters
internal import Conformance
internal import CrashTesting
internal import Datastore
internal import JSON
internal import SQLiteDatastore
internal import Simulation
internal import Storage

/// A version of a store, as `--from` and `--to` name it.
struct StoreVersion: Sendable {
  let name: String
  let kind: Kind

  enum Kind: Sendable {
    /// The bundled store, in this process.
    case sqlite
    /// A bundled store that an earlier program wrote; it does not run.
    case recorded(RecordedStore)
    /// The bundled store, which damages the files first.
    case mutant(OpeningDefect)
    /// An adapter.
    case command(AdapterPlace)
  }

  private static let mutantPrefix = "mutant:"

  /// The values of `--from`.
  static let oldNames =
    ["exec:", "sqlite"] + RecordedStore.all.map { "sqlite:\($0.version)" }

  /// The values of `--to`.
  static let newNames =
    ["exec:", "sqlite"] + OpeningDefect.all.map { mutantPrefix + $0.name }

  /// Reads the value of an option.
  ///
  /// - Parameter option: `--from` or `--to`.
  init(
    _ name: String, option: String, among names: [String], _ manual: Manual
  ) throws(UsageError) {
    self.name = name
    let place: AdapterPlace?
    do throws(AdapterPlace.Fault) { place = try AdapterPlace(name) } catch {
      throw UsageError("\(option): \(error)", manual)
    }
    if let place {
      guard case .command = place else {
        throw UsageError(
          "\(option) '\(name)': an adapter behind a socket has no folder that another one opens; "
            + "expected exec:COMMAND", manual)
      }
      kind = .command(place)
      return
    }
    guard names.contains(name), !name.hasSuffix(":") else {
      let reason = name == "reference" ? "reference keeps no files" : "unknown version '\(name)'"
      throw UsageError(
        "\(option): \(reason); expected exec:COMMAND or one of "
          + names.filter { !$0.hasSuffix(":") }.joined(separator: ", "),
        manual, suggestion: nearest(to: name, among: names))
    }
    if let store = RecordedStore.all.first(where: { "sqlite:\($0.version)" == name }) {
      kind = .recorded(store)
    } else if let mutant = OpeningDefect.all.first(where: { Self.mutantPrefix + $0.name == name }) {
      kind = .mutant(mutant)
    } else {
      kind = .sqlite
    }
  }

  var isCommand: Bool { if case .command = kind { true } else { false } }

  var recorded: RecordedStore? { if case .recorded(let store) = kind { store } else { nil } }

  /// The operations of a recorded version with their outcomes; empty for one that runs.
  func recordedSteps() throws(HarnessError) -> [Differential.Step] {
    try recorded?.steps().map { Differential.Step(operation: $0.operation, outcome: $0.outcome) }
      ?? []
  }

  /// The declared properties, from a process in a new folder.
  func description() throws(HarnessError) -> ImplementationDescription {
    guard case .command = kind else {
      return SQLiteDatastore(storage: MemoryStorage()).description
    }
    let running = try start(in: try UpgradeFolder.make())
    try running.end(.stop)
    return running.implementation.description
  }

  /// Starts the version in a folder, whose files remain.
  func start(in folder: DataFolder) throws(HarnessError) -> RunningVersion {
    if case .command(let place) = kind {
      let adapter = try AdapterImplementation(
        place, runner: "touchstone \(toolVersion)", folder: folder)
      try adapter.begin(.run("upgrade"))
      return RunningVersion(implementation: adapter) { end throws(HarnessError) in
        switch end {
        case .stop: try adapter.leave()
        case .kill: adapter.kill()
        }
      }
    }
    try StorageChoice.mark(folder.path)
    let storage: DiskStorage
    do throws(StorageError) { storage = try DiskStorage(directory: folder.path) } catch {
      throw HarnessError("\(error)")
    }
    if case .mutant(let defect) = kind { try defect.damage(storage) }
    let store = SQLiteDatastore(storage: storage)
    return RunningVersion(implementation: store) { end throws(HarnessError) in
      switch end {
      case .stop: try store.shutdown()
      case .kill: try store.crash(.kill)
      }
    }
  }
}

/// A version that has the files open.
struct RunningVersion {
  let implementation: any ImplementationUnderTest
  let end: (UpgradeEnd) throws(HarnessError) -> Void
}
