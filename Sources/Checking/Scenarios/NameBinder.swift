public import Datastore
public import JSON

/// Replaces names that a store assigns by variables, for writers of vectors.
public struct NameBinder: Sendable {
  /// The variables by the name as JSON.
  private var variables: [JSONValue: JSONString] = [:]

  /// Creates a binder without variables.
  public init() {}

  /// The value with references in place of bound names; data inside it stays unchanged.
  public func referring(_ value: JSONValue) -> JSONValue { referring(value, at: .structure) }

  /// The name, or a reference to it if it is bound.
  public func reference(to name: JSONValue) -> JSONValue { referring(name, at: .name) }

  /// The name, bound at its first occurrence and referenced later.
  public mutating func bound(_ id: DocumentID) -> JSONValue { bound(id.json, prefix: "d") }

  /// The sequence, bound at its first occurrence and referenced later.
  public mutating func bound(_ sequence: UpdateSequence) -> JSONValue {
    bound(sequence.json, prefix: "s")
  }

  /// The revision id, bound by its generation at its first occurrence and referenced later.
  public mutating func bound(_ rev: RevisionID) -> JSONValue {
    bound(rev.json, prefix: "r", generation: rev.json.generation)
  }

  private mutating func bound(
    _ name: JSONValue, prefix: String, generation: Int64? = nil
  ) -> JSONValue {
    if let variable = variables[name] { return ["$ref": .string(variable)] }
    let variable = JSONString("\(prefix)\(variables.count + 1)")
    variables[name] = variable
    var object: JSONObject = ["$bind": .string(variable)]
    if let generation { object["generation"] = .integer(generation) }
    return .object(object)
  }

  /// The position of a value: only names become references.
  private enum Position {
    case structure, name, names, data

    init(ofMember name: JSONString) {
      switch name {
      case "id", "rev", "from", "since", "keep", "identifier": self = .name
      case "revs", "leaves", "path", "documentIDs", "tombstones", "missing", "purged",
        "possibleAncestors", "attachmentsSince":
        self = .names
      case "body", "value", "attachments", "values", "model", "object", "inserted", "updated",
        "arguments", "columns":
        self = .data
      default: self = .structure
      }
    }
  }

  private func referring(_ value: JSONValue, at position: Position) -> JSONValue {
    switch (value, position) {
    case (_, .data): return value
    case (.array(let elements), _):
      let inner: Position = if case .names = position { .name } else { .structure }
      return .array(elements.map { referring($0, at: inner) })
    case (.object(let object), _):
      return .object(
        JSONObject(
          object.members.map { member in
            (member.name, referring(member.value, at: Position(ofMember: member.name)))
          }))
    case (_, .name):
      return variables[value].map { ["$ref": .string($0)] } ?? value
    default: return value
    }
  }
}
