/// A defect that only several clients at once can see.
///
/// Each one is a mutant of a model that all connections share: every operation of the correct store
/// holds one lock.
public enum RaceDefect: String, CaseIterable, Hashable, Sendable {
  // Check and write in two transactions.
  case updateCheckedBefore = "race-update-checked-before"
  case deleteCheckedBefore = "race-delete-checked-before"
  case createCheckedBefore = "race-create-checked-before"
  case resurrectionCheckedBefore = "race-resurrection-checked-before"

  // One operation in pieces.
  case resolveInPieces = "race-resolve-in-pieces"
  case batchInPieces = "race-batch-in-pieces"
  case purgeReportedBefore = "race-purge-reported-before"
  case rollbackRestoresCopy = "race-rollback-restores-copy"

  // Writes from a copy that is not current any more.
  case updateFromCopy = "race-update-from-copy"
  case insertFromCopy = "race-insert-from-copy"
  case localFromCopy = "race-local-from-copy"
  case checkpointBesideWrite = "race-checkpoint-beside-write"

  // Answers that are not true.
  case busyButDone = "race-busy-but-done"
  case conflictAfterRetry = "race-conflict-after-retry"
  case acknowledgedBeforeWrite = "race-acknowledged-before-write"
  case knownBeforeVisible = "race-known-before-visible"

  // Reads of an old state.
  case staleRead = "race-stale-read"
  case staleLeaves = "race-stale-leaves"
  case staleList = "race-stale-list"
  case staleDifference = "race-stale-difference"
  case staleCounts = "race-stale-counts"
  case indexLags = "race-index-lags"
  case indexWithoutChanging = "race-index-without-changing"
  case dirtyRead = "race-dirty-read"

  // The feed.
  case feedByStart = "race-feed-by-start"
  case rowBeforeCommit = "race-row-before-commit"
  case lastAheadOfWrites = "race-last-ahead-of-writes"
  case positionsInBlocks = "race-positions-in-blocks"
  case feedSkipsWriting = "race-feed-skips-writing"

  // Attachments.
  case contentRemovedWhileRead = "race-content-removed-while-read"

  /// What the store does, as a sentence.
  public var sentence: String {
    switch self {
    case .updateCheckedBefore:
      "update checks the revision in one transaction and writes in another."
    case .deleteCheckedBefore:
      "delete checks the revision in one transaction and writes in another."
    case .createCheckedBefore:
      "create looks for the document in one transaction and writes in another."
    case .resurrectionCheckedBefore:
      "create on a deleted document reads the tombstone in one transaction and writes in another."
    case .resolveInPieces: "resolve writes each tombstone in a transaction of its own."
    case .batchInPieces: "batch performs each write in a transaction of its own."
    case .purgeReportedBefore: "purge determines the removed leaves before its transaction."
    case .rollbackRestoresCopy:
      "A failed batch restores the state before it, with all other writes."
    case .updateFromCopy: "update writes back a copy of the store that is not current any more."
    case .insertFromCopy: "insertRevisions writes back a copy that is not current any more."
    case .localFromCopy: "writeLocal writes back all local documents, as they were before."
    case .checkpointBesideWrite:
      "A write stores the local documents with it, as they were at its beginning."
    case .busyButDone: "A write that waits is reported as busy and is performed afterwards."
    case .conflictAfterRetry: "An update is repeated after it succeeded, and reports the conflict."
    case .acknowledgedBeforeWrite: "An update is acknowledged before it is written."
    case .knownBeforeVisible: "A record that another client is inserting is acknowledged at once."
    case .staleRead: "read shows the state before the latest write of another client."
    case .staleLeaves: "leaves shows the state before the latest write of another client."
    case .staleList: "list shows the state before the latest write of another client."
    case .staleDifference: "revsDiff compares with the state before the latest write."
    case .staleCounts: "info returns the counts before the latest write."
    case .indexLags: "find uses an index without the latest write."
    case .indexWithoutChanging: "find misses a document while an update of it is running."
    case .dirtyRead: "Other clients see the writes of a batch that then fails."
    case .feedByStart: "The feed has writes in the order of their beginnings."
    case .rowBeforeCommit:
      "The position of a write is taken, and covered by last, before its commit."
    case .lastAheadOfWrites: "last covers the positions of writes that are not yet in the page."
    case .positionsInBlocks:
      "Each connection takes the positions of its writes from a block of its own."
    case .feedSkipsWriting: "A page leaves out documents that are being written."
    case .contentRemovedWhileRead:
      "compact removes content between the look-up and the reading of an attachment."
    }
  }
}
