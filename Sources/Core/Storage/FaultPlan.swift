/// The faults of a storage and when they happen, chosen by the caller.
public struct FaultPlan: Hashable, Sendable {
  /// The faults of steps; the first fault that matches a step applies.
  public var faults: [StorageFault]
  /// The lock requests that fail because another process has the lock, by `StorageCounts.locks`.
  public var heldLocks: ClosedRange<Int>?
  /// The look-ups of names and lengths that fail, by `StorageCounts.lookUps`.
  public var failedLookUps: ClosedRange<Int>?
  /// The process crashes as soon as `StorageCounts.changes` reaches this number: every later step
  /// fails until the storage is restarted. Nil means no crash.
  public var deadAfterChanges: Int?

  public init(
    _ faults: [StorageFault] = [], heldLocks: ClosedRange<Int>? = nil,
    failedLookUps: ClosedRange<Int>? = nil, deadAfterChanges: Int? = nil
  ) {
    self.faults = faults
    self.heldLocks = heldLocks
    self.failedLookUps = failedLookUps
    self.deadAfterChanges = deadAfterChanges
  }

  /// The fault of a step, or nil.
  func effect(on step: StorageStep) -> StorageFault.Effect? {
    faults.first {
      $0.kind == step.kind && $0.role == step.role && $0.ordinals.contains(step.ordinal)
    }?.effect
  }
}

/// A fault of one or several steps.
public struct StorageFault: Hashable, Sendable {
  /// The effect of a fault.
  public enum Effect: Int, CaseIterable, Sendable {
    /// The step fails without effect. After a failed sync of a file, the changes that it should
    /// have made durable may survive or be lost at the next power loss, whatever is synced later,
    /// because the system treats them as written. A failed sync of the folder can be repeated.
    case io
    /// The step fails without effect because the disk is full.
    case full
    /// The step reports success without effect; for a read, the second half of the bytes is zero.
    /// No store can be correct under this fault, so it serves to show that data loss is detected.
    case lie
  }

  public var kind: StorageStep.Kind
  public var role: FileRole
  /// The affected steps of this kind on this role, by ordinal.
  public var ordinals: ClosedRange<Int>
  public var effect: Effect

  public init(
    _ effect: Effect, _ kind: StorageStep.Kind, role: FileRole, ordinals: ClosedRange<Int>
  ) {
    self.kind = kind
    self.role = role
    self.ordinals = ordinals
    self.effect = effect
  }

  /// A fault of one step.
  public init(_ effect: Effect, at step: StorageStep) {
    self.init(effect, step.kind, role: step.role, ordinals: step.ordinal...step.ordinal)
  }
}
