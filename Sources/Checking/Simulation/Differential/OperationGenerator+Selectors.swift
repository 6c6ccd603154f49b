internal import Datastore
internal import JSON

// Queries, and bodies that few of them match.

extension OperationGenerator {
  private static let paths: [JSONString] = [
    "a", "b", "c", "c.a", "c.b", "t", "_id", "_rev", #"a\.b"#,
  ]

  private mutating func path() -> JSONString {
    random.chance(1, in: 2) ? random.pick(["a", "b"]) ?? "a" : random.pick(Self.paths) ?? "a"
  }

  /// A body with the members that selectors name.
  mutating func soughtBody() -> JSONValue {
    var members: [(JSONString, JSONValue)] = []
    for name in ["a", "b", "t"] as [JSONString] where random.chance(2, in: 3) {
      members.append((name, value(depth: 2)))
    }
    if random.chance(1, in: 3) {
      members.append(("c", ["a": value(depth: 1), "b": value(depth: 1)]))
    }
    if random.chance(1, in: 8) { members.append(("a.b", value(depth: 0))) }
    return .object(JSONObject(members))
  }

  private mutating func value(depth: Int) -> JSONValue {
    switch random.below(depth > 0 ? 12 : 9) {
    case 0: .null
    case 1: .bool(random.chance(1, in: 2))
    case 2, 3, 4: number()
    case 5, 6, 7: .string(text())
    case 8: random.chance(1, in: 2) ? [] : [:]
    case 9, 10: .array((0...random.below(3)).map { _ in value(depth: depth - 1) })
    default: ["a": value(depth: depth - 1), "b": value(depth: depth - 1)]
    }
  }

  /// Small numbers that are often equal, and adjacent integers that are equal as doubles.
  private mutating func number() -> JSONValue {
    let small: [JSONValue] = [
      0, 1, 2, -1, 1.0, 1.5, -15, 10, -0.0, 1e-7, 1e300, -1e300,
      .double(.leastNonzeroMagnitude),
    ]
    let large: [JSONValue] = [
      JSONValue(1 << 63), JSONValue(1 << 63 + 1), 9.223372036854775808e18, .integer(.min),
      .integer(.max), JSONValue(UInt64.max), 18446744073709551616.0, -9.223372036854775808e18,
      9_007_199_254_740_993, 9007199254740992.0, -9_007_199_254_740_993,
    ]
    return random.pick(small + (workload.isExact ? large : [])) ?? 0
  }

  private mutating func text() -> JSONString {
    random.pick([
      "", "a", "A", "ab", "b", "é", "e\u{301}", "a\u{0}", "a\u{0}b", "12.5", "12.50", "-0",
      "1.25e1",
      "125", "x y", "X-é y", "cat sat", "y\u{0}x", "a\"\\\u{1}", "\u{1f600}", "\u{ff5e}",
    ]) ?? ""
  }

  mutating func finding() -> StoreAction {
    var request = FindRequest(.object(selector(depth: 2)))
    for _ in 0..<random.below(3) where random.chance(1, in: 2) {
      request.sort.append(SortKey(path(), descending: random.chance(1, in: 2)))
    }
    request.skip = random.chance(1, in: 4) ? Int64(random.below(4)) : nil
    request.limit = random.chance(1, in: 3) ? Int64(random.below(5)) : nil
    if random.chance(1, in: 5) { request.fields = (0...random.below(2)).map { _ in path() } }
    if random.chance(1, in: 30) {
      switch random.below(4) {
      case 0: request.skip = -1
      case 1: request.limit = -1
      case 2: request.fields = random.chance(1, in: 2) ? [] : ["a\\"]
      default: request.sort = [SortKey("\\a")]
      }
    }
    return .finding(random.chance(1, in: 20) ? .explain(request) : .find(request))
  }

  /// A selector; nil if the generated one is invalid.
  mutating func soughtSelector() -> FindSelector? { try? FindSelector(.object(selector(depth: 2))) }

  mutating func indexing() -> StoreAction {
    let name: JSONString = random.pick(["i", "j", "é", "i"]) ?? "i"
    switch random.below(8) {
    case 0: return .finding(.dropIndex(name: name))
    case 1: return .finding(.listIndexes)
    default:
      let type: IndexDefinition.Kind = random.chance(1, in: 3) ? .text : .json
      let fields = (0..<(random.chance(1, in: 20) ? 0 : random.below(3) + 1)).map { _ in path() }
      return .finding(.createIndex(IndexDefinition(name, type, fields: fields)))
    }
  }

  // MARK: Selectors

  private mutating func selector(depth: Int) -> JSONObject {
    var members: [(JSONString, JSONValue)] = []
    for _ in 0..<(random.chance(1, in: 12) ? 0 : partCount()) {
      members.append(random.chance(depth > 0 ? 3 : 1, in: 10) ? combination(depth) : field(depth))
    }
    return JSONObject(members)
  }

  private mutating func combination(_ depth: Int) -> (JSONString, JSONValue) {
    if depth == 0 || random.chance(1, in: 4) {
      let words: JSONString =
        random.pick(["a", "x Y", "É", "é", "cat", "-", "sat cat", "x"]) ?? "a"
      let fields = (0...random.below(2)).map { _ in JSONValue.string(path()) }
      return ("$text", ["$search": .string(words), "$fields": .array(fields)])
    }
    if random.chance(1, in: 4) { return ("$not", .object(selector(depth: depth - 1))) }
    let name: JSONString = random.pick(["$and", "$or", "$nor"]) ?? "$and"
    let parts = (0..<random.below(4)).map { _ in JSONValue.object(selector(depth: depth - 1)) }
    return (name, .array(parts))
  }

  private mutating func field(_ depth: Int) -> (JSONString, JSONValue) {
    switch random.below(40) {
    case 0: return (random.pick(["$foo", "$eq", "a\\", "$regex"]) ?? "$foo", value(depth: 1))
    case 1..<6: return (path(), value(depth: 1))
    case 6, 7: return (path(), .object(selector(depth: max(0, depth - 1))))
    default: return (path(), .object(conditions(depth)))
    }
  }

  /// Mostly one, because two conditions seldom match.
  private mutating func partCount() -> Int { random.chance(1, in: 4) ? 2 : 1 }

  private mutating func conditions(_ depth: Int) -> JSONObject {
    JSONObject((0..<partCount()).map { _ in condition(depth) })
  }

  private mutating func condition(_ depth: Int) -> (JSONString, JSONValue) {
    switch random.below(depth > 0 ? 20 : 17) {
    case 0, 1: return (random.pick(["$eq", "$ne"]) ?? "$eq", operand())
    case 2...7: return (random.pick(["$lt", "$lte", "$gt", "$gte"]) ?? "$lt", comparand())
    case 8, 9:
      let operands = (0..<random.below(4)).map { _ in operand() }
      return (random.pick(["$in", "$in", "$nin"]) ?? "$in", .array(operands))
    case 10: return ("$exists", .bool(random.chance(1, in: 2)))
    case 11:
      let types = ValueType.allCases.map { $0.rawValue } + ["int"]
      return ("$type", .text(random.pick(types) ?? "null"))
    case 12: return ("$all", .array((0..<random.below(3)).map { _ in value(depth: 0) }))
    case 13: return ("$size", random.pick([0, 1, 2, 2.0, -1, 1.5]) ?? 0)
    case 14:
      // Without exact numbers the largest divisor is the largest odd integer of a double.
      let large: Int64 = workload.isExact ? .max : 1 << 53 - 1
      let divisor: JSONValue = random.pick([2, 3, -2, 10, 7.0, .integer(large), 0]) ?? 2
      return ("$mod", [divisor, random.pick([0, 1, -1, -5, 2]) ?? 0])
    case 15, 16: return ("$regex", .string(pattern()))
    case 17, 18:
      let inner = random.chance(1, in: 2) ? conditions(depth - 1) : selector(depth: depth - 1)
      return ("$elemMatch", .object(inner))
    default: return ("$not", .object(conditions(depth - 1)))
    }
  }

  private mutating func operand() -> JSONValue {
    random.chance(1, in: 6) ? decimal() : value(depth: 1)
  }

  private mutating func comparand() -> JSONValue {
    switch random.below(10) {
    case 0: .bool(random.chance(1, in: 2))
    case 1...4: number()
    case 5...7: .string(text())
    case 8: decimal()
    default: value(depth: 1)
    }
  }

  private mutating func decimal() -> JSONValue {
    let texts: [JSONString] = ["12.50", "0", "-0.0", "1e2", "+.5", "12.", "-1E+3", "x"]
    return ["$decimal": .string(random.pick(texts) ?? "0")]
  }

  private mutating func pattern() -> JSONString {
    random.pick([
      "", "a", "^a", "a$", "^$", ".", "^.$", "a|b", "(a|b)+", "^a{0,1}b", "[a-c]+\u{0}?", "[^a]",
      #"\d+\.\d"#, #"\s"#, "é", "e\u{301}", "(a*)*b", "^(|x) ?y$", "(", "a**", #"\q"#,
    ]) ?? "a"
  }
}
