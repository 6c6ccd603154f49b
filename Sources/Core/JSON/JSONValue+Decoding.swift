/// Typed access: each method returns the value as one kind, or throws a failure at the given path.
extension JSONValue {
  /// The text of a string; any other value is a failure at `path`.
  public func text(at path: String) throws(DecodingFailure) -> JSONString {
    guard case .string(let text) = self else {
      throw DecodingFailure(path: path, expected: "a string", found: self)
    }
    return text
  }

  /// The value of an integer of 64 signed bits; any other value, including `1.0`, is a failure.
  public func integer(at path: String) throws(DecodingFailure) -> Int64 {
    switch self {
    case .integer(let integer): return integer
    case .unsigned, .double:
      let message = "expected an integer of 64 signed bits, found \(serialized())"
      throw DecodingFailure(path: path, message: message)
    default: throw DecodingFailure(path: path, expected: "an integer", found: self)
    }
  }

  /// The truth value of a boolean; any other value is a failure at `path`.
  public func bool(at path: String) throws(DecodingFailure) -> Bool {
    guard case .bool(let value) = self else {
      throw DecodingFailure(path: path, expected: "a boolean", found: self)
    }
    return value
  }

  /// The elements of an array; any other value is a failure at `path`.
  public func array(at path: String) throws(DecodingFailure) -> [JSONValue] {
    guard case .array(let elements) = self else {
      throw DecodingFailure(path: path, expected: "an array", found: self)
    }
    return elements
  }

  /// The decoded elements of an array; `decode` receives each with its path, such as `steps[3]`.
  public func elements<Element>(
    at path: String,
    _ decode: (JSONValue, _ path: String) throws(DecodingFailure) -> Element
  ) throws(DecodingFailure) -> [Element] {
    let elements = try array(at: path)
    var decoded: [Element] = []
    decoded.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      decoded.append(try decode(element, DecodingPath.element(index, of: path)))
    }
    return decoded
  }
}
