/// What a power loss leaves of the changes that were not synced; decided by whoever runs it.
public struct PowerLoss: Hashable, Sendable {
  /// What becomes of one change.
  public enum Fate: Hashable, Sendable {
    case dropped
    case kept
    /// Of a write, bit n says whether the n-th sector that it touches is kept; after 64 the bits
    /// begin again. The file is as long as after the whole write. Any other change is kept.
    case torn(sectors: UInt64)
  }

  /// A sector is written entirely or not at all.
  public static let sectorBytes = 512

  /// The fate of a change that `fates` does not name.
  public var others: Fate
  /// The fates of changes, by `UnsyncedChange.number`.
  public var fates: [Int: Fate]

  public init(others: Fate = .dropped, fates: [Int: Fate] = [:]) {
    self.others = others
    self.fates = fates
  }

  /// The fate of the change with this number.
  func fate(of number: Int) -> Fate { fates[number] ?? others }
}

/// A change that a power loss may undo.
///
/// They are independent of each other, which is more than disks do: a disk may keep what came later
/// and lose what came before, but hardly within one sector.
public struct UnsyncedChange: Hashable, Sendable {
  /// The value of `StorageCounts.changes` when it happened: a number of its own in a storage.
  public let number: Int
  /// The step that made it: a creation, a write, a truncation or a deletion.
  public let step: StorageStep
  /// The file that it was made on.
  public let fileName: String
  /// How many sectors a write touches; 0 for other changes.
  public let sectorCount: Int
}
