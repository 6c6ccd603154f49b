public import Datastore
public import JSON

/// A value of a step that the runner generates when the step runs, so that its file stays small.
///
/// It is a member of the step and names a place in it. So no part of a body is interpreted as a
/// generator, whatever the names of its members.
public struct Fill: Hashable, Sendable {
  /// The path from the step to the value, such as `do`, `body`, `text`. The place must exist.
  public let place: ValuePath
  /// The generated value.
  public let value: Value

  /// The kinds of generated values.
  public enum Value: Hashable, Sendable {
    /// A text of this many bytes: `unit` as often as it fits, the rest filled with `x`.
    case text(bytes: Size, unit: JSONString)
    /// The base64 of this many bytes of value 0.
    case base64(bytes: Size)
    /// A list of this many elements; `#` in their texts is the number of each.
    case list(count: Size, Counter, element: JSONValue)
    /// An object of this many members; `#` in their names and texts is the number of each.
    case object(count: Size, Counter, name: JSONString, value: JSONValue)
    /// Nested arrays, or nested objects with the member `a`.
    case nested(depth: Size, isArray: Bool)
    /// An integer.
    case number(Size)
    /// An integer that grows with each repetition of the step.
    case counted(from: Int64, step: Int64)
  }

  /// A count or a length.
  public enum Size: Hashable, Sendable {
    /// A fixed number.
    case fixed(Int64)
    /// A limit that the implementation declares, plus a number.
    case limit(LimitName, plus: Int64)
  }

  /// The numbering of elements.
  public struct Counter: Hashable, Sendable {
    /// The number of the first element.
    public var from: Int64
    /// The difference between consecutive numbers.
    public var step: Int64
    /// The minimum number of digits, with leading zeros.
    public var digits: Int64
  }

  /// The maximum size of a generated value, in bytes or elements; 16 Mi.
  public static let sizeMax: Int64 = 16_777_216
  /// The maximum depth of a generated value, which every parser of the protocol has to support.
  public static let depthMax: Int64 = 400
  /// The maximum number of repetitions of a step.
  public static let repetitionsMax: Int64 = 1024
}

extension Fill.Value {
  /// The sizes in this value.
  var sizes: [Fill.Size] {
    switch self {
    case .text(let size, _), .base64(let size), .list(let size, _, _), .object(let size, _, _, _),
      .nested(let size, _), .number(let size):
      [size]
    case .counted: []
    }
  }
}

extension Fill {
  /// The limit of its size; nil for a fixed size.
  public var limit: LimitName? {
    for case .limit(let name, _) in value.sizes { return name }
    return nil
  }
}

/// The values that sizes of fills refer to.
struct FillScale {
  let limits: ImplementationDescription.Limits
  /// The maximum generated size. A small one generates a sample of the same shape.
  var sizeMax = Fill.sizeMax
  /// The number of the repetition of the step, from 0.
  var repetition: Int64 = 0

  /// Sizes of 2, which are enough for the shape of a step.
  static let sample = FillScale(limits: .minimum, sizeMax: 2)

  func size(_ size: Fill.Size) -> Int64 {
    let whole =
      switch size {
      case .fixed(let count): count
      // An adapter may declare the largest integer.
      case .limit(let name, let plus): min(Int64(limits[name]), .max - 65_536) + plus
      }
    return max(0, min(whole, sizeMax))
  }
}

extension Fill.Value {
  /// The generated value.
  func made(_ scale: FillScale) -> JSONValue {
    switch self {
    case .text(let bytes, let unit):
      return .string(Self.text(unit, bytes: Int(scale.size(bytes))))
    case .base64(let bytes): return .string(Self.zeros(Int(scale.size(bytes))))
    case .list(let count, let counter, let element):
      return .array(
        (0..<scale.size(count)).map { element.numbered(counter.digits(of: $0)) })
    case .object(let count, let counter, let name, let value):
      let members = (0..<scale.size(count)).map { place in
        let digits = counter.digits(of: place)
        return (name.numbered(digits), value.numbered(digits))
      }
      return .object(JSONObject(members))
    case .nested(let depth, let isArray):
      let innermost: JSONValue = isArray ? [] : [:]
      return (1..<max(1, scale.size(depth))).reduce(innermost) { inner, _ in
        isArray ? [inner] : ["a": inner]
      }
    case .number(let size): return .integer(scale.size(size))
    case .counted(let from, let step): return .integer(from + step * scale.repetition)
    }
  }

  private static func zeros(_ count: Int) -> JSONString {
    let end = ["", "AA==", "AAA="][count % 3]
    return JSONString(Self.repeated("AAAA", bytes: count / 3 * 4) + end)
  }

  private static func text(_ unit: JSONString, bytes: Int) -> JSONString {
    JSONString(repeated(unit, bytes: bytes))
  }

  /// The unit as often as it fits, and `x` for the rest.
  ///
  /// Doubles the text by copying it: `String(repeating:count:)` appends piece by piece, which took
  /// 1/8 of the time of a run over all vectors.
  private static func repeated(_ unit: JSONString, bytes: Int) -> String {
    let whole = bytes - bytes % unit.utf8.count
    return String(unsafeUninitializedCapacity: bytes) { buffer in
      var filled = 0
      if whole > 0 {
        for byte in unit.utf8 {
          buffer[filled] = byte
          filled += 1
        }
      }
      while filled < whole {
        let count = min(filled, whole - filled)
        _ = UnsafeMutableBufferPointer(rebasing: buffer[filled..<(filled + count)])
          .update(fromContentsOf: buffer[..<count])
        filled += count
      }
      while filled < bytes {
        buffer[filled] = UInt8(ascii: "x")
        filled += 1
      }
      return bytes
    }
  }
}

extension Fill.Counter {
  /// The number of an element in decimal.
  fileprivate func digits(of place: Int64) -> String {
    let number = from + step * place
    let digits = String(number.magnitude)
    let zeros = String(repeating: "0", count: max(0, Int(self.digits) - digits.utf8.count))
    return (number < 0 ? "-" : "") + zeros + digits
  }
}

extension JSONString {
  private static let hash = UInt8(ascii: "#")

  /// The text with digits in place of each `#`.
  fileprivate func numbered(_ digits: String) -> JSONString {
    guard utf8.contains(Self.hash) else { return self }
    var bytes: [UInt8] = []
    for byte in utf8 {
      if byte == Self.hash { bytes += digits.utf8 } else { bytes.append(byte) }
    }
    return JSONString(String(decoding: bytes, as: UTF8.self))
  }
}

extension JSONValue {
  /// The value with digits in place of each `#` in its texts and names.
  fileprivate func numbered(_ digits: String) -> JSONValue {
    switch self {
    case .string(let text): .string(text.numbered(digits))
    case .array(let elements): .array(elements.map { $0.numbered(digits) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { ($0.name.numbered(digits), $0.value.numbered(digits)) }))
    default: self
    }
  }

  /// The value with another one at a path; nil if the path does not exist.
  func replacing(_ path: ArraySlice<ValuePath.Component>, by value: JSONValue) -> JSONValue? {
    guard let component = path.first else { return value }
    switch (component, self) {
    case (.member(let name), .object(var object)):
      guard let part = object[name]?.replacing(path.dropFirst(), by: value) else { return nil }
      object[name] = part
      return .object(object)
    case (.element(let index), .array(var elements)):
      guard elements.indices.contains(index),
        let part = elements[index].replacing(path.dropFirst(), by: value)
      else { return nil }
      elements[index] = part
      return .array(elements)
    default: return nil
    }
  }
}
