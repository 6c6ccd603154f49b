package import JSON
package import Simulation

/// Random operations on a stack of three contexts, and on the contexts and documents of its store.
package struct StackWorkload: LayerWorkload {
  private let model: WorkloadModel
  private var documents: WorkloadDocuments
  private let isPlain: Bool
  package let opening: [JSONValue]

  private static let contexts: [JSONString] = ["s.main", "s.background"]
  private static let queues: [JSONString] = ["main", "background"]

  init(seed: UInt64) {
    var random = KeyedRandom(seed: seed, key: 0)
    model = WorkloadModel(&random, isComplete: false)
    documents = WorkloadDocuments(model)
    // Without operations that bypass the stack, deeper schedules of its queues are reached.
    isPlain = random.chance(1, in: 2)
    opening =
      [
        ["op": "open", "store": "a"],
        ["op": "openObjects", "store": "a", "model": model.json],
      ] + documents.population(&random) + [Self.opening(&random)]
  }

  private static func opening(_ random: inout KeyedRandom) -> JSONValue {
    var arguments: JSONObject = [:]
    if random.chance(1, in: 2) {
      arguments["policy"] = .string(random.pick(ContextWorkload.policies) ?? "")
    }
    var options = ContextWorkload.options(&random)
    if random.chance(1, in: 4) { options["handledObjects"] = "everyResult" }
    if random.chance(1, in: 4) { options["saveFailure"] = "goesOnUnheard" }
    if random.chance(1, in: 4) { options["takesTurns"] = true }
    if !options.isEmpty { arguments["options"] = .object(options) }
    return operation("openStack", arguments)
  }

  private static func operation(_ name: JSONString, _ arguments: JSONObject = [:]) -> JSONValue {
    var operation: JSONObject = ["op": .string(name), "store": "a", "stack": "s"]
    for member in arguments.members { operation[member.name] = member.value }
    return .object(operation)
  }

  package mutating func step(_ random: inout KeyedRandom) -> [JSONValue] {
    switch random.below(40) {
    case 0..<14: return [performance(&random)]
    case 14..<17:
      var arguments: JSONObject = [:]
      Self.addWaiting(to: &arguments, &random)
      return [Self.operation("saveStack", arguments)]
    case 17..<30:
      guard random.chance(5, in: 6) else { return [Self.operation("runStack")] }
      let queues = Self.queues + ["writer"]
      return [Self.operation("runStack", ["queue": .string(random.pick(queues) ?? "main")])]
    case 30: return random.chance(1, in: 4) ? [Self.operation("resetStack")] : [naming(&random)]
    case 31: return isPlain ? [] : [documents.save(&random)]
    default:
      let context = random.pick(Self.contexts) ?? ""
      return [ContextWorkload.inContext(context, of: Self.contexts, model: model, &random)]
    }
  }

  private static func addWaiting(to arguments: inout JSONObject, _ random: inout KeyedRandom) {
    if random.chance(1, in: 5) { arguments["waits"] = true }
    if random.chance(1, in: 5) { arguments["unheard"] = true }
  }

  private func performance(_ random: inout KeyedRandom) -> JSONValue {
    var arguments: JSONObject = [
      "queue": .string(random.pick(Self.queues) ?? "main"), "steps": steps(depth: 0, &random),
    ]
    if random.chance(1, in: 2) { arguments["saves"] = true }
    Self.addWaiting(to: &arguments, &random)
    return Self.operation("performInStack", arguments)
  }

  private func steps(depth: Int, _ random: inout KeyedRandom) -> JSONValue {
    .array((0..<(1 + random.below(3))).map { _ in closureStep(depth: depth, &random) })
  }

  private func closureStep(depth: Int, _ random: inout KeyedRandom) -> JSONValue {
    let (entity, id) = model.object(&random)
    let name = JSONValue.string(model.entities[entity].name)
    var arguments: JSONObject = ["id": .string(id)]
    switch random.below(20) {
    case 0..<5:
      arguments["entity"] = name
      if random.chance(2, in: 3) {
        arguments["values"] = .object(model.values(of: entity, &random))
      }
      return ["insert": .object(arguments)]
    case 5..<9:
      arguments["values"] = .object(model.values(of: entity, &random))
      return ["change": .object(arguments)]
    case 9: return ["delete": .object(arguments)]
    case 10:
      var search = model.search(entity, &random)
      search["entity"] = name
      return ["find": .object(search)]
    case 11: return ["findAll": ["entity": name]]
    case 12..<16:
      let isText = random.chance(1, in: 2)
      arguments["entity"] = name
      arguments["key"] = isText ? "t" : "n"
      arguments["value"] =
        isText ? random.pick(["a", "b", "O\"B"]) ?? "a" : [1, 2][random.below(2)]
      if random.chance(1, in: 2) { arguments["values"] = ["m": .integer(Int64(random.below(3)))] }
      return ["findOrInsert": .object(arguments)]
    case 16: return ["save": [:]]
    case 17: return ["saveAll": [:]]
    default:
      guard depth < 2 else { return ["findAll": ["entity": name]] }
      var arguments: JSONObject = [
        "queue": .string(random.pick(Self.queues) ?? "main"),
        "steps": steps(depth: depth + 1, &random),
      ]
      if random.chance(1, in: 3) { arguments["saves"] = true }
      return ["perform": .object(arguments)]
    }
  }

  private func naming(_ random: inout KeyedRandom) -> JSONValue {
    let names = ["E0", "App.E0", "E0.E1", "DSTE0", "App.DSTE1", "E", "DST", "_TtC3App2E0", "X"]
    var operation: JSONObject = [
      "op": "entityOfClass", "store": "a", "class": .text(random.pick(names) ?? "E0"),
    ]
    if random.chance(2, in: 3) {
      operation["prefix"] = .text(random.pick(["DST", "E", "", "E0"]) ?? "DST")
    }
    return .object(operation)
  }

  package var closing: [JSONValue] {
    var operations = [Self.operation("runStack")]
    for name in Self.contexts {
      operations.append(["op": "inspectContext", "store": "a", "context": .string(name)])
    }
    operations.append(Self.operation("saveStack"))
    operations.append(Self.operation("runStack"))
    for name in Self.contexts {
      operations.append(["op": "inspectContext", "store": "a", "context": .string(name)])
      for entity in model.entities {
        operations.append([
          "op": "fetchInContext", "store": "a", "context": .string(name),
          "entity": .string(entity.name),
        ])
      }
    }
    return operations + documents.reading
  }
}
