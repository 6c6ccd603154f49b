public import Datastore
public import JSON

/// A replica as the oracles need it: its name, and the properties of its store that may differ from
/// those of other replicas.
///
/// Replicas of several products agree on leaves, winners, bodies and attachments. Each product has
/// its own revision ids for new edits, its own order of leaves, and its own digests of attachments,
/// so these are checked for each replica by itself.
public struct OracleReplica: Hashable, Sendable {
  /// The name in findings.
  public var name: JSONString
  /// The product, which determines the ids of the profile `own`; empty if all replicas have the same
  /// product.
  public var product: JSONString
  /// The order that the store gives to the revisions of a document.
  public var collation: CollationName
  /// The profile of the store's own revision ids.
  public var revisionIDs: RevisionIDProfile
  /// Whether the store reports SHA-256 digests of attachments.
  public var hasDigests: Bool
  /// How contents under one revision id may differ, as the product declares.
  public var contentFlaws: Set<ContentFlaw>

  /// Creates a replica; by default one of a store that declares nothing.
  public init(
    _ name: JSONString, product: JSONString = "", collation: CollationName = .bytes,
    revisionIDs: RevisionIDProfile = .own, hasDigests: Bool = true,
    contentFlaws: Set<ContentFlaw> = []
  ) {
    self.name = name
    self.product = product
    self.collation = collation
    self.revisionIDs = revisionIDs
    self.hasDigests = hasDigests
    self.contentFlaws = contentFlaws
  }

  /// Whether equal edits on both replicas should have equal revision ids.
  func makesSameIDs(as other: OracleReplica) -> Bool {
    guard revisionIDs == other.revisionIDs else { return false }
    return revisionIDs != .own || product == other.product
  }
}
