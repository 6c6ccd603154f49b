/// How many steps were attempted on a storage since it was made, whether or not they succeeded.
public struct StorageCounts: Hashable, Sendable {
  /// How many bytes were written to files.
  public internal(set) var bytesWritten = 0
  /// How many locks were asked for; asking is no step.
  public internal(set) var locks = 0
  /// How often names or lengths of files were looked up, which is no step either.
  public internal(set) var lookUps = 0
  /// The steps that are changes.
  public private(set) var changes = 0

  private static let roleCount = FileRole.allCases.count
  private var table = [Int](repeating: 0, count: StorageStep.Kind.allCases.count * roleCount)

  init() {}

  /// The steps of a kind on files of one role.
  public subscript(kind: StorageStep.Kind, role: FileRole) -> Int {
    table[kind.rawValue * Self.roleCount + role.rawValue]
  }

  /// The steps of a kind on all files.
  public subscript(kind: StorageStep.Kind) -> Int {
    table[kind.rawValue * Self.roleCount..<(kind.rawValue + 1) * Self.roleCount].reduce(0, +)
  }

  /// Counts the next step of a kind on a role and answers which it is.
  mutating func count(_ kind: StorageStep.Kind, _ role: FileRole) -> StorageStep {
    let place = kind.rawValue * Self.roleCount + role.rawValue
    table[place] += 1
    let step = StorageStep(kind, role, ordinal: table[place])
    if step.isChange { changes += 1 }
    return step
  }
}
