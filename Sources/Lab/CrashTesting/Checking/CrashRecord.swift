internal import Datastore
internal import JSON
internal import ReferenceDatastore

/// The expected state of a store, derived from its operations: a model, and a ledger of the
/// clients' writes.
///
/// The two share no code with the store or with each other. The model decides whether a result is
/// possible after the acknowledged operations; the ledger checks that every stored revision was
/// written by a client, and that every acknowledged one is stored.
struct CrashRecord {
  private var checker: OutcomeChecker
  private(set) var ledger = WriteLedger()

  init(of description: ImplementationDescription) {
    checker = OutcomeChecker(
      profiles: description.profiles, strictness: .model,
      inlineBytesMax: description.limits.inlineBytesMax)
  }

  /// Records an operation that ended, and returns the error of its outcome.
  ///
  /// An operation that the disk refused has left no trace.
  mutating func note(_ operation: StoreOperation, _ outcome: Outcome) -> CrashFinding? {
    if outcome.isFailureOfDisk {
      guard case .error(let error) = outcome, Self.blames(error.kind) else { return nil }
      return CrashFinding(
        .damaged, "\(operation.action.name) returns \(error), but the files are undamaged")
    }
    switch checker.admit(operation, outcome) {
    case .admitted, .inconclusive: break
    case .violation(let violation):
      let accepted = violation.accepted.map { $0.json.serialized() }.joined(separator: " or ")
      return CrashFinding(
        .answer,
        "\(operation.json.serialized().clipped) has the result "
          + "\(outcome.json.serialized().clipped), and after what was acknowledged it can only be "
          + accepted.clipped)
    }
    switch outcome {
    case .ok(let result): ledger.note(operation.action, result)
    case .unknown: ledger.note(operation.action, nil)
    case .error: break
    }
    if operation.action == .destroy, outcome == .unknown {
      // The store is not open, independently of its files.
      _ = checker.admit(StoreOperation(operation.store, .close), .ok(.done))
    }
    return nil
  }

  /// True if an error reports damaged files, which a disk that only refuses calls cannot cause.
  private static func blames(_ kind: DatastoreError.Kind) -> Bool {
    kind == .storage(.corrupt) || kind == .storage(.newerVersion)
  }

  /// Records that an operation was cut off: it happened completely or not at all.
  mutating func interrupted(_ operation: StoreOperation) {
    _ = checker.admit(operation, .unknown)
    ledger.note(operation.action, nil)
  }

  /// Records that the store is closed and nothing else happened.
  mutating func closed() { checker.crashed() }
}

extension String {
  /// The text, truncated if it is too long for a line for people.
  var clipped: String { utf8.count <= 320 ? self : "\(prefix(300)) … (\(utf8.count) bytes)" }
}
