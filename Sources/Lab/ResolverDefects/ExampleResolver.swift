internal import Datastore
internal import JSON
public import ResolverChecking

/// Correct resolvers, which must pass.
public enum ExampleResolver: String, CaseIterable, Sendable {
  /// Merges member by member; where two sides differ, the winner's value remains.
  case merge
  /// Merges member by member; where two sides differ, the greater JSON text remains.
  case greatest
  /// Keeps the winner as it is: last-writer-wins.
  case winner

  /// What the resolver does, as a sentence.
  public var sentence: String {
    switch self {
    case .merge: "Merges member by member; where two sides differ, the winner's value remains."
    case .greatest:
      "Merges member by member; where two sides differ, the greater JSON text remains."
    case .winner: "Keeps the winner as it is (last-writer-wins)."
    }
  }

  /// The guarantees that it keeps.
  public var guarantees: Set<ResolverGuarantee> {
    self == .winner ? .lastWriterWins : .all
  }

  /// The answer to a conflict.
  public func resolve(_ conflict: DocumentConflict) -> ConflictResolution {
    switch self {
    case .winner: conflict.winnerFirst.first.map { .keep($0.rev) } ?? .delete
    case .merge: Merge(conflict).resolution { values in values[0] }
    case .greatest:
      Merge(conflict).resolution { values in
        values.max { Self.text($0).lexicographicallyPrecedes(Self.text($1)) } ?? nil
      }
    }
  }

  private static func text(_ value: JSONValue?) -> [UInt8] { value?.serializedBytes() ?? [] }
}

/// A three-way merge, member by member.
struct Merge {
  let ancestor: JSONObject
  let isAncestorKnown: Bool
  /// The bodies of the live leaves, the winner first.
  let live: [JSONObject]
  let isPartlyDeleted: Bool

  init(_ conflict: DocumentConflict) {
    ancestor = conflict.ancestor?.body ?? [:]
    isAncestorKnown = conflict.ancestor != nil
    live = conflict.winnerFirst.compactMap(\.body)
    isPartlyDeleted = live.count < conflict.leaves.count
  }

  /// The merged document.
  ///
  /// - Parameter choose: selects one of several changed values; nil is a removal.
  func resolution(_ choose: ([JSONValue?]) -> JSONValue?) -> ConflictResolution {
    let isUnchanged = live.allSatisfy {
      JSONValue.object($0).isSameValue(as: .object(ancestor))
    }
    if live.isEmpty || isPartlyDeleted && isAncestorKnown && isUnchanged { return .delete }
    return .body(merged(choose))
  }

  func merged(_ choose: ([JSONValue?]) -> JSONValue?) -> JSONObject {
    var merged = JSONObject()
    for name in names {
      let base = ancestor[name]
      let changed = live.map { $0[name] }.filter { $0 != base }
      merged[name] = changed.isEmpty ? base : choose(changed)
    }
    return merged
  }

  /// The names of all members in byte order.
  var names: [JSONString] {
    Set(([ancestor] + live).flatMap { $0.members.map(\.name) })
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
