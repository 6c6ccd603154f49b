/// A revision and its ancestors, newest first, generations falling by one.
public struct RevisionPath: Hashable, Sendable {
  /// At least one revision.
  public let revisions: [Revision]

  /// The path of the given revisions, or nil when there are none or a generation does not fall by
  /// exactly one.
  public init?(_ revisions: [Revision]) {
    guard !revisions.isEmpty else { return nil }
    for (newer, older) in zip(revisions, revisions.dropFirst()) {
      guard newer.generation == older.generation + 1 else { return nil }
    }
    self.revisions = revisions
  }

  /// The newest revision, which the path is about.
  public var tip: Revision { revisions[0] }

  /// The oldest revision, beyond which the path says nothing.
  public var oldest: Revision { revisions[revisions.count - 1] }
}
