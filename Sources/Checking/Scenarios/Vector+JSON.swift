internal import Datastore
public import JSON

extension Vector {
  /// The vector as its file contains it.
  public var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [
      ("id", id.json), ("clauses", .array(clauses.map { $0.json })),
      ("profile", .text(profile.rawValue)),
    ]
    if !capabilities.isEmpty {
      members.append(("capabilities", .array(capabilities.map { .text($0.rawValue) })))
    }
    if needs != Needs() { members.append(("needs", needs.json)) }
    members.append(("note", .string(note)))
    if !isOpened { members.append(("opened", false)) }
    if let provenance { members.append(("provenance", provenance.json)) }
    if let generated { members.append(("generated", generated.json)) }
    members.append(("steps", .array(steps.map { $0.json })))
    return .object(JSONObject(members))
  }

  /// Reads a vector; an unknown member, operation, matcher or name is a failure.
  public init(_ json: JSONValue, path: String = "") throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = VectorID(try reader.text("id"))
    clauses = try reader.elements("clauses") { (element, path) throws(DecodingFailure) in
      try ClauseID(element, path: path)
    }
    profile = try reader.choice("profile")
    capabilities =
      try reader.optionalElements("capabilities") { (element, path) throws(DecodingFailure) in
        try element.choice(at: path)
      } ?? []
    needs =
      try reader.optional("needs").map { value throws(DecodingFailure) in
        try Needs(value, path: reader.path(to: "needs"))
      } ?? Needs()
    note = try reader.text("note")
    isOpened = try reader.optionalBool("opened") ?? true
    provenance = try reader.optional("provenance").map { value throws(DecodingFailure) in
      try Provenance(value, path: reader.path(to: "provenance"))
    }
    generated = try reader.optional("generated").map { value throws(DecodingFailure) in
      try Generated(value, path: reader.path(to: "generated"))
    }
    steps = try reader.elements("steps") { (element, path) throws(DecodingFailure) in
      try Step(element, path: path)
    }
    testedLimits = Self.testedLimits(steps)
    try reader.finish()
  }
}

extension Vector.Needs {
  var json: JSONValue {
    var json: JSONObject = [:]
    json["revisionIDs"] = revisionIDs.map { .array($0.map { .text($0.rawValue) }) }
    json["collation"] = collation.map { .array($0.map { .text($0.rawValue) }) }
    for name in LimitName.allCases {
      json[JSONString(name.rawValue)] = limits[name].map { .integer($0) }
    }
    return .object(json)
  }

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    revisionIDs = try Self.choices("revisionIDs", &reader)
    collation = try Self.choices("collation", &reader)
    limits = [:]
    for name in LimitName.allCases {
      limits[name] = try reader.optionalInteger(JSONString(name.rawValue))
    }
    try reader.finish()
    guard self != Self() else {
      throw DecodingFailure(path: path, message: "expected revisionIDs, collation or a limit")
    }
  }

  private static func choices<Choice: RawRepresentable & CaseIterable>(
    _ name: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> [Choice]? where Choice.RawValue == String {
    let choices = try reader.optionalElements(name) { (element, path) throws(DecodingFailure) in
      try element.choice(at: path) as Choice
    }
    guard choices?.isEmpty != true else {
      throw DecodingFailure(path: reader.path(to: name), message: "expected one or more")
    }
    return choices
  }
}

extension Vector.Provenance {
  var json: JSONValue {
    ["product": .string(product), "version": .string(version), "source": .string(source)]
  }

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    product = try reader.text("product")
    version = try reader.text("version")
    source = try reader.text("source")
    try reader.finish()
  }
}

extension Vector.Generated {
  var json: JSONValue { ["generator": .string(generator), "scope": .integer(scope)] }

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    generator = try reader.text("generator")
    scope = try reader.integer("scope")
    try reader.finish()
  }
}
