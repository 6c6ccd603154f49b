internal import Datastore
internal import JSON

/// How the documents that a search may find are got at.
///
/// Whatever is got that way is looked at once more by the whole selector, so a plan may bring too
/// many documents and never too few.
enum IndexPlan {
  /// All live documents.
  case scan
  /// Those with an entry in one of the ranges; `isUnique` when none comes twice, and by id.
  case entries(StoredIndex, [KeyRange], isUnique: Bool)
  /// Those with all the words.
  case words(StoredIndex, query: JSONString)
  /// All of them in the order that is wanted.
  case order(StoredIndex, descending: Bool)
  /// Those that at least one of these plans brings, each an index of its own.
  case union([IndexPlan])

  init(_ search: Search, _ indexes: [StoredIndex]) {
    if !indexes.isEmpty, let best = Conjunction(search.selector).best(indexes) {
      self = best.plan
    } else if let index = indexes.first(where: { $0.orders(search) }) {
      self = .order(index, descending: search.sort[0].descending)
    } else {
      self = .scan
    }
  }

  /// The index that is used, or the first of them.
  var index: StoredIndex? {
    switch self {
    case .scan: nil
    case .entries(let index, _, _), .words(let index, _), .order(let index, _): index
    case .union(let plans): plans.first?.index
    }
  }

  /// What is done, for people.
  var name: String {
    switch self {
    case .scan: "scan"
    case .entries: "entries"
    case .words: "words"
    case .order: "order"
    case .union: "union"
    }
  }
}

/// Keys from one to below another.
struct KeyRange: Hashable {
  var low: [UInt8]
  var high: [UInt8]

  /// The keys that begin with these bytes.
  init(startingWith key: [UInt8]) {
    low = key
    high = key + [0xff]
  }

  init(_ low: [UInt8], _ high: [UInt8]) {
    self.low = low
    self.high = high
  }

  /// All values of a kind.
  init(kind: UInt8) { self.init([kind], [kind + 1]) }

  func after(_ prefix: [UInt8]) -> KeyRange { KeyRange(prefix + low, prefix + high) }
}

extension StoredIndex {
  /// Whether walking the entries brings the documents in the order that is asked for.
  fileprivate func orders(_ search: Search) -> Bool {
    guard definition.type == .json, !search.sort.isEmpty, paths == search.sort.map({ $0.path })
    else { return false }
    return search.sort.allSatisfy { $0.descending == search.sort[0].descending }
  }
}

/// The conditions that all hold for every document that is found.
private struct Conjunction {
  private var conditions: [FieldPath: [Condition]] = [:]
  private var searches: [TextSearch] = []
  /// Of each of these lists at least one selector holds.
  private var choices: [[Selector]] = []

  init(_ selector: Selector) { add(selector) }

  private mutating func add(_ selector: Selector) {
    switch selector {
    case .all(let parts): for part in parts { add(part) }
    case .field(let path, let conditions): self.conditions[path, default: []] += conditions
    case .text(let search): searches.append(search)
    case .any(let parts): choices.append(parts)
    case .none, .not: break
    }
  }

  /// The best plan that these indexes allow, and how good it is; nil when they are of no help.
  func best(_ indexes: [StoredIndex]) -> (score: Int, plan: IndexPlan)? {
    let plans = indexes.compactMap { plan($0) } + choices.compactMap { Self.union($0, indexes) }
    var best: (score: Int, plan: IndexPlan)?
    for plan in plans where plan.score > best?.score ?? 0 { best = plan }
    return best
  }

  /// More branches than these are not looked for one by one.
  private static let branchesMax = 100

  /// A plan for each of the selectors, as good as the worst of them and less as there are more.
  private static func union(
    _ parts: [Selector], _ indexes: [StoredIndex]
  ) -> (score: Int, plan: IndexPlan)? {
    guard parts.count <= branchesMax else { return nil }
    let branches = parts.compactMap { Conjunction($0).best(indexes) }
    guard branches.count == parts.count else { return nil }
    let worst = branches.map { $0.score }.min() ?? 100
    return (max(1, worst - branches.count), .union(branches.map { $0.plan }))
  }

  /// What an index is good for, and how good that is.
  func plan(_ index: StoredIndex) -> (score: Int, plan: IndexPlan)? {
    if index.definition.type == .text { return words(index) }
    var prefix: [UInt8] = []
    var score = 0
    var ranges: [KeyRange]?
    var isWhole = false
    for (place, path) in index.paths.enumerated() {
      guard let found = conditions[path].flatMap(FieldRanges.init) else { break }
      score += found.score
      ranges = found.ranges.map { $0.after(prefix) }
      guard let point = found.point else { break }
      prefix += point
      isWhole = place == index.paths.count - 1
    }
    guard var ranges else { return nil }
    let isUnique = isWhole && index.paths.count == 1
    // Documents with too many combinations to list have an entry of their own.
    if index.paths.count > 1 { ranges.append(KeyRange(startingWith: StoredIndex.crowded)) }
    return (score, .entries(index, ranges, isUnique: isUnique))
  }

  /// More words than these need not narrow down a search.
  private static let wordsMax = 32

  private func words(_ index: StoredIndex) -> (score: Int, plan: IndexPlan)? {
    for search in searches {
      let words = WordSearch(search.search).words
      let columns = search.fields.map { index.paths.firstIndex(of: $0) }
      guard !words.isEmpty, !columns.contains(nil) else { continue }
      let names = columns.compactMap { $0 }.map { "c\($0)" }.joined(separator: " ")
      // A word has neither quotes nor blanks in it.
      let terms = words.prefix(Self.wordsMax).map {
        "{\(names)} : \"\(String(decoding: $0, as: UTF8.self))\""
      }
      return (65, .words(index, query: JSONString(terms.joined(separator: " AND "))))
    }
    return nil
  }
}

/// Where in an index of a field the documents stand for which some conditions hold.
private struct FieldRanges {
  var ranges: [KeyRange]
  /// How much the ranges narrow down, by experience.
  var score: Int
  /// The key of the only value that is in question.
  var point: [UInt8]?

  /// Nil when the conditions are of no help.
  init?(_ conditions: [Condition]) {
    var best: FieldRanges?
    for condition in conditions {
      guard let ranges = FieldRanges(condition), ranges.score > best?.score ?? 0 else { continue }
      best = ranges
    }
    if let between = Self.between(conditions), between.score > best?.score ?? 0 { best = between }
    guard let best else { return nil }
    self = best
  }

  private init(_ ranges: [KeyRange], score: Int, point: [UInt8]? = nil) {
    self.ranges = ranges
    self.score = score
    self.point = point
  }

  private init(point key: [UInt8], score: Int) {
    self.init([KeyRange(startingWith: key)], score: score, point: key)
  }

  /// More values than these are looked for one by one.
  private static let valuesMax = 1000

  private init?(_ condition: Condition) {
    switch condition {
    case .equals(.value(let value)):
      guard let key = Self.key(value) else { return nil }
      self.init(point: key, score: 100)
    case .isIn(let operands):
      var ranges: Set<KeyRange> = []
      for operand in operands {
        guard case .value(let value) = operand, let key = Self.key(value),
          ranges.count < Self.valuesMax
        else { return nil }
        ranges.insert(KeyRange(startingWith: key))
      }
      self.init(ranges.sorted { $0.low.lexicographicallyPrecedes($1.low) }, score: 80)
    case .hasAll(let values):
      guard let first = values.first, let key = Self.key(first) else {
        self.init([KeyRange(kind: ValueKey.array)], score: 40)
        return
      }
      // Of an element there is an entry; of a value itself as well, which does no harm.
      self.init([KeyRange(startingWith: key)], score: 70)
    case .exists(false): self.init(point: [ValueKey.missing], score: 60)
    case .size, .element: self.init([KeyRange(kind: ValueKey.array)], score: 40)
    case .type(let type) where type != .number && type != .string:
      self.init(ValueTest.kinds(of: type).map { KeyRange(kind: $0) }, score: 40)
    case .compares(let comparison, .value(let value)):
      guard let range = Self.range(comparison, value) else { return nil }
      self.init([range], score: 30)
    default: return nil
    }
  }

  /// The key of a value; nil for a number that no body holds.
  private static func key(_ value: JSONValue) -> [UInt8]? {
    let key = ValueKey.of(value)
    return key == [ValueKey.number] ? nil : key
  }

  private static func range(_ comparison: Comparison, _ value: JSONValue) -> KeyRange? {
    guard let key = key(value) else { return nil }
    switch comparison {
    case .less, .lessOrEqual: return KeyRange([ValueKey.false], key + [0xff])
    case .greater, .greaterOrEqual: return KeyRange(key, [ValueKey.string + 1])
    }
  }

  /// Several comparisons: one value lies within all of them; of an array different elements may, so
  /// that all arrays are in question.
  private static func between(_ conditions: [Condition]) -> FieldRanges? {
    var (low, high): ([UInt8], [UInt8]) = ([], [0xff])
    var count = 0
    for case .compares(let comparison, .value(let value)) in conditions {
      guard let range = range(comparison, value) else { continue }
      count += 1
      if low.lexicographicallyPrecedes(range.low) { low = range.low }
      if range.high.lexicographicallyPrecedes(high) { high = range.high }
    }
    guard count > 1 else { return nil }
    let arrays = KeyRange(kind: ValueKey.array)
    let isEmpty = !low.lexicographicallyPrecedes(high)
    return FieldRanges(isEmpty ? [arrays] : [KeyRange(low, high), arrays], score: 50)
  }
}
