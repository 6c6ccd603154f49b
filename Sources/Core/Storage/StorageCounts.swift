/// The number of steps attempted on a storage since its creation, successful or not.
public struct StorageCounts: Hashable, Sendable {
  /// The number of bytes written to files.
  public internal(set) var bytesWritten = 0
  /// The number of lock requests; a lock request is not a step.
  public internal(set) var locks = 0
  /// The number of look-ups of names or lengths of files; a look-up is not a step.
  public internal(set) var lookUps = 0
  /// The number of steps that are changes.
  public private(set) var changes = 0

  private static let roleCount = FileRole.allCases.count
  private var table = [Int](repeating: 0, count: StorageStep.Kind.allCases.count * roleCount)

  init() {}

  /// The number of steps of a kind on files of one role.
  public subscript(kind: StorageStep.Kind, role: FileRole) -> Int {
    table[kind.rawValue * Self.roleCount + role.rawValue]
  }

  /// The number of steps of a kind on all files.
  public subscript(kind: StorageStep.Kind) -> Int {
    table[kind.rawValue * Self.roleCount..<(kind.rawValue + 1) * Self.roleCount].reduce(0, +)
  }

  /// Counts the next step of a kind on a role and returns it.
  mutating func count(_ kind: StorageStep.Kind, _ role: FileRole) -> StorageStep {
    let place = kind.rawValue * Self.roleCount + role.rawValue
    table[place] += 1
    let step = StorageStep(kind, role, ordinal: table[place])
    if step.isChange { changes += 1 }
    return step
  }
}
