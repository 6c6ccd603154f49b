package import Datastore
internal import JSON

extension StackAction {
  package var resultShape: ResultShape { .object(ResultShape.members(of: self)) }
}

extension ResultShape {
  /// The members of what an operation on a stack answers.
  static func members(of action: StackAction) -> [(name: Text, shape: ResultShape)] {
    switch action {
    case .open, .reset: return []
    case .perform(_, let closure, .waits):
      return [("operation", .integer), ("results", .results(closure.steps.map { shape(of: $0) }))]
    case .perform, .save: return [("operation", .integer)]
    case .run:
      let event = ResultShape.object(
        [
          ("event", .text), ("queue", .text), ("operation", .integer), ("from", .text),
          ("results", .list(of: anyStep(deep: 4))), ("error", error),
        ] + changes)
      let warning = ResultShape.object([
        ("warning", .text), ("id", .text), ("entity", .text), ("key", .text), ("value", .value),
      ])
      return [
        ("events", .list(of: event)), ("warnings", .list(of: warning)),
        ("ready", .list(of: .text)),
        ("waits", .list(of: .object([("queue", .text), ("waitsFor", .text)]))),
      ]
    case .entity: return [("entity", .text)]
    }
  }

  /// What comes of a step of a closure.
  private static func shape(of step: StackStep) -> ResultShape {
    switch step {
    case .insert, .change, .delete, .saveAll: return .object([])
    case .find, .findAll: return .object([("objects", .list(of: managedObject))])
    case .findOrInsert:
      return .object([("objects", .list(of: managedObject)), ("handled", .list(of: .text))])
    case .save: return .object(changes)
    case .perform(let closure):
      return .object([("results", .results(closure.steps.map { shape(of: $0) }))])
    }
  }

  /// What comes of some step, where nobody knows which; closures lie in closures so deep.
  private static func anyStep(deep depth: Int) -> ResultShape {
    .object(
      [("objects", .list(of: managedObject)), ("handled", .list(of: .text))] + changes
        + (depth == 0 ? [] : [("results", .list(of: anyStep(deep: depth - 1)))]))
  }
}
