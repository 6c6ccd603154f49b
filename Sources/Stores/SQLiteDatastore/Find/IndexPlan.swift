internal import Datastore
internal import JSON

/// The access path to the documents that a search may find.
///
/// The complete selector is evaluated again for every candidate, so a plan may return too many
/// documents but never too few.
enum IndexPlan {
  /// A scan of all live documents.
  case scan
  /// Documents with an entry in one of the ranges; `isUnique` if no document occurs twice and they
  /// are ordered by id.
  case entries(StoredIndex, [KeyRange], isUnique: Bool)
  /// Documents that contain all the words.
  case words(StoredIndex, query: JSONString)
  /// All documents in the requested order.
  case order(StoredIndex, descending: Bool)
  /// Documents of at least one of these plans, each with its own index.
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

  /// The name of the plan, for people.
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

/// A range of keys, with exclusive upper bound.
struct KeyRange: Hashable {
  var low: [UInt8]
  var high: [UInt8]

  /// The keys that start with these bytes.
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
  /// Whether the order of the entries is the requested order of the documents.
  fileprivate func orders(_ search: Search) -> Bool {
    guard definition.type == .json, !search.sort.isEmpty, paths == search.sort.map({ $0.path })
    else { return false }
    return search.sort.allSatisfy { $0.descending == search.sort[0].descending }
  }
}

/// The conditions that all hold for every result.
private struct Conjunction {
  private var conditions: [FieldPath: [Condition]] = [:]
  private var searches: [TextSearch] = []
  /// Lists of selectors; of each list at least one selector holds.
  private var choices: [[FindSelector]] = []

  init(_ selector: FindSelector) { add(selector) }

  private mutating func add(_ selector: FindSelector) {
    switch selector {
    case .all(let parts): for part in parts { add(part) }
    case .field(let path, let conditions): self.conditions[path, default: []] += conditions
    case .text(let search): searches.append(search)
    case .any(let parts): choices.append(parts)
    case .none, .not: break
    }
  }

  /// The best plan for these indexes with its score; nil if no index helps.
  func best(_ indexes: [StoredIndex]) -> (score: Int, plan: IndexPlan)? {
    let plans = indexes.compactMap { plan($0) } + choices.compactMap { Self.union($0, indexes) }
    var best: (score: Int, plan: IndexPlan)?
    for plan in plans where plan.score > best?.score ?? 0 { best = plan }
    return best
  }

  /// The maximum number of branches that are searched separately.
  private static let branchesMax = 100

  /// A plan for each of the selectors; its score is that of the worst one, reduced by their number.
  private static func union(
    _ parts: [FindSelector], _ indexes: [StoredIndex]
  ) -> (score: Int, plan: IndexPlan)? {
    guard parts.count <= branchesMax else { return nil }
    let branches = parts.compactMap { Conjunction($0).best(indexes) }
    guard branches.count == parts.count else { return nil }
    let worst = branches.map { $0.score }.min() ?? 100
    return (max(1, worst - branches.count), .union(branches.map { $0.plan }))
  }

  /// The plan for an index with its score.
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
    // Documents with too many combinations to list have a special entry.
    if index.paths.count > 1 { ranges.append(KeyRange(startingWith: StoredIndex.crowded)) }
    return (score, .entries(index, ranges, isUnique: isUnique))
  }

  /// The maximum number of words used to narrow down a search.
  private static let wordsMax = 32

  private func words(_ index: StoredIndex) -> (score: Int, plan: IndexPlan)? {
    for search in searches {
      let words = WordSearch(search.search).words
      let columns = search.fields.map { index.paths.firstIndex(of: $0) }
      guard !words.isEmpty, !columns.contains(nil) else { continue }
      let names = columns.compactMap { $0 }.map { "c\($0)" }.joined(separator: " ")
      // A word contains neither quotes nor spaces.
      let terms = words.prefix(Self.wordsMax).map {
        "{\(names)} : \"\(String(decoding: $0, as: UTF8.self))\""
      }
      return (65, .words(index, query: JSONString(terms.joined(separator: " AND "))))
    }
    return nil
  }
}

/// The key ranges of a single-field index for which some conditions can hold.
private struct FieldRanges {
  var ranges: [KeyRange]
  /// The selectivity of the ranges, a heuristic.
  var score: Int
  /// The key of the only possible value.
  var point: [UInt8]?

  /// Nil if the conditions do not narrow down the search.
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

  /// The maximum number of values that are looked up separately.
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
      // An element has an entry. The value itself has one as well, which is harmless.
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

  /// The key of a value; nil for a number that no body contains.
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

  /// Several comparisons: a single value satisfies all of them, but different elements of an array
  /// may, so all arrays are candidates.
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
