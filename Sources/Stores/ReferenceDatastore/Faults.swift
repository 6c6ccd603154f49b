internal import Datastore

/// All errors that one operation has, thrown together.
///
/// The contract leaves the order of checks open: a store may answer with any error that the operation
/// has. So every check is made that is meaningful, not only those before the first failure. A check
/// is meaningful when its own arguments are valid: an invalid id names no document, and then nothing
/// is wrong with the revisions of that document. What the checks look at is the store before the
/// operation.
struct Faults: Error {
  /// What a check looked at.
  enum Origin {
    /// The arguments alone, so that the error does not depend on what the store holds.
    case arguments
    case state
  }

  /// In the order in which the model makes its checks.
  private var found: [(error: DatastoreError, origin: Origin)] = []

  init() {}

  init(_ error: DatastoreError, _ origin: Origin = .arguments) { add(error, origin) }

  /// Makes a check whose error depends on what the store holds.
  static func ofState(_ check: () throws(DatastoreError) -> Void) throws(Faults) {
    do throws(DatastoreError) {
      try check()
    } catch {
      throw Faults(error, .state)
    }
  }

  var isEmpty: Bool { found.isEmpty }

  /// The errors, each kind with its fields once, the model's own answer first.
  var errors: [DatastoreError] {
    var distinct: [DatastoreError] = []
    for (error, _) in found where !distinct.contains(where: { $0.isSame(as: error) }) {
      distinct.append(error)
    }
    return distinct
  }

  /// The errors that do not depend on what the store holds.
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

  /// The errors as such that depend on what the store holds.
  var ofState: Faults {
    var faults = self
    for place in faults.found.indices { faults.found[place].origin = .state }
    return faults
  }

  /// The errors as those of one write of a batch.
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

  /// Makes a check and returns its result; nil when it failed, and then its errors are recorded.
  @discardableResult
  mutating func collect<Value>(_ check: () throws(Faults) -> Value) -> Value? {
    do throws(Faults) { return try check() } catch {
      add(error)
      return nil
    }
  }

  /// Throws what was recorded, if there is anything.
  func refuse() throws(Faults) {
    if !isEmpty { throw self }
  }
}

extension DatastoreError {
  /// Whether two errors are the same one for the contract, which does not compare messages.
  func isSame(as other: DatastoreError) -> Bool { kind == other.kind && write == other.write }
}
