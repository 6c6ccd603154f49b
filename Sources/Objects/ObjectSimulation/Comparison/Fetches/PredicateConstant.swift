internal import JSON
internal import ObjectMapping
internal import Simulation

/// A constant of a predicate: as an argument, and as a text if it has one.
struct Constant {
  /// The argument.
  var json: JSONValue
  /// The constant in a text; nil if it can only be an argument.
  var literal: String?

  init(json: JSONValue, literal: String? = nil) {
    self.json = json
    self.literal = literal
  }

  /// A text between apostrophes.
  init(_ text: String) {
    let escaped = text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    self.init(json: .text(text), literal: "'\(escaped)'")
  }

  /// Nil in one of its forms.
  static func none(_ random: inout KeyedRandom) -> Constant {
    Constant(json: .null, literal: random.pick(["nil", "NULL", "NIL", "null"]))
  }

  /// The constant in a text, or a placeholder for it.
  func written(_ random: inout KeyedRandom) -> PredicateDraft.Part {
    guard let literal, random.chance(2, in: 3) else {
      return PredicateDraft.Part(text: "%@", arguments: [json])
    }
    guard literal.hasPrefix("'"), !literal.contains("\\"), !literal.contains("\""),
      random.chance(1, in: 3)
    else { return PredicateDraft.Part(text: literal) }
    return PredicateDraft.Part(text: "\"\(literal.dropFirst().dropLast())\"")
  }
}

extension PredicateDraft {
  /// A value of objects of a type, one next to it, or nil.
  mutating func constant(_ type: AttributeType) -> Constant {
    if random.chance(1, in: 8) { return .none(&random) }
    let value = values.value(type, &random)
    switch type {
    case .utf8, .id: return quoted(value.textValue?.string ?? "")
    case .bool: return truth(value == true)
    case .date1970: return date(value)
    case .decimal: return decimal(value)
    case .int16, .int32, .int64: return integer(value)
    case .double, .float: return floating(value)
    case .xform, .binary: return .none(&random)
    }
  }

  private mutating func quoted(_ text: String) -> Constant {
    guard text.contains("\""), random.chance(1, in: 2) else { return Constant(text) }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return Constant(json: .text(text), literal: "\"\(escaped)\"")
  }

  private mutating func truth(_ value: Bool) -> Constant {
    if random.chance(1, in: 4) {
      let numbers: [JSONValue] = value ? [1, 2, -1, 0.5] : [0, 0]
      let number = random.pick(numbers) ?? 0
      return Constant(json: number, literal: number.serialized())
    }
    let words = value ? ["YES", "TRUE", "true", "yes"] : ["NO", "FALSE", "false", "No"]
    return Constant(json: .bool(value), literal: random.pick(words))
  }

  private mutating func date(_ value: JSONValue) -> Constant {
    let seconds = value.number ?? 0
    let literal = JSONValue.double(seconds - 978_307_200).serialized()
    return Constant(json: ["date": value], literal: "CAST(\(literal), \"NSDate\")")
  }

  private mutating func decimal(_ value: JSONValue) -> Constant {
    let digits = value.textValue?.string ?? "0"
    if digits != "NaN", random.chance(1, in: 3) {
      // The double beside the decimal.
      return floating(.double(Double(digits) ?? 0))
    }
    return Constant(
      json: ["decimal": .text(digits)], literal: digits == "NaN" ? nil : signed(digits))
  }

  private mutating func signed(_ digits: String) -> String {
    !digits.hasPrefix("-") && random.chance(1, in: 8) ? "+\(digits)" : digits
  }

  private mutating func integer(_ value: JSONValue) -> Constant {
    let number = value.integerValue ?? 0
    if number.magnitude < 1000, random.chance(1, in: 5) {
      let half = JSONValue.double(Double(number) + (random.chance(1, in: 2) ? 0.5 : -0.5))
      return Constant(json: half, literal: half.serialized())
    }
    switch random.below(12) {
    case 0:
      return Constant(
        json: ["decimal": .text("\(number).5")], literal: "\(number).50000000000000000001")
    case 1 where number.magnitude < 1000:
      return Constant(json: value, literal: "\(number)\(random.chance(1, in: 2) ? "e0" : ".0E+0")")
    default: return Constant(json: value, literal: signed("\(number)"))
    }
  }

  private mutating func floating(_ value: JSONValue) -> Constant {
    if let image = value.objectValue?["image"]?.textValue?.string {
      // An image of a float in the bits of a double.
      let bits = UInt64(image, radix: 16) ?? 0
      let number =
        image.utf8.count == 16
        ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
      return Constant(json: Self.image(number))
    }
    let number = value.number ?? 0
    if random.chance(1, in: 6) { return Constant(json: Self.image(number)) }
    let isWhole = number.magnitude < 1000 && number == number.rounded()
    let json: JSONValue =
      isWhole && random.chance(1, in: 2) ? .integer(Int64(number)) : .double(number)
    return Constant(json: json, literal: signed(json.serialized()))
  }

  private static func image(_ number: Double) -> JSONValue {
    let digits = String(number.bitPattern, radix: 16)
    return ["image": .text(String(repeating: "0", count: 16 - digits.utf8.count) + digits)]
  }
}

/// Random expressions of the dialect of `$regex`.
enum PredicatePattern {
  private static let atoms = [
    "a", "b", ".", "[ab]", "[^a]", "(a|b)", "(ab)", "é", "1", "A", "[0-9]",
  ]
  private static let counts = ["", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}"]

  static func random(_ random: inout KeyedRandom) -> String {
    var pattern = ""
    for _ in 0..<(1 + random.below(3)) {
      pattern += random.pick(atoms) ?? "a"
      pattern += random.pick(counts) ?? ""
      if random.chance(1, in: 8) { pattern += "|" }
    }
    return pattern
  }
}

extension JSONValue {
  /// The number, rounded to a double.
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}
