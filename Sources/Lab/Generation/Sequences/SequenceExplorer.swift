internal import Datastore
internal import JSON

/// A sequence of operations whose last one is worth a vector.
struct SequenceCase {
  /// Before the last operation.
  var before: SequenceState
  /// After it, as in the model, even if correct stores may differ.
  var after: SequenceState
  /// The possible results of the last operation in correct stores, the model's result first.
  var accepted: [Outcome]
}

/// Enumerates all sequences of operations on one document up to a length, with states that differ
/// only in names merged; keeps the shortest sequence of each aspect.
struct SequenceExplorer {
  let lengthMax: Int

  private(set) var cases: [SequenceCase] = []
  /// The number of performed operations.
  private(set) var moveCount = 0
  private var sights: Set<SequenceSight> = []
  private var shapes: Set<String> = []

  init(lengthMax: Int) {
    self.lengthMax = lengthMax
  }

  mutating func explore() {
    var states = [SequenceState()]
    for length in 1...lengthMax {
      var next: [SequenceState] = []
      for state in states {
        for move in state.moves {
          let after = look(state, move)
          if length < lengthMax, let after, shapes.insert(after.shape).inserted {
            next.append(after)
          }
        }
      }
      states = next
    }
  }

  /// Performs a move; returns the next state, unless correct stores differ in it.
  private mutating func look(_ before: SequenceState, _ move: SequenceMove) -> SequenceState? {
    moveCount += 1
    var after = before
    after.operations.append(StoreOperation("a", move.action))
    after.names.append(move.name)
    let asked = Asked(after.operations)
    var accepted: [Outcome] = []
    for history in asked.histories {
      if let last = history.last, !accepted.contains(last) { accepted.append(last) }
    }
    guard let outcome = asked.outcomes.last else { return nil }
    after.note(outcome, of: move.action)
    let isDisputed = !after.look()
    // Effects that show only later are covered by the forests.
    guard !isDisputed || accepted.count > 1 else { return nil }
    let sight = SequenceSight(before, move, outcome: outcome, after: after)
    if sights.insert(sight).inserted {
      cases.append(SequenceCase(before: before, after: after, accepted: accepted))
    }
    return isDisputed || outcome.result == nil ? nil : after
  }
}

extension SequenceState {
  /// Records the names in an operation and its outcome.
  mutating func note(_ outcome: Outcome, of action: StoreAction) {
    var appeared: [RevisionID] = []
    switch (outcome, action) {
    case (.ok(.written(_, let rev)), _):
      appeared = [rev]
      made.insert(rev)
    case (.ok(.resolved(let rev, let tombstones)), _):
      appeared = [rev] + tombstones
      made.formUnion(appeared.filter { !revisions.contains($0) })
    case (.ok, .insertRevisions(let records)):
      appeared = records.flatMap { $0.path.reversed() }
    default: break
    }
    for rev in appeared where !revisions.contains(rev) { revisions.append(rev) }
  }
}

/// The aspect that the last operation of a sequence shows; equal ones need no second vector.
struct SequenceSight: Hashable {
  /// The operation and its target: a winner, a loser, one of several that may win.
  private var move: String
  private var outcome: String
  private var before: Situation
  private var after: Situation
  /// The relation of the winner after to the winner before.
  private var passage: String
  /// True if a revision is purged where two roots were joined.
  private var isJoined: Bool
  /// The number of removed revisions, 3 meaning 3 or more.
  private var purged: Int

  /// The state, as far as it is relevant for an operation.
  private struct Situation: Hashable {
    /// The number of live leaves; the maximum means that many or more.
    var live: Int
    /// True if there are deleted leaves.
    var hasDead: Bool
    /// True if a revision was stored and purged.
    var hasGone: Bool

    init(_ state: SequenceState, countsGone: Bool, liveMax: Int) {
      live = min(liveMax, state.live.count)
      hasDead = !state.dead.isEmpty
      hasGone = countsGone && !state.gone.isEmpty
    }
  }

  init(
    _ before: SequenceState, _ move: SequenceMove, outcome: Outcome, after: SequenceState
  ) {
    // Numbers of leaves and lengths of cut histories are covered by the forests.
    self.move = String(move.name.filter { !("0"..."9").contains($0) })
    for root in ["cut-root", "deep-root"] where self.move.hasSuffix(root) {
      self.move = String(self.move.dropLast(root.utf8.count)) + "root"
    }
    self.outcome = outcome.errorKind.map { "\($0)" } ?? "ok"
    let countsGone = self.move == "create"
    let liveMax = self.move.hasPrefix("resolve") ? 3 : 2
    self.before = Situation(before, countsGone: countsGone, liveMax: liveMax)
    self.after = Situation(after, countsGone: countsGone, liveMax: liveMax)
    isJoined = before.names.contains("join") && self.move.hasPrefix("purge")
    purged = min(3, after.gone.count - before.gone.count)
    passage = Self.passage(from: before, to: after)
    if case .insertRevisions = move.action {
      // The winner among revisions from other stores is covered by the forests, too.
      self.before = self.after
      passage = ""
    }
  }

  private static func passage(from before: SequenceState, to after: SequenceState) -> String {
    guard let old = before.leaves.first?.rev, let new = after.leaves.first?.rev else { return "" }
    if old == new { return "stays" }
    if before.revisions.contains(new) { return "other" }
    return after.parents[new] == old ? "child" : "new"
  }
}
