internal import Datastore
public import JSON

// The JSON form of constants of predicates in calls.

extension PredicateComparison.Operand {
  /// A value, or a list of values.
  public init(_ json: JSONValue) throws(FetchPredicateError) {
    guard case .array(let elements) = json else {
      self = .value(try PredicateValue(json))
      return
    }
    var values: [PredicateValue] = []
    for element in elements { values.append(try PredicateValue(element)) }
    self = .list(values)
  }

  /// The operand in JSON.
  public var json: JSONValue {
    switch self {
    case .value(let value): value.json
    case .list(let values): .array(values.map { $0.json })
    }
  }
}

extension PredicateValue {
  /// Null, a boolean, a number, a text; or `{"date"}` in seconds since 1970, `{"decimal"}`,
  /// `{"object"}` with an id, and `{"image"}` with the 16 hexadecimal digits of a double.
  public init(_ json: JSONValue) throws(FetchPredicateError) {
    func refused() -> FetchPredicateError {
      FetchPredicateError(
        .badFormat, nil, message: "\(json.serialized()) is not a value of a predicate")
    }
    switch json {
    case .null: self = .none
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .string(let text): self = .text(text)
    case .object(let object) where object.count == 1:
      guard let member = object.members.first else { throw refused() }
      switch (member.name, member.value) {
      case ("date", let value):
        guard let seconds = value.number, seconds.isFinite else { throw refused() }
        self = .date(seconds)
      case ("decimal", .string(let text)):
        guard let number = text == "NaN" ? .nan : DecimalNumber(text: text.utf8) else {
          throw refused()
        }
        self = .decimal(number)
      case ("object", .string(let id)): self = .object(ObjectID(id))
      case ("image", .string(let digits)):
        guard digits.utf8.count == 16, let bits = UInt64(digits.string, radix: 16) else {
          throw refused()
        }
        self = .double(Double(bitPattern: bits))
      default: throw refused()
      }
    default: throw refused()
    }
  }

  /// The value in JSON.
  public var json: JSONValue {
    switch self {
    case .none: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): AttributeValue.double(value).json
    case .decimal(let number): ["decimal": .text(number.description)]
    case .text(let text): .string(text)
    case .date(let seconds): ["date": .double(seconds)]
    case .object(let id): ["object": id.json]
    }
  }
}
