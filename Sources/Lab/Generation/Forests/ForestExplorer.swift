/// Some records of one forest in the order of their arrival at a store.
struct Schedule: Hashable {
  let forest: Forest
  var arrivals: [Arrival]
}

/// A schedule that is worth a vector.
struct ForestCase {
  var schedule: Schedule
  /// Another order of the same records that must have the same result; nil without one.
  var otherOrder: [Arrival]?
}

/// Enumerates all sets of records of all forests up to a size that a store can have received, and
/// all records that can arrive next; keeps the smallest case of each aspect.
struct ForestExplorer {
  let countMax: Int

  private(set) var cases: [ForestCase] = []
  /// Cases in which stores may differ: the last record has a longer history of a known revision.
  private(set) var disputed: [Schedule] = []
  /// The number of visited merges.
  private(set) var mergeCount = 0

  private var sights: Set<Sight> = []
  /// The visited cases of the current forest that show nothing new.
  private var meetings: Set<Meeting> = []

  private struct Meeting: Hashable {
    var before: Holdings
    var last: Arrival
  }

  /// An aspect that a case can show.
  private enum Sight: Hashable {
    case merge(MergeEvent)
    case winner(WinnerEvent)
    case outline(Outline)
  }

  init(countMax: Int) {
    self.countMax = countMax
  }

  mutating func explore() {
    for count in 1...countMax {
      for forest in Forest.all(ofCount: count) { explore(forest) }
    }
    dropImplied()
  }

  /// All sets of received records of a forest, fewest records first, each with all next records.
  private mutating func explore(_ forest: Forest) {
    meetings = []
    for heard in Self.heard(of: forest) {
      var holdings = Holdings()
      for arrival in heard { holdings.merge(arrival, in: forest) }
      for tip in 0..<forest.count {
        let covered = heard.reduce(1 << tip) { $0 | 1 << $1.tip }
        // A set without some leaf shows nothing that a smaller forest does not.
        guard covered & forest.leaves == forest.leaves else { continue }
        for length in 1...forest.generations[tip] {
          for deleted in Self.deletions(in: forest, among: covered) {
            look(forest, heard, holdings: holdings, tip: tip, length: length, deleted: deleted)
          }
        }
      }
    }
  }

  /// The sets of records that can have arrived, each revision at most once, in order of size.
  private static func heard(of forest: Forest) -> [[Arrival]] {
    var sets: [[Arrival]] = [[]]
    for tip in 0..<forest.count {
      let lengths = 1...forest.generations[tip]
      sets += sets.flatMap { set in
        lengths.map { set + [Arrival(tip: tip, length: $0, deleted: false)] }
      }
    }
    return sets.enumerated().sorted { left, right in
      (left.element.count, left.offset) < (right.element.count, right.offset)
    }.map { $0.element }
  }

  /// The sets of deletions: any leaves, and in small forests any other arriving revisions.
  private static func deletions(in forest: Forest, among covered: Int) -> [Int] {
    let free = forest.count <= 3 ? covered : forest.leaves
    var masks: [Int] = []
    var mask = free
    while true {
      masks.append(mask)
      if mask == 0 { break }
      mask = (mask - 1) & free
    }
    return masks.reversed()
  }

  private mutating func look(
    _ forest: Forest, _ heard: [Arrival], holdings: Holdings, tip: Int, length: Int, deleted: Int
  ) {
    mergeCount += 1
    var before = holdings
    before.deleted = deleted & before.bodies
    let isAgain = before.bodies & 1 << tip != 0
    let isDeleted = (deleted & 1 << tip != 0) != isAgain
    let last = Arrival(tip: tip, length: length, deleted: isDeleted, isAgain: isAgain)
    // Most sets of received records lead to the same holdings.
    let meeting = Meeting(before: before, last: last)
    guard !meetings.contains(meeting) else { return }
    guard isNew(last, meeting: before, in: forest) else {
      meetings.insert(meeting)
      return
    }
    let first = heard.map { arrival in
      Arrival(
        tip: arrival.tip, length: arrival.length, deleted: deleted & 1 << arrival.tip != 0)
    }
    guard let opening = first.orders.first(where: { isSettled($0, forest) }) else { return }
    var found = ForestCase(schedule: Schedule(forest: forest, arrivals: opening + [last]))
    let event = MergeEvent(last, meeting: before, in: forest)
    if event.isDisputed {
      sights.insert(.merge(event.disputedPart))
      disputed.append(found.schedule)
      return
    }
    sights.formUnion(Self.sights(of: found))
    found.otherOrder = otherOrder(found.schedule)
    sights.formUnion(Self.sights(of: found))
    cases.append(found)
  }

  /// True if a record shows an aspect that no case shows yet.
  private func isNew(_ arrival: Arrival, meeting before: Holdings, in forest: Forest) -> Bool {
    let event = MergeEvent(arrival, meeting: before, in: forest)
    if event.isDisputed { return !sights.contains(.merge(event.disputedPart)) }
    if !sights.contains(.merge(event)) { return true }
    if !sights.contains(.winner(WinnerEvent(arrival, meeting: before, in: forest))) { return true }
    var after = before
    after.merge(arrival, in: forest)
    return !sights.contains(.outline(Outline(after, in: forest)))
  }

  /// Removes cases whose aspects are all in other cases, the largest first.
  private mutating func dropImplied() {
    var showing: [Sight: Int] = [:]
    let all = cases.map { Self.sights(of: $0) }
    for sights in all { for sight in sights { showing[sight, default: 0] += 1 } }
    for place in cases.indices.reversed() where all[place].allSatisfy({ showing[$0] ?? 0 > 1 }) {
      for sight in all[place] { showing[sight, default: 0] -= 1 }
      cases.remove(at: place)
    }
  }

  /// True if no record has a longer history of a known revision, on which stores may differ.
  private func isSettled(_ arrivals: [Arrival], _ forest: Forest) -> Bool {
    var holdings = Holdings()
    for arrival in arrivals {
      if MergeEvent(arrival, meeting: holdings, in: forest).isDisputed { return false }
      holdings.merge(arrival, in: forest)
    }
    return true
  }

  /// All aspects of a case, in either order.
  private static func sights(of found: ForestCase) -> Set<Sight> {
    let forest = found.schedule.forest
    var sights: Set<Sight> = []
    for order in [found.schedule.arrivals] + (found.otherOrder.map { [$0] } ?? []) {
      var holdings = Holdings()
      for arrival in order {
        sights.formUnion(Self.sights(of: arrival, meeting: holdings, in: forest))
        holdings.merge(arrival, in: forest)
      }
      sights.insert(.outline(Outline(holdings, in: forest)))
    }
    return sights
  }

  private static func sights(
    of arrival: Arrival, meeting holdings: Holdings, in forest: Forest
  ) -> [Sight] {
    [
      .merge(MergeEvent(arrival, meeting: holdings, in: forest)),
      .winner(WinnerEvent(arrival, meeting: holdings, in: forest)),
    ]
  }

  /// The order of the same records with the most new aspects; later orders in the list differ more
  /// from the given one.
  private func otherOrder(_ schedule: Schedule) -> [Arrival]? {
    var best: (order: [Arrival], news: Int)?
    // A repeated record must arrive later.
    let isFixed = schedule.arrivals.last?.isAgain ?? false
    let free = isFixed ? Array(schedule.arrivals.dropLast()) : schedule.arrivals
    let end = isFixed ? Array(schedule.arrivals.suffix(1)) : []
    for order in free.orders.dropFirst().reversed() {
      let order = order + end
      guard isSettled(order, schedule.forest) else { continue }
      let news = news(in: order, schedule.forest)
      if news > best?.news ?? -1 { best = (order, news) }
    }
    return best?.order
  }

  private func news(in order: [Arrival], _ forest: Forest) -> Int {
    Self.sights(of: ForestCase(schedule: Schedule(forest: forest, arrivals: order)))
      .count { !sights.contains($0) }
  }
}

extension [Arrival] {
  /// All orders, the given one first.
  var orders: [[Arrival]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { place in
      var rest = self
      let first = rest.remove(at: place)
      return rest.orders.map { [first] + $0 }
    }
  }
}
