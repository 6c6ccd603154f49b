public import Datastore
package import JSON
internal import ObjectOperations
package import Simulation

/// The operations of a random sequence on one layer of objects, all derived from a seed.
///
/// An operation with two errors at once may fail with either of them, so no sequence may contain
/// one.
package protocol LayerWorkload {
  /// The operations before the first random step.
  var opening: [JSONValue] { get }

  /// The operations of one random step.
  ///
  /// - Parameter random: the random choices of this step alone.
  mutating func step(_ random: inout KeyedRandom) -> [JSONValue]

  /// Records the outcome of an operation at the reference.
  mutating func note(_ operation: StoreOperation, _ outcome: Outcome)

  /// The operations after the last random step, which read everything.
  var closing: [JSONValue] { get }
}

extension LayerWorkload {
  package mutating func note(_ operation: StoreOperation, _ outcome: Outcome) {}
}

/// A layer that `touchstone compare --layer` compares. To add one, add an entry to `all`.
public struct ComparedLayer: Sendable {
  /// The name of the layer.
  public let name: String
  /// The capabilities that the sequences need.
  public let capabilities: [Capability]
  /// The members of results, at any depth, whose texts each implementation chooses.
  var chosenMembers: Set<JSONString> = []
  /// The members of results, at any depth, in whose objects each implementation chooses all members
  /// except those of `chosenMembers`.
  var freeMembers: Set<JSONString> = []
  /// The members of results, at any depth, that are not compared, such as the ids of revisions that
  /// each implementation makes.
  var uncomparedMembers: Set<JSONString> = []
  /// Whether results may contain objects that were never saved; whether they have a URI is up to
  /// the implementation.
  var hasUnsavedObjects = true
  /// Whether each implementation chooses a text, wherever it is.
  var isChosen: @Sendable (JSONString) -> Bool = { _ in false }
  /// Creates the workload of a seed.
  let makeWorkload: @Sendable (UInt64) -> any LayerWorkload

  /// All layers.
  public static let all: [ComparedLayer] = [
    ComparedLayer(
      name: "contexts", capabilities: [.objects, .find, .contexts],
      chosenMembers: ["identifier", "CDTISIdentifier"], uncomparedMembers: ["rev"]
    ) { ContextWorkload(seed: $0, isComplete: false) },
    ComparedLayer(
      name: "contexts-complete", capabilities: [.objects, .find, .contexts],
      chosenMembers: ["identifier", "CDTISIdentifier"], uncomparedMembers: ["rev"]
    ) { ContextWorkload(seed: $0, isComplete: true) },
    ComparedLayer(
      name: "stacks", capabilities: [.objects, .find, .contexts, .stacks],
      chosenMembers: ["identifier", "CDTISIdentifier"], uncomparedMembers: ["rev"]
    ) { StackWorkload(seed: $0) },
    ComparedLayer(
      name: "collections", capabilities: [.find, .regex, .collections],
      uncomparedMembers: ["rev"], isChosen: { $0.isMadeByCollections }
    ) { CollectionLayerWorkload(seed: $0) },
    ComparedLayer(
      name: "migrations", capabilities: [.objects, .find, .collections],
      chosenMembers: ["identifier"], isChosen: { $0.isMadeByCollections }
    ) { MigrationWorkload(seed: $0) },
    ComparedLayer(
      name: "selectors", capabilities: [.find, .regex, .geography]
    ) { SelectorWorkload(seed: $0) },
    ComparedLayer(
      name: "fetches", capabilities: [.objects, .find, .regex, .decimals],
      chosenMembers: ["identifier"], hasUnsavedObjects: false
    ) { FetchWorkload(seed: $0) },
    ComparedLayer(
      name: "stored-objects", capabilities: [.objects, .find, .regex, .attachment],
      chosenMembers: [
        "identifier", "CDTISIdentifier", "NSStoreUUID", "versionHash", "rev", "seq", "last",
        "digest",
      ],
      freeMembers: ["metaData"], hasUnsavedObjects: false
    ) { StoredObjectWorkload(seed: $0) },
  ]
}
