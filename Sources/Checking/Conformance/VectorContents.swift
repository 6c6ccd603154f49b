internal import Datastore
internal import JSON
internal import Oracles

/// Checks the outcomes of a whole vector: equal revision ids have equal contents, and local
/// documents are read as they were written last.
///
/// Expectations mention what a vector is about. This checker compares everything else that clients
/// read with what they wrote, also in another store.
struct VectorContents {
  private let stores: [StoreName]
  private let defaults: RevisionIDProfile
  private let permitted: Set<UncoveredContent>
  /// The profile of each open store; nil before its first `open`.
  private var profiles: [StoreName: RevisionIDProfile] = [:]
  /// Revision ids of different profiles cover different contents, and are not compared.
  private var oracles: [RevisionIDProfile: ContentOracles] = [:]

  /// - Parameters:
  ///   - stores: the stores of the vector.
  ///   - defaults: the profile of a store that is opened without one.
  ///   - uncovered: what the revision ids of the stores need not cover, as declared.
  init(
    stores: [StoreName], defaults: RevisionIDProfile, uncovered: Set<UncoveredContent> = []
  ) {
    (self.stores, self.defaults, permitted) = (stores, defaults, uncovered)
  }

  /// What the revision ids of several contents did not cover, as declared.
  var uncovered: Set<UncoveredContent> {
    oracles.values.reduce(into: []) { $0.formUnion($1.uncovered) }
  }

  /// Receives an operation of the vector with its outcome, and returns a finding.
  mutating func observe(_ operation: StoreOperation, _ outcome: Outcome) -> OracleFinding? {
    let store = operation.store
    switch (operation.action, outcome) {
    case (.open(let revisionIDs, _), .ok):
      // An existing store keeps its profile.
      profiles[store] = profiles[store] ?? revisionIDs ?? defaults
      return nil
    case (.destroy, .ok): profiles[store] = nil
    default: break
    }
    guard let place = stores.firstIndex(of: store) else { return nil }
    let profile = profiles[store] ?? defaults
    return oracles[
      profile,
      default: ContentOracles(
        stores: stores.map(\.text), revisionIDs: profile, uncovered: permitted)
    ]
    .observe(operation, outcome, store: place)
  }
}
