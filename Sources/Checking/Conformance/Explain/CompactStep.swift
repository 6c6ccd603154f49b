internal import Datastore
internal import JSON
internal import Scenarios

/// A step of a vector in a compact notation: `update d rev: $r1 body: {"n":1} → ok`.
///
/// Names and arguments have no JSON punctuation, data stays JSON. The notation is for readers; the
/// file has the exact form.
struct CompactStep {
  /// The operation, with the store if a vector has several.
  let operation: String
  /// The expected or actual outcome.
  let expectation: String

  init(_ step: Step, namingStore: Bool) {
    switch step.content {
    case .operation(let template):
      let store = namingStore ? "\(template.sample.store): " : ""
      operation = store + Self.structure(step.shownDeed)
    case .directive(let directive): operation = Self.deed(directive)
    }
    expectation = Self.expected(step.shownExpectation)
  }

  /// A step that was performed, with its outcome.
  init(_ exchange: Witness.Exchange, namingStore: Bool) {
    let object = exchange.operation.objectValue ?? [:]
    let store = namingStore ? object["store"]?.textValue.map { "\($0): " } ?? "" : ""
    operation = store + Self.structure(exchange.operation)
    expectation = Self.expected(exchange.outcome)
  }

  // MARK: Outcomes

  private static func expected(_ json: JSONValue) -> String {
    guard let object = json.objectValue, let member = object.members.first else {
      return structure(json)
    }
    switch member.name {
    case "oneOf":
      return (member.value.arrayValue ?? []).map { expected($0) }.joined(separator: " | ")
    case "ok":
      return member.value == [:] ? "ok" : "ok " + structure(member.value)
    case "error":
      var fields = member.value.objectValue ?? [:]
      let kind = fields["kind"].map { structure($0) } ?? "error"
      fields["kind"] = nil
      return fields.isEmpty ? kind : "\(kind) \(members(fields))"
    default: return structure(json)
    }
  }

  // MARK: What the runner does

  /// A directive: `replicate a → b batch: 2`.
  private static func deed(_ directive: VectorDirective) -> String {
    switch directive {
    case .loseCheckpoint(let store): return "loseCheckpoint \(store)"
    case .replicate(let replication):
      var rest = directive.json.objectValue?["replicate"]?.objectValue ?? [:]
      (rest["source"], rest["target"]) = (nil, nil)
      let parts = ["replicate \(replication.source) → \(replication.target)", members(rest)]
      return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  // MARK: Values

  private static func structure(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): bare(text)
    case .array(let elements):
      "[" + elements.map { structure($0) }.joined(separator: ", ") + "]"
    case .object(let object): structure(object)
    default: value.serialized()
    }
  }

  private static func structure(_ object: JSONObject) -> String {
    if let name = object["op"]?.textValue { return call(name.string, object) }
    if let matcher = matcher(object) { return matcher }
    if object["path"] != nil, object["body"] != nil { return record(object) }
    if object.count == 1, let only = object.members.first, ["ok", "error"].contains(only.name) {
      return expected(.object(object))
    }
    if let rev = object["rev"], case .bool(let deleted)? = object["deleted"], object.count == 2 {
      return structure(rev) + (deleted ? " deleted" : " live")
    }
    return "{\(members(object))}"
  }

  /// An operation: its name, the document, then the other arguments by name.
  private static func call(_ name: String, _ object: JSONObject) -> String {
    var rest = object
    (rest["op"], rest["store"], rest["id"]) = (nil, nil, nil)
    let parts = [name, object["id"].map { structure($0) } ?? "", members(rest)]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// A revision with its history: `d 3-c ← 2-b ← 1-a deleted {}`.
  private static func record(_ object: JSONObject) -> String {
    var rest = object
    let path = object["path"]?.arrayValue.map { $0.map { structure($0) }.joined(separator: " ← ") }
    let isDeleted = object["deleted"] == .bool(true)
    (rest["id"], rest["path"], rest["body"]) = (nil, nil, nil)
    // Live revisions have no mark.
    if case .bool? = object["deleted"] { rest["deleted"] = nil }
    let parts = [
      object["id"].map { structure($0) } ?? "", path ?? structure(object["path"] ?? .null),
      isDeleted ? "deleted" : "", object["body"]?.serialized() ?? "", members(rest),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func matcher(_ object: JSONObject) -> String? {
    if let name = object["$bind"]?.textValue {
      let generation = object["generation"].map { " of generation \($0.serialized())" } ?? ""
      return "$\(name):=any\(generation)"
    }
    if let name = object["$ref"]?.textValue { return "$\(name)" }
    if let elements = object["$unordered"] { return "in any order \(structure(elements))" }
    if object["$any"] != nil { return "any" }
    return object["$absent"] == nil ? nil : "absent"
  }

  private static func members(_ object: JSONObject) -> String {
    let data: [JSONString] = ["body", "value"]
    return object.members.map { member in
      let value = data.contains(member.name) ? member.value.serialized() : structure(member.value)
      return "\(bare(member.name)): \(value)"
    }.joined(separator: ", ")
  }

  /// Returns a text without quotes if it is unambiguous.
  private static func bare(_ text: JSONString) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    let isJSON = (try? JSONValue.parse(Array(text.utf8))) != nil
    return isPlain && !isJSON && !text.isEmpty ? text.string : JSONValue.string(text).serialized()
  }
}
