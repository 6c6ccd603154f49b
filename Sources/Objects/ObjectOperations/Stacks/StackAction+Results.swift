package import Datastore
internal import JSON

extension StackAction {
  package var resultShape: ResultShape {
    guard case .perform(_, let closure, .waits) = self else {
      return ResultShape(ofOperation: name, arguments)
    }
    let members: [(name: JSONString, shape: ResultShape)] = [
      ("operation", .integer), ("results", closure.resultShape),
    ]
    return .object(members)
  }
}

extension StackClosure {
  /// One result for each step.
  fileprivate var resultShape: ResultShape { .results(steps.map { $0.resultShape }) }
}

extension StackStep {
  fileprivate var resultShape: ResultShape {
    let table = OperationTable.current
    switch self {
    case .insert, .change, .delete, .saveAll: return .object([])
    case .find, .findAll: return ResultShape(.definition("objects"), table)
    case .findOrInsert: return ResultShape(.definition("found-or-inserted"), table)
    case .save: return ResultShape(.definition("changed-ids"), table)
    case .perform(let closure):
      let members: [(name: JSONString, shape: ResultShape)] = [("results", closure.resultShape)]
      return .object(members)
    }
  }
}
