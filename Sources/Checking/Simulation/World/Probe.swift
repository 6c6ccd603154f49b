/// A rare event that a campaign should contain; a low count means weak coverage.
public enum Probe: String, CaseIterable, Hashable, Sendable {
  // The network.
  /// Request lost.
  case requestLost = "request lost"
  /// Response lost after the store acted.
  case responseLost = "response lost after the store acted"
  /// Message delivered twice.
  case messageTwice = "message delivered twice"
  /// Message delivered late.
  case messageLate = "message delivered late"
  /// Response that arrived too late.
  case answerToNobody = "response that arrived too late"
  /// Error status of a peer.
  case statusError = "error status of a peer"
  /// Answer truncated.
  case truncated = "answer truncated"
  /// Answer without its last item.
  case partial = "answer without its last item"
  /// Message stopped by a partition.
  case partitioned = "message stopped by a partition"
  /// Message stopped on a link that is open in the opposite direction.
  case oneWay = "message stopped on a way that is open in the other direction"
  // Replicas.
  /// Process killed.
  case killed = "process killed"
  /// Power lost.
  case powerLost = "power lost"
  /// Crash during an operation.
  case crashedInOperation = "crash in the midst of an operation"
  /// Crash of the replica that drives a session.
  case crashedInSession = "crash of the replica that drives a session"
  /// Crash of the other replica of a session.
  case peerCrashed = "crash of the other replica of a session"
  /// Wrong clock.
  case clockWrong = "clock set wrong"
  /// Crash during the opening of a store after a crash.
  case crashedInOpening = "crash while a store was opened after a crash"
  /// Write refused by a full disk.
  case storageFull = "write refused by a full disk"
  /// Access refused by a failing disk.
  case storageFailing = "access refused by a failing disk"
  /// Store restored from a copy.
  case restored = "store set back to a copy"
  /// Store destroyed and created again.
  case destroyed = "store destroyed and created again"
  // Files of replicas.
  /// Crash between two changes of files that belong together.
  case crashedAtStep = "crash between two changes of files that belong together"
  /// Unsynced change lost in a power loss.
  case unsyncedLost = "change lost with the power"
  /// Write torn in a power loss.
  case writeTorn = "write torn with the power"
  // Documents.
  /// Document with two live leaves.
  case conflicted = "document with two live leaves"
  /// Live leaf beside a longer deleted branch.
  case conflictWithTombstone = "live leaf beside a longer deleted branch"
  /// Conflict resolved.
  case resolved = "conflict resolved"
  /// Conflict resolved on two replicas.
  case resolvedTwice = "conflict resolved on two replicas"
  /// Deleted document created again.
  case recreated = "deleted document created again"
  /// Store compacted.
  case compacted = "store compacted"
  /// Leaf purged.
  case purged = "leaf purged"
  /// Record refused by validation.
  case refusedByClientRule = "record refused by validation"
  /// Revisions inserted by a client.
  case imported = "revisions brought by a client"
  /// History limit set.
  case limited = "history limit set"
  /// Edit of a leaf that does not win.
  case losingLeafEdited = "losing leaf edited"
  /// Leaves with different attachments of one name.
  case attachmentsBranched = "leaves with different attachments of one name"
  /// Equal edits of one parent with different revision ids on two replicas.
  case lostConvergence = "equal edits with different revision ids"
  // Attachments.
  /// Revision written with attachments.
  case attached = "revision written with attachments"
  /// Attachment transferred as a stub.
  case stubTaken = "attachment travelled as a stub"
  /// Stub of an attachment that the target lacks.
  case stubMissing = "stub of what the target lacks"
  /// Bytes of a message damaged.
  case damaged = "bytes of a message damaged"
  /// Record rejected because its content arrived damaged.
  case contentDamaged = "record refused because content came damaged"
  /// Content transferred piece by piece.
  case pieced = "content brought piece by piece"
  /// Piece of content lost.
  case pieceLost = "piece of content lost"
  /// Content not transferred because the target has it.
  case contentShared = "content not brought because the target has it"
  /// Transfer of content resumed after an interruption.
  case contentResumed = "content brought on from where it was cut off"
  /// Crash during a transfer of content.
  case contentCutOff = "crash while content was brought"
  // Applications that edit objects in contexts.
  /// Conflict of a pull resolved by `storeTrump`.
  case settledByStoreTrump = "conflict of a pull settled by storeTrump"
  /// Conflict of a pull resolved by `objectTrump`.
  case settledByObjectTrump = "conflict of a pull settled by objectTrump"
  /// Conflict of a pull resolved by `overwrite`.
  case settledByOverwrite = "conflict of a pull settled by overwrite"
  /// Conflict of a pull resolved by `rollback`.
  case settledByRollback = "conflict of a pull settled by rollback"
  /// Conflict of a pull rejected by `error`.
  case refusedByError = "conflict of a pull refused by error"
  /// Conflict at a save resolved by the policy of the context.
  case conflictAtSave = "conflict at a save settled by the policy of the context"
  /// Save refused because of a conflict.
  case conflictRefused = "save refused because of a conflict"
  /// Object deleted on the other side and edited on this one.
  case deletedThere = "object deleted there and edited here"
  /// Object deleted on this side and edited on the other one.
  case livesAgain = "object deleted here and edited there"
  /// Object with more than two live leaves.
  case manyLeaves = "object with more than two live leaves"
  /// Deletion denied.
  case denied = "deletion denied"
  /// Crash with changes that were not saved.
  case unsavedLost = "crash with changes that were not saved"
  /// Changes of a child saved into its parent.
  case childSaved = "changes of a child saved into its parent"
  // Sessions.
  /// Session resumed from a checkpoint.
  case resumed = "session resumed from a checkpoint"
  /// Session resumed from an older checkpoint than the newest.
  case fellBack = "session resumed from an older checkpoint than the newest"
  /// Session without a common checkpoint although one side has a checkpoint.
  case startedOver = "session without a common checkpoint although one side remembers"
  /// Filtered session complete.
  case filtered = "filtered session complete"
  /// Two sessions of one checkpoint at the same time.
  case shared = "two sessions of one checkpoint at the same time"
  /// Request repeated.
  case retried = "request repeated"
  /// Newer leaf in place of the requested one.
  case replaced = "newer leaf in the place of the one asked for"
  /// Revision purged between two answers.
  case vanished = "revision purged between two answers"
  /// Session cancelled while it worked.
  case cancelled = "session cancelled while it worked"
  /// Continuous session resting.
  case continuous = "continuous session resting"
  /// Session ended because a store was replaced.
  case identityChanged = "session ended because a store was replaced"
  /// Session ended with an error.
  case failedSession = "session ended with an error"
  /// Checkpoint saved before the end of a session.
  case savedInBetween = "checkpoint saved before the end of a session"
  /// Sequences encoded differently.
  case reencoded = "sequences encoded differently"
  /// Checkpoints lost.
  case lostCheckpoint = "checkpoints lost"
}

extension Probe {
  /// Whether it fires only for stores with files.
  public var needsFiles: Bool {
    switch self {
    case .crashedAtStep, .unsyncedLost, .writeTorn: true
    default: false
    }
  }
}

extension Probe {
  /// Whether it counts needless conflicts, which a store should not make.
  public var isShortcoming: Bool { self == .lostConvergence }
}

extension Probe {
  /// Whether it fires only for revisions with attachments.
  public var needsAttachments: Bool {
    switch self {
    case .attached, .stubTaken, .stubMissing, .damaged, .contentDamaged, .pieced, .pieceLost,
      .contentShared, .contentResumed, .contentCutOff, .attachmentsBranched:
      true
    default: false
    }
  }
}

extension Probe {
  /// Whether it fires only for applications that edit objects in contexts.
  public var needsContexts: Bool {
    switch self {
    case .settledByStoreTrump, .settledByObjectTrump, .settledByOverwrite, .settledByRollback,
      .refusedByError, .conflictAtSave, .conflictRefused, .deletedThere, .livesAgain, .manyLeaves,
      .denied, .unsavedLost, .childSaved:
      true
    default: false
    }
  }

  /// Whether it fires only for clients that edit documents themselves.
  public var needsDocuments: Bool {
    switch self {
    case .resolved, .resolvedTwice, .recreated, .purged, .refusedByClientRule, .restored,
      .imported, .limited, .losingLeafEdited, .attachmentsBranched, .destroyed, .filtered,
      .identityChanged, .conflicted,
      .conflictWithTombstone, .vanished,
      .compacted, .continuous:
      true
    default: false
    }
  }
}

/// The number of times that each probe fired.
public struct ProbeCounts: Hashable, Sendable {
  private var counts: [Int]

  /// Creates counts of 0.
  public init() { counts = Array(repeating: 0, count: Probe.allCases.count) }

  private static let places = Dictionary(
    uniqueKeysWithValues: Probe.allCases.enumerated().map { ($1, $0) })

  /// The count of a probe.
  public subscript(probe: Probe) -> Int {
    get { counts[Self.places[probe] ?? 0] }
    set { counts[Self.places[probe] ?? 0] = newValue }
  }

  /// Adds the counts of another run.
  public static func += (left: inout ProbeCounts, right: ProbeCounts) {
    for place in left.counts.indices { left.counts[place] += right.counts[place] }
  }
}
