/// How many steps of each kind a storage has taken since it was made.
public struct StorageCounts: Hashable, Sendable {
  public var reads = 0
  public var writes = 0
  public var bytesWritten = 0
  public var truncations = 0
  /// Syncs of file contents.
  public var syncs = 0
  public var creations = 0
  public var deletions = 0
  public var directorySyncs = 0

  public init() {}
}
