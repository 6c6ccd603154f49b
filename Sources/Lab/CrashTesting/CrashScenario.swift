public import Datastore
internal import JSON
internal import SQLiteDatastore
public import Storage

/// Something that a store does while the power goes or its disk fails.
///
/// First the preparation is done, with nothing wrong, and the store is closed, unless it ends with
/// `kill`. Then the store is opened again and the steps are taken: from that opening on anything
/// may happen between any two steps on the files.
///
///     preparation   create a, create b, close
///     steps         open │ edit a │ push │ close
///                      ↑ ↑↑↑  ↑↑↑↑  ↑↑↑  ↑↑     each of these is a point
public struct CrashScenario: Sendable {
  public let name: String
  /// What happens, in a few words.
  public let summary: String
  let origin: Origin
  let preparation: [CrashStep]
  let steps: [CrashStep]
  let settings: CrashStoreSettings

  /// What there is before the preparation.
  enum Origin: Sendable {
    case nothing
    /// A store that an earlier version of the program has written.
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

/// One thing that a scenario does.
enum CrashStep: Sendable {
  case perform(StoreAction)
  /// A new revision of whatever wins now.
  case edit(DocumentID, JSONValue, [RevisionAttachment] = [])
  /// A tombstone on whatever wins now.
  case remove(DocumentID)
  /// A session that brings everything from the other store.
  case pull
  /// A session that brings everything to the other store.
  case push
  /// What somebody does to the other store, which has no disk.
  case elsewhere(StoreAction)
  /// Closes the store, which moves its log into the database, and opens it.
  case reopen
  /// Ends the process without another word, and opens the store with the next one.
  case kill
  /// The power goes in the midst of an operation, after so many changes to the files, and leaves a
  /// mixture of the unsynced ones; on a disk, the process ends after the operation.
  case losePower(in: StoreAction, afterChanges: Int)
}

/// How a store of a scenario is made.
public struct CrashStoreSettings: Sendable {
  /// The longest content that travels in one piece; small, so that pieces are many.
  public var inlineBytesMax: Int?
  /// How many pages a log has before they are moved into the database; small, so that it begins
  /// anew time and again.
  public var checkpointPages: Int?
}

extension CrashStoreSettings {
  /// The bundled store with these settings.
  public func makeStore(on storage: any Storage) -> any ImplementationUnderTest {
    SQLiteDatastore(
      storage: storage, inlineBytesMax: inlineBytesMax, checkpointPages: checkpointPages)
  }
}
