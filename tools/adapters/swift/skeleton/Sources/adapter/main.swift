// An adapter, to be finished in three places marked TO DO. `touchstone doctor` says what comes first.
// In Touchstone, `Vectors/README.md` describes the operations.

import TouchstoneKit

/// TO DO 1: your store.
final class MyStore: ImplementationUnderTest {
  /// Where files belong; nil over a socket.
  let folder: String?
  // private var databases: [StoreName: Database] = [:]

  init(folder: String?) { self.folder = folder }

  /// TO DO 3: who your store is. Capabilities and profiles that are not named are not asked for.
  let description = ImplementationDescription(
    name: "my-store", version: "0.1", language: "Swift", capabilities: [], profiles: [],
    limits: .minimum)

  /// Afterwards there is nothing in it, as if it had just been installed.
  func reset() throws(HarnessError) {
    // databases = [:]
  }

  /// TO DO 2: does an operation, and answers `ok` with its result or `error` with its kind.
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    switch operation.action {
    // case .open:
    //   if databases[operation.store] == nil { databases[operation.store] = Database() }
    //   return .ok(.done)
    // case .create(let id, let body):
    //   guard let database = databases[operation.store] else {
    //     return .error(DatastoreError(.noSuchStore))
    //   }
    //   let made = database.create(id, body)
    //   return .ok(.written(id: made.id, rev: made.rev))
    default:
      return .error(DatastoreError(.unsupported(what: operation.action.name)))
    }
  }

  /// Never asked for here: the runner kills the process.
  func crash(_ kind: CrashKind) throws(HarnessError) {
    throw HarnessError("an adapter is killed from outside")
  }

  func shutdown() throws(HarnessError) {}
}

/// Answers requests until the last one, or until the runner has gone; ends the process with exit
/// code 1 at a line that is no request.
func serve() -> Never {
  // With `keepsFolder` the store promises that what it acknowledged outlives the process.
  var server = AdapterServer { folder in
    (implementation: MyStore(folder: folder), keepsFolder: false)
  }
  server.serveAndExit()
}

serve()
