internal import Datastore
internal import JSON

/// One document after some operations: the operations, and its visible state in a store.
struct SequenceState {
  var operations: [StoreOperation] = []
  /// The operations, in words for an id, such as `update-winner`.
  var names: [String] = []
  /// The revisions in operations and results, in the order of their appearance.
  var revisions: [RevisionID] = []
  /// The revisions whose ids the store chose, whose order among others is not defined.
  var made: Set<RevisionID> = []
  /// The leaves in the model's order.
  private(set) var leaves: [Leaf] = []
  private(set) var parents: [RevisionID: RevisionID] = [:]
  /// The result of `getRevisions` for each revision.
  private(set) var answers: [RevisionID: RevisionAnswer.Found] = [:]

  /// The requests whose results are the state.
  private var questions: [StoreOperation] {
    [
      StoreOperation("a", .leaves(id: "d")),
      StoreOperation("a", .getRevisions([RevisionQuery(id: "d", revs: revisions)])),
    ]
  }

  /// Updates the state from the model; returns true if it is the same in all correct stores.
  mutating func look() -> Bool {
    let asked = Asked(operations + questions)
    let outcomes = asked.outcomes.suffix(2)
    leaves = []
    parents = [:]
    answers = [:]
    if case .ok(.leaves(let found))? = outcomes.first { leaves = found }
    guard case .ok(.revisions(let found))? = outcomes.last else { return asked.isAgreed }
    for answer in found {
      answers[answer.rev] = answer.found
      guard case .records(let records) = answer.found, let path = records.first?.path else {
        continue
      }
      for (child, parent) in zip(path, path.dropFirst()) { parents[child] = parent }
    }
    return asked.isAgreed
  }
}

extension SequenceState {
  var live: [RevisionID] { leaves.filter { !$0.deleted }.map { $0.rev } }
  var dead: [RevisionID] { leaves.filter { $0.deleted }.map { $0.rev } }
  var isKnown: Bool { !leaves.isEmpty }

  /// The known non-leaf revisions, the newest first.
  var inner: [RevisionID] {
    let tips = Set(leaves.map { $0.rev })
    let parents = Set(parents.values)
    return revisions.filter { parents.contains($0) && !tips.contains($0) }.reversed()
  }

  /// The revisions that were stored once.
  var gone: [RevisionID] { revisions.filter { answers[$0] == .missing } }

  /// Whether a revision is known without a body.
  var hasStubs: Bool { answers.values.contains(.bodyMissing) }

  func generation(_ rev: RevisionID) -> Int { Int(rev.text.string.prefix { $0 != "-" }) ?? 0 }

  /// The revision with its known ancestors, newest first.
  func path(_ rev: RevisionID) -> [RevisionID] {
    var path = [rev]
    while let parent = parents[path[path.count - 1]] { path.append(parent) }
    return path
  }

  /// True if the winner among the best leaves is not defined: ids that the store chose have no
  /// defined order in their generation.
  var isWinnerOpen: Bool {
    guard let winner = leaves.first else { return false }
    let equals = leaves.filter {
      $0.deleted == winner.deleted && generation($0.rev) == generation(winner.rev)
    }
    return equals.count > 1 && equals.contains { made.contains($0.rev) }
  }

  /// The name of the leaf in ids and notes.
  func role(_ rev: RevisionID) -> String {
    guard let place = leaves.firstIndex(where: { $0.rev == rev }) else { return "stale" }
    let number = place < 2 ? "" : "\(place)"
    if isWinnerOpen { return place == 0 ? "leaf" : "leaf\(place + 1)" }
    return place == 0 ? "winner" : "loser\(number)"
  }

  /// Equal for all states that differ only in names and in the operations that led there.
  var shape: String {
    let children = Dictionary(grouping: parents.keys) { parents[$0] ?? "" }
    func text(_ rev: RevisionID) -> String {
      var marks = made.contains(rev) ? "m" : "n"
      if let leaf = leaves.first(where: { $0.rev == rev }) {
        marks += leaf.deleted ? "x" : "l"
        if leaf.rev == leaves[0].rev, !isWinnerOpen { marks += "w" }
      }
      if answers[rev] == .bodyMissing { marks += "b" }
      return "(" + marks + (children[rev] ?? []).map { text($0) }.sorted().joined() + ")"
    }
    let present = revisions.filter { answers[$0] != .missing }
    let roots = present.filter { parents[$0] == nil }
    let pieces = roots.map { "\(generation($0))" + text($0) }.sorted().joined()
    return pieces + (gone.isEmpty ? "" : "-")
  }
}
