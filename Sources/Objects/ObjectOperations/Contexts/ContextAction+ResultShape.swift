package import Datastore
internal import JSON

extension ContextAction {
  package var resultShape: ResultShape { .object(ResultShape.members(of: self)) }
}

extension ResultShape {
  /// The members of what an operation on a context answers.
  static func members(of action: ContextAction) -> [(name: Text, shape: ResultShape)] {
    switch action.call {
    case .open, .insert, .change, .delete, .refresh, .obtainPermanentIDs, .rollback, .reset, .merge,
      .resolve:
      return []
    case .read: return [("object", managedObject)]
    case .inspectObject:
      return [
        ("entity", .text), ("isInserted", .bool), ("isUpdated", .bool), ("isDeleted", .bool),
        ("isFault", .bool), ("isTemporary", .bool), ("values", .value), ("changed", .value),
        ("committed", .value), ("version", .integer),
      ]
    case .inspect:
      let invalid = ResultShape.object([("id", .text), ("codes", .list(of: .integer))])
      let constraint = ResultShape.object([
        ("entity", .text), ("attributes", .list(of: .text)), ("objects", .list(of: .text)),
        ("row", .text),
      ])
      let failure = ResultShape.object([
        ("code", .integer), ("invalid", .list(of: invalid)),
        ("conflicts", .list(of: Self.conflict)), ("constraints", .list(of: constraint)),
      ])
      return Self.changes + [
        ("registered", .list(of: .text)), ("hasChanges", .bool), ("events", Self.events),
        ("failure", failure),
      ]
    case .fetch(let fetch, _):
      switch fetch.result {
      case .objects, .groups: return [("objects", .list(of: managedObject))]
      case .ids: return [("ids", .list(of: .text))]
      case .count: return [("count", .integer)]
      }
    case .save: return Self.changes + [("events", Self.events)]
    case .processConflicts: return [("conflicts", .list(of: Self.conflict))]
    }
  }

  static let changes: [(name: Text, shape: ResultShape)] = [
    ("inserted", .list(of: .text)), ("updated", .list(of: .text)), ("deleted", .list(of: .text)),
  ]

  private static let events = ResultShape.list(
    of: .object([("event", .text), ("objects", .list(of: .text))]))

  /// A conflict; the values of each side are compared as a whole.
  private static let conflict = ResultShape.object([
    ("id", .text), ("entity", .text), ("oldVersion", .integer), ("newVersion", .integer),
    ("object", .value), ("cached", .value), ("persisted", .value), ("others", .list(of: .value)),
  ])
}
