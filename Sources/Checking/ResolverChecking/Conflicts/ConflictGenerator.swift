internal import JSON
internal import Simulation

/// Random conflicts: more leaves, longer branches, and values of every kind.
struct ConflictGenerator {
  private var random: KeyedRandom

  init(seed: UInt64) { random = KeyedRandom(seed: seed, key: 0) }

  private static let names: [JSONString] = [
    "title", "done", "tags", "count", "note", "modified", "owner", "é", "price",
  ]

  mutating func conflict() -> ConflictCase {
    var ancestor = JSONObject()
    for _ in 0..<random.below(5) { set(&ancestor) }
    let isKnown = !random.chance(1, in: 5)
    let count = 2 + (random.chance(1, in: 3) ? 1 + random.below(2) : 0)
    let sides = (0..<count).map { _ in
      let edits = random.chance(1, in: 4) ? 2 + random.below(2) : 1
      guard !random.chance(1, in: 8) else { return ConflictCase.Side(body: nil, edits: edits) }
      var body = ancestor
      for _ in 0..<random.below(4) { edit(&body) }
      return ConflictCase.Side(body: body, edits: edits)
    }
    return ConflictCase(ancestor: isKnown ? ancestor : nil, sides: sides)
  }

  private mutating func edit(_ body: inout JSONObject) {
    if random.chance(1, in: 3), let member = random.pick(body.members) {
      body[member.name] = nil
    } else if random.chance(1, in: 3), let member = random.pick(body.members),
      case .array(let elements) = member.value
    {
      body[member.name] = .array(elements + [scalar()])
    } else {
      set(&body)
    }
  }

  private mutating func set(_ body: inout JSONObject) {
    guard let name = random.pick(Self.names) else { return }
    body[name] = value(depth: 2)
  }

  private mutating func value(depth: Int) -> JSONValue {
    switch random.below(depth > 0 ? 9 : 7) {
    case 7:
      let count = random.below(4)
      return .array((0..<count).map { _ in value(depth: depth - 1) })
    case 8:
      var object = JSONObject()
      for _ in 0..<random.below(3) {
        object[random.pick(["x", "y", "z"]) ?? "x"] = value(depth: depth - 1)
      }
      return .object(object)
    default: return scalar()
    }
  }

  private mutating func scalar() -> JSONValue {
    switch random.below(6) {
    case 0: .null
    case 1: .bool(random.chance(1, in: 2))
    case 2: .double(random.pick([0.5, -1.25, 1e9 + 0.5]) ?? 0.5)
    case 3: .text(random.pick(["", "x", "y", "ü\u{0}\n\u{1F600}", "2026-01-01"]) ?? "")
    default: .integer(Int64(random.below(5)))
    }
  }
}
