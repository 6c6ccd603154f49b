/// A property of a conflict resolver that an application can rely on.
public enum ResolverGuarantee: String, CaseIterable, Hashable, Sendable {
  /// Each conflict gets a valid answer within the time limit.
  case answers
  /// The answer can be stored: no reserved members, and no revision other than the leaves.
  case valid
  /// The same conflict gets the same answer, also later and in another process.
  case deterministic
  /// The same conflict gets the same answer on every device.
  case deviceIndependent = "device-independent"
  /// The answer does not depend on the order of the leaves.
  case orderIndependent = "order-independent"
  /// Equal answers have the same order of members and the same form of numbers.
  case sameBytes = "same-bytes"
  /// Each conflict is resolved.
  case resolves
  /// A conflict of the outcome with a copy of itself, or with one of the leaves, is resolved to the
  /// same outcome.
  case idempotent
  /// A change that only one side made is part of the outcome.
  case keepsChanges = "keeps-changes"
  /// A member that only one side removed is not part of the outcome.
  case keepsRemovals = "keeps-removals"
  /// A document remains deleted if no other side changed it.
  case keepsDeletions = "keeps-deletions"
  /// Devices that resolve and replicate reach the same state, without a conflict.
  case converges

  /// What the guarantee requires, as a sentence.
  public var sentence: String {
    switch self {
    case .answers: "Each conflict gets a valid answer within the time limit."
    case .valid: "The answer can be stored: no reserved members, no unknown revision."
    case .deterministic:
      "The same conflict gets the same answer, also later and in another process."
    case .deviceIndependent: "The same conflict gets the same answer on every device."
    case .orderIndependent: "The answer does not depend on the order of the leaves."
    case .sameBytes:
      "Equal answers have the same order of members and the same form of numbers."
    case .resolves: "Each conflict is resolved."
    case .idempotent:
      "An outcome in conflict with a copy of itself, or with a leaf, remains the outcome."
    case .keepsChanges: "A change that only one side made is part of the outcome."
    case .keepsRemovals: "A member that only one side removed is not part of the outcome."
    case .keepsDeletions: "A document remains deleted if no other side changed it."
    case .converges:
      "Devices that resolve and replicate reach the same state, without a conflict."
    }
  }

  /// What goes wrong in an application without the guarantee.
  var consequence: String {
    switch self {
    case .answers: "The conflict is never resolved, or the application crashes at each start."
    case .valid: "The store rejects the answer, so the conflict remains."
    case .deterministic, .deviceIndependent, .orderIndependent:
      "Two devices resolve the same conflict differently, which is a new conflict or a loss."
    case .sameBytes:
      "CouchDB computes revision ids from the bytes of a body, so equal answers are a new conflict."
    case .resolves: "The conflict remains on all devices."
    case .idempotent:
      "Each further resolution changes the document, so devices can replicate without end."
    case .keepsChanges: "The user loses an edit that nothing contradicted."
    case .keepsRemovals: "What the user removed comes back."
    case .keepsDeletions: "A document that the user deleted comes back."
    case .converges: "The devices show different documents, or replicate without end."
    }
  }
}

extension Set<ResolverGuarantee> {
  /// All guarantees: for a resolver that merges.
  public static let all = Set(ResolverGuarantee.allCases)

  /// The guarantees of a resolver that takes one version as a whole: all but those about changes,
  /// removals and deletions of one side.
  public static let lastWriterWins = Set.all.subtracting([
    .keepsChanges, .keepsRemovals, .keepsDeletions,
  ])
}

/// The leaves that a resolver receives.
public enum ResolvedLeaves: String, CaseIterable, Sendable {
  /// All leaves, with tombstones. A document that one device edited and another one deleted is a
  /// conflict. Tombstones that a resolution wrote are left out, because they are no decision of a
  /// user.
  case all
  /// The live leaves, as CDTDatastore and `conflicts=true` of CouchDB return them. A document with
  /// one live leaf is not in conflict.
  case live
}
