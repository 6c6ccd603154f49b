internal import Datastore
package import JSON
package import ReferenceDatastore

/// A transcript in which names that the store chose are numbered in the order of their first
/// occurrence, so that two stores with the same behavior have equal transcripts.
package struct NormalizedTranscript: Hashable {
  private var numbers: [JSONString: Int] = [:]
  /// The texts of the operations, which no store chose.
  private var literals: Set<JSONString> = []
  /// The name of the operation that is normalized.
  private var operation = ""
  package private(set) var lines: [JSONValue] = []

  /// Normalizes a transcript.
  package init(_ transcript: Transcript) {
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
    numbers = [:]
    literals = []
    operation = ""
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
    let number = numbers[text] ?? numbers.count + 1
    numbers[text] = number
    return .text("#\(number)")
  }
}
