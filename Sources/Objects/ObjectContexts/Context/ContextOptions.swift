/// Points that Core Data leaves open, or that are not known for sure, each with a default.
public struct ContextOptions: Hashable, Sendable {
  /// What becomes of an edit of a child when its parent has changed the same object meanwhile.
  public enum ParentConflict: String, CaseIterable, Sendable {
    /// The properties that the child changed win, and nobody is told.
    case childWins
    /// It is a merge conflict, which the policy of the child settles.
    case conflict
  }

  /// What becomes of an edit of a child when its parent has deleted the object meanwhile.
  public enum DeletedInParent: String, CaseIterable, Sendable {
    /// The object stays deleted, and the edit is gone.
    case staysDeleted
    /// The parent has the object again, with the edit.
    case comesBack
  }

  /// Whether a save without changes tells of itself all the same, with an empty notification.
  ///
  /// True: Apple's contexts send an empty request to the store, and post notifications.
  public var postsOnEmptySave: Bool
  /// Whether a deletion that was merged counts as a change of the context.
  ///
  /// False: after a save and its merges no context has changes, which the three-context arrangement
  /// promises.
  public var mergedDeletionsAreChanges: Bool
  /// Child against parent. The child wins by default: contexts of one arrangement do not fail each
  /// other, and the store is still guarded by the save of the outermost one.
  public var parentConflict: ParentConflict
  /// The object stays deleted by default: a save of a child cannot undo what the parent decided.
  public var deletedInParent: DeletedInParent
  /// Whether `objectTrump` and `overwrite` make an object anew that was deleted in the store.
  ///
  /// True: the policies say that the values of the context win.
  public var recreatesDeleted: Bool
  /// Whether objects of a child stay temporary, once the store has them, until the child merges the
  /// notification of the context that saved them, or fetches or refreshes them.
  ///
  /// True: the ids that a child holds are not replaced by a save of its parent.
  public var childrenStayTemporary: Bool

  public init(
    postsOnEmptySave: Bool = true, mergedDeletionsAreChanges: Bool = false,
    parentConflict: ParentConflict = .childWins, deletedInParent: DeletedInParent = .staysDeleted,
    recreatesDeleted: Bool = true, childrenStayTemporary: Bool = true
  ) {
    self.postsOnEmptySave = postsOnEmptySave
    self.mergedDeletionsAreChanges = mergedDeletionsAreChanges
    self.parentConflict = parentConflict
    self.deletedInParent = deletedInParent
    self.recreatesDeleted = recreatesDeleted
    self.childrenStayTemporary = childrenStayTemporary
  }
}
