internal import Datastore
internal import JSON
internal import ReferenceDatastore

/// What is known of a store from outside: by the model, and by a ledger of what clients said.
///
/// The two share nothing with the store, and nothing with each other. The model says of each answer
/// whether it can be given after the acknowledged operations; the ledger says of all that is there
/// who wrote it, and of all that was written whether it is there.
struct CrashRecord {
  private var checker: OutcomeChecker
  private(set) var ledger = WriteLedger()

  init(of description: ImplementationDescription) {
    checker = OutcomeChecker(
      profiles: description.profiles, strictness: .model,
      inlineBytesMax: description.limits.inlineBytesMax)
  }

  /// Takes note of an operation that ended, and says what is wrong with its outcome.
  ///
  /// What the disk refused has left no trace.
  mutating func note(_ operation: StoreOperation, _ outcome: Outcome) -> CrashFinding? {
    if outcome.isFailureOfDisk {
      guard case .error(let error) = outcome, Self.blames(error.kind) else { return nil }
      return CrashFinding(
        .damaged, "\(operation.action.name) answers \(error), and the files are as they were left")
    }
    switch checker.admit(operation, outcome) {
    case .admitted, .inconclusive: break
    case .violation(let violation):
      let accepted = violation.accepted.map { $0.json.serialized() }.joined(separator: " or ")
      return CrashFinding(
        .answer,
        "\(operation.json.serialized().clipped) is answered "
          + "\(outcome.json.serialized().clipped), and after what was acknowledged it can only be "
          + accepted.clipped)
    }
    switch outcome {
    case .ok(let result): ledger.note(operation.action, result)
    case .unknown: ledger.note(operation.action, nil)
    case .error: break
    }
    if operation.action == .destroy, outcome == .unknown {
      // Whatever became of its files, nobody has it open.
      _ = checker.admit(StoreOperation(operation.store, .close), .ok(.done))
    }
    return nil
  }

  /// Whether an error says that the files are wrong, which no disk that only refuses makes them.
  private static func blames(_ kind: DatastoreError.Kind) -> Bool {
    kind == .storage(.corrupt) || kind == .storage(.newerVersion)
  }

  /// Takes note that an operation was cut off: it happened entirely or not at all.
  mutating func interrupted(_ operation: StoreOperation) {
    _ = checker.admit(operation, .unknown)
    ledger.note(operation.action, nil)
  }

  /// Takes note that the store is closed and nothing else happened.
  mutating func closed() { checker.crashed() }
}

extension String {
  /// The text, cut where it is too long for a line that people read.
  var clipped: String { utf8.count <= 320 ? self : "\(prefix(300)) … (\(utf8.count) bytes)" }
}
