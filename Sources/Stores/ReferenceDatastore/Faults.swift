internal import Datastore

/// All errors of one operation, thrown together.
///
/// The contract leaves the order of checks open: a store may return any error that the operation
/// has. So every meaningful check is performed, not only those before the first failure. A check is
/// meaningful if its own arguments are valid: an invalid id names no document, so the revisions of
/// that document cannot be checked. All checks use the state of the store before the operation.
struct Faults: Error {
  /// The input of a check.
  enum Origin {
    /// The arguments only, so the error does not depend on the state of the store.
    case arguments
    case state
  }

  /// The errors in the order of the model's checks.
  private var found: [(error: DatastoreError, origin: Origin)] = []

  init() {}

  init(_ error: DatastoreError, _ origin: Origin = .arguments) { add(error, origin) }

  /// Performs a check whose error depends on the state of the store.
  static func ofState(_ check: () throws(DatastoreError) -> Void) throws(Faults) {
    do throws(DatastoreError) {
      try check()
    } catch {
      throw Faults(error, .state)
    }
  }

  var isEmpty: Bool { found.isEmpty }

  /// The errors, each kind with its fields once, the model's own choice first.
  var errors: [DatastoreError] {
    var distinct: [DatastoreError] = []
    for (error, _) in found where !distinct.contains(where: { $0.isSame(as: error) }) {
      distinct.append(error)
    }
    return distinct
  }

  /// The errors that do not depend on the state of the store.
  var ofArguments: Faults {
    var faults = Faults()
    faults.found = found.filter { $0.origin == .arguments }
    return faults
  }

  /// The errors of other kinds.
  func without(_ kind: DatastoreError.Kind) -> Faults {
    var faults = Faults()
    faults.found = found.filter { $0.error.kind != kind }
    return faults
  }

  /// These errors, all marked as dependent on the state of the store.
  var ofState: Faults {
    var faults = self
    for place in faults.found.indices { faults.found[place].origin = .state }
    return faults
  }

  /// These errors as errors of one write of a batch.
  func ofWrite(_ write: Int) -> Faults {
    var faults = self
    for place in faults.found.indices { faults.found[place].error.write = Int64(write) }
    return faults
  }

  mutating func add(_ error: DatastoreError, _ origin: Origin = .arguments) {
    found.append((error, origin))
  }

  mutating func add(_ faults: Faults) { found += faults.found }

  /// Records an error of the arguments unless a condition holds.
  mutating func require(_ condition: Bool, _ error: @autoclosure () -> DatastoreError) {
    if !condition { add(error()) }
  }

  /// Records an error of the state unless a condition holds.
  mutating func require(_ condition: Bool, inState error: @autoclosure () -> DatastoreError) {
    if !condition { add(error(), .state) }
  }

  /// Performs a check and returns its result; if it fails, records its errors and returns nil.
  @discardableResult
  mutating func collect<Value>(_ check: () throws(Faults) -> Value) -> Value? {
    do throws(Faults) { return try check() } catch {
      add(error)
      return nil
    }
  }

  /// Throws the recorded errors, if there are any.
  func refuse() throws(Faults) {
    if !isEmpty { throw self }
  }
}

extension DatastoreError {
  /// Whether two errors are equal under the contract, which does not compare messages.
  func isSame(as other: DatastoreError) -> Bool { kind == other.kind && write == other.write }
}
