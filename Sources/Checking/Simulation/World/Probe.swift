/// Rare things that a campaign should have met; one that was met too seldom makes it weak.
public enum Probe: String, CaseIterable, Hashable, Sendable {
  // The network.
  case requestLost = "request lost"
  case responseLost = "response lost after the store acted"
  case messageTwice = "message delivered twice"
  case messageLate = "message delivered late"
  case answerToNobody = "response that arrived too late"
  case statusError = "error status of a peer"
  case truncated = "answer truncated"
  case partial = "answer without its last item"
  case partitioned = "message stopped by a partition"
  case oneWay = "message stopped on a way that is open in the other direction"
  // Replicas.
  case killed = "process killed"
  case powerLost = "power lost"
  case crashedInOperation = "crash in the midst of an operation"
  case crashedInSession = "crash of the replica that drives a session"
  case peerCrashed = "crash of the other replica of a session"
  case clockWrong = "clock set wrong"
  case crashedInOpening = "crash while a store was opened after a crash"
  case storageFull = "write refused by a full disk"
  case storageFailing = "access refused by a failing disk"
  case restored = "store set back to a copy"
  case destroyed = "store destroyed and created again"
  // Files of replicas, where there are any.
  case crashedAtStep = "crash between two changes of files that belong together"
  case unsyncedLost = "change lost with the power"
  case writeTorn = "write torn with the power"
  // Documents.
  case conflicted = "document with two live leaves"
  case conflictWithTombstone = "live leaf beside a longer deleted branch"
  case resolved = "conflict resolved"
  case resolvedTwice = "conflict resolved on two replicas"
  case recreated = "deleted document created again"
  case compacted = "store compacted"
  case purged = "leaf purged"
  case refusedByClientRule = "record refused by validation"
  case imported = "revisions brought by a client"
  case limited = "history limit set"
  // Attachments.
  case attached = "revision written with attachments"
  case stubTaken = "attachment travelled as a stub"
  case stubMissing = "stub of what the target lacks"
  case damaged = "bytes of a message damaged"
  case contentDamaged = "record refused because content came damaged"
  case pieced = "content brought piece by piece"
  case pieceLost = "piece of content lost"
  case contentShared = "content not brought because the target has it"
  case contentResumed = "content brought on from where it was cut off"
  case contentCutOff = "crash while content was brought"
  // Applications that edit objects in contexts.
  case settledByStoreTrump = "conflict of a pull settled by storeTrump"
  case settledByObjectTrump = "conflict of a pull settled by objectTrump"
  case settledByOverwrite = "conflict of a pull settled by overwrite"
  case settledByRollback = "conflict of a pull settled by rollback"
  case refusedByError = "conflict of a pull refused by error"
  case conflictAtSave = "conflict at a save settled by the policy of the context"
  case conflictRefused = "save refused because of a conflict"
  case deletedThere = "object deleted there and edited here"
  case livesAgain = "object deleted here and edited there"
  case manyLeaves = "object with more than two live leaves"
  case denied = "deletion denied"
  case unsavedLost = "crash with changes that were not saved"
  case childSaved = "changes of a child saved into its parent"
  // Sessions.
  case resumed = "session resumed from a checkpoint"
  case fellBack = "session resumed from an older checkpoint than the newest"
  case startedOver = "session without a common checkpoint although one side remembers"
  case filtered = "filtered session complete"
  case shared = "two sessions of one checkpoint at the same time"
  case retried = "request repeated"
  case replaced = "newer leaf in the place of the one asked for"
  case vanished = "revision purged between two answers"
  case cancelled = "session cancelled while it worked"
  case continuous = "continuous session resting"
  case identityChanged = "session ended because a store was replaced"
  case failedSession = "session ended with an error"
  case savedInBetween = "checkpoint saved before the end of a session"
  case reencoded = "sequences encoded differently"
  case lostCheckpoint = "checkpoints lost"
}

extension Probe {
  /// Whether it can fire only where stores have files.
  public var needsFiles: Bool {
    switch self {
    case .crashedAtStep, .unsyncedLost, .writeTorn: true
    default: false
    }
  }
}

extension Probe {
  /// Whether it can fire only where revisions have attachments.
  public var needsAttachments: Bool {
    switch self {
    case .attached, .stubTaken, .stubMissing, .damaged, .contentDamaged, .pieced, .pieceLost,
      .contentShared, .contentResumed, .contentCutOff:
      true
    default: false
    }
  }
}

extension Probe {
  /// Whether it can fire only where applications edit objects in contexts.
  public var needsContexts: Bool {
    switch self {
    case .settledByStoreTrump, .settledByObjectTrump, .settledByOverwrite, .settledByRollback,
      .refusedByError, .conflictAtSave, .conflictRefused, .deletedThere, .livesAgain, .manyLeaves,
      .denied, .unsavedLost, .childSaved:
      true
    default: false
    }
  }

  /// Whether it fires only where clients edit documents themselves.
  public var needsDocuments: Bool {
    switch self {
    case .resolved, .resolvedTwice, .recreated, .purged, .refusedByClientRule, .restored,
      .imported, .limited, .destroyed, .filtered, .identityChanged, .conflicted,
      .conflictWithTombstone, .vanished,
      .compacted, .continuous:
      true
    default: false
    }
  }
}

/// How often each probe fired.
public struct ProbeCounts: Hashable, Sendable {
  private var counts: [Int]

  public init() { counts = Array(repeating: 0, count: Probe.allCases.count) }

  private static let places = Dictionary(
    uniqueKeysWithValues: Probe.allCases.enumerated().map { ($1, $0) })

  public subscript(probe: Probe) -> Int {
    get { counts[Self.places[probe] ?? 0] }
    set { counts[Self.places[probe] ?? 0] = newValue }
  }

  public static func += (left: inout ProbeCounts, right: ProbeCounts) {
    for place in left.counts.indices { left.counts[place] += right.counts[place] }
  }
}
