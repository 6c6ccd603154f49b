package import Datastore
internal import JSON

extension ObjectAction {
  package var resultShape: ResultShape { .object(ResultShape.members(of: self)) }
}

extension ResultShape {
  /// The members of what an operation on objects answers.
  static func members(of action: ObjectAction) -> [(name: Text, shape: ResultShape)] {
    switch action {
    case .describe:
      let property = ResultShape.object([
        ("typeName", .text), ("versionHash", .text), ("xform", .text), ("destination", .text),
      ])
      let entity = ResultShape.object([
        ("versionHash", .text), ("properties", .names(of: property)),
      ])
      let warning = ResultShape.object([("path", .text), ("reason", .text)])
      return [("objectModel", .names(of: entity)), ("warnings", .list(of: warning))]
    case .validate: return [("codes", .list(of: .integer))]
    case .encode: return [("body", .value), ("attachments", .attachments)]
    case .decode, .load:
      let warning = ResultShape.object([("kind", .text), ("property", .text)])
      return [("object", Self.managedObject), ("warnings", .list(of: warning)), ("value", .text)]
    case .coordinate:
      let store: [(name: Text, shape: ResultShape)] = [("name", .text), ("remote", .text)]
      return [
        ("type", .text), ("added", .list(of: .object(store + [("error", .error)]))),
        ("stores", .list(of: .text)), ("found", .list(of: .object(store))),
        ("targets", .list(of: .object([("remote", .text), ("error", .error)]))),
      ]
    case .open: return [("identifier", .text)]
    case .save:
      return [("saved", .list(of: .object([("id", .text), ("version", .integer)])))]
    case .list: return [("objects", .list(of: Self.managedObject))]
    case .fetch(let fetch):
      switch fetch.result {
      case .objects: return [("objects", .list(of: Self.managedObject))]
      case .ids: return [("ids", .list(of: .text))]
      case .count: return [("count", .integer)]
      case .groups: return [("groups", .value)]
      }
    case .updateAll: return [("updated", .list(of: .text))]
    case .check: return [("faults", .list(of: .object([("id", .text), ("what", .text)])))]
    }
  }

  /// An object; its values are compared as a whole.
  static let managedObject = ResultShape.object([
    ("id", .text), ("entity", .text), ("values", .value), ("identifier", .text),
    ("version", .integer),
  ])
}
