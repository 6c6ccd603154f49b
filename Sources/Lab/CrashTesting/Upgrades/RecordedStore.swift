public import Datastore
internal import JSON
public import Storage

/// A store in an older schema version, which a program of that time wrote, with all operations and
/// outcomes of its clients.
public struct RecordedStore: Sendable {
  private let store: OlderStore

  /// The version of the schema.
  public var version: Int { store.version }

  /// All recorded stores, the oldest first.
  public static let all: [RecordedStore] = [
    RecordedStore(store: .version2), RecordedStore(store: .version3),
    RecordedStore(store: .version4), RecordedStore(store: .version5),
  ]

  /// Writes the files of the store.
  ///
  /// - Parameter isLogLeft: whether they are those of a killed process, with everything in the log.
  public func write(to storage: any Storage, isLogLeft: Bool) throws(HarnessError) {
    try (isLogLeft ? store.withLogLeft : store).writeFiles(in: storage)
  }

  /// The operations on the store, in their order, with their outcomes.
  public func steps() throws(HarnessError) -> [(operation: StoreOperation, outcome: Outcome)] {
    var steps: [(operation: StoreOperation, outcome: Outcome)] = []
    for line in store.lines.utf8.split(separator: UInt8(ascii: "\n")) {
      let event = try CrashWorldEvent(line: line)
      guard case .ended(let operation, let outcome) = event else { continue }
      steps.append((operation, outcome))
    }
    return steps
  }
}
