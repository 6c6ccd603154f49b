/// An optional part of the contract that an implementation may offer.
///
/// The capabilities of the core are constants here; a family of operations adds its own when it is
/// registered.
public struct Capability: RawRepresentable, Hashable, Sendable, CaseIterable {
  public let rawValue: String

  /// The capability with a name; nil if neither the core nor a registered family defines it.
  public init?(rawValue: String) {
    self.init(rawValue)
    guard Self.allCases.contains(self) else { return nil }
  }

  /// A capability of a family, which lists it in its registration.
  package init(_ name: String) { rawValue = name }

  /// `resolve` ends a conflict in one atomic operation.
  public static let resolve = Capability("resolve")
  /// `compact` removes the bodies of revisions that are not leaves.
  public static let compact = Capability("compact")
  /// `purge` removes leaves without a tombstone, and ancestors that no other leaf needs.
  public static let purge = Capability("purge")
  /// `historyLimit` removes revisions that are too far above every leaf.
  public static let historyLimit = Capability("historyLimit")
  /// `batch` applies several writes completely or not at all.
  public static let atomicBatch = Capability("atomicBatch")
  /// `setValidation` makes the store reject writes that match a filter.
  public static let validation = Capability("validation")
  /// `flush` makes all acknowledged writes durable.
  public static let flush = Capability("flush")
  /// `delete` accepts a body. Every store keeps a body that arrives with a replicated record.
  public static let tombstoneBodies = Capability("tombstoneBodies")
  /// Acknowledged writes become durable only with `flush`.
  public static let delayedDurability = Capability("delayedDurability")
  /// The implementation has its own replicator, whose requests the harness transports.
  public static let replicate = Capability("replicate")
  /// Revisions have attachments: content within a line, and stubs.
  public static let attachment = Capability("attachment")
  /// Attachments have an `encoding`. Needs `attachment`.
  public static let attachmentEncoding = Capability("attachmentEncoding")
  /// Attachments are read from an offset, uploaded by `putBlob` and named by `chunks`. Needs
  /// `attachment`.
  public static let attachmentPieces = Capability("attachmentPieces")
  /// Documents are found by their content, with or without indexes.
  public static let find = Capability("find")
  /// Selectors have `$regex`.
  public static let regex = Capability("regex")
  /// Selectors compare strings as decimal numbers.
  public static let decimals = Capability("decimals")
  /// Selectors have operators for places on the Earth.
  public static let geography = Capability("geography")

  /// The capabilities of the core and of the registered families, in the order in which reports
  /// list them.
  public static var allCases: [Capability] { OperationFamily.capabilities }

  static let core: [Capability] = [
    .resolve, .compact, .purge, .historyLimit, .atomicBatch, .validation, .flush,
    .tombstoneBodies, .delayedDurability, .replicate, .attachment, .attachmentEncoding,
    .attachmentPieces, .find, .regex, .decimals, .geography,
  ]

  /// The capabilities that need `attachment`. In the first version of a list of capabilities
  /// `attachment` stands for them, too.
  package static let attachmentParts: Set<Capability> = [.attachmentEncoding, .attachmentPieces]
}

/// A guarantee beyond the core on a point that the core leaves open.
public enum Profile: String, CaseIterable, Sendable {
  /// The guarantees of every implementation of the contract.
  case core
  /// Numbers of 64 bits, any depth and names with NUL are stored exactly within the declared
  /// limits.
  case exactNumbers = "exact-numbers"
  /// `changes` returns exactly the documents that changed after `since`, in order.
  case denseChanges = "dense-changes"
  /// A sequence of another incarnation, or above `last`, yields `badSequence` or the complete feed.
  case incarnationSequences = "incarnation-sequences"
  /// Revision ids as CDTDatastore computes them.
  case cdtDigest = "cdt-digest"
  /// Revision ids are ordered as CDTDatastore orders them.
  case cdtCollation = "cdt-collation"
  /// Revision ids are computed and ordered as CouchDB does.
  case couchdb
}

/// The digest that names the revisions made by the store; fixed when the store is created.
public enum RevisionIDProfile: String, CaseIterable, Sendable {
  /// Chosen by the implementation and opaque to its clients.
  case own
  /// The digest of CDTDatastore, in its first form.
  case cdtDigest = "cdt-digest"
  /// The digest of CDTDatastore, in its second form.
  case cdtDigest2 = "cdt-digest-2"
  /// The digest of CouchDB.
  case couchdb
}

/// The order of revision ids of one generation; fixed when the store is created.
public enum CollationName: String, CaseIterable, Sendable {
  /// Generation as a number, then the bytes of the suffix.
  case bytes
  /// As `bytes`, but a suffix of 32 hexadecimal digits is compared as the 16 bytes it encodes.
  case couchdb
  /// The `REVID` collation of CDTDatastore.
  case cdt
}

/// The kinds of crashes of an implementation.
public enum CrashKind: String, CaseIterable, Sendable {
  /// The process ends; all written data remains.
  case kill
  /// Power loss: unsynced data is lost or torn.
  case powerLoss
}
