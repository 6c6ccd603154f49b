internal import JSON

// The guarantees about what only one side did, relative to the common ancestor.

extension ResolverTrial {
  func checkChanges(_ reply: Reply) throws(Stop) {
    let conflict = reply.conflict
    let live = conflict.leaves.compactMap(\.body)
    let ancestor = conflict.ancestor?.body
    switch reply.outcome {
    case .unresolved: break
    case .deleted:
      try require(
        .keepsChanges, live.count < conflict.leaves.count, in: [reply],
        because: "The answer deletes the document, although no side deleted it.")
    case .live(let outcome):
      try checkDeletion(reply, live: live, ancestor: ancestor)
      for name in Self.names([ancestor].compactMap { $0 } + live) {
        try checkMember(name, reply, outcome: outcome, live: live, ancestor: ancestor)
      }
    }
  }

  /// A document that one side deleted and no other one changed remains deleted.
  private func checkDeletion(
    _ reply: Reply, live: [JSONObject], ancestor: JSONObject?
  ) throws(Stop) {
    try require(
      .keepsDeletions, !live.isEmpty, in: [reply],
      because: "All sides deleted the document, and the answer brings it back.")
    guard live.count < reply.conflict.leaves.count, let ancestor else { return }
    try require(
      .keepsDeletions, live.contains { !Self.isSame($0, ancestor) }, in: [reply],
      because: "One side deleted the document, no other side changed it, and it comes back.")
  }

  private func checkMember(
    _ name: JSONString, _ reply: Reply, outcome: JSONObject, live: [JSONObject],
    ancestor: JSONObject?
  ) throws(Stop) {
    // Without an ancestor only what all sides have in common is known.
    let base = ancestor.map { $0[name] } ?? live[0][name]
    var changed: [JSONValue?] = []
    for value in live.map({ $0[name] }) where !Self.isSame(value, base) {
      if !changed.contains(where: { Self.isSame($0, value) }) { changed.append(value) }
    }
    guard changed.count < 2, ancestor != nil || changed.isEmpty else { return }
    let required = changed.first ?? base
    guard !Self.isSame(outcome[name], required) else { return }
    guard let required else {
      // A member that no side has is an addition of the resolver.
      guard base != nil else { return }
      try require(
        .keepsRemovals, false, in: [reply],
        because: "A side removed \"\(name)\", no other side changed it, and it comes back.")
      return
    }
    let now = outcome[name].map { "is \($0.serialized())" } ?? "is gone"
    let what =
      changed.isEmpty
      ? "No side changed \"\(name)\" (\(required.serialized()))"
      : "The sides that changed \"\(name)\" agree on \(required.serialized())"
    try require(.keepsChanges, false, in: [reply], because: "\(what), and in the answer it \(now).")
  }

  private static func names(_ bodies: [JSONObject]) -> [JSONString] {
    var names: [JSONString] = []
    for member in bodies.flatMap(\.members) where !names.contains(member.name) {
      names.append(member.name)
    }
    return names
  }

  private static func isSame(_ left: JSONObject, _ right: JSONObject) -> Bool {
    JSONValue.object(left).isSameValue(as: .object(right))
  }

  private static func isSame(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.isSameValue(as: right)
    default: false
    }
  }
}
