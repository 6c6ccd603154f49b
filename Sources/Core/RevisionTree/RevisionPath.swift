/// A revision and its ancestors, newest first, with generations that decrease by one.
public struct RevisionPath: Hashable, Sendable {
  /// At least one revision.
  public let revisions: [Revision]

  /// The path of the given revisions, or nil if the array is empty or a generation does not
  /// decrease by exactly one.
  public init?(_ revisions: [Revision]) {
    guard !revisions.isEmpty else { return nil }
    for (newer, older) in zip(revisions, revisions.dropFirst()) {
      guard newer.generation == older.generation + 1 else { return nil }
    }
    self.revisions = revisions
  }

  /// The newest revision: the one that the path describes.
  public var tip: Revision { revisions[0] }

  /// The oldest revision of the path; its own ancestors are not part of the path.
  public var oldest: Revision { revisions[revisions.count - 1] }
}
