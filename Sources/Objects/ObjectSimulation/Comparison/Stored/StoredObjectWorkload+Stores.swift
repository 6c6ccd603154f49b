internal import JSON
internal import ObjectMapping
internal import Simulation

// Metadata documents of other programs, and coordinators of several stores.

extension StoredObjectWorkload {
  // MARK: Metadata

  /// A store with the metadata document of another program, which may be wrong.
  mutating func metadata(_ random: inout KeyedRandom) -> [JSONValue] {
    guard let model = stored.model else { return [] }
    storeCount += 1
    let store = JSONValue.text("m\(storeCount)")
    let described = MetadataDocument(model, storeIdentifier: "S-1", storeType: "T")
    var body = described.body
    change(&body, &random)
    let record: JSONValue = ["id": "CDTISMetaData", "path": ["64-p"], "body": .object(body)]
    var open: JSONObject = ["op": "openObjects", "store": store, "model": stored.json]
    if random.chance(1, in: 2) { open["migrates"] = true }
    let read: JSONValue = ["op": "read", "store": store, "id": "CDTISMetaData"]
    return [
      ["op": "open", "store": store],
      ["op": "insertRevisions", "store": store, "records": [record]], .object(open), read,
      ["op": "destroy", "store": store],
    ]
  }

  private func change(_ body: inout JSONObject, _ random: inout KeyedRandom) {
    let name: JSONString = random.chance(1, in: 2) ? "E0" : "E1"
    var entities = body["objectModel"]?.objectValue ?? [:]
    var entity = entities[name]?.objectValue ?? [:]
    switch random.below(12) {
    case 0: body["metaData"] = random.pick([nil, 1, "x", []] as [JSONValue?]) ?? nil
    case 1: body["objectModel"] = random.pick([nil, 1, "x", []] as [JSONValue?]) ?? nil
    case 2: body["run"] = random.pick(["r", "r", "r", 1, [:]])
    case 3: body["own"] = ["a": 1]
    case 4:
      entity[random.chance(1, in: 2) ? "versionHash" : "properties"] = nil
    case 5: entity["versionHash"] = Self.hash(entity["versionHash"], &random)
    default:
      var properties = entity["properties"]?.objectValue ?? [:]
      guard let member = random.pick(properties.members),
        var property = member.value.objectValue
      else { break }
      switch random.below(8) {
      case 0: property[random.chance(1, in: 2) ? "versionHash" : "typeName"] = nil
      case 1: property["versionHash"] = Self.hash(property["versionHash"], &random)
      case 2: property["typeName"] = random.pick(["text", "int", "UTF8", "relation", "", 1])
      case 3: property["xform"] = "K"
      case 4: property["xform"] = nil
      case 5: property["destination"] = "E0"
      case 6: property["destination"] = nil
      default: property["name"] = random.pick([.string(member.name), "another", 1])
      }
      properties[member.name] = .object(property)
      entity["properties"] = .object(properties)
    }
    guard body["objectModel"]?.objectValue != nil else { return }
    entities[name] = .object(entity)
    body["objectModel"] = .object(entities)
  }

  private static func hash(_ hash: JSONValue?, _ random: inout KeyedRandom) -> JSONValue? {
    let digits = hash?.textValue?.string ?? ""
    return random.pick([
      .text(digits.uppercased()), .text("\(digits)0"), .text(String(digits.dropLast())),
      .text("g\(digits.dropFirst())"), "", 1,
    ])
  }

  // MARK: Coordinators

  func coordination(_ random: inout KeyedRandom) -> JSONValue {
    let paths = ["x", "db/y", "db/z/", "2nd", "a%2Db", "My%20Recipes", "q?a=/b", ""]
    let hosts = ["file:///", "file:///", "https://example.org/", "https://example.org:5984/"]
    func url() -> JSONValue {
      .text((random.pick(hosts) ?? "") + (random.pick(paths) ?? ""))
    }
    let urls = (0..<3).map { _ in url() }
    let types: [JSONValue] = [
      "CDTIncrementalStore", "CDTIncrementalStore", "CDTIncrementalStore", "Other", "None",
    ]
    let stores = (0..<(1 + random.below(4))).map { _ -> JSONValue in
      var store: JSONObject = [
        "type": random.pick(types) ?? "Other", "url": random.pick(urls) ?? "",
      ]
      if random.chance(1, in: 4) { store["configuration"] = "C" }
      if random.chance(1, in: 3) { store["mendsNames"] = true }
      return .object(store)
    }
    let registrations: [JSONValue] = [1, 1, 2, 0, "automatic"]
    var members: [(JSONString, JSONValue)] = [
      ("model", stored.json), ("registration", random.pick(registrations) ?? 1),
      ("stores", .array(stores)), ("find", .array(urls + [url()])),
    ]
    if random.chance(2, in: 3) { members.append(("others", ["Other"])) }
    members.append(
      (
        "targets",
        .array(
          urls.map { url in
            random.chance(1, in: 2)
              ? ["url": url] : ["url": url, "remote": "https://other.example/r"]
          })
      ))
    return operation("coordinate", members)
  }
}
