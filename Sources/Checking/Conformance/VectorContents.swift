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
  private let permitted: Set<ContentFlaw>
  /// The profile of each open store; nil before its first `open`.
  private var profiles: [StoreName: RevisionIDProfile] = [:]
  /// Revision ids of different profiles cover different contents, and are not compared.
  private var oracles: [RevisionIDProfile: ContentOracles] = [:]

  /// - Parameters:
  ///   - stores: the stores of the vector.
  ///   - defaults: the profile of a store that is opened without one.
  ///   - contentFlaws: how contents under one revision id may differ, as declared.
  init(
    stores: [StoreName], defaults: RevisionIDProfile, contentFlaws: Set<ContentFlaw> = []
  ) {
    (self.stores, self.defaults, permitted) = (stores, defaults, contentFlaws)
  }

  /// The declared flaws because of which a revision id has several contents.
  var contentFlaws: Set<ContentFlaw> {
    oracles.values.reduce(into: []) { $0.formUnion($1.contentFlaws) }
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
        stores: stores.map(\.text), revisionIDs: profile, contentFlaws: permitted)
    ]
    .observe(operation, outcome, store: place)
  }
}
