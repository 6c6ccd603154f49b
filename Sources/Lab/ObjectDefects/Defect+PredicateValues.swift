internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mistakes in comparing values: nil, doubles, decimals, dates and booleans.

extension Defect {
  static let predicateNil: [Defect] = [
    comparing("nil-equals-nothing", "PRED-017", "Nil is not equal to nil.") { comparison in
      let isEqual = comparison.operator == .equal || comparison.operator == .notEqual
      guard isEqual, comparison.name == "t", comparison.constant == PredicateValue.none else {
        return nil
      }
      return .truth(false)
    },
    overlooking("null-is-not-nil", "PRED-017", "Null is a value.") { body, comparison in
      guard let name = comparison.name, comparison.constant == PredicateValue.none else {
        return false
      }
      return body[name] == .null && body[Text("CDTISMeta_\(name)")] == nil && !name.isReference
    },
    overlooking("left-overs-count", "PRED-017", "A token is a value, whatever it stands beside.") {
      body, comparison in
      guard let name = comparison.name, comparison.constant == PredicateValue.none else {
        return false
      }
      let meta = body[Text("CDTISMeta_\(name)")]
      return body[name] == nil && meta?.member("nonFinite") == "infinity"
    },
    shruggingAtBytes,
    comparing("nil-never-differs", "PRED-018", "Nil does not differ from anything.") { comparison in
      guard comparison.name == "n", comparison.operator == .notEqual, comparison.integer == 1 else {
        return nil
      }
      return .and([.comparison(comparison), PredicateComparison.isNil(["n"], .notEqual)])
    },
    comparing("nil-is-least", "PRED-018", "Nil is less than everything.") { comparison in
      guard comparison.name == "n", comparison.operator == .less, comparison.integer == 5 else {
        return nil
      }
      return .or([.comparison(comparison), PredicateComparison.isNil(["n"])])
    },
    comparing("nil-is-a-bound", "PRED-018", "Everything is greater than nil.") { comparison in
      let isAbove = comparison.operator == .greater || comparison.operator == .greaterOrEqual
      guard isAbove, comparison.constant == PredicateValue.none else { return nil }
      return comparison.with { $0.operator = .notEqual }
    },
    comparing("nan-differs", "PRED-019", "NaN differs from all numbers.") { comparison in
      guard comparison.name == "d" || comparison.name == "f", comparison.operator == .notEqual,
        comparison.integer == 1 || comparison.number == 0.5
      else { return nil }
      return .not(comparison.with { $0.operator = .equal })
    },
    comparing("nan-is-nil", "PRED-019", "NaN is nil.") { comparison in
      guard comparison.name == "d", comparison.constant == PredicateValue.none else { return nil }
      let isNumber = comparison.with {
        $0.operator = .lessOrEqual
        $0.operand = .value(.double(.infinity))
      }
      return comparison.operator == .equal ? .not(isNumber) : isNumber
    },
    comparing("differs-from-nan", "PRED-019", "Everything differs from NaN.") { comparison in
      guard comparison.name != nil, comparison.operator == .notEqual, comparison.isAboutNaN else {
        return nil
      }
      return .truth(true)
    },
    comparing(
      "nothing-differs-from-nan", "PRED-019", "Behind no object something differs from NaN."
    ) {
      guard $0.path.count == 2, $0.operator == .notEqual, $0.isAboutNaN else { return nil }
      return PredicateComparison.isNil([$0.path[0]])
    },
  ]

  private static let shruggingAtBytes = shrugging(
    "bytes-compared", "PRED-011", "Bytes are equal to no text.", what: "wrongType"
  ) { _, name in name == "x" }

  static let predicateDoubles: [Defect] = [
    comparing("infinity-is-a-number", "PRED-020", "Infinity is the largest number.") { comparison in
      guard comparison.name == "d", let number = comparison.number, number.isInfinite else {
        return nil
      }
      let largest = number > 0 ? Double.greatestFiniteMagnitude : -.greatestFiniteMagnitude
      return comparison.with { $0.operand = .value(.double(largest)) }
    },
    comparing("largest-is-infinite", "PRED-020", "The largest number is infinity.") { comparison in
      guard comparison.name == "d", comparison.number == .greatestFiniteMagnitude,
        comparison.operator == .equal
      else { return nil }
      return .or([
        .comparison(comparison), comparison.with { $0.operand = .value(.double(.infinity)) },
      ])
    },
    comparing("floats-end", "PRED-020", "No float is above the largest one.") { comparison in
      guard comparison.name == "f", let number = comparison.number, number > 1e38,
        comparison.operator == .greater
      else { return nil }
      return .truth(false)
    },
    refusing("integers-are-finite", "PRED-020", "An integer is not compared with infinity.") {
      operation, _ in
      guard let fetch = operation.fetch, fetch.predicate?.utf8.first == UInt8(ascii: "n"),
        fetch.arguments.first?.member("image")?.textValue?.string.hasSuffix("ff0000000000000")
          == true
      else { return nil }
      return .badObject(what: "wrongType", name: "n")
    },
    overlooking("zeros-differ", "PRED-021", "−0 is not 0.") { body, comparison in
      comparison.name == "d" && comparison.operator == .equal && comparison.integer == 0
        && body.image != nil && body.image != .integer(0)
    },
    overlooking("images-compared", "PRED-021", "The image is compared, not the number.") {
      body, comparison in
      guard comparison.name == "d", comparison.operator == .equal, let number = comparison.number,
        number.isFinite, let image = body.image?.integerValue
      else { return false }
      return image != Int64(bitPattern: number.bitPattern) && number != 0
    },
    overlooking("digits-are-no-number", "PRED-021", "A text of digits is no number.") {
      body, comparison in
      comparison.name == "d" && comparison.constant != PredicateValue.none
        && body["d"]?.textValue != nil
    },
    overlooking("numbers-need-images", "PRED-021", "Without an image a number is not compared.") {
      body, comparison in
      comparison.name == "d" && comparison.operator == .equal && comparison.number != nil
        && body.image == nil && body["d"]?.textValue == nil && body["CDTISMeta_d"] == nil
    },
    comparing("floats-in-full", "PRED-021", "A float is compared in its full digits.") {
      comparison in
      guard comparison.name == "f", let number = comparison.number, number.isFinite else {
        return nil
      }
      return comparison.with { $0.operand = .value(.double(Double(Float(number)))) }
    },
  ]

  static let predicateValues: [Defect] = [
    comparing("decimals-through-doubles", "PRED-022", "Decimals are rounded to doubles.") {
      comparison in
      guard comparison.name == "m", case .decimal(let decimal)? = comparison.constant,
        let number = Double(decimal.description)
      else { return nil }
      return comparison.with { $0.operand = .value(.double(number)) }
    },
    overlooking("decimals-are-texts", "PRED-022", "A decimal that stands as a number is none.") {
      body, comparison in
      comparison.name == "m" && comparison.number != nil && body["m"]?.textValue == nil
        && body["m"] != nil
    },
    overlooking("decimals-by-digits", "PRED-022", "Decimals are compared digit by digit.") {
      body, comparison in
      guard comparison.name == "m", comparison.operator == .greater, comparison.number == 9.5,
        let digits = body["m"]?.textValue
      else { return false }
      return digits.string.isBelow("9.5")
    },
    refusing("decimals-for-decimals", "PRED-022", "Only decimals are compared with decimals.") {
      operation, _ in
      guard let fetch = operation.fetch, fetch.arguments.first?.member("decimal") != nil,
        fetch.predicate?.utf8.first != UInt8(ascii: "m")
      else { return nil }
      return .badObject(what: "wrongType")
    },
    fetching("cast-counts-from-1970", "PRED-023", "CAST counts from 1970.") { fetch in
      guard fetch.says("CAST"), let predicate = fetch.parsed else { return }
      fetch.ask(
        predicate.mapComparisons { comparison in
          guard case .date(let seconds)? = comparison.constant else { return nil }
          return comparison.with { $0.operand = .value(.date(seconds - 978_307_200)) }
        })
    },
    comparing("whole-seconds", "PRED-023", "Dates have no fractions.") { comparison in
      guard case .date(let seconds)? = comparison.constant, seconds > 0, seconds < 2000 else {
        return nil
      }
      return comparison.with { $0.operand = .value(.date(seconds.rounded(.down))) }
    },
    overlooking("true-is-one", "PRED-024", "Only 1 and true are true.") { body, comparison in
      guard comparison.name == "b", comparison.operator == .equal, let value = body["b"] else {
        return false
      }
      return value == 2 || value == .double(-0.5)
    },
    comparing("not-true-is-false", "PRED-024", "What is not true is false.") { comparison in
      guard comparison.name == "b", comparison.operator == .notEqual,
        case .bool(let value)? = comparison.constant
      else { return nil }
      return comparison.with {
        $0.operator = .equal
        $0.operand = .value(.bool(!value))
      }
    },
    shrugging("booleans-in-order", "PRED-024", "true and false have an order.", what: "wrongType") {
      fetch, name in name == "b" && !fetch.says("==") && fetch.result == .ids
    },
  ]
}

extension Text {
  /// Whether vectors use the name for a relationship.
  fileprivate var isReference: Bool { self == "o" || self == "staff" || self == "xs" }
}

extension JSONObject {
  /// The image beside the double of the vectors.
  fileprivate var image: JSONValue? { self["CDTISMeta_d"]?.member("ieee754_double") }
}

extension PredicateComparison {
  fileprivate var isAboutNaN: Bool {
    switch constant {
    case .double(let number)?: number.isNaN
    case .decimal(let number)?: number.isNaN
    default: false
    }
  }
}
