package import JSON

/// The possible shape of the result of an operation, used to detect misnamed members in
/// expectations.
///
/// Without it, an expectation that `possibleAncestor` is absent would hold for every store. The
/// shape follows from the table of operations.
package indirect enum ResultShape: Sendable {
  case text
  case integer
  case bool
  /// A string or an integer.
  case sequence
  /// Any JSON value, compared as a whole.
  case value
  /// Any JSON value, which may contain matchers other than `$unordered`.
  case open
  case object([(name: JSONString, shape: ResultShape)])
  /// An object with any names, whose values have the same shape.
  case names(of: ResultShape)
  case list(of: ResultShape, order: ValueShape.Order = .inOrder)
  /// A list of one element per write of a batch.
  case results([ResultShape])
}

extension ResultShape {
  /// Whether the value can be a text.
  package var isText: Bool {
    switch self {
    case .text, .open: true
    default: false
    }
  }

  /// The shape of the result of the action.
  package init(of action: StoreAction) {
    switch action {
    case .batch(let writes):
      self = .object([("results", .results(writes.map { ResultShape(of: $0) }))])
    case .attaching(_, let write): self.init(of: write)
    case .family(let operation): self = operation.base.resultShape
    default: self.init(ofOperation: action.name, [])
    }
  }

  /// The shape that the row of an operation specifies for its arguments.
  package init(ofOperation name: String, _ arguments: [(JSONString, JSONValue)]) {
    let table = OperationTable.current
    let definition = table.resultDefinition(of: name) { arguments }
    guard let shape = table.resultShapes[definition] else {
      preconditionFailure("the table of operations lacks the result of '\(name)'")
    }
    self = shape
  }

  /// The shape of an error: its kind, and the fields of all kinds; messages are for people.
  package static var error: ResultShape {
    OperationTable.current.resultShapes["error"] ?? .object([])
  }

  /// The maximum nesting depth of results of closures in results of closures.
  private static let depthMax = 5

  /// The shape of expectations for a value of a shape.
  package init(_ shape: ValueShape, _ table: OperationTable, depths: [JSONString: Int] = [:]) {
    var depths = depths
    if case .definition(let name) = shape { depths[name, default: 0] += 1 }
    if case .definition("error") = shape {
      self.init(table.error, table)
      return
    }
    switch table.resolved(shape) {
    case .scalar(.integer, _): self = .integer
    case .scalar(.bool, _): self = .bool
    case .scalar, .name: self = .text
    case .sequence: self = .sequence
    case .data, .object, .array, .null, .tuple, .definition: self = .value
    case .map(let value, _): self = .names(of: ResultShape(value, table, depths: depths))
    case .list(let element, let order):
      self = .list(of: ResultShape(element, table, depths: depths), order: order)
    case .members(let members): self = .object(Self.members(members, table, depths: depths))
    case .alternatives(let shapes):
      var members: [(name: JSONString, shape: ResultShape)] = []
      for case .members(let inner) in shapes.map({ table.resolved($0) }) {
        members += Self.members(inner, table, depths: depths)
      }
      self = .object(members)
    }
  }

  private static func members(
    _ members: [ValueShape.Member], _ table: OperationTable, depths: [JSONString: Int]
  ) -> [(name: JSONString, shape: ResultShape)] {
    members.flatMap { member -> [(name: JSONString, shape: ResultShape)] in
      // A recursive definition is expanded to a limited depth.
      if case .list(.definition(let name), _) = member.shape, depths[name, default: 0] == depthMax {
        return []
      }
      let shape = [(name: member.name, shape: ResultShape(member.shape, table, depths: depths))]
      return shape + (member.pattern.map { [(name: $0, shape: .open)] } ?? [])
    }
  }
}
