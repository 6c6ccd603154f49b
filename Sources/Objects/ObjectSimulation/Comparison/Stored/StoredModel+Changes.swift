internal import JSON
internal import ObjectMapping
internal import Simulation

// Later versions of a model, and models with one error.

extension StoredModel {
  /// The model with some properties added, removed, renamed, or of another type.
  func changed(_ random: inout KeyedRandom) -> JSONValue {
    change(&random) { attributes, entity, random in
      let name = random.pick(attributes.members)?.name ?? "t"
      switch random.below(8) {
      case 0:
        attributes["new"] = [
          "type": "int32", "default": 7, "optional": .bool(random.chance(1, in: 2)),
        ]
      case 1: attributes["new"] = ["type": "utf8"]
      case 2: attributes[name] = nil
      case 3:
        guard var described = attributes[name]?.objectValue else { break }
        described["renamedFrom"] = .string(name)
        attributes[name] = nil
        attributes["moved"] = .object(described)
      case 4:
        let type: JSONValue = attributes[name]?.objectValue?["type"] == "utf8" ? "int32" : "utf8"
        attributes[name] = ["type": type]
      case 5:
        // Limits and defaults are not part of the stored form.
        guard var described = attributes[name]?.objectValue else { break }
        for limit: JSONString in ["default", "min", "max", "minLength", "maxLength", "pattern"] {
          described[limit] = nil
        }
        attributes[name] = .object(described)
      case 6: attributes = JSONObject(attributes.members.reversed().map { ($0.name, $0.value) })
      default: entity["renamedFrom"] = random.pick(["E0", "E1", "None"])
      }
    }
  }

  /// The model with at most one error.
  func spoiled(_ random: inout KeyedRandom) -> JSONValue {
    change(&random) { attributes, entity, random in
      let wrong: [(JSONString, JSONValue)] = [
        ("my name", ["type": "utf8"]), ("CDTISx", ["type": "utf8"]), ("_x", ["type": "utf8"]),
        ("", ["type": "utf8"]), ("new", ["type": "text"]), ("new", ["type": "bool", "min": 0]),
        ("new", ["type": "int32", "min": 2, "max": 1]), ("new", ["type": "int32", "maxLength": 1]),
        ("new", ["type": "utf8", "transformer": "K"]),
        ("new", ["type": "utf8", "mimeType": "a/b"]),
        ("new", ["type": "utf8", "minLength": 2, "maxLength": 1]),
        ("new", ["type": "int16", "default": 32768]), ("many", ["type": "utf8"]),
      ]
      let fine: [(JSONString, JSONValue)] = [
        ("cdtis", ["type": "utf8"]), ("x_", ["type": "utf8"]), ("7", ["type": "int64"]),
        ("new", ["type": "int32", "min": 1, "max": 1]), ("new", ["type": "xform"]),
      ]
      let ends: [JSONValue] = [
        ["destination": "None"], ["destination": "E0", "inverse": "nope"],
        ["destination": "E1", "inverse": "many"], ["destination": "E0", "delete": "never"],
        ["destination": "E0", "many": true, "minCount": 2, "maxCount": 1],
      ]
      switch random.below(4) {
      case 0:
        var relationships = entity["relationships"]?.objectValue ?? [:]
        relationships["new"] = random.pick(ends)
        entity["relationships"] = .object(relationships)
      case 1:
        if let (name, described) = random.pick(fine) { attributes[name] = described }
      default:
        if let (name, described) = random.pick(wrong) { attributes[name] = described }
      }
    }
  }

  /// The model with one entity changed, or with one more.
  private func change(
    _ random: inout KeyedRandom,
    _ change: (inout JSONObject, inout JSONObject, inout KeyedRandom) -> Void
  ) -> JSONValue {
    var entities = json.objectValue?["entities"]?.objectValue ?? [:]
    if random.chance(1, in: 8) {
      entities[random.pick(["E 2", "E2", ""]) ?? "E2"] = ["attributes": ["n": ["type": "int64"]]]
      return ["entities": .object(entities)]
    }
    let name: JSONString = random.chance(1, in: 2) ? "E0" : "E1"
    if random.chance(1, in: 8) {
      // Without the other entity there are no relationships to it.
      var alone = entities[name]?.objectValue ?? [:]
      alone["relationships"] = nil
      return ["entities": .object(JSONObject([(name, .object(alone))]))]
    }
    var entity = entities[name]?.objectValue ?? [:]
    var attributes = entity["attributes"]?.objectValue ?? [:]
    change(&attributes, &entity, &random)
    entity["attributes"] = .object(attributes)
    entities[name] = .object(entity)
    return ["entities": .object(entities)]
  }
}
