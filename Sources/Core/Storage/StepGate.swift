internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The one gate that every step on the files passes, before it happens.
///
/// There is no other way to the bytes, so a limit, a count or a fault belongs here and nowhere else.
final class StepGate {
  /// What is to become of a step.
  enum Verdict {
    /// It is to be done.
    case happens
    /// It is to be left undone and reported as done.
    case pretends
    /// It is to be left undone and reported with a result code of SQLite.
    case fails(CInt)
  }

  private(set) var counts = StorageCounts()
  /// FNV-1a over kind, role and effect of every step, and over the restarts.
  private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  /// The error number of the system under the last failure.
  private(set) var lastErrorNumber: CInt = 0
  /// The step that was admitted last.
  private(set) var lastStep = StorageStep(.open, .other, ordinal: 0)
  var plan = FaultPlan()
  var isReadOnly = false
  var onStep: ((StorageStep, StorageFault.Effect?) -> Void)?

  /// Whether the process is dead.
  var isDead: Bool { plan.deadAfterChanges.map { counts.changes >= $0 } ?? false }

  /// Whether the last failure was for want of room.
  var isOutOfRoom: Bool { lastErrorNumber == ENOSPC }

  /// Counts a step and says what is to become of it; a dead process takes none.
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

  /// Counts a lock that is asked for; false when somebody else holds it.
  func admitLock() -> Bool {
    counts.locks += 1
    return plan.heldLocks?.contains(counts.locks) != true
  }

  /// Counts a look-up of names or lengths; false when it fails.
  func admitLookUp() -> Bool {
    counts.lookUps += 1
    guard plan.failedLookUps?.contains(counts.lookUps) == true else { return true }
    lastErrorNumber = EIO
    return false
  }

  /// Refuses what is no step, such as opening a file that is not there.
  func refuse(_ code: CInt) -> CInt {
    lastErrorNumber = isDead ? EIO : 0
    return code
  }

  /// The process is a new one, and lives.
  func restart() {
    plan.deadAfterChanges = nil
    fold(0xfe)
  }

  /// Goes on counting where another one is; what goes wrong is not taken over.
  func resume(from other: StepGate) {
    counts = other.counts
    digest = other.digest
    lastStep = other.lastStep
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
  /// What SQLite's own VFS reports when the system fails at this.
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

  /// Whether a folder that may not be changed refuses it.
  fileprivate var isReadOnlyRefused: Bool {
    switch self {
    case .create, .write, .truncate, .delete, .rename: true
    case .open, .read, .sync, .syncDirectory: false
    }
  }
}
