/// An optional part of the contract that an implementation may offer.
///
/// The core's are constants here; a family of operations adds its own when it is registered.
public struct Capability: RawRepresentable, Hashable, Sendable, CaseIterable {
  public let rawValue: String

  /// The capability with a name; nil when neither the core nor a registered family has it.
  public init?(rawValue: String) {
    self.init(rawValue)
    guard Self.allCases.contains(self) else { return nil }
  }

  /// A capability of a family, which lists it when it is registered.
  package init(_ name: String) { rawValue = name }

  public static let resolve = Capability("resolve")
  public static let compact = Capability("compact")
  public static let purge = Capability("purge")
  public static let historyLimit = Capability("historyLimit")
  public static let atomicBatch = Capability("atomicBatch")
  public static let validation = Capability("validation")
  public static let flush = Capability("flush")
  /// `delete` takes a body. One that arrives with a record is kept by every store.
  public static let tombstoneBodies = Capability("tombstoneBodies")
  /// Acknowledged writes become durable only with `flush`.
  public static let delayedDurability = Capability("delayedDurability")
  /// The implementation has a replicator of its own, whose requests the harness carries.
  public static let replicate = Capability("replicate")
  /// Revisions have attachments.
  public static let attachment = Capability("attachment")
  /// Documents are found by what is in them, with indexes or without.
  public static let find = Capability("find")
  /// Selectors have `$regex`.
  public static let regex = Capability("regex")
  /// Selectors compare strings as decimal numbers.
  public static let decimals = Capability("decimals")
  /// Selectors ask for places on the Earth.
  public static let geography = Capability("geography")

  /// Those of the core and of the registered families, in the order in which reports list them.
  public static var allCases: [Capability] { OperationFamily.capabilities }

  static let core: [Capability] = [
    .resolve, .compact, .purge, .historyLimit, .atomicBatch, .validation, .flush,
    .tombstoneBodies, .delayedDurability, .replicate, .attachment, .find, .regex, .decimals,
    .geography,
  ]
}

/// A promise beyond the core about something that the core leaves open.
public enum Profile: String, CaseIterable, Sendable {
  /// Only what every implementation of the contract does.
  case core
  /// Numbers of 64 bits, any depth and names with NUL inside the declared limits are kept exactly.
  case exactNumbers = "exact-numbers"
  /// `changes` answers exactly the documents that changed after `since`, in order.
  case denseChanges = "dense-changes"
  /// A sequence of another incarnation, or above `last`, gives `badSequence` or the whole feed.
  case incarnationSequences = "incarnation-sequences"
  /// Revision ids as CDTDatastore computes them.
  case cdtDigest = "cdt-digest"
  /// Revision ids are ordered as CDTDatastore orders them.
  case cdtCollation = "cdt-collation"
  /// Revision ids are computed and ordered as CouchDB does.
  case couchdb
}

/// Which digest names the revisions that a store makes itself; fixed when the store is created.
public enum RevisionIDProfile: String, CaseIterable, Sendable {
  /// Whatever the implementation prefers: opaque to everyone else.
  case own
  case cdtDigest = "cdt-digest"
  case cdtDigest2 = "cdt-digest-2"
  case couchdb
}

/// How revision ids of one generation are ordered; fixed when the store is created.
public enum CollationName: String, CaseIterable, Sendable {
  /// Generation as a number, then the bytes of the suffix.
  case bytes
  /// As `bytes`, but a suffix of 32 hexadecimal digits stands for the 16 bytes that it spells.
  case couchdb
  /// The `REVID` collation of CDTDatastore.
  case cdt
}

/// How the life of an implementation can end before its time.
public enum CrashKind: String, CaseIterable, Sendable {
  /// The process is gone; everything written remains.
  case kill
  /// The power is gone; what was not synced is lost or torn.
  case powerLoss
}
