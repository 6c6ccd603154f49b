/// An optional part of the contract that an implementation may offer.
public enum Capability: String, CaseIterable, Sendable {
  case resolve
  case compact
  case purge
  case historyLimit
  case atomicBatch
  case validation
  case flush
  /// `delete` takes a body. One that arrives with a record is kept by every store.
  case tombstoneBodies
  /// Acknowledged writes become durable only with `flush`.
  case delayedDurability
  /// The implementation has a replicator of its own, whose requests the harness carries.
  case replicate
  /// Revisions have attachments.
  case attachment
  /// Objects of a model are kept as documents.
  case objects
  /// Documents are found by what is in them, with indexes or without.
  case find
  /// Selectors have `$regex`.
  case regex
  /// Selectors compare strings as decimal numbers.
  case decimals
  /// Selectors ask for places on the Earth.
  case geography
  /// Objects are edited in contexts, and saved with merge policies.
  case contexts
  /// Three contexts over one store: a writer below a main and a background context.
  case stacks
  /// Clients save objects to collections of a backend, through a cache and an offline queue.
  case collections
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
