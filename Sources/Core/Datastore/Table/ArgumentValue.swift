package import JSON

/// A value with a form in JSON, as an argument of an operation or as an element of one.
package protocol ArgumentValue: Hashable, Sendable {
  var json: JSONValue { get }
  init(_ json: JSONValue, path: String) throws(DecodingFailure)
}

/// The value of an argument that a message may omit.
package protocol OmissibleArgument: Hashable, Sendable {
  /// The value of an omitted argument.
  static var omitted: Self { get }
  /// Reads an argument that is present.
  init(present json: JSONValue, path: String) throws(DecodingFailure)
  /// The value of an argument that is present.
  var presentJSON: JSONValue { get }
}

/// A value that reads several arguments of an operation.
package protocol ArgumentGroup: Hashable, Sendable {
  /// The arguments that are present, in order.
  var members: [(JSONString, JSONValue)] { get }
  init(_ reader: inout ObjectReader) throws(DecodingFailure)
}

/// The arguments of an operation that are present, in order.
package struct ArgumentList {
  package private(set) var members: [(JSONString, JSONValue)] = []

  package init() {}

  package mutating func add(_ name: JSONString, _ value: some ArgumentValue) {
    members.append((name, value.json))
  }

  /// Adds an argument if its value is not that of an omitted one.
  package mutating func add<Value: OmissibleArgument>(_ name: JSONString, ifPresent value: Value) {
    if value != Value.omitted { members.append((name, value.presentJSON)) }
  }

  package mutating func add(_ group: some ArgumentGroup) { members += group.members }
}

extension ObjectReader {
  /// The value of a required argument.
  package mutating func value<Value: ArgumentValue>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Value {
    try Value(try required(name), path: path(to: name))
  }

  /// The value of an argument that may be omitted.
  package mutating func ifPresent<Value: OmissibleArgument>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Value {
    guard let json = optional(name) else { return .omitted }
    return try Value(present: json, path: path(to: name))
  }

  /// A value that reads several arguments.
  package mutating func group<Group: ArgumentGroup>() throws(DecodingFailure) -> Group {
    try Group(&self)
  }
}

// MARK: Values

extension JSONValue: ArgumentValue {
  package var json: JSONValue { self }
  package init(_ json: JSONValue, path: String) { self = json }
}

extension JSONString: ArgumentValue {
  package var json: JSONValue { .string(self) }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    self = try json.text(at: path)
  }
}

extension Int64: ArgumentValue {
  package var json: JSONValue { .integer(self) }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    self = try json.integer(at: path)
  }
}

extension Bool: ArgumentValue {
  package var json: JSONValue { .bool(self) }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    self = try json.bool(at: path)
  }
}

extension Identifier: ArgumentValue {}
extension UpdateSequence: ArgumentValue {}
extension Filter: ArgumentValue {}
extension RevisionRecord: ArgumentValue {}
extension RevisionQuery: ArgumentValue {}

extension Array: ArgumentValue where Element: ArgumentValue {
  package var json: JSONValue { .array(map { $0.json }) }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    self = try json.elements(at: path) { (element, path) throws(DecodingFailure) in
      try Element(element, path: path)
    }
  }
}

/// Null is nil.
extension Optional: ArgumentValue where Wrapped: ArgumentValue {
  package var json: JSONValue { self?.json ?? .null }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    self = json == .null ? nil : try Wrapped(json, path: path)
  }
}

extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  package var json: JSONValue { .text(rawValue) }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    self = try json.choice(at: path)
  }
}

extension RevisionIDProfile: ArgumentValue {}
extension CollationName: ArgumentValue {}

// MARK: Values that may be omitted

extension OmissibleArgument where Self: ArgumentValue {
  package init(present json: JSONValue, path: String) throws(DecodingFailure) {
    try self.init(json, path: path)
  }

  package var presentJSON: JSONValue { json }
}

/// An omitted flag is false.
extension Bool: OmissibleArgument {
  package static var omitted: Bool { false }
}

/// An omitted list is empty.
extension Array: OmissibleArgument where Element: ArgumentValue {
  package static var omitted: [Element] { [] }
}

/// Null is not an omitted argument.
extension Optional: OmissibleArgument where Wrapped: ArgumentValue {
  package static var omitted: Wrapped? { nil }

  package init(present json: JSONValue, path: String) throws(DecodingFailure) {
    self = try Wrapped(json, path: path)
  }

  package var presentJSON: JSONValue { json }
}
