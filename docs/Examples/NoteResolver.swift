import TouchstoneKit

/// The conflict resolver of an application with notes: a merge, member by member.
struct NoteResolver {
  func resolve(_ conflict: DocumentConflict) -> ConflictResolution {
    // A tombstone has no body.
    let live = conflict.winnerFirst.compactMap(\.body)
    let ancestor = conflict.ancestor?.body
    let isUnchanged = live.allSatisfy { isSame(.object($0), ancestor.map { .object($0) }) }
    // Each side deleted the note, or one did and no other side changed it.
    if live.isEmpty || live.count < conflict.leaves.count && isUnchanged { return .delete }
    let base = ancestor ?? [:]
    var merged = JSONObject()
    // The order of the names does not depend on the order of the leaves.
    let names = Set(([base] + live).flatMap { $0.members.map(\.name) })
    for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let changed = live.first { !isSame($0[name], base[name]) }
      merged[name] = (changed ?? base)[name]
    }
    return .body(merged)
  }

  /// Whether both are the same value, members in any order, or both are absent.
  private func isSame(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    guard let left, let right else { return left == right }
    return left.isSameValue(as: right)
  }
}

/// Takes the whole note with the later date; the winner if the dates are equal.
struct LatestNoteResolver {
  func resolve(_ conflict: DocumentConflict) -> ConflictResolution {
    var latest = conflict.winnerFirst[0]
    for leaf in conflict.winnerFirst where date(of: latest) < date(of: leaf) { latest = leaf }
    return .keep(latest.rev)
  }

  private func date(of leaf: DocumentConflict.Version) -> Int64 {
    leaf.body?["modified"]?.integerValue ?? 0
  }
}
