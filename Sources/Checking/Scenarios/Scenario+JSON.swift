internal import Datastore
public import JSON

extension Scenario {
  /// The scenario as its file contains it.
  public var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [
      ("seed", JSONValue(seed)), ("replicas", .array(replicas.map { $0.json })),
      ("store", store.json),
    ]
    if !implementations.isEmpty {
      members.append(
        ("implementations", .array(implementations.map { .integer(Int64($0) + 1) })))
    }
    if conditions != Conditions() { members.append(("conditions", conditions.json)) }
    members.append(("steps", .array(steps.map { $0.json })))
    if !overrides.isEmpty {
      members.append(
        ("overrides", .object(JSONObject(overrides.map { ($0.key, $0.fate.json) }))))
    }
    return .object(JSONObject(members))
  }

  /// Reads a scenario; a step without a time comes 1 s after the previous one.
  public init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    seed = try reader.required("seed").seed(at: "seed")
    replicas = try reader.elements("replicas") { (element, path) throws(DecodingFailure) in
      try ReplicaName(element, path: path)
    }
    implementations = try Self.implementations(&reader, of: replicas.count)
    store = try reader.optionalText("store").map { StoreName($0) } ?? "notes"
    conditions =
      try reader.optional("conditions").map { value throws(DecodingFailure) in
        try Conditions(value, path: "conditions")
      } ?? Conditions()
    var time: Int64 = 0
    var steps: [ScenarioStep] = []
    for (place, element) in try reader.array("steps").enumerated() {
      let step = try ScenarioStep(element, path: "steps[\(place)]", after: time)
      time = step.when
      steps.append(step)
    }
    self.steps = steps
    var overrides: [Override] = []
    if let object = try reader.optionalObject("overrides") {
      for member in object.members {
        overrides.append(
          Override(
            key: member.name, fate: try Fate(member.value, path: "overrides.\(member.name)")))
      }
    }
    self.overrides = overrides
    try reader.finish()
    try check()
  }

  /// Reads the numbers of the implementations, which a file counts from 1.
  private static func implementations(
    _ reader: inout ObjectReader, of replicaCount: Int
  ) throws(DecodingFailure) -> [Int] {
    guard let list = reader.optional("implementations") else { return [] }
    let path = reader.path(to: "implementations")
    let numbers = try list.array(at: path)
    var implementations: [Int] = []
    for number in numbers {
      guard case .integer(let value) = number, (1...64).contains(value) else { break }
      implementations.append(Int(value) - 1)
    }
    guard implementations.count == numbers.count, numbers.count == replicaCount else {
      throw DecodingFailure(
        path: path, message: "expected a number from 1 to 64 for each replica")
    }
    return implementations
  }

  /// Checks the consistency of the parts.
  private func check() throws(DecodingFailure) {
    let names = Set(replicas)
    guard names.count == replicas.count, (1...64).contains(replicas.count) else {
      throw DecodingFailure(path: "replicas", message: "expected 1 to 64 distinct names")
    }
    // The model rejects other names (`badName`), and then nothing in the scenario can happen.
    let others = "0123456789_$()+/-".utf8
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let name = store.text.utf8
    guard let start = name.first, letters.contains(start), name.count <= 238,
      name.allSatisfy({ letters.contains($0) || others.contains($0) })
    else {
      throw DecodingFailure(
        path: "store",
        message: "expected a name that matches [a-z][a-z0-9_$()+/-]* with at most 238 bytes")
    }
    var ids: Set<StepID> = []
    for (place, step) in steps.enumerated() {
      guard ids.insert(step.id).inserted else {
        throw DecodingFailure(
          path: "steps[\(place)].step", message: "duplicate step '\(step.id)'")
      }
      for replica in step.directive.replicas where !names.contains(replica) {
        throw DecodingFailure(path: "steps[\(place)]", message: "unknown replica '\(replica)'")
      }
    }
  }
}

extension ObjectReader {
  fileprivate mutating func optionalObject(
    _ name: JSONString
  ) throws(DecodingFailure) -> JSONObject? {
    guard let value = optional(name) else { return nil }
    guard let object = value.objectValue else {
      throw DecodingFailure(path: path(to: name), message: "expected an object")
    }
    return object
  }
}

extension JSONValue {
  fileprivate func seed(at path: String) throws(DecodingFailure) -> UInt64 {
    switch self {
    case .integer(let value) where value >= 0: return UInt64(value)
    case .unsigned(let value): return value
    default:
      throw DecodingFailure(path: path, message: "expected an integer from 0 to 2^64 - 1")
    }
  }
}

extension Fate {
  /// The delivery of a message as a file contains it: a word, or an object for one with a number.
  public var json: JSONValue {
    switch self {
    case .delivered: "delivered"
    case .lost: "lost"
    case .twice: "twice"
    case .truncated: "truncated"
    case .partial: "partial"
    case .damaged: "damaged"
    case .late(let milliseconds): ["late": .integer(milliseconds)]
    case .status(let code): ["status": .integer(code)]
    }
  }

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    let words: [Fate] = [.delivered, .lost, .twice, .truncated, .partial, .damaged]
    if let fate = words.first(where: { $0.json == json }) {
      self = fate
      return
    }
    guard json.objectValue != nil else {
      throw DecodingFailure(
        path: path,
        message:
          "expected delivered, lost, twice, truncated, partial, damaged, late or status")
    }
    var reader = try ObjectReader(json, path: path)
    if let milliseconds = try reader.optionalInteger("late") {
      guard (0...86_400_000).contains(milliseconds) else {
        throw DecodingFailure(path: reader.path(to: "late"), message: "expected at most 1 day")
      }
      self = .late(milliseconds)
    } else {
      let code = try reader.integer("status")
      guard (100...599).contains(code) else {
        throw DecodingFailure(path: reader.path(to: "status"), message: "expected 100 to 599")
      }
      self = .status(code)
    }
    try reader.finish()
  }
}

extension Conditions {
  /// The conditions as a file contains them; rates of 0 are left out.
  public var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [
      ("latencyMin", .integer(latencyMin)), ("latencyMax", .integer(latencyMax)),
    ]
    for rate in Self.rates where self[keyPath: rate.path] != 0 {
      members.append((rate.name, .integer(self[keyPath: rate.path])))
    }
    if lateMax != Conditions().lateMax { members.append(("lateMax", .integer(lateMax))) }
    if reencodesSequences { members.append(("reencodesSequences", true)) }
    return .object(JSONObject(members))
  }

  /// Names and key paths of the rates, in thousandths.
  static var rates: [(name: JSONString, path: WritableKeyPath<Conditions, Int64>)] {
    [
      ("lost", \.lost), ("twice", \.twice), ("late", \.late), ("status", \.status),
      ("truncated", \.truncated), ("partial", \.partial), ("damaged", \.damaged),
    ]
  }

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init()
    latencyMin = try reader.optionalInteger("latencyMin") ?? latencyMin
    latencyMax = try reader.optionalInteger("latencyMax") ?? max(latencyMin, latencyMax)
    var sum: Int64 = 0
    for rate in Self.rates {
      let value = try reader.optionalInteger(rate.name) ?? 0
      guard (0...1000).contains(value) else {
        throw DecodingFailure(path: reader.path(to: rate.name), message: "expected 0 to 1000")
      }
      self[keyPath: rate.path] = value
      sum += value
    }
    lateMax = try reader.optionalInteger("lateMax") ?? lateMax
    reencodesSequences = try reader.optionalBool("reencodesSequences") ?? false
    try reader.finish()
    guard 0 <= latencyMin, latencyMin <= latencyMax, latencyMax <= 86_400_000 else {
      throw DecodingFailure(path: path, message: "expected 0 ≤ latencyMin ≤ latencyMax ≤ a day")
    }
    guard (1...86_400_000).contains(lateMax), sum <= 1000 else {
      throw DecodingFailure(
        path: path, message: "expected a sum of the rates of at most 1000, and lateMax > 0")
    }
  }
}
