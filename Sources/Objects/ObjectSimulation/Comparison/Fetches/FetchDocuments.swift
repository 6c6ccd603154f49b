internal import JSON
internal import ObjectMapping
internal import Simulation

/// Documents of other clients in a sequence of fetches.
///
/// They have valid values in forms that this store does not write, so a fetch can read all of them.
/// Their revisions are roots of growing generations, so that their order is not up to the
/// implementation, whose own revisions are between them.
struct FetchDocuments {
  private let model: FetchModel
  private let mapping: DocumentMapping?
  /// The generation of the last inserted revision of each document.
  private var generations: [JSONString: Int] = [:]
  private var count = 0

  private static let spacing = 64

  init(_ model: FetchModel) {
    self.model = model
    mapping = (try? ManagedObjectModel(model.json)).map { DocumentMapping($0) }
  }

  /// The arrival of a revision of an object, of a tombstone, or of a document that is no object.
  mutating func arrival(_ values: FetchValues, _ random: inout KeyedRandom) -> JSONValue {
    count += 1
    let (entity, id) = model.object(&random)
    var generation = (count + 1) * Self.spacing
    if let last = generations[id], random.chance(1, in: 6) {
      // It loses against the leaf that it does not follow.
      generation = last - 1
    } else {
      generations[id] = generation
    }
    var record: JSONObject = [
      "id": .string(id), "path": [.text("\(generation)-p\(count)")], "body": [:],
    ]
    switch random.below(12) {
    case 0: record["deleted"] = true
    case 1: record["body"] = random.pick([[:], ["t": "a", "n": 1], ["CDTISEntityName": "None"]])
    default: record["body"] = body(entity, id: id, values, random: &random)
    }
    return ["op": "insertRevisions", "store": "a", "records": [.object(record)]]
  }

  /// The document of an object with random values.
  private func body(
    _ entity: Int, id: JSONString, _ values: FetchValues, random: inout KeyedRandom
  ) -> JSONValue {
    let described = model.entities[entity]
    let object: JSONValue = [
      "id": .string(id), "entity": .string(described.name),
      "values": .object(model.values(of: entity, values, &random)),
      "version": .integer(Int64(1 + random.below(3))),
    ]
    guard let mapping, let decoded = try? ManagedObject(object, mapping.model),
      var body = try? mapping.encode(decoded).body
    else { return [:] }
    for attribute in described.attributes {
      loosen(&body, attribute, random: &random)
    }
    for relationship in described.relationships where random.chance(1, in: 5) {
      if body[relationship.name] == nil || body[relationship.name] == [] {
        let empty: [JSONValue] = relationship.isMany ? [.null, [""]] : [.null, ""]
        body[relationship.name] = random.pick(empty)
      } else if case .array(let ids)? = body[relationship.name], let first = ids.first {
        body[relationship.name] = .array([first] + ids.reversed() + [""])
      }
    }
    return .object(body)
  }

  /// Writes a value in another form that is read as the same value, or removes it.
  private func loosen(
    _ body: inout JSONObject, _ attribute: FetchModel.Attribute, random: inout KeyedRandom
  ) {
    let meta = JSONString("CDTISMeta_\(attribute.name)")
    let hasToken = body[meta]?.objectValue?["nonFinite"] != nil
    switch random.below(attribute.type == .id ? 1 : 5) {
    case 0:
      // Without its token an infinity would be a number, and without its image −0 would be 0.
      if !hasToken, body[attribute.name] != 0, body[attribute.name] != -0.0 { body[meta] = nil }
    case 1:
      body[meta] = nil
      body[attribute.name] = .null
    case 2:
      guard attribute.type == .double || attribute.type == .float else { break }
      body[attribute.name] = nil
      body[meta] = ["nonFinite": random.pick(["infinity", "-infinity", "nan"]) ?? "nan"]
    case 3:
      guard let value = body[attribute.name], value != .null, !hasToken else { break }
      switch (attribute.type, value) {
      case (.bool, let value):
        let truths: [JSONValue] = [1, true, 2, 0.5, -1]
        let falsehoods: [JSONValue] = [0, false]
        body[attribute.name] = random.pick(value == 1 ? truths : falsehoods)
      case (.double, .double(let number)), (.float, .double(let number)):
        guard number != 0, let digits = DecimalNumber(text: "\(number)".utf8) else { break }
        body[attribute.name] = .text(digits.description)
        body[meta] = nil
      case (.decimal, .string(let text)):
        if let number = Int64(text.string) {
          body[attribute.name] = .integer(number)
          body[meta] = nil
        }
      default: break
      }
    default: break
    }
  }
}
