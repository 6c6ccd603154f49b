internal import Datastore
internal import JSON
internal import ObjectOperations
internal import Scenarios
internal import Simulation

// Scenarios in which applications edit objects in contexts.

/// A small model, with the ids of its objects.
struct ObjectPool {
  struct Relationship {
    var name: JSONString
    var destination: Int
    var isToMany: Bool
  }

  struct Entity {
    var name: JSONString
    var attributes: [JSONString]
    var relationships: [Relationship] = []
  }

  private(set) var entities: [Entity]
  /// The model as JSON.
  let model: JSONValue
  /// The maximum number of objects of each entity.
  let count: Int

  init(_ random: inout KeyedRandom) {
    var entities: [Entity] = []
    for place in 0...random.below(3) {
      entities.append(
        Entity(
          name: JSONString("E\(place)"),
          attributes: Array(["n", "t", "m"].prefix(1 + random.below(3)))))
    }
    var encoded: [[(JSONString, JSONValue)]] = entities.map { _ in [] }
    for number in 0...random.below(3) {
      let (from, to) = (random.below(entities.count), random.below(entities.count))
      let (name, inverse) = (JSONString("r\(number)"), JSONString("s\(number)"))
      func end(_ name: JSONString, _ inverse: JSONString, at place: Int, to other: Int) {
        let isToMany = random.chance(1, in: 2)
        let rule = Self.deleteRules[random.below(Self.deleteRules.count)]
        var json: JSONObject = [
          "destination": .string(entities[other].name), "inverse": .string(inverse),
        ]
        if isToMany { json["many"] = true }
        if rule != "nullify" { json["delete"] = .string(rule) }
        encoded[place].append((name, .object(json)))
        entities[place].relationships.append(
          Relationship(name: name, destination: other, isToMany: isToMany))
      }
      end(name, inverse, at: from, to: to)
      // Friends: a relationship that is its own inverse.
      guard from != to || random.chance(2, in: 3) else {
        entities[from].relationships.removeLast()
        let (_, json) = encoded[from].removeLast()
        var own = json.objectValue ?? [:]
        own["inverse"] = .string(name)
        encoded[from].append((name, .object(own)))
        entities[from].relationships.append(
          Relationship(name: name, destination: to, isToMany: own["many"] == true))
        continue
      }
      end(inverse, name, at: to, to: from)
    }
    self.entities = entities
    count = 2 + random.below(5)
    model = [
      "entities": .object(
        JSONObject(
          entities.indices.map { place in
            let attributes = entities[place].attributes.map {
              ($0, ["type": $0 == "t" ? "utf8" : "int64"] as JSONValue)
            }
            return (
              entities[place].name,
              [
                "attributes": .object(JSONObject(attributes)),
                "relationships": .object(JSONObject(encoded[place])),
              ]
            )
          }))
    ]
  }

  private static let deleteRules: [JSONString] = [
    "nullify", "nullify", "nullify", "nullify", "cascade", "deny", "noAction",
  ]

  func id(_ entity: Int, _ number: Int) -> DocumentID {
    DocumentID(JSONString("\(entities[entity].name)-\(number)"))
  }
}

extension SeedDraft {
  private static let policies: [JSONString] = [
    "storeTrump", "objectTrump", "overwrite", "rollback", "error",
  ]

  /// Adds applications that edit objects, replicate, and resolve conflicts.
  mutating func addApplications() {
    let pool = ObjectPool(&random)
    for (place, name) in names.enumerated() {
      let contexts = openContexts(at: name, pool)
      var left = generator.operationsPerReplica
      while left > 0 {
        let time = random.below(span)
        left -= addWork(at: name, place, time, contexts: contexts, pool: pool)
        if random.chance(1, in: 3) { addSync(at: place, time, contexts) }
      }
    }
  }

  /// Opens the objects of a replica and its contexts, and returns the names of the contexts.
  private mutating func openContexts(at name: ReplicaName, _ pool: ObjectPool) -> [JSONString] {
    let start = random.below(2000)
    add(.perform(at: name, ClientOperation(.objects(.open(model: pool.model)))), at: start)
    var contexts: [JSONString] = ["main"]
    add(inContext(name, "main", call: .open(policy: random.pick(Self.policies))), at: start + 1)
    if random.chance(1, in: 2) {
      contexts.append("child")
      add(
        inContext(name, "child", call: .open(parent: "main", policy: random.pick(Self.policies))),
        at: start + 2)
    }
    if random.chance(1, in: 3) {
      contexts.append("other")
      add(inContext(name, "other", call: .open(policy: random.pick(Self.policies))), at: start + 3)
    }
    return contexts
  }

  private func inContext(
    _ name: ReplicaName, _ context: JSONString, call: ContextAction.Call
  ) -> Directive {
    .perform(at: name, ClientOperation(.contexts(ContextAction(context, call))))
  }

  /// Adds some edits and their save; returns the number of operations.
  private mutating func addWork(
    at name: ReplicaName, _ place: Int, _ start: Int, contexts: [JSONString], pool: ObjectPool
  ) -> Int {
    var time = start
    let context = random.pick(contexts) ?? "main"
    var calls: [ContextAction.Call] = []
    for _ in 0...random.below(4) { calls += edit(place, contexts, pool: pool) }
    for call in calls {
      add(inContext(name, context, call: call), at: time)
      time += random.below(20)
    }
    // Occasionally a save is omitted, temporarily or permanently.
    guard random.chance(7, in: 8) else { return calls.count }
    if random.chance(1, in: 6) { time += random.below(8000) }
    let isChild = context == "child"
    if isChild { add(inContext(name, context, call: .save), at: time) }
    addSave(at: name, isChild ? "main" : context, time)
    return calls.count + 2
  }

  /// Adds a save, and the reactions of an application to its possible failure.
  private mutating func addSave(at name: ReplicaName, _ context: JSONString, _ time: Int) {
    add(inContext(name, context, call: .save), at: time)
    if random.chance(1, in: 3) {
      let policy = random.pick(Self.policies) ?? "storeTrump"
      add(inContext(name, context, call: .resolve(policy: policy)), at: time + 1)
      add(inContext(name, context, call: .save), at: time + 2)
    }
    if random.chance(1, in: 2) { add(inContext(name, context, call: .rollback), at: time + 3) }
  }

  private mutating func edit(
    _ place: Int, _ contexts: [JSONString], pool: ObjectPool
  ) -> [ContextAction.Call] {
    let number = random.below(pool.entities.count)
    let entity = pool.entities[number]
    let id = pool.id(number, random.below(pool.count))
    switch random.below(16) {
    case 0, 1, 2:
      // Usually with an id that no other replica uses.
      let own = pool.count + place * 10 + random.below(pool.count)
      let new = random.chance(3, in: 4) ? pool.id(number, own) : id
      return [.read(new), .insert(new, entity: entity.name, values: values(of: entity))]
    case 3, 4, 5: return [.change(id, values: values(of: entity))]
    case 6, 7, 8, 9, 10: return relate(number, id, pool: pool)
    case 11, 12: return [.delete(id)]
    case 13:
      return [
        .fetch(ObjectFetch(entity.name, result: random.chance(1, in: 2) ? .objects : .ids)),
        .read(id),
      ]
    case 14:
      let isMerged = random.chance(1, in: 2)
      return isMerged
        ? [.merge(from: random.pick(contexts) ?? "main")]
        : [.refresh(id, merges: random.chance(1, in: 2))]
    default: return random.chance(1, in: 2) ? [.inspect, .read(id)] : [.rollback]
    }
  }

  private mutating func values(of entity: ObjectPool.Entity) -> JSONValue {
    var values: [(JSONString, JSONValue)] = []
    for attribute in entity.attributes where random.chance(1, in: 2) {
      // Every value is unique.
      serial += 1
      let value: JSONValue = attribute == "t" ? .text("w\(serial)") : .integer(Int64(serial))
      values.append((attribute, random.chance(1, in: 10) ? .null : value))
    }
    return .object(JSONObject(values))
  }

  private mutating func relate(
    _ number: Int, _ id: DocumentID, pool: ObjectPool
  ) -> [ContextAction.Call] {
    guard let relationship = random.pick(pool.entities[number].relationships) else { return [] }
    let other = relationship.destination
    guard relationship.isToMany else {
      let target = pool.id(other, someone(pool))
      return [
        .change(
          id, values: .object([relationship.name: random.chance(1, in: 5) ? .null : target.json]))
      ]
    }
    var targets: Set<Int> = []
    for _ in 0..<random.below(4) { targets.insert(someone(pool)) }
    let ids = targets.sorted().map { pool.id(other, $0).json }
    return [.change(id, values: .object([relationship.name: .array(ids)]))]
  }

  /// The number of an object that may exist.
  private mutating func someone(_ pool: ObjectPool) -> Int {
    random.chance(2, in: 3)
      ? random.below(pool.count)
      : pool.count + random.below(names.count) * 10 + random.below(pool.count)
  }

  /// Adds one or two pulls, the processing of their conflicts, and a push.
  private mutating func addSync(at place: Int, _ start: Int, _ contexts: [JSONString]) {
    var time = start
    let name = names[place]
    let others = names.indices.filter { $0 != place }
    let batch: Int64? = random.chance(1, in: 3) ? Int64(1 + random.below(5)) : nil
    for _ in 0...random.below(2) {
      guard let other = random.pick(others) else { return }
      add(
        .replicate(Replicate(source: names[other], target: name, by: name, batch: batch)), at: time)
      time += random.below(500)
    }
    // Enough time for most pulls, but not for all.
    time += 1000 + random.below(8000)
    let context = random.chance(1, in: 4) ? random.pick(contexts) ?? "main" : "main"
    let policy = random.pick(Self.policies) ?? "storeTrump"
    add(inContext(name, context, call: .processConflicts), at: time)
    add(inContext(name, context, call: .resolve(policy: policy)), at: time + 1)
    if policy == "error" {
      let second = random.pick(Self.policies.filter { $0 != "error" }) ?? "storeTrump"
      add(inContext(name, context, call: .resolve(policy: second)), at: time + 2)
    }
    if context == "child" { add(inContext(name, context, call: .save), at: time + 3) }
    addSave(at: name, context == "child" ? "main" : context, time + 4)
    guard let other = random.pick(others), random.chance(2, in: 3) else { return }
    add(
      .replicate(Replicate(source: name, target: names[other], by: name, batch: batch)),
      at: time + 100 + random.below(2000))
  }
}
