/// Options for points that Core Data leaves open or that are not verified, each with a default.
public struct ContextOptions: Hashable, Sendable {
  /// The result of an edit of a child if its parent has changed the same object in the meantime.
  public enum ParentConflict: String, CaseIterable, Sendable {
    /// The properties changed by the child win, without a notification.
    case childWins
    /// It is a merge conflict, which the policy of the child resolves.
    case conflict
  }

  /// The result of an edit of a child if its parent has deleted the object in the meantime.
  public enum DeletedInParent: String, CaseIterable, Sendable {
    /// The object remains deleted, and the edit is discarded.
    case staysDeleted
    /// The parent gets the object back, with the edit.
    case comesBack
  }

  /// Whether a save without changes posts an empty notification.
  ///
  /// True by default: Apple's contexts send an empty request to the store, and post notifications.
  public var postsOnEmptySave: Bool
  /// Whether a merged deletion counts as a change of the context.
  ///
  /// False by default: after a save and its merges no context has changes, which the three-context
  /// arrangement guarantees.
  public var mergedDeletionsAreChanges: Bool
  /// Child against parent. The child wins by default: contexts of one arrangement do not cause
  /// failures in each other, and the save of the outermost context still detects conflicts with the
  /// store.
  public var parentConflict: ParentConflict
  /// The object remains deleted by default: a save of a child cannot revert a decision of the
  /// parent.
  public var deletedInParent: DeletedInParent
  /// Whether `objectTrump` and `overwrite` recreate an object that was deleted in the store.
  ///
  /// True by default: under these policies the values of the context win.
  public var recreatesDeleted: Bool
  /// Whether objects of a child remain temporary after the store has them, until the child merges
  /// the notification of the context that saved them, or fetches or refreshes them.
  ///
  /// True by default: a save of the parent does not replace the ids in a child.
  public var childrenStayTemporary: Bool
  /// Whether the decision of a conflict after a pull is written onto the winning leaf, whichever
  /// side it favors, instead of onto the pulled leaf.
  ///
  /// False by default, as in CDTIncrementalStore: the pulled leaf stays and the local one gets a
  /// tombstone. Two devices that decide one conflict in favor of each other's version then each
  /// delete the leaf that the other one kept, and the object is deleted on both. With true, all
  /// devices delete the same leaves, so an object remains that no user has deleted. If the devices
  /// give these tombstones different revision ids, the other device's tombstone is then reported as
  /// a deletion of the object, which the next policy decides.
  public var keepsWinner: Bool

  /// Creates options.
  public init(
    postsOnEmptySave: Bool = true, mergedDeletionsAreChanges: Bool = false,
    parentConflict: ParentConflict = .childWins, deletedInParent: DeletedInParent = .staysDeleted,
    recreatesDeleted: Bool = true, childrenStayTemporary: Bool = true, keepsWinner: Bool = false
  ) {
    self.postsOnEmptySave = postsOnEmptySave
    self.mergedDeletionsAreChanges = mergedDeletionsAreChanges
    self.parentConflict = parentConflict
    self.deletedInParent = deletedInParent
    self.recreatesDeleted = recreatesDeleted
    self.childrenStayTemporary = childrenStayTemporary
    self.keepsWinner = keepsWinner
  }
}
