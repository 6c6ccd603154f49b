internal import Datastore
internal import JSON
internal import Scenarios

/// Describes a schedule: in words for the note, and in clauses.
struct ForestWords {
  private let schedule: Schedule
  private let before: Holdings
  private let after: Holdings
  private let last: Arrival

  init(_ schedule: Schedule) {
    self.schedule = schedule
    var holdings = Holdings()
    for arrival in schedule.arrivals.dropLast() { holdings.merge(arrival, in: schedule.forest) }
    before = holdings
    last = schedule.arrivals.last ?? Arrival(tip: 0, length: 1, deleted: false)
    holdings.merge(last, in: schedule.forest)
    after = holdings
  }

  private var forest: Forest { schedule.forest }
  private var event: MergeEvent { MergeEvent(last, meeting: before, in: forest) }

  private func name(_ place: Int) -> String { forest.name(place).description }

  private func list(_ words: [String]) -> String {
    guard words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
  }

  /// A record in words, such as "3-a as a tombstone, cut off behind 2-b".
  private func words(_ arrival: Arrival) -> String {
    let tip = name(arrival.tip) + (arrival.deleted ? " as a tombstone" : "")
    let path = forest.path(from: arrival.tip, length: arrival.length)
    let oldest = path[path.count - 1]
    if forest.generations[oldest] == 1 { return tip }
    return oldest == arrival.tip ? "\(tip) alone" : "\(tip) cut off behind \(name(oldest))"
  }
}

extension ForestWords {
  /// The events, and the required result.
  func note(other: [Arrival]?) -> String {
    var sentences: [String] = []
    let first = schedule.arrivals.dropLast().map { words($0) }
    let opening = first.isEmpty ? "" : "After \(list(first)) comes "
    sentences.append("\(opening)\(words(last))\(first.isEmpty ? " comes first" : ""): \(merge).")
    sentences.append(winner + ".")
    if let other {
      let tips = other.map { words($0) }
      sentences.append("In b the same arrives in one call as \(list(tips)).")
    }
    return sentences.joined(separator: " ")
  }

  /// The events on which stores may differ.
  var disputedNote: String {
    let first = schedule.arrivals.dropLast().map { words($0) }
    return "After \(list(first)) comes \(words(last)) with a longer history than the known one: "
      + "\(merge). Stores may adopt that or not."
  }

  /// The rules that stores may or may not follow.
  var disputedClauses: [ClauseID] {
    event.tip == .byName ? ["TREE-013", "TREE-012"] : ["TREE-013"]
  }

  private var met: String {
    let path = forest.path(from: last.tip, length: last.length)
    return path.first { before.holds($0) }.map { name($0) } ?? ""
  }

  /// The effect of the last record on the tree.
  private var merge: String {
    var parts: [String] = []
    switch (event.tip, event.meeting) {
    case (.known, _):
      parts.append(
        last.isAgain ? "it is known, and its other body and flag are ignored" : "it is known")
    case (.byName, _): parts.append("it was a stub revision, from the path of a later one")
    case (.unknown, .noDocument): parts.append("the document was unknown")
    case (.unknown, .nothing): parts.append("its path has no known revision, so it is another root")
    case (.unknown, .winningLeaf): parts.append("it continues \(met), the winner")
    case (.unknown, .losingLeaf): parts.append("it continues \(met), which does not win")
    case (.unknown, .innerWithBody): parts.append("it branches off \(met)")
    case (.unknown, .innerByName):
      parts.append("it branches off \(met), a stub revision")
    }
    switch event.adoption {
    case .none: break
    case .names: parts.append("it extends the history of a root")
    case .ontoLeaf: parts.append("it shows that a root descends from a former leaf")
    case .ontoInner: parts.append("it shows that a root is another branch")
    }
    if event.hasGap { parts.append("unknown revisions lie in between") }
    if event.adopted > 1 { parts.append("more than one root gets a parent") }
    return parts.joined(separator: "; ")
  }

  private var winner: String {
    let now = after.winner(in: forest) ?? last.tip
    let isDeleted = after.deleted & 1 << now != 0
    let end = isDeleted ? ", and the document is deleted" : ""
    guard let old = before.winner(in: forest) else { return "\(name(now)) wins\(end)" }
    return old == now ? "\(name(now)) still wins\(end)" : "\(name(now)) wins now\(end)"
  }
}

extension ForestWords {
  /// The rules that the last record shows, then those of the winner, then those of the other store.
  func clauses(isTwice: Bool) -> [ClauseID] {
    var clauses: [ClauseID] = []
    func cite(_ clause: ClauseID, when holds: Bool = true) {
      if holds, !clauses.contains(clause) { clauses.append(clause) }
    }
    let event = event
    cite("TREE-006", when: event.tip == .known)
    cite("TREE-014", when: event.tip == .byName)
    cite("TREE-005", when: event.adoption == .ontoLeaf || event.adoption == .ontoInner)
    if event.tip == .unknown {
      cite("TREE-003", when: event.meeting == .nothing)
      cite("TREE-004", when: event.meeting == .losingLeaf)
      cite("TREE-001")
      cite("TREE-002", when: event.leavesGone > 0)
      cite("TREE-009", when: event.isTruncated && event.meeting != .nothing)
    }
    let tombstoneRoots = (0..<forest.count).count {
      let bit = 1 << $0
      return after.known & ~after.linked & after.deleted & bit != 0
    }
    cite("TREE-015", when: tombstoneRoots > 1)
    let parents = after.known & ~after.leaves(in: forest)
    cite("TREE-016", when: parents & after.deleted != 0)
    citeWinner(cite)
    if isTwice {
      let isWhole = schedule.arrivals.allSatisfy { $0.length == forest.generations[$0.tip] }
      cite("TREE-008", when: isWhole && !last.isAgain)
      cite("WIN-004")
      cite("CONF-002")
      cite("REC-007", when: schedule.arrivals.count > 1)
    }
    cite("REC-003", when: after.known & ~after.bodies != 0)
    cite("DIFF-003", when: after.known & ~after.bodies != 0)
    return clauses
  }

  private func citeWinner(_ cite: (ClauseID, Bool) -> Void) {
    guard let winner = after.winner(in: forest) else { return }
    let leaves = (0..<forest.count).filter { after.leaves(in: forest) & 1 << $0 != 0 }
    let isLive = after.deleted & 1 << winner == 0
    let equals = leaves.filter { (after.deleted & 1 << $0 == 0) == isLive && $0 != winner }
    let generation = forest.generations[winner]
    cite("WIN-001", isLive && leaves.contains { $0 > winner })
    cite("WIN-007", !isLive)
    cite("WIN-003", equals.contains { forest.generations[$0] == generation })
    cite("WIN-002", equals.contains { forest.generations[$0] < generation })
    let old = before.winner(in: forest)
    cite("WIN-006", old.map { $0 != winner && last.deleted && winner != last.tip } ?? false)
    let inner = after.known & ~after.leaves(in: forest)
    cite("WIN-005", !isLive && inner & after.bodies & ~after.deleted != 0)
  }
}
