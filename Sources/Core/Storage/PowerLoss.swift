/// The outcomes of a power loss for unsynced changes, chosen by the caller.
public struct PowerLoss: Hashable, Sendable {
  /// The outcome of a power loss for one change.
  public enum Outcome: Hashable, Sendable {
    case dropped
    case kept
    /// For a write, bit n is set if the n-th sector of the write is kept; from sector 64 on the
    /// bits repeat. The file has its length after the complete write. Any other change is kept.
    case torn(sectors: UInt64)
  }

  /// The size of a sector in bytes; a sector is written completely or not at all.
  public static let sectorBytes = 512

  /// The outcome for changes that `outcomes` does not name.
  public var others: Outcome
  /// The outcomes for changes, by `UnsyncedChange.number`.
  public var outcomes: [Int: Outcome]

  public init(others: Outcome = .dropped, outcomes: [Int: Outcome] = [:]) {
    self.others = others
    self.outcomes = outcomes
  }

  /// The outcome for the change with this number.
  func outcome(of number: Int) -> Outcome { outcomes[number] ?? others }
}

/// A change that a power loss may undo.
///
/// Changes are independent of each other. This is a superset of the behavior of disks: a disk may
/// keep a later change and lose an earlier one, but rarely within one sector.
public struct UnsyncedChange: Hashable, Sendable {
  /// The value of `StorageCounts.changes` when the change happened, unique in a storage.
  public let number: Int
  /// The step that made the change: a creation, a write, a truncation, a deletion or a rename.
  public let step: StorageStep
  /// The name of the changed file.
  public let fileName: String
  /// The number of sectors that a write touches; 0 for other changes.
  public let sectorCount: Int
}
