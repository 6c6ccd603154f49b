// A conflict resolver in Swift, as an adapter with a resolver and without a store. It merges member
// by member; where two sides differ, the value of the winner remains. In the tests of a package no
// adapter is needed: docs/resolvers.md.

import TouchstoneKit

/// The answer to a conflict.
func resolve(_ conflict: DocumentConflict) -> ConflictResolution {
  // Tombstones have no body.
  let live = conflict.winnerFirst.compactMap(\.body)
  let ancestor = conflict.ancestor?.body
  let isUnchanged = live.allSatisfy { isSame(.object($0), ancestor.map { .object($0) }) }
  // Each side deleted the document, or one did and no other side changed it.
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

func isSame(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
  guard let left, let right else { return left == right }
  return left.isSameValue(as: right)
}

func serve() -> Never {
  var server = ResolverServer(name: "merge", version: "1.0") { conflict in resolve(conflict) }
  server.serveAndExit()
}

serve()
