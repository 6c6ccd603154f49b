internal import Datastore

/// The revisions of some documents at one point of an order of operations.
///
/// A value that changes in place and takes changes back, so that a search tries an operation
/// without a copy. It is written from the rules of the contract and shares no code with the model
/// or with a store.
struct DocumentForest {
  typealias Number = RevisionNames.Number
  typealias DocumentNumber = RevisionNames.DocumentNumber

  /// What is known of a revision.
  struct Flags: OptionSet {
    let rawValue: UInt8

    static let present = Flags(rawValue: 1)
    static let leaf = Flags(rawValue: 2)
    static let deleted = Flags(rawValue: 4)
    /// The body is stored.
    static let body = Flags(rawValue: 8)
    /// The body may be stored or not.
    static let perhapsBody = Flags(rawValue: 16)
  }

  private enum Change {
    case flags(Number, Flags)
    case parent(Number, Number)
    case local(DocumentNumber, Int32)
    case limited
  }

  let names: RevisionNames
  private var flags: [Flags]
  private var parents: [Number]
  private var locals: [Int32]
  /// The leaves of each document, in no order.
  private(set) var leaves: [[Number]]
  /// Whether inner revisions may have been forgotten.
  private(set) var isLimited = false
  /// A fingerprint of the state.
  private(set) var fingerprint: UInt64 = 0
  private var changes: [Change] = []

  static let none: Number = -1

  init(_ names: RevisionNames, documents: Int, isLimited: Bool) {
    self.names = names
    self.isLimited = isLimited
    flags = Array(repeating: [], count: names.count)
    parents = Array(repeating: Self.none, count: names.count)
    locals = Array(repeating: Self.none, count: documents)
    leaves = Array(repeating: [], count: documents)
  }

  // MARK: Looking

  func has(_ rev: Number, _ wanted: Flags) -> Bool { flags[Int(rev)].isSuperset(of: wanted) }

  func isLeaf(_ rev: Number) -> Bool { has(rev, .leaf) }

  func isLive(_ rev: Number) -> Bool { !has(rev, .deleted) }

  func exists(_ document: DocumentNumber) -> Bool { !leaves[Int(document)].isEmpty }

  func local(_ document: DocumentNumber) -> Int32 { locals[Int(document)] }

  /// Whether the document has a live leaf.
  func isWinnerLive(_ document: DocumentNumber) -> Bool {
    leaves[Int(document)].contains { isLive($0) }
  }

  /// Whether a leaf may be the winner: live before deleted, then the higher generation, then the
  /// higher suffix. Two revisions are in either order if the name of one was not observed.
  func mayWin(_ rev: Number) -> Bool {
    guard isLeaf(rev) else { return false }
    return leaves[Int(names.documents[Int(rev)])].allSatisfy { $0 == rev || !beats($0, rev) }
  }

  /// The winner, or one of the revisions that may be it.
  func winner(_ document: DocumentNumber) -> Number? {
    leaves[Int(document)].first { mayWin($0) }
  }

  private func beats(_ left: Number, _ right: Number) -> Bool {
    if isLive(left) != isLive(right) { return isLive(left) }
    let (one, other) = (names.generations[Int(left)], names.generations[Int(right)])
    if one != other { return one > other }
    if names.isUnnamed[Int(left)] || names.isUnnamed[Int(right)] { return false }
    return names.ranks[Int(left)] > names.ranks[Int(right)]
  }

  // MARK: Changing

  /// The point to which `takeBack` returns.
  var mark: Int { changes.count }

  mutating func takeBack(to mark: Int) {
    while changes.count > mark, let change = changes.popLast() {
      switch change {
      case .flags(let rev, let old): put(rev, old)
      case .parent(let rev, let old): putParent(rev, old)
      case .local(let document, let old): putLocal(document, old)
      case .limited: isLimited = false
      }
    }
  }

  private mutating func set(_ rev: Number, _ new: Flags) {
    let old = flags[Int(rev)]
    guard old != new else { return }
    changes.append(.flags(rev, old))
    put(rev, new)
  }

  private mutating func put(_ rev: Number, _ new: Flags) {
    let old = flags[Int(rev)]
    fingerprint ^= mixed(rev, UInt64(old.rawValue)) ^ mixed(rev, UInt64(new.rawValue))
    flags[Int(rev)] = new
    guard old.contains(.leaf) != new.contains(.leaf) else { return }
    let document = Int(names.documents[Int(rev)])
    if new.contains(.leaf) {
      leaves[document].append(rev)
    } else if let place = leaves[document].firstIndex(of: rev) {
      leaves[document].swapAt(place, leaves[document].count - 1)
      leaves[document].removeLast()
    }
  }

  private mutating func setParent(_ rev: Number, _ new: Number) {
    let old = parents[Int(rev)]
    guard old != new else { return }
    changes.append(.parent(rev, old))
    putParent(rev, new)
  }

  private mutating func putParent(_ rev: Number, _ new: Number) {
    let old = parents[Int(rev)]
    fingerprint ^= mixed(rev, UInt64(old + 1) << 8) ^ mixed(rev, UInt64(new + 1) << 8)
    parents[Int(rev)] = new
  }

  mutating func setLocal(_ document: DocumentNumber, _ new: Int32) {
    changes.append(.local(document, locals[Int(document)]))
    putLocal(document, new)
  }

  private mutating func putLocal(_ document: DocumentNumber, _ new: Int32) {
    let old = locals[Int(document)]
    fingerprint ^= mixed(-2 - document, UInt64(old + 1)) ^ mixed(-2 - document, UInt64(new + 1))
    locals[Int(document)] = new
  }

  mutating func limit() {
    guard !isLimited else { return }
    changes.append(.limited)
    isLimited = true
  }

  /// Adds a leaf below a leaf, or as the first revision of a document.
  mutating func add(_ rev: Number, below parent: Number, isDeleted: Bool) {
    if parent != Self.none { set(parent, flags[Int(parent)].subtracting(.leaf)) }
    set(rev, isDeleted ? [.present, .leaf, .body, .deleted] : [.present, .leaf, .body])
    setParent(rev, parent)
  }

  /// Merges a path, the newest revision first.
  mutating func merge(_ path: [Number], isDeleted: Bool) {
    let known = path.firstIndex { has($0, .present) } ?? path.count
    guard known > 0 else {
      // The body of a known revision may be filled in or not.
      let tip = flags[Int(path[0])]
      if tip.isDisjoint(with: [.body, .perhapsBody]) { set(path[0], tip.union(.perhapsBody)) }
      return
    }
    for place in 0..<known {
      set(
        path[place],
        place > 0
          ? .present
          : isDeleted ? [.present, .leaf, .body, .deleted] : [.present, .leaf, .body])
      setParent(path[place], place + 1 < path.count ? path[place + 1] : Self.none)
    }
    if known < path.count {
      set(path[known], flags[Int(path[known])].subtracting(.leaf))
    }
  }

  /// Removes leaves with the ancestors that no other leaf needs.
  mutating func purge(_ asked: [Number], of document: DocumentNumber) {
    for rev in asked where isLeaf(rev) { set(rev, []) }
    var needed: Set<Number> = []
    for leaf in leaves[Int(document)] {
      var place = leaf
      while place != Self.none, needed.insert(place).inserted { place = parents[Int(place)] }
    }
    for rev in asked {
      var place = parents[Int(rev)]
      while place != Self.none, !needed.contains(place), has(place, .present) {
        set(place, [])
        place = parents[Int(place)]
      }
    }
  }

  /// From now on, the bodies of inner revisions may be stored or not.
  mutating func compact() {
    for rev in flags.indices {
      let old = flags[rev]
      if old.contains(.present), !old.contains(.leaf), old.contains(.body) {
        set(Number(rev), old.subtracting(.body).union(.perhapsBody))
      }
    }
  }

  private func mixed(_ place: Int32, _ value: UInt64) -> UInt64 {
    mix(UInt64(UInt32(bitPattern: place)) << 32 ^ value)
  }
}

/// Spreads the bits of a number.
func mix(_ value: UInt64) -> UInt64 {
  var generator = RandomGenerator(seed: value)
  return generator.next()
}
