internal import Datastore
internal import Digest
public import JSON

// The JSON form of values in models, vectors and calls: exact, and readable where possible.
//
// Texts and identifiers are strings, truth values are booleans, integers are integers, dates are
// seconds. Doubles and floats are numbers; values that JSON cannot represent are images, such as
// `{"image": "7ff8000000000000"}`, and so is -0.0, which many libraries read as 0. Decimals are
// strings of digits, or "NaN". Bytes are base64.

extension AttributeValue {
  /// The value in JSON.
  public var json: JSONValue {
    switch self {
    case .text(let text), .identifier(let text): .string(text)
    case .bool(let value): .bool(value)
    case .date(let seconds): .double(seconds)
    case .integer(let value): .integer(value)
    case .double(let value):
      Self.isPlain(value) ? .double(value) : Self.image(value.bitPattern, digits: 16)
    case .float(let value):
      Self.isPlain(Double(value))
        ? .double(Double(value)) : Self.image(UInt64(value.bitPattern), digits: 8)
    case .decimal(let value): .text(value.description)
    case .bytes(let bytes): .text(Base64.encode(bytes))
    }
  }

  /// Whether a JSON number represents the value completely.
  private static func isPlain(_ value: Double) -> Bool {
    value.isFinite && (value != 0 || value.sign == .plus)
  }

  private static func image(_ bits: UInt64, digits: Int) -> JSONValue {
    let text = String(bits, radix: 16)
    return ["image": .text(String(repeating: "0", count: digits - text.utf8.count) + text)]
  }

  /// Reads a value of a type; a failure contains the expectation and `path`.
  public init(
    _ json: JSONValue, of type: AttributeType, path: String
  ) throws(DecodingFailure) {
    func number() throws(DecodingFailure) -> Double {
      guard let number = json.number else {
        throw DecodingFailure(path: path, expected: "a number", found: json)
      }
      return number
    }
    switch type {
    case .utf8: self = .text(try json.text(at: path))
    case .id: self = .identifier(try json.text(at: path))
    case .bool: self = .bool(try json.bool(at: path))
    case .int16, .int32, .int64: self = .integer(try json.integer(at: path))
    case .date1970: self = .date(try number())
    case .double:
      if let bits = try Self.bits(json, path: path, digits: 16) {
        self = .double(Double(bitPattern: bits))
      } else {
        self = .double(try number())
      }
    case .float:
      if let bits = try Self.bits(json, path: path, digits: 8) {
        self = .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
      } else {
        let float = Float(try number())
        guard float.isFinite else {
          throw DecodingFailure(path: path, message: "\(json.serialized()) is not a float")
        }
        self = .float(float)
      }
    case .decimal:
      let text = try json.text(at: path)
      if text == "NaN" {
        self = .decimal(.nan)
      } else if let number = DecimalNumber(text: text.utf8) {
        self = .decimal(number)
      } else {
        throw DecodingFailure(path: path, message: "'\(text)' is not a decimal of 128 bits")
      }
    case .xform, .binary:
      guard let bytes = Base64.decode(try json.text(at: path).utf8) else {
        throw DecodingFailure(path: path, message: "expected base64")
      }
      self = .bytes(bytes)
    }
  }

  private static func bits(
    _ json: JSONValue, path: String, digits: Int
  ) throws(DecodingFailure) -> UInt64? {
    guard case .object = json else { return nil }
    var reader = try ObjectReader(json, path: path)
    let text = try reader.text("image")
    try reader.finish()
    guard text.utf8.count == digits, let bits = UInt64(text.string, radix: 16) else {
      throw DecodingFailure(
        path: reader.path(to: "image"), message: "expected \(digits) hexadecimal digits")
    }
    return bits
  }
}

extension PropertyValue {
  /// The JSON form of a value in calls: null for none, an id for an object, ids for objects.
  public var json: JSONValue {
    switch self {
    case .none: .null
    case .attribute(let value): value.json
    case .toOne(let id): id.json
    case .toMany(let ids): .array(ids.map { $0.json })
    }
  }
}

extension AttributeValue: CustomStringConvertible {
  public var description: String { json.serialized() }
}

extension PropertyValue: CustomStringConvertible {
  public var description: String { json.serialized() }
}
