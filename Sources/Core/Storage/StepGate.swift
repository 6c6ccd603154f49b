internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The gate that every step on the files passes before it is performed.
///
/// No other code accesses the bytes, so limits, counts and faults are implemented here only.
final class StepGate {
  /// The decision about a step.
  enum Verdict {
    /// The step is performed.
    case happens
    /// The step is not performed but reported as successful.
    case pretends
    /// The step is not performed and fails with a result code of SQLite.
    case fails(CInt)
  }

  private(set) var counts = StorageCounts()
  /// FNV-1a over the kind, role and effect of every step, and over the restarts.
  private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  /// The system's error number (`errno`) of the last failure.
  private(set) var lastErrorNumber: CInt = 0
  /// The step that was admitted last.
  private(set) var lastStep = StorageStep(.open, .other, ordinal: 0)
  var plan = FaultPlan()
  var isReadOnly = false
  /// Called at the beginning of each operation on the files, of each request for a lock and of each
  /// wait: the points where another connection can come between.
  var onTurn: (() -> Void)?
  /// Called with a hash of what an operation on the files returned to a connection.
  var onObservation: ((UInt64) -> Void)?
  /// The connection whose turn it is, as the owner of new handles.
  var owner: () -> Int = { 0 }
  var onStep: ((StorageStep, StorageFault.Effect?) -> Void)?

  /// Whether the process has crashed.
  var isDead: Bool { plan.deadAfterChanges.map { counts.changes >= $0 } ?? false }

  /// Whether the last failure was a full disk.
  var isOutOfRoom: Bool { lastErrorNumber == ENOSPC }

  /// Counts a step and returns the decision about it; after a crash every step fails and is not
  /// counted.
  func admit(
    _ kind: StorageStep.Kind, _ role: FileRole, hasRoom: Bool = true
  ) -> Verdict {
    if isDead { return fail(kind.failure, EIO) }
    let step = counts.count(kind, role)
    lastStep = step
    let effect = plan.effect(on: step) ?? (hasRoom ? nil : .full)
    fold(UInt8(kind.rawValue))
    fold(UInt8(role.rawValue))
    fold(effect.map { UInt8($0.rawValue) } ?? 0xff)
    onStep?(step, effect)
    if isReadOnly, kind.isReadOnlyRefused, role != .shm { return fail(SQLITE_READONLY, EROFS) }
    switch effect {
    case nil: return .happens
    case .io: return fail(kind.failure, EIO)
    case .full: return fail(kind == .write ? SQLITE_FULL : kind.failure, ENOSPC)
    case .lie: return .pretends
    }
  }

  /// Counts a lock request; returns false if another process has the lock.
  func admitLock() -> Bool {
    counts.locks += 1
    return plan.heldLocks?.contains(counts.locks) != true
  }

  /// Counts a look-up of names or lengths; returns false if it fails.
  func admitLookUp() -> Bool {
    counts.lookUps += 1
    guard plan.failedLookUps?.contains(counts.lookUps) == true else { return true }
    lastErrorNumber = EIO
    return false
  }

  /// Fails an operation that is not a step, such as opening a missing file.
  func refuse(_ code: CInt) -> CInt {
    lastErrorNumber = isDead ? EIO : 0
    return code
  }

  /// Starts a new process.
  func restart() {
    plan.deadAfterChanges = nil
    fold(0xfe)
  }

  /// Continues the counts of another gate; its faults are not copied.
  func resume(from other: StepGate) {
    counts = other.counts
    digest = other.digest
    lastStep = other.lastStep
  }

  func observe(_ result: some BinaryInteger) {
    onObservation?(UInt64(truncatingIfNeeded: result))
  }

  func countWrittenBytes(_ count: Int) { counts.bytesWritten += count }

  private func fail(_ code: CInt, _ errorNumber: CInt) -> Verdict {
    lastErrorNumber = errorNumber
    return .fails(code)
  }

  private func fold(_ byte: UInt8) {
    digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }
}

extension StorageStep.Kind {
  /// The result code of SQLite's own VFS for a failure of this step.
  fileprivate var failure: CInt {
    switch self {
    case .open, .create: SQLITE_CANTOPEN
    case .read: ioError(1)
    case .write: ioError(3)
    case .sync: ioError(4)
    case .syncDirectory: ioError(5)
    case .truncate: ioError(6)
    case .delete, .rename: ioError(10)
    }
  }

  /// Whether a read-only folder rejects this step.
  fileprivate var isReadOnlyRefused: Bool {
    switch self {
    case .create, .write, .truncate, .delete, .rename: true
    case .open, .read, .sync, .syncDirectory: false
    }
  }
}
