/// A part of the contract that an implementation cannot perform, although it offers the rest.
///
/// An implementation declares its restrictions. Vectors that need such a part are not tested, which
/// is never a pass; comparisons, simulations and sessions do without it.
public enum Restriction: String, CaseIterable, Hashable, Sendable {
  /// The replicator of the store writes its checkpoints on one side of a session.
  case checkpointsOnOneSide
  /// `changes` always begins at the start of the feed.
  case changesFromStart
  /// `find` cannot sort.
  case findWithoutSort
  /// `historyLimit` is the first operation on a new store, or none.
  case historyLimitAtCreation
  /// Attachments have no SHA-256 digests.
  case ownDigests
  /// A purge leaves the rows of the feed where they are.
  case purgeMovesNoRow

  /// The behavior of such a store, in one sentence for readers.
  public var sentence: String {
    switch self {
    case .checkpointsOnOneSide:
      "The store's own replicator writes its checkpoints on one side of a session only."
    case .changesFromStart:
      "`changes` always begins at the start of the feed: it has no `since`."
    case .findWithoutSort: "`find` has no `sort`."
    case .historyLimitAtCreation:
      "`historyLimit` is possible only as the first operation on a new store."
    case .ownDigests:
      "Attachments have no `digest` (SHA-256), at most a digest of the product's own form."
    case .purgeMovesNoRow:
      "A purge does not move the row of a document in the feed."
    }
  }

  /// The capability that it restricts; nil for the core.
  public var capability: Capability? {
    switch self {
    case .checkpointsOnOneSide: .replicate
    case .changesFromStart: nil
    case .findWithoutSort: .find
    case .historyLimitAtCreation: .historyLimit
    case .ownDigests: .attachment
    case .purgeMovesNoRow: .purge
    }
  }

  /// A capability that contradicts it; nil if none does.
  public var excludedCapability: Capability? {
    // Uploaded content is named by its SHA-256.
    self == .ownDigests ? .attachmentPieces : nil
  }
}

extension ImplementationDescription {
  /// Declared restrictions that contradict the declared capabilities, each as a sentence.
  package var restrictionFaults: [String] {
    Restriction.allCases.filter { restrictions.contains($0) }.compactMap { restriction in
      if let needed = restriction.capability, !capabilities.contains(needed) {
        return "'\(restriction.rawValue)' needs the capability '\(needed.rawValue)'"
      }
      if let excluded = restriction.excludedCapability, capabilities.contains(excluded) {
        return "'\(restriction.rawValue)' excludes the capability '\(excluded.rawValue)'"
      }
      return nil
    }
  }
}
