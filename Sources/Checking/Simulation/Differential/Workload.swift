internal import Datastore
internal import JSON

/// The kinds of operations of a run, derived from its seed.
///
/// Each run disables whole groups of operations ("swarm testing"): a bug that needs many conflicts
/// without a compaction is found only in runs without compactions.
struct Workload {
  /// The kind of operation of a step.
  enum Group: CaseIterable {
    case create, update, delete, read, list, leaves, changes, revsDiff, getRevisions
    case insertRevisions, local, info, reopen, recreate
    case resolve, compact, purge, historyLimit, batch, validation, flush, malformed
    case attachmentPiece, finding, indexing
  }

  var stores: [StoreName]
  var documents: [DocumentID]
  var suffixes: [String]
  var revisionIDs: RevisionIDProfile
  var collation: CollationName
  /// Whether these are the defaults of the store under test.
  let hasDefaults: Bool
  var generationMax: Int64
  /// One entry per unit of weight.
  var groups: [Group]
  /// Whether the histories of a document never contradict each other. The effect of forged
  /// histories is specified for the bundled stores only.
  var isHonest: Bool
  /// Whether the store keeps integers of 64 bits and NUL in names, as `exact-numbers` requires.
  var isExact: Bool
  /// Whether deletions may have a body.
  let hasTombstoneBodies: Bool
  /// Whether revisions have attachments.
  var attaches: Bool
  /// Whether attachments may have an encoding.
  let encodes: Bool
  /// Whether attachments are read, uploaded and referenced in pieces.
  let hasPieces: Bool
  /// Whether the run has queries.
  var finds: Bool
  /// Bodies of which two are near-equal, for edits of one document in two stores; empty for most runs.
  let nearEqual: [JSONValue]
  /// For each document, sets of attachments of which two are near-equal; empty for most runs.
  let nearEqualSets: [[[RevisionAttachment]]]
  /// The longest body of a run with long bodies and many records; nil for the others.
  var bulkBytesMax: Int?

  /// The parts of operations that no sequence has.
  let restrictions: Set<Restriction>
  /// The history limit of a new store, if it cannot be set later; nil for none.
  private(set) var firstLimit: Int64?

  /// The capabilities that decide which operations a sequence has.
  static let capabilities: [Capability] = [
    .resolve, .compact, .purge, .historyLimit, .atomicBatch, .validation, .flush, .attachment,
    .attachmentEncoding, .attachmentPieces, .find, .tombstoneBodies,
  ]

  init(seed: UInt64, _ description: ImplementationDescription, isHonest: Bool) {
    self.isHonest = isHonest
    restrictions = description.restrictions
    isExact = description.profiles.contains(.exactNumbers)
    hasTombstoneBodies = description.capabilities.contains(.tombstoneBodies)
    var random = KeyedRandom(seed: seed, key: 0)
    let two = random.chance(1, in: 4)
    // A composed and a decomposed id, and two ids that UTF-8 and UTF-16 order differently.
    let ids: [DocumentID] = [
      "d", "D", "e", "é", "e\u{301}", "\u{ff5e}", "\u{1f600}", "_design/x", "d/1", " ",
    ]
    let count = random.below(4) + 1
    let start = random.below(ids.count)
    let few = (0..<count).map { ids[(start + $0) % ids.count] }
    (revisionIDs, collation) = Self.settings(description, &random)
    hasDefaults =
      revisionIDs == description.defaults.revisionIDs && collation == description.defaults.collation
    suffixes = Self.suffixes(collation, revisionIDs, random: &random)
    generationMax = random.pick([2, 3, 5, 12]) ?? 5
    let groups = Self.groups(description, &random)
    // Drawn last, so that sequences without attachments are the same for a store without the
    // capability.
    attaches = description.capabilities.contains(.attachment) && random.chance(1, in: 2)
    encodes = description.capabilities.contains(.attachmentEncoding)
    hasPieces = description.capabilities.contains(.attachmentPieces)
    finds = description.capabilities.contains(.find) && random.chance(1, in: 4)
    // Rare, because such a run takes as long as many others.
    bulkBytesMax = random.chance(1, in: 128) ? description.limits.bodyBytesMax : nil
    // From its own source: the other runs do not change.
    var pairs = KeyedRandom(seed: seed, key: UInt64.max - 1)
    let isNearEqual = !finds && pairs.chance(1, in: 16)
    nearEqual =
      isNearEqual ? pairs.pick(NearEqualContents.bodies(isExact: isExact)) ?? [] : []
    let hasSets =
      !finds && !isNearEqual && description.capabilities.contains(.attachment)
      && revisionIDs != .cdtDigest && pairs.chance(1, in: 3)
    nearEqualSets =
      hasSets ? NearEqualContents.attachments(hasEncodings: encodes && revisionIDs != .couchdb) : []
    if hasSets { attaches = true }
    stores = two || isNearEqual || hasSets ? ["a", "b"] : ["a"]
    // Results and their order can differ only with several documents.
    documents =
      if finds {
        ids
      } else if isNearEqual {
        Array(few.prefix(1))
      } else if hasSets {
        nearEqualSets.indices.map { DocumentID(JSONString("s\($0)")) }
      } else {
        few
      }
    self.groups =
      groups + Array(repeating: .attachmentPiece, count: attaches && !finds ? 8 : 0)
      + Array(repeating: .create, count: finds ? 15 : hasSets ? 100 : 0)
      + Array(repeating: .finding, count: finds ? 60 : 0)
      + Array(repeating: .indexing, count: finds ? 6 : 0)
    if restrictions.contains(.historyLimitAtCreation), groups.contains(.historyLimit) {
      self.groups.removeAll { $0 == .historyLimit }
      firstLimit = Int64(pairs.below(4) + 1)
    }
    if !readsFeed { self.groups.removeAll { $0 == .changes } }
  }

  /// Whether the feed is read: not in a sequence whose purges move no row.
  var readsFeed: Bool {
    !restrictions.contains(.purgeMovesNoRow) || !groups.contains(.purge)
  }

  /// The arguments of `open`: the declared defaults, or those of a profile.
  ///
  /// A store with other defaults need not support `own` and `bytes`.
  private static func settings(
    _ description: ImplementationDescription, _ random: inout KeyedRandom
  ) -> (RevisionIDProfile, CollationName) {
    let (offered, defaults) = (description.profiles, description.defaults)
    var ids: [RevisionIDProfile] = [defaults.revisionIDs, defaults.revisionIDs]
    var orders: [CollationName] = [defaults.collation, defaults.collation]
    for (profile, other) in [(.cdtDigest, .cdtDigest), (.couchdb, .couchdb)]
      as [(Profile, RevisionIDProfile)]
    where offered.contains(profile) && other != defaults.revisionIDs {
      ids.append(other)
    }
    for (profile, other) in [(.cdtCollation, .cdt), (.couchdb, .couchdb)]
      as [(Profile, CollationName)]
    where offered.contains(profile) && other != defaults.collation {
      orders.append(other)
    }
    // Drawn in this order.
    let revisionIDs = random.pick(ids) ?? defaults.revisionIDs
    return (revisionIDs, random.pick(orders) ?? defaults.collation)
  }

  /// Few suffixes, so that equal revisions are frequent; with `own` ids, none that is compared with
  /// an id that the store chose.
  private static func suffixes(
    _ collation: CollationName, _ revisionIDs: RevisionIDProfile, random: inout KeyedRandom
  ) -> [String] {
    let hexadecimal = (0..<16).map { String($0, radix: 16) }.map {
      String(repeating: $0, count: 32)
    }
    let short = ["a", "A", "b", "ab", "a-b", "é", "z", "9", "~"]
    let capital = String(repeating: "aB", count: 16)
    let all =
      collation == .couchdb
      ? hexadecimal + short + [capital] : random.chance(1, in: 2) ? hexadecimal : short
    let count = random.below(5) + 1
    let start = random.below(all.count)
    return (0..<count).map { all[(start + $0) % all.count] }
  }

  private static func groups(
    _ description: ImplementationDescription, _ random: inout KeyedRandom
  ) -> [Group] {
    let always: [(Group, Int)] = [
      (.create, 5), (.insertRevisions, 10), (.changes, 4), (.leaves, 5), (.info, 1),
    ]
    let sometimes: [(Group, Int)] = [
      (.update, 8), (.delete, 4), (.read, 5), (.list, 2), (.revsDiff, 3), (.getRevisions, 3),
      (.local, 2), (.reopen, 1), (.recreate, 1), (.malformed, 2),
    ]
    let optional: [(Group, Int, Capability)] = [
      (.resolve, 5, .resolve), (.compact, 1, .compact), (.purge, 2, .purge),
      (.historyLimit, 1, .historyLimit), (.batch, 3, .atomicBatch), (.validation, 1, .validation),
      (.flush, 1, .flush),
    ]
    var groups = always.flatMap { Array(repeating: $0.0, count: $0.1) }
    for (group, weight) in sometimes where random.chance(3, in: 4) {
      groups += Array(repeating: group, count: weight)
    }
    for (group, weight, capability) in optional
    where description.capabilities.contains(capability) && random.chance(1, in: 2) {
      groups += Array(repeating: group, count: weight)
    }
    return groups
  }
}
