internal import Datastore
package import JSON
package import ReferenceDatastore

/// A transcript in which names that the store chose are numbered in the order of their first
/// occurrence, so that two stores with the same behavior have equal transcripts.
package struct NormalizedTranscript {
  private var numbers: [JSONString: Int] = [:]
  /// The texts of the operations, which no store chose.
  private var literals: Set<JSONString> = []
  /// The name of the operation that is normalized.
  private var operation = ""
  package private(set) var lines: [JSONValue] = []
  /// The lines with one sign for all names, and the names in the order in which they occur.
  private var shape: [JSONValue] = []
  private var names: [JSONString] = []
  private var isNumbering = true

  /// Normalizes a transcript.
  package init(_ transcript: Transcript) {
    normalize(transcript)
    (numbers, literals, isNumbering) = ([:], [], false)
    let lines = lines
    self.lines = []
    normalize(transcript)
    (shape, self.lines) = (self.lines, lines)
    (numbers, literals, operation) = ([:], [], "")
  }

  /// Whether two stores behaved equally, though one of them may give equal names where the other
  /// gives different ones: equal edits of two documents have the same revision id or not.
  package func matches(_ other: NormalizedTranscript) -> Bool {
    if lines == other.lines { return true }
    return shape == other.shape
      && (Self.isFunction(names, other.names) || Self.isFunction(other.names, names))
  }

  /// Whether equal names always meet equal ones.
  private static func isFunction(_ names: [JSONString], _ others: [JSONString]) -> Bool {
    guard names.count == others.count else { return false }
    var known: [JSONString: JSONString] = [:]
    for (name, other) in zip(names, others) {
      guard known[name, default: other] == other else { return false }
      known[name] = other
    }
    return true
  }

  private mutating func normalize(_ transcript: Transcript) {
    for exchange in transcript.exchanges {
      operation = exchange.operation.action.name
      let json = exchange.operation.json
      learn(json)
      lines.append(normalized(json, isName: false))
      lines.append(normalized(exchange.outcome.json, isName: false))
    }
    if let unanswered = transcript.unanswered {
      operation = unanswered.action.name
      learn(unanswered.json)
      lines.append(normalized(unanswered.json, isName: false))
    }
  }

  /// Checkpoints are local documents. Their ids and bodies are made from names that stores chose.
  private var isLocal: Bool { operation == "readLocal" || operation == "writeLocal" }

  /// Whether a list has no order.
  private func isUnordered(_ name: JSONString) -> Bool {
    Self.unordered.contains(name)
      || name == "results" && (operation == "revsDiff" || operation == "getRevisions")
  }

  /// Members whose texts and numbers may be names that the store chose.
  private static let names: Set<JSONString> = [
    "id", "rev", "revs", "path", "leaves", "seq", "last", "since", "incarnation", "tombstones",
    "missing", "possibleAncestors", "purged", "keep", "digest", "session",
  ]
  /// Members of checkpoints that depend on names that stores chose.
  private static let derived: Set<JSONString> = ["id", "session"]
  /// Lists without an order.
  private static let unordered: Set<JSONString> = [
    "missing", "possibleAncestors", "tombstones", "purged",
  ]

  private mutating func learn(_ value: JSONValue) {
    switch value {
    case .string(let text): if numbers[text] == nil { literals.insert(text) }
    case .array(let elements): for element in elements { learn(element) }
    case .object(let object):
      for member in object.members where !(isLocal && Self.derived.contains(member.name)) {
        learn(member.value)
      }
    default: break
    }
  }

  private mutating func normalized(_ value: JSONValue, isName: Bool) -> JSONValue {
    switch value {
    case .string(let text): return isName || numbers[text] != nil ? name(text) : value
    case .integer, .unsigned, .double:
      return isName ? name(JSONString(value.serialized())) : value
    case .array(let elements): return .array(elements.map { normalized($0, isName: isName) })
    case .object(let object):
      let members = object.members.filter { $0.name != "message" }
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      return .object(
        JSONObject(
          members.map { member in
            let isBody = member.name == "body" && !isLocal
            var value =
              isBody
              ? member.value
              : normalized(member.value, isName: Self.names.contains(member.name))
            if isUnordered(member.name), let elements = value.arrayValue {
              value = .array(
                elements.sorted {
                  $0.serialized().utf8.lexicographicallyPrecedes($1.serialized().utf8)
                })
            }
            return (member.name, value)
          }))
    default: return value
    }
  }

  private mutating func name(_ text: JSONString) -> JSONValue {
    if literals.contains(text) { return .string(text) }
    guard isNumbering else {
      // A text is a name from its first occurrence as a name on.
      numbers[text] = 0
      names.append(text)
      return "#"
    }
    let number = numbers[text] ?? numbers.count + 1
    numbers[text] = number
    return .text("#\(number)")
  }
}
