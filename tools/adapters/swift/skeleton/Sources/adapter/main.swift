// The skeleton of an adapter. Connect your store at the three places marked TO DO; `touchstone
// doctor` names the next step. In Touchstone, `Vectors/README.md` describes the operations.

import TouchstoneKit

/// TO DO 1: your store.
final class MyStore: ImplementationUnderTest {
  /// The folder for files; nil over a socket.
  let folder: String?
  // private var databases: [StoreName: Database] = [:]

  init(folder: String?) { self.folder = folder }

  /// TO DO 3: the description of your store. Vectors of undeclared capabilities and profiles are
  /// skipped.
  let description = ImplementationDescription(
    name: "my-store", version: "0.1", language: "Swift", capabilities: [], profiles: [],
    limits: .minimum)

  /// Empties the store, as if it had just been installed.
  func reset() throws(HarnessError) {
    // databases = [:]
  }

  /// TO DO 2: perform one operation. Return `.ok` with its result, or `.error` with its kind.
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

  /// Never called in an adapter: the runner kills the process.
  func crash(_ kind: CrashKind) throws(HarnessError) {
    throw HarnessError("the runner kills an adapter; it does not call crash")
  }

  func shutdown() throws(HarnessError) {}
}

/// Responds to requests until the last one or the end of the input. Exits with code 1 at an invalid
/// request.
func serve() -> Never {
  // Set `keepsFolder` if acknowledged writes survive the end of the process.
  var server = AdapterServer { folder in
    (implementation: MyStore(folder: folder), keepsFolder: false)
  }
  server.serveAndExit()
}

serve()
