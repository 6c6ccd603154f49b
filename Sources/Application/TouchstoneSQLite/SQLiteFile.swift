public import Datastore
public import ObjectMapping
public import Replication
public import SQLiteDatastore
internal import Storage

/// A store of documents in one SQLite database, at a path of the application's choice.
///
/// Beside the database lie the log of SQLite and the contents of attachments, in files whose names
/// begin with that of the database and `-`. Several processes may open one file; an operation waits
/// for a limited time while another one writes. One value is used by one thread at a time.
public final class SQLiteFile {
  /// The name of the store in its datastore.
  public static let storeName: StoreName = "main"

  /// The path as given.
  public let path: String
  /// The datastore that contains the one store.
  public let datastore: SQLiteDatastore
  /// The time and the randomness of the ids that the store creates.
  public let environment: RunEnvironment

  /// Opens the file, and creates it if it is missing. Its folder must exist.
  ///
  /// Throws `datastore` if the file cannot be opened or created, or is not that of a store.
  ///
  /// - Parameters:
  ///   - busyMilliseconds: the time for which an operation waits for another process.
  ///   - environment: nil for ids from the random generator of the system.
  public init(
    _ path: String, busyMilliseconds: Int = 5000, environment: RunEnvironment? = nil
  ) throws(StoreError) {
    let storage: SingleDatabaseStorage
    do throws(StorageError) {
      storage = try SingleDatabaseStorage(path: path, as: "\(Self.storeName).sqlite")
    } catch {
      throw StoreError(.harness(HarnessError(error.description)), error.description)
    }
    self.path = path
    datastore = SQLiteDatastore(storage: storage, busyMilliseconds: busyMilliseconds)
    self.environment = environment ?? RunEnvironment(seed: UInt64.random(in: 0...UInt64.max))
    _ = try perform(.open())
  }

  /// Closes the database, as the release of the last reference to its datastore does. Later
  /// operations fail with `noSuchStore`.
  public func close() {
    // The connections are closed even if the last one reports a failure, and every acknowledged
    // write is durable already.
    try? datastore.shutdown()
  }

  /// Performs an operation of the contract, such as `.read(id: "a")`, and returns its result.
  ///
  /// Throws `datastore` if the store rejects it.
  @discardableResult
  public func perform(_ action: StoreAction) throws(StoreError) -> OperationResult {
    let outcome: Outcome
    do throws(HarnessError) {
      outcome = try datastore.perform(StoreOperation(Self.storeName, action), environment)
    } catch {
      throw StoreError(.harness(error), "\(path): \(error)")
    }
    switch outcome {
    case .ok(let result): return result
    case .error(let error):
      throw StoreError(.datastore(nil, error), "\(path): \(action.name) was rejected: \(error)")
    case .unknown:
      throw StoreError(.unanswered, "\(path): the outcome of \(action.name) is unknown")
    }
  }

  /// The file as a source or target of replications.
  public var replicationTarget: ReplicationTarget {
    .store(Self.storeName, in: datastore, environment)
  }
}
