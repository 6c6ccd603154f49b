internal import JSON
internal import Simulation

/// The operations of a sequence that bypass the contexts: those of another program, and pulls.
///
/// They set no relationships: the inverses of such a relationship are up to the program that sets
/// it, and this program would set only one end.
struct WorkloadDocuments {
  private let model: WorkloadModel
  /// The pulled revisions of each document, with their generations.
  private var pulled: [JSONString: [(rev: JSONString, generation: Int)]] = [:]
  private var pullCount = 0

  /// Pulled revisions are this many generations apart, so that none has the generation of a leaf that
  /// an implementation made: their order would be up to the implementation.
  private static let spacing = 64

  init(_ model: WorkloadModel) { self.model = model }

  /// The operations that create the first objects of a sequence.
  mutating func population(_ random: inout KeyedRandom) -> [JSONValue] {
    var records: [JSONValue] = []
    for entity in model.entities.indices {
      for id in model.ids(of: entity) where random.chance(1, in: 2) {
        pulled[id] = [("64-a", Self.spacing)]
        records.append(record(id, ["64-a"], body: body(entity, &random)))
      }
    }
    return records.isEmpty ? [] : [insertion(records)]
  }

  /// The arrival of a revision that another replica made.
  mutating func pull(_ random: inout KeyedRandom) -> JSONValue {
    pullCount += 1
    let (entity, id) = model.object(&random)
    let known = pulled[id] ?? []
    let suffix = "p\(pullCount)"
    var generation = (pullCount + 1) * Self.spacing
    var path = [JSONString("\(generation)-\(suffix)")]
    if !known.isEmpty, pullCount < Self.spacing, random.chance(1, in: 4) {
      // It loses against every other leaf.
      generation = pullCount
      path = [JSONString("\(generation)-\(suffix)")]
    } else if let parent = random.pick(known), parent.generation < generation,
      random.chance(5, in: 6)
    {
      path = (parent.generation + 1...generation).reversed().map { JSONString("\($0)-\(suffix)") }
      path.append(parent.rev)
    }
    pulled[id, default: []].append((path[0], generation))
    guard random.chance(4, in: 5) else { return insertion([record(id, path, body: nil)]) }
    return insertion([record(id, path, body: body(entity, &random))])
  }

  private func insertion(_ records: [JSONValue]) -> JSONValue {
    ["op": "insertRevisions", "store": "a", "records": .array(records)]
  }

  /// A record; without a body, of a tombstone.
  private func record(_ id: JSONString, _ path: [JSONString], body: JSONValue?) -> JSONValue {
    var record: JSONObject = [
      "id": .string(id), "path": .array(path.map { .string($0) }), "body": body ?? [:],
    ]
    if body == nil { record["deleted"] = true }
    return .object(record)
  }

  /// The document of an object.
  private func body(_ entity: Int, _ random: inout KeyedRandom) -> JSONValue {
    var body: JSONObject = [
      "CDTISEntityName": .string(model.entities[entity].name),
      "CDTISObjectVersion": .text("\(1 + random.below(4))"),
      "n": .integer(Int64(random.below(3))),
    ]
    let values = model.values(of: entity, &random, hasNulls: false, isPlain: true)
    for member in values.members {
      body[member.name] = member.value
    }
    return .object(body)
  }

  /// A change of one object by another program.
  func save(_ random: inout KeyedRandom) -> JSONValue {
    let (entity, id) = model.object(&random)
    var object: JSONObject = [
      "id": .string(id), "entity": .string(model.entities[entity].name),
      "values": .object(model.values(of: entity, &random, isPlain: true)),
    ]
    switch random.below(6) {
    case 0:
      return ["op": "saveObjects", "store": "a", "deleted": [.string(id)]]
    case 1:
      var values = model.values(
        of: entity, &random, hasNulls: false, isPlain: true)
      values["n"] = .integer(Int64(random.below(3)))
      object["values"] = .object(values)
      return ["op": "saveObjects", "store": "a", "inserted": [.object(object)]]
    default:
      return ["op": "saveObjects", "store": "a", "updated": [.object(object)]]
    }
  }

  /// The operations that read all objects from the store, as objects and as documents.
  var reading: [JSONValue] {
    let lists: [JSONValue] = model.entities.map { entity in
      ["op": "listObjects", "store": "a", "entity": .string(entity.name)]
    }
    let reads: [JSONValue] = model.entities.indices.flatMap { model.ids(of: $0) }.map { id in
      ["op": "read", "store": "a", "id": .string(id)]
    }
    return lists + reads
  }
}
