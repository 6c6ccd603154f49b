internal import JSON
internal import Simulation

// The calls of a client in a random sequence.

extension CollectionLayerWorkload {
  private static let expressions: [JSONValue] = ["^b", "^(s|b)", "^.$", "^[a-n]+", "b"]

  // MARK: Saving

  mutating func save(
    _ place: Place, _ random: inout KeyedRandom
  ) -> JSONValue {
    // Two saves of one object at once, and two objects with one tag, have no meaning.
    var tags: [JSONString] = ["t", "u"]
    var used: [JSONValue] = []
    var objects: [JSONValue] = []
    for _ in 0..<(random.pick([0, 1, 1, 1, 2, 3]) ?? 1) {
      var saved = object(place, level: 0, tags: &tags, &random)
      if let id = saved["id"] {
        if used.contains(id) {
          saved["id"] = makesIDs ? nil : .string(JSONString("x\(used.count)"))
        }
        used.append(id)
      }
      objects.append(.object(saved))
    }
    return Self.operation("saveToCollection", place, arguments: ["objects": .array(objects)])
  }

  private mutating func object(
    _ place: Place, level: Int, tags: inout [JSONString],
    _ random: inout KeyedRandom
  ) -> JSONObject {
    var object: JSONObject = [:]
    if !makesIDs || random.chance(3, in: 5) { object["id"] = id(place, &random) }
    if random.chance(1, in: 6), let tag = tags.popLast() { object["tag"] = .string(tag) }
    var values: JSONObject = [:]
    let properties: [JSONString] =
      place.collection == "I" ? ["name", "q", "extra"] : ["name", "extra"]
    for property in properties where random.chance(1, in: 2) { values[property] = value(&random) }
    if makesIDs { values["name"] = newName() }
    object["values"] = .object(values)
    if place.collection == "R" {
      var related: JSONObject = [:]
      for (relation, count) in [("ingredients", 3), ("base", 2)] as [(JSONString, Int)]
      where random.chance(3, in: 5) {
        let ends = (0..<random.below(count)).map { _ in
          end(of: relation, place, level: level, tags: &tags, &random)
        }
        related[relation] = .array(ends)
      }
      if !related.isEmpty { object["related"] = .object(related) }
    }
    if random.chance(1, in: 10) { object["unknown"] = ["u": value(&random)] }
    return object
  }

  private mutating func end(
    of relation: JSONString, _ place: Place, level: Int, tags: inout [JSONString],
    _ random: inout KeyedRandom
  ) -> JSONValue {
    let target: JSONString = relation == "base" ? "R" : "I"
    switch random.below(10) {
    case ..<6: return id(place.with(target), &random)
    case 6: return ["tag": random.chance(1, in: 2) ? "t" : "u"]
    default:
      guard level < 3 else { return id(place.with(target), &random) }
      return .object(object(place.with(target), level: level + 1, tags: &tags, &random))
    }
  }

  // MARK: Reading

  private func reading(_ random: inout KeyedRandom) -> JSONObject {
    var arguments: JSONObject = [:]
    if random.chance(2, in: 5) { arguments["policy"] = random.pick(Self.policies) }
    if random.chance(1, in: 5) { arguments["depth"] = .integer(Int64(1 + random.below(2))) }
    return arguments
  }

  func load(
    _ place: Place, _ random: inout KeyedRandom
  ) -> JSONValue {
    var arguments = reading(&random)
    arguments["ids"] = .array((0..<random.below(4)).map { _ in id(place, &random) })
    return Self.operation("loadFromCollection", place, arguments: arguments)
  }

  func query(
    _ place: Place, _ random: inout KeyedRandom
  ) -> JSONValue {
    var arguments = reading(&random)
    arguments["query"] = .array(querySteps(place, &random))
    return Self.operation("queryCollection", place, arguments: arguments)
  }

  func group(
    _ place: Place, _ random: inout KeyedRandom
  ) -> JSONValue {
    let function = random.pick(["COUNT", "SUM", "MIN", "MAX", "AVERAGE"] as [JSONValue]) ?? "COUNT"
    var arguments: JSONObject = [
      "by": random.chance(1, in: 2) ? ["name"] : ["q", "name"], "function": function,
    ]
    if function != "COUNT" { arguments["field"] = "q" }
    if random.chance(1, in: 3) {
      arguments["query"] = .array(querySteps(place, &random))
    }
    return Self.operation("groupInCollection", place, arguments: arguments)
  }

  func querySteps(
    _ place: Place, _ random: inout KeyedRandom
  ) -> [JSONValue] {
    let fields: [JSONString] =
      place.collection == "I" ? ["name", "q", "_id"] : ["name", "ing", "base", "_id"]
    var steps: [JSONValue] = []
    for _ in 0..<(random.pick([0, 0, 1, 1, 2]) ?? 0) {
      guard let field = random.pick(fields) else { continue }
      switch random.below(20) {
      case ..<7:
        steps.append(["field": .string(field), "is": operand(of: field, place, &random)])
      case ..<16:
        steps.append(conditions(of: field, place, &random))
        if steps.count == 1, random.chance(1, in: 5) { steps.append(["negate": true]) }
      case ..<18: steps.append(["without": .string(field)])
      default: steps.append(["withoutOrNull": .string(field)])
      }
    }
    if random.chance(1, in: 10) {
      let parts = (0..<2).map { _ -> JSONValue in [["field": "name", "is": value(&random)]] }
      steps.append([random.chance(1, in: 2) ? "any" : "all": .array(parts)])
    }
    let order: JSONString? = makesIDs ? "name" : random.chance(1, in: 3) ? random.pick(fields) : nil
    if let order {
      steps.append(["sort": .string(order), "descending": .bool(random.chance(1, in: 2))])
      if !makesIDs, random.chance(1, in: 2), let next = random.pick(fields), next != order {
        steps.append(["sort": .string(next), "descending": .bool(random.chance(1, in: 2))])
      }
    }
    if random.chance(1, in: 5) { steps.append(["limit": .integer(Int64(random.below(4)))]) }
    if random.chance(1, in: 7) { steps.append(["skip": .integer(Int64(random.below(3)))]) }
    return steps
  }

  private func operand(
    of field: JSONString, _ place: Place, _ random: inout KeyedRandom
  ) -> JSONValue {
    switch field {
    case "_id": id(place, &random)
    case "ing": id(place.with("I"), &random)
    case "base": id(place.with("R"), &random)
    default: value(&random)
    }
  }

  private func conditions(
    of field: JSONString, _ place: Place, _ random: inout KeyedRandom
  ) -> JSONValue {
    // Made ids have no order.
    let isOrdered = !makesIDs || field == "name" || field == "q"
    let operators: [JSONString] =
      isOrdered
      ? ["$lt", "$lte", "$gt", "$gte", "$ne", "$in", "$nin", "$regex"] : ["$ne", "$in", "$nin"]
    let pairs = (0..<(random.pick([1, 1, 2]) ?? 1)).map { _ -> JSONValue in
      let name = random.pick(operators) ?? "$ne"
      let value: JSONValue =
        switch name {
        case "$in", "$nin":
          .array(
            (0..<random.below(4)).map { _ in operand(of: field, place, &random) })
        case "$regex": random.pick(Self.expressions) ?? "^b"
        case "$ne": operand(of: field, place, &random)
        default: random.pick([1, 2, "b", "s", true] as [JSONValue]) ?? 1
        }
      return [.string(name), value]
    }
    return ["field": .string(field), "meets": .array(pairs)]
  }

  // MARK: Removing

  mutating func remove(
    _ place: Place, _ random: inout KeyedRandom
  ) -> JSONValue {
    var arguments: JSONObject = [:]
    var rules: [JSONValue] = makesIDs ? ["only", "cascading"] : ["only", "nilling", "cascading"]
    switch random.below(10) {
    case ..<5:
      arguments["ids"] = .array((0..<random.below(4)).map { _ in id(place, &random) })
    case ..<8:
      var tags: [JSONString] = []
      arguments["objects"] = .array(
        (0..<random.below(3)).map { _ in .object(object(place, level: 0, tags: &tags, &random)) })
    default:
      arguments["query"] = .array(querySteps(place, &random))
      if makesIDs { rules = ["only"] }
    }
    if random.chance(1, in: 2) { arguments["rule"] = random.pick(rules) }
    return Self.operation("removeFromCollection", place, arguments: arguments)
  }
}
