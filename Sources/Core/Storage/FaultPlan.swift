/// What goes wrong on a storage, and when; decided by whoever runs it.
public struct FaultPlan: Hashable, Sendable {
  /// What goes wrong with steps; the first one that fits a step decides.
  public var faults: [StorageFault]
  /// Which of the locks that are asked for somebody else holds, by `StorageCounts.locks`.
  public var heldLocks: ClosedRange<Int>?
  /// Which look-ups of names and lengths fail, by `StorageCounts.lookUps`.
  public var failedLookUps: ClosedRange<Int>?
  /// The process is dead as soon as `StorageCounts.changes` is this many: every later step fails,
  /// until the storage is restarted. Nil lets it live.
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

  /// What goes wrong with a step.
  func effect(on step: StorageStep) -> StorageFault.Effect? {
    faults.first {
      $0.kind == step.kind && $0.role == step.role && $0.ordinals.contains(step.ordinal)
    }?.effect
  }
}

/// Steps that go wrong, and in which way.
public struct StorageFault: Hashable, Sendable {
  /// How a step goes wrong.
  public enum Effect: Int, CaseIterable, Sendable {
    /// It fails and does nothing. What a failed sync of a file should have made durable can stay or
    /// go at the next power loss, whatever is synced later: the system thinks that it is written.
    /// A failed sync of the folder can be repeated.
    case io
    /// It fails for want of room, and does nothing.
    case full
    /// It says that it succeeded and does nothing; of a read, the second half comes as zero. No
    /// store can keep its promises then, so this is for showing that loss is noticed.
    case lie
  }

  public var kind: StorageStep.Kind
  public var role: FileRole
  /// Which of the steps of this kind on this role.
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

  /// One step that goes wrong.
  public init(_ effect: Effect, at step: StorageStep) {
    self.init(effect, step.kind, role: step.role, ordinals: step.ordinal...step.ordinal)
  }
}
