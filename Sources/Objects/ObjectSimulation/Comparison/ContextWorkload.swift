package import JSON
package import Simulation

/// Random operations on contexts of one store, and on its documents below them.
package struct ContextWorkload: LayerWorkload {
  private let model: WorkloadModel
  private var documents: WorkloadDocuments
  private let contexts: [JSONString]
  private let isPulling: Bool
  package let opening: [JSONValue]

  static let policies: [JSONString] = [
    "error", "storeTrump", "objectTrump", "overwrite", "rollback",
  ]

  private static let observers: [JSONString] = ["o", "p"]

  /// - Parameter isComplete: whether there are relationships, constraints and pulls.
  init(seed: UInt64, isComplete: Bool) {
    var random = KeyedRandom(seed: seed, key: 0)
    model = WorkloadModel(&random, isComplete: isComplete)
    documents = WorkloadDocuments(model)
    isPulling = isComplete && random.chance(1, in: 2)
    let all: [JSONString] = ["main", "child", "other", "grandchild"]
    contexts = Array(all.prefix(1 + random.below(4)))
    var opening: [JSONValue] = [
      ["op": "open", "store": "a"],
      ["op": "openObjects", "store": "a", "model": model.json],
    ]
    opening += documents.population(&random)
    for name in contexts { opening.append(Self.opening(name, &random)) }
    self.opening = opening
  }

  private static func opening(_ name: JSONString, _ random: inout KeyedRandom) -> JSONValue {
    var arguments: JSONObject = [:]
    switch name {
    case "child": arguments["parent"] = "main"
    case "grandchild": arguments["parent"] = "child"
    default: break
    }
    if random.chance(3, in: 4) { arguments["policy"] = .string(random.pick(policies) ?? "") }
    let options = options(&random)
    if !options.isEmpty { arguments["options"] = .object(options) }
    return operation("openContext", name, with: arguments)
  }

  /// Some options of a context.
  static func options(_ random: inout KeyedRandom) -> JSONObject {
    var options: JSONObject = [:]
    func add(_ name: JSONString, _ values: [JSONValue]) {
      guard random.chance(1, in: 6), let value = random.pick(values) else { return }
      options[name] = value
    }
    add("postsOnEmptySave", [true, false])
    add("mergedDeletionsAreChanges", [true, false])
    add("parentConflict", ["childWins", "conflict"])
    add("deletedInParent", ["staysDeleted", "comesBack"])
    add("recreatesDeleted", [true, false])
    add("childrenStayTemporary", [true, false])
    return options
  }

  private static func operation(
    _ name: JSONString, _ context: JSONString, with arguments: JSONObject = [:]
  ) -> JSONValue {
    var operation: JSONObject = ["op": .string(name), "store": "a", "context": .string(context)]
    for member in arguments.members { operation[member.name] = member.value }
    return .object(operation)
  }

  package mutating func step(_ random: inout KeyedRandom) -> [JSONValue] {
    let below = random.below(12)
    if below == 0, isPulling { return [documents.pull(&random)] }
    if below < 2 { return [documents.save(&random)] }
    let context = random.pick(contexts) ?? "main"
    if random.chance(1, in: 200) {
      return [["op": "openObjects", "store": "a", "model": model.json]]
        + contexts.map { Self.opening($0, &random) }
    }
    return [Self.inContext(context, of: contexts, model: model, &random)]
  }

  /// One operation on a context.
  static func inContext(
    _ context: JSONString, of contexts: [JSONString], model: WorkloadModel,
    _ random: inout KeyedRandom
  ) -> JSONValue {
    let (entity, id) = model.object(&random)
    let object: JSONObject = ["id": .string(id)]
    switch random.below(44) {
    case 0..<6:
      var arguments = object
      arguments["entity"] = .string(model.entities[entity].name)
      if random.chance(2, in: 3) {
        arguments["values"] = .object(model.values(of: entity, &random))
      }
      return operation("insertObject", context, with: arguments)
    case 6..<15:
      var arguments = object
      arguments["values"] = .object(model.values(of: entity, &random))
      return operation("changeObject", context, with: arguments)
    case 15..<18: return operation("deleteObject", context, with: object)
    case 18..<20: return operation("readInContext", context, with: object)
    case 20..<22: return operation("inspectObject", context, with: object)
    case 22..<24: return operation("inspectContext", context)
    case 24..<27: return fetch(context, model, entity: entity, random: &random)
    case 27..<29:
      var arguments = object
      arguments["merges"] = .bool(random.chance(1, in: 2))
      return operation("refreshObject", context, with: arguments)
    case 29:
      return operation("obtainPermanentIDs", context, with: ["ids": [.string(id)]])
    case 30: return operation(random.pick(["rollbackContext", "resetContext"]) ?? "", context)
    case 31..<33:
      return operation(
        "mergeChanges", context, with: ["from": .string(random.pick(contexts) ?? context)])
    case 33: return operation("processConflicts", context)
    case 34..<36:
      return operation(
        "resolveConflicts", context, with: ["policy": .string(random.pick(policies) ?? "")])
    case 36..<38: return observe(context, model, entity: entity, random: &random)
    case 38..<40:
      return operation(
        "updateFetch", context, with: ["observer": .string(random.pick(observers) ?? "")])
    default: return operation("saveContext", context)
    }
  }

  private static func observe(
    _ context: JSONString, _ model: WorkloadModel, entity: Int, random: inout KeyedRandom
  ) -> JSONValue {
    var arguments = model.search(entity, &random)
    arguments["observer"] = .string(random.pick(observers) ?? "")
    arguments["entity"] = .string(model.entities[entity].name)
    if random.chance(1, in: 5) { arguments["offset"] = .integer(Int64(random.below(3))) }
    if random.chance(1, in: 5) { arguments["limit"] = .integer(Int64(random.below(3))) }
    return operation("observeFetch", context, with: arguments)
  }

  private static func fetch(
    _ context: JSONString, _ model: WorkloadModel, entity: Int, random: inout KeyedRandom
  ) -> JSONValue {
    var arguments = model.search(entity, &random)
    arguments["entity"] = .string(model.entities[entity].name)
    if random.chance(1, in: 3) {
      arguments["result"] = .string(random.pick(["objects", "ids", "count"]) ?? "ids")
    }
    if random.chance(1, in: 5) { arguments["offset"] = .integer(Int64(random.below(3))) }
    if random.chance(1, in: 5) { arguments["limit"] = .integer(Int64(random.below(3))) }
    if random.chance(1, in: 4) {
      arguments["includesPendingChanges"] = .bool(random.chance(1, in: 2))
    }
    return operation("fetchInContext", context, with: arguments)
  }

  package var closing: [JSONValue] {
    var operations: [JSONValue] = []
    for name in contexts { operations.append(Self.operation("inspectContext", name)) }
    for name in contexts { operations.append(Self.operation("saveContext", name)) }
    for name in contexts {
      operations.append(Self.operation("inspectContext", name))
      for entity in model.entities {
        operations.append(
          Self.operation("fetchInContext", name, with: ["entity": .string(entity.name)]))
      }
    }
    return operations + documents.reading
  }
}
