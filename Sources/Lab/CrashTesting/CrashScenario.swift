public import Datastore
internal import JSON
internal import SQLiteDatastore
public import Storage

/// A scenario for power losses and disk failures.
///
/// First the preparation runs without faults, and the store is closed, unless it ends with `kill`.
/// Then the store is opened again and the steps run: from that opening on a fault can happen
/// between any two steps on the files.
///
///     preparation   create a, create b, close
///     steps         open │ edit a │ push │ close
///                      ↑ ↑↑↑  ↑↑↑↑  ↑↑↑  ↑↑     each of these is a point
public struct CrashScenario: Sendable {
  public let name: String
  /// A short description.
  public let summary: String
  let origin: Origin
  let preparation: [CrashStep]
  let steps: [CrashStep]
  let settings: CrashStoreSettings

  /// The state before the preparation.
  enum Origin: Sendable {
    case nothing
    /// A store written by an earlier version of the program.
    case olderStore(OlderStore)
  }

  init(
    _ name: String, _ summary: String, origin: Origin = .nothing,
    settings: CrashStoreSettings = CrashStoreSettings(), preparation: [CrashStep] = [],
    steps: [CrashStep]
  ) {
    self.name = name
    self.summary = summary
    self.origin = origin
    self.preparation = preparation
    self.steps = steps
    self.settings = settings
  }

  /// The name of the store in every scenario.
  static let store: StoreName = "notes"
}

extension CrashScenario: CustomStringConvertible {
  public var description: String { name }
}

/// One step of a scenario.
enum CrashStep: Sendable {
  case perform(StoreAction)
  /// A new revision of the current winner.
  case edit(DocumentID, JSONValue, [RevisionAttachment] = [])
  /// A tombstone on the current winner.
  case remove(DocumentID)
  /// A session that transfers everything from the other store.
  case pull
  /// A session that transfers everything to the other store.
  case push
  /// A client's operation on the other store, which has no disk.
  case elsewhere(StoreAction)
  /// Closes the store, which moves its log into the database, and opens it.
  case reopen
  /// Kills the process, and opens the store with the next one.
  case kill
  /// A power loss during an operation, after a number of changes to the files, which leaves a
  /// mixture of the unsynced ones; on a real disk, the process ends after the operation.
  case losePower(in: StoreAction, afterChanges: Int)
}

/// The settings of the store of a scenario.
public struct CrashStoreSettings: Sendable {
  /// The longest content in one piece; small, so that there are many pieces.
  public var inlineBytesMax: Int?
  /// The number of pages in the log before a checkpoint; small, so that the log often restarts.
  public var checkpointPages: Int?
}

extension CrashStoreSettings {
  /// The bundled store with these settings.
  public func makeStore(on storage: any Storage) -> any ImplementationUnderTest {
    SQLiteDatastore(
      storage: storage, inlineBytesMax: inlineBytesMax, checkpointPages: checkpointPages)
  }
}
