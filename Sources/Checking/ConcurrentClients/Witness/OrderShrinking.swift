/// The search for a minimal part of a history without an order: a few possible states, and the
/// operations from there on.
struct OrderShrinking {
  /// How much of an entry counts.
  enum Weight {
    /// All of it.
    case full
    /// It may have happened at any time after its request, or never.
    case optional
    /// It is left out.
    case none
  }

  /// The entries from the beginning of the witness on.
  private(set) var entries: [OrderSearch.Entry] = []
  private(set) var weights: [Weight] = []
  /// The points at the beginning; `done` has places in `entries`.
  private(set) var starts: [PossiblePoints.Point] = []
  /// What each entry needs, and what it makes.
  private var needs: [Set<DocumentEvent.Thing>] = []
  private var makes: [Set<DocumentEvent.Thing>] = []
  private let history: ClientHistory
  private let stepsMax: Int
  private let isStopped: () -> Bool

  /// The maximum number of states at the beginning.
  private static let startsMax = 3
  /// The number of operations before the contradiction that a witness begins with.
  private static let lead = 6

  init(
    _ search: OrderSearch, until: Int64, in history: ClientHistory, stepsMax: Int,
    isStopped: @escaping () -> Bool
  ) {
    self.history = history
    self.stepsMax = stepsMax
    self.isStopped = isStopped
    // What began after the contradiction, and reads that had not ended, are no part of it.
    let all = search.entries.compactMap { entry -> OrderSearch.Entry? in
      if entry.call > until { return nil }
      if entry.end > until { return entry.isRead ? nil : entry.optional }
      return entry
    }
    begin(all, search.beginning)
    weights = entries.map { $0.end == .max ? .optional : .full }
    needs = entries.map { Set($0.ways.joined().flatMap(\.needs)) }
    makes = entries.map { Set($0.ways.joined().flatMap(\.makes)) }
  }

  /// Chooses the beginning: a point shortly before the contradiction at which few states are
  /// possible.
  private mutating func begin(_ all: [OrderSearch.Entry], _ forest: DocumentForest) {
    entries = all
    starts = [PossiblePoints.Point(forest: forest, done: [])]
    let ends = PossiblePoints.ends(all)
    guard let last = ends.last else { return }
    var points = PossiblePoints(all, from: starts)
    var chosen = starts
    for (place, ended) in ends.enumerated() {
      guard all[ended].end < all[last].call, place + Self.lead < ends.count else { break }
      points.advance(to: ended)
      if points.isTooMany || points.points.isEmpty { break }
      if points.points.count <= Self.startsMax { chosen = points.points }
    }
    // Without the entries that have happened at every point.
    let over = chosen.dropFirst().reduce(chosen[0].done) { $0.intersection($1.done) }
    let rest = all.indices.filter { !over.contains($0) }
    let places = Dictionary(uniqueKeysWithValues: rest.enumerated().map { ($1, $0) })
    entries = rest.map { all[$0] }
    starts = chosen.map { point in
      PossiblePoints.Point(forest: point.forest, done: Set(point.done.compactMap { places[$0] }))
    }
  }

  /// Whether no order exists: with the entries that count, and also if those without weight may
  /// have happened at any time.
  private func hasNoOrder(_ weights: [Weight]) -> Bool {
    isContradiction(weights, isStrict: true) && isContradiction(weights, isStrict: false)
  }

  private func isContradiction(_ weights: [Weight], isStrict: Bool) -> Bool {
    var chosen: [(place: Int, entry: OrderSearch.Entry)] = []
    for (place, (entry, weight)) in zip(entries, weights).enumerated() {
      switch weight {
      case .full: chosen.append((place, entry))
      case .optional: chosen.append((place, entry.optional))
      case .none:
        if !isStrict, !entry.isRead { chosen.append((place, entry.optional)) }
      }
    }
    // Without a response about a missing body, a compaction changes nothing that anyone sees.
    let asksForBodies = chosen.contains { $0.entry.ways.joined().contains(where: \.isMissingBody) }
    if !asksForBodies { chosen.removeAll { $0.entry.end == .max && $0.entry.isCompaction } }
    return starts.allSatisfy { start in
      let rest = chosen.filter { !start.done.contains($0.place) }.map(\.entry)
      var search = OrderSearch(rest, start.forest, stepsMax: stepsMax)
      if case .noOrder = search.run() { return true }
      return false
    }
  }

  /// Whether each revision that an entry needs is there at the beginning or still written.
  ///
  /// Without the writer, the contradiction would only be that the writer is missing.
  private func isClosed(_ weights: [Weight]) -> Bool {
    var needed: Set<DocumentEvent.Thing> = []
    for (place, weight) in weights.enumerated() where weight != .none {
      needed.formUnion(needs[place])
    }
    return weights.indices.allSatisfy { place in
      weights[place] != .none || needed.isDisjoint(with: makes[place])
    }
  }

  /// Leaves out what can be left out; false if the contradiction cannot be confirmed.
  mutating func shrink() -> Bool {
    guard isContradiction(weights, isStrict: true) else { return false }
    leaveOut(entries.indices.filter { entries[$0].isRead && weights[$0] == .full }, to: .none)
    leaveOut(entries.indices.filter { entries[$0].isCompaction }, to: .none)
    let connections = Set(entries.map { history.operations[$0.operation].connection }).sorted()
    for connection in connections {
      let own = entries.indices.filter {
        history.operations[entries[$0].operation].connection == connection
          && weights[$0] != .none
      }
      tryLeavingOut(own, to: .none)
    }
    leaveOut(entries.indices.filter { weights[$0] == .full && !entries[$0].isRead }, to: .optional)
    // Later ones need earlier ones.
    var before = weights
    repeat {
      before = weights
      leaveOut(entries.indices.filter { weights[$0] != .none }.reversed(), to: .none)
    } while weights != before && !isStopped()
    return true
  }

  /// Leaves out as many as possible: all together, or halves first, then single ones.
  private mutating func leaveOut(_ places: [Int], to weight: Weight) {
    guard !places.isEmpty, !isStopped() else { return }
    if tryLeavingOut(places, to: weight) || places.count == 1 { return }
    let middle = places.count / 2
    leaveOut(Array(places[..<middle]), to: weight)
    leaveOut(Array(places[middle...]), to: weight)
  }

  @discardableResult
  private mutating func tryLeavingOut(_ places: [Int], to weight: Weight) -> Bool {
    var trial = weights
    for place in places { trial[place] = weight }
    guard trial != weights, isClosed(trial), hasNoOrder(trial) else { return false }
    weights = trial
    return true
  }

  /// The entries of the witness, as places; whether each is needed with its outcome and its time.
  var kept: [(place: Int, isNeeded: Bool)] {
    weights.enumerated().compactMap { place, weight in
      weight == .none ? nil : (place, weight == .full)
    }
  }
}

extension OrderSearch.Entry {
  /// The same operation without a response.
  var optional: Self {
    var copy = self
    copy.end = .max
    copy.ways = copy.ways.map { way in
      way.map { event in
        guard case .purge(let document, let asked, _) = event else { return event }
        return .purge(document, asked, removed: nil)
      }
    }
    return copy
  }

  fileprivate var isCompaction: Bool {
    ways.joined().allSatisfy { event in
      if case .compact = event { true } else { false }
    }
  }
}

extension DocumentEvent {
  fileprivate var isMissingBody: Bool {
    if case .noBody = self { true } else { false }
  }
}
