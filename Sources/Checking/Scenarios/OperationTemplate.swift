public import Datastore
public import JSON

/// An operation with holes: `{"$ref": "r"}` in place of an id, a revision or a sequence.
///
/// Holes are filled before the operation is decoded. Bodies and compared values have no holes: an
/// object of this form there is data.
public struct OperationTemplate: Hashable, Sendable {
  /// The template as its file contains it.
  public let json: JSONValue
  /// The names that it refers to, in their order.
  public let references: [Reference]
  /// The operation with a sample revision id in every hole; it shows the kind of operation.
  public let sample: StoreOperation

  /// A use of a bound name.
  public struct Reference: Hashable, Sendable {
    /// The name of the bound value.
    public let name: JSONString
    /// The path of the use, for messages.
    public let path: String
  }

  /// Reads a template; throws for a misplaced hole and for an invalid operation.
  public init(_ json: JSONValue, path: String = "") throws(DecodingFailure) {
    var filling = Filling(bindings: nil)
    // Most operations have no holes, and filling one creates the operation again.
    let filled =
      json.hasMatcherName ? try filling.fill(json, filling.shape(of: json), path: path) : json
    sample = try StoreOperation(filled, path: path)
    references = filling.references
    self.json = json
  }

  /// The template of an operation without holes.
  public init(_ operation: StoreOperation) {
    json = operation.json
    references = []
    sample = operation
  }

  /// The operation with the bound values in its holes; an unbound name is a failure.
  public func operation(_ bindings: Bindings, path: String = "") throws(DecodingFailure)
    -> StoreOperation
  {
    guard !references.isEmpty else { return sample }
    var filling = Filling(bindings: bindings)
    return try StoreOperation(
      try filling.fill(json, filling.shape(of: json), path: path), path: path)
  }
}

/// One walk over a template that fills its holes.
private struct Filling {
  /// Nil fills every hole with a sample revision id.
  let bindings: Bindings?
  var references: [OperationTemplate.Reference] = []
  private lazy var table = OperationTable.current

  init(bindings: Bindings?) { self.bindings = bindings }

  /// The shape of an operation, from the row of its name; nil for an operation without a row.
  mutating func shape(of operation: JSONValue) -> ValueShape? {
    guard let name = operation.objectValue?["op"]?.textValue else { return nil }
    return table[name.string].map { .members($0.arguments) }
  }

  mutating func fill(
    _ value: JSONValue, _ shape: ValueShape?, path: String
  ) throws(DecodingFailure) -> JSONValue {
    if case .data = resolved(shape) { return value }
    switch value {
    case .array(let elements):
      var filled: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        filled.append(
          try fill(
            element, self.shape(ofElement: element, shape),
            path: DecodingPath.element(index, of: path)))
      }
      return .array(filled)
    case .object(let object):
      if object.members.contains(where: { $0.name.isMatcherName }) {
        return try fillHole(object, shape, path: path)
      }
      var members: [(JSONString, JSONValue)] = []
      for member in object.members {
        let memberPath = DecodingPath.member(member.name, of: path)
        members.append(
          (member.name, try fill(member.value, shape?.member(member.name, table), path: memberPath))
        )
      }
      return .object(JSONObject(members))
    default: return value
    }
  }

  private mutating func resolved(_ shape: ValueShape?) -> ValueShape? {
    shape.map { table.resolved($0) }
  }

  /// The shape of an element of a list; an element may be an operation itself.
  private mutating func shape(ofElement element: JSONValue, _ list: ValueShape?) -> ValueShape? {
    guard let shape = list?.element(table) else { return nil }
    if case .definition("write") = shape { return self.shape(of: element) }
    return shape
  }

  private mutating func fillHole(
    _ object: JSONObject, _ shape: ValueShape?, path: String
  ) throws(DecodingFailure) -> JSONValue {
    var reader = ObjectReader(object, path: path)
    let name = try reader.text("$ref")
    try reader.finish()
    switch resolved(shape) {
    case .name, .sequence: break
    default:
      throw DecodingFailure(
        path: path, message: "expected a reference in place of an id, a revision id or a sequence")
    }
    references.append(OperationTemplate.Reference(name: name, path: path))
    guard let bindings else { return "1-0" }
    guard let bound = bindings[name] else {
      throw DecodingFailure(path: path, message: "'\(name)' is not bound")
    }
    return bound
  }
}

extension JSONValue {
  /// Whether an object in the value has a member with the prefix of a matcher, in data or
  /// elsewhere.
  fileprivate var hasMatcherName: Bool {
    switch self {
    case .array(let elements): elements.contains { $0.hasMatcherName }
    case .object(let object):
      object.members.contains { $0.name.isMatcherName || $0.value.hasMatcherName }
    default: false
    }
  }
}

extension JSONString {
  /// Whether an object with a member of this name is meant as a matcher.
  var isMatcherName: Bool { utf8.first == UInt8(ascii: "$") }
}
