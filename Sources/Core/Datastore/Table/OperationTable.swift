package import JSON

/// One operation of the contract as data.
package struct OperationRow: Sendable {
  package var name: String
  /// The arguments other than `op` and `store`, in the order of the JSON form.
  package var arguments: [ValueShape.Member]
  package var description: String?
  /// The capabilities without which the operation is `unsupported`, regardless of its arguments.
  package var capabilities: Set<Capability> = []
  /// The name of the definition of the result.
  package var result: JSONString = ""
  /// Alternative results, selected by an argument.
  package var variants: [Variant] = []
  /// The kinds of errors, in addition to those that every operation can return.
  package var errors: [String] = []

  /// The result of an operation whose argument has a given value.
  package struct Variant: Sendable {
    package var argument: JSONString
    package var value: JSONValue
    package var result: JSONString
  }

  /// The name of the result definition for the given arguments, which only a row with variants
  /// evaluates.
  func result(of arguments: () -> [(JSONString, JSONValue)]) -> JSONString {
    if variants.isEmpty { return result }
    let arguments = arguments()
    let variant = variants.first { variant in
      arguments.contains { $0.0 == variant.argument && $0.1 == variant.value }
    }
    return variant?.result ?? result
  }
}

/// The operations, the shapes that they use, and the errors: the definition of the wire format.
///
/// Decoders, encoders and the enums of operations are typed views of the rows; tests compare them. A
/// family of operations has a separate table, which is joined to the core's when the family is
/// registered.
package struct OperationTable: Sendable {
  package private(set) var rows: [OperationRow] = []
  /// The names of the definitions, in their order.
  package private(set) var names: [JSONString] = []
  package private(set) var definitions: [JSONString: ValueShape] = [:]
  /// The definitions in the notation of the table.
  package private(set) var notations: [JSONString: String] = [:]
  package private(set) var descriptions: [JSONString: String] = [:]
  /// The kinds of errors with their members, in their order.
  package var errors: [(kind: JSONString, members: [ValueShape.Member])] = []
  private var places: [String: Int] = [:]
  /// The shape of expectations for each result, and for an error.
  private(set) var resultShapes: [JSONString: ResultShape] = [:]

  /// The table in a notation that `TableParser` documents; stops the program if the text is wrong.
  package init(_ text: String) { self = TableParser.table(text) }

  init() {}

  mutating func add(_ row: OperationRow) {
    places[row.name] = rows.count
    rows.append(row)
  }

  /// Adds a definition, or replaces the definition of the same name.
  mutating func define(
    _ name: JSONString, _ shape: ValueShape, notation: String, description: String?
  ) {
    if definitions.updateValue(shape, forKey: name) == nil { names.append(name) }
    notations[name] = notation
    descriptions[name] = description ?? descriptions[name]
  }

  /// Adds the rows and definitions of a family, which replace those that the core leaves open.
  package mutating func join(_ other: OperationTable) {
    for row in other.rows { add(row) }
    for name in other.names {
      guard let shape = other.definitions[name], let notation = other.notations[name] else {
        continue
      }
      define(name, shape, notation: notation, description: other.descriptions[name])
    }
    errors += other.errors
    resultShapes = ["error": ResultShape(error, self)]
    for name in rows.flatMap({ [$0.result] + $0.variants.map(\.result) })
    where resultShapes[name] == nil {
      resultShapes[name] = ResultShape(.definition(name), self)
    }
  }

  package subscript(name: String) -> OperationRow? { places[name].map { rows[$0] } }

  /// The name of the definition of the result of an operation with the given arguments.
  func resultDefinition(
    of name: String, _ arguments: () -> [(JSONString, JSONValue)]
  ) -> JSONString {
    guard let row = self[name] else {
      preconditionFailure("the table of operations lacks the row '\(name)'")
    }
    return row.result(of: arguments)
  }

  /// A shape in which the outermost definition name is replaced by its definition.
  package func resolved(_ shape: ValueShape) -> ValueShape {
    guard case .definition(let name) = shape, let definition = definitions[name] else {
      return shape
    }
    return resolved(definition)
  }

  /// The shape of an error, with the members of all kinds.
  package var error: ValueShape {
    var members = [ValueShape.Member("kind", .scalar(.text, [:]))]
    for member in errors.flatMap(\.members) + [ValueShape.Member("write", .write)]
    where !members.contains(where: { $0.name == member.name }) {
      members.append(member)
    }
    return .members(members)
  }

  /// The core's rows and those of the registered families.
  package static var current: OperationTable { OperationFamily.table }
}

extension ValueShape {
  /// The index of a write in a batch.
  package static let write = ValueShape.scalar(.integer, ["minimum": 0])

  /// The shape of a member, or of an element of a list; nil if the shape has none.
  package func member(_ name: JSONString, _ table: OperationTable) -> ValueShape? {
    switch table.resolved(self) {
    case .members(let members): members.first { $0.name == name }?.shape
    case .map(let value, _): value
    case .alternatives(let shapes): shapes.lazy.compactMap { $0.member(name, table) }.first
    default: nil
    }
  }

  package func element(_ table: OperationTable) -> ValueShape? {
    switch table.resolved(self) {
    case .list(let element, _): element
    case .alternatives(let shapes): shapes.lazy.compactMap { $0.element(table) }.first
    default: nil
    }
  }
}
