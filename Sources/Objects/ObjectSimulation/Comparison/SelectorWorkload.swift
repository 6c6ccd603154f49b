package import JSON
package import Simulation

/// Random selectors with expressions and places over a few documents.
///
/// Documents have coordinates that are multiples of 7 degrees, and selectors have others, so that no
/// two distances are equal and no place is on an edge: there stores may differ.
package struct SelectorWorkload: LayerWorkload {
  package private(set) var opening: [JSONValue] = []

  private static let texts: [JSONValue] = [
    "", "a", "ab", "abab", "b", "ba\nb", "é", "a1_", " a", "^a", "😀b", "AB",
  ]
  private static let atoms = [
    "a", "b", ".", "[ab]", "[^a]", "\\d", "\\w", "\\s", "(a|b)", "(ab)", "é", "[a-z_]", "\\^",
  ]
  private static let counts = ["", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "{3,2}"]

  package init(seed: UInt64) {
    var random = KeyedRandom(seed: seed, key: 0)
    opening = [["op": "open", "store": "a"]]
    for number in 0..<12 {
      var body: JSONObject = [:]
      if random.chance(5, in: 6) { body["p"] = placed(&random) }
      if random.chance(5, in: 6) { body["t"] = random.pick(Self.texts) }
      if random.chance(1, in: 6), let text = random.pick(Self.texts) { body["t"] = [text, 1] }
      let id = JSONString("d\(10 + number)")
      opening.append(CollectionLayerWorkload.document(id, .object(body)))
    }
  }

  private func place(_ random: inout KeyedRandom) -> JSONValue {
    [.integer(Int64(7 * (random.below(51) - 25))), .integer(Int64(7 * (random.below(25) - 12)))]
  }

  private func placed(_ random: inout KeyedRandom) -> JSONValue {
    switch random.below(12) {
    case 0: [place(&random), place(&random)]
    case 1: [181, 0]
    case 2: ["x", place(&random)]
    case 3: [7, 14, 21]
    case 4: "0,0"
    default: place(&random)
    }
  }

  package mutating func step(_ random: inout KeyedRandom) -> [JSONValue] {
    var request: JSONObject = [
      "op": "find", "store": "a", "selector": selector(&random, depth: 0),
    ]
    if random.chance(1, in: 6) {
      request["sort"] = [["t": random.chance(1, in: 2) ? "asc" : "desc"]]
    }
    if random.chance(1, in: 6) { request["skip"] = .integer(Int64(random.below(3))) }
    if random.chance(1, in: 6) { request["limit"] = .integer(Int64(random.below(5))) }
    return [.object(request)]
  }

  private func selector(_ random: inout KeyedRandom, depth: Int) -> JSONValue {
    switch random.below(depth < 2 ? 10 : 6) {
    case ..<4: ["p": geographic(&random)]
    case ..<6: ["t": textual(&random)]
    case 6: ["$and": [selector(&random, depth: depth + 1), selector(&random, depth: depth + 1)]]
    case 7: ["$or": [selector(&random, depth: depth + 1), selector(&random, depth: depth + 1)]]
    case 8: ["$nor": [selector(&random, depth: depth + 1)]]
    default: ["$not": selector(&random, depth: depth + 1)]
    }
  }

  // MARK: Places

  private func geographic(_ random: inout KeyedRandom) -> JSONValue {
    let condition = plainGeographic(&random)
    return random.chance(1, in: 6) ? ["$not": condition] : condition
  }

  private func plainGeographic(_ random: inout KeyedRandom) -> JSONValue {
    switch random.below(8) {
    case ..<2: return ["$nearSphere": corner(&random)]
    case ..<4: return ["$nearSphere": corner(&random), "$maxDistance": distance(&random)]
    case 4: return ["$within": ["$centerSphere": [corner(&random), distance(&random)]]]
    case 5: return ["$within": ["$box": [corner(&random), corner(&random)]]]
    case 6:
      return [
        "$within": [
          "$polygon": .array(
            (0..<(3 + random.below(3))).map { _ in
              corner(&random)
            })
        ]
      ]
    default: return invalid(&random)
    }
  }

  private func distance(_ random: inout KeyedRandom) -> JSONValue {
    .integer(Int64(random.below(40)) * 311_111 + 55_555)
  }

  /// A place with coordinates that no document has.
  private func corner(_ random: inout KeyedRandom) -> JSONValue {
    [
      .double(Double(7 * (random.below(50) - 25)) + 3.3),
      .double(Double(7 * (random.below(24) - 12)) + 2.7),
    ]
  }

  private func invalid(_ random: inout KeyedRandom) -> JSONValue {
    random.pick(
      [
        ["$nearSphere": [0, 91]], ["$nearSphere": [0]], ["$maxDistance": 5], ["$within": [:]],
        ["$within": ["$circle": [[0, 0], 1]]], ["$within": ["$centerSphere": [[0, 0], -1]]],
        ["$within": ["$polygon": [[0, 0], [1, 1]]]], ["$box": [[0, 0], [1, 1]]],
        ["$nearSphere": [0, 0], "$maxDistance": "5"],
      ] as [JSONValue]) ?? [:]
  }

  // MARK: Expressions

  private func textual(_ random: inout KeyedRandom) -> JSONValue {
    var expression = random.chance(1, in: 3) ? "^" : ""
    for _ in 0..<(1 + random.below(4)) {
      expression += random.pick(Self.atoms) ?? "a"
      expression += random.pick(Self.counts) ?? ""
      if random.chance(1, in: 8) { expression += "|" }
    }
    if random.chance(1, in: 3) { expression += "$" }
    let condition: JSONValue = ["$regex": .string(JSONString(expression))]
    return random.chance(1, in: 6) ? ["$not": condition] : condition
  }

  package var closing: [JSONValue] { [] }
}
