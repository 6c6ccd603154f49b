internal import RevisionTree

extension ModelDocument {
  /// Checks the invariants of a changed document in debug builds; those of its revisions only for
  /// small documents, and not if a deviation had broken them before.
  func assertInvariants(after before: ModelDocument?) {
    assert(
      changedAt > before?.changedAt ?? 0,
      "the position in the feed went from \(before?.changedAt ?? 0) to \(changedAt)")
    assert(
      tree.count > 64 || invariantViolation == nil || before?.invariantViolation != nil,
      invariantViolation ?? "")
  }

  /// The description of a violated invariant, or nil if all hold.
  private var invariantViolation: String? {
    if let leaf = tree.leaves.first(where: { bodies[$0] == nil }) {
      return "leaf \(leaf) has no body"
    }
    if let revision = bodies.keys.first(where: { !tree.contains($0) }) {
      return "the unknown revision \(revision) has a body"
    }
    if let revision = attachments.keys.first(where: { bodies[$0] == nil }) {
      return "revision \(revision) has attachments without a body"
    }
    return nil
  }
}
