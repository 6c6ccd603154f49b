internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mutants in comparing values: nil, doubles, decimals, dates and booleans.

extension Defect {
  static let predicateNil: [Defect] = [
    comparing("nil-equals-nothing", "PRED-017", sentence: "Nil does not equal nil.") {
      comparison in
      let isEqual = comparison.operator == .equal || comparison.operator == .notEqual
      guard isEqual, comparison.constant == PredicateValue.none else { return nil }
      return .truth(false)
    },
    overlooking("null-is-not-nil", "PRED-017", sentence: "Null is not nil.") { body, comparison in
      guard let name = comparison.name, comparison.constant == PredicateValue.none else {
        return false
      }
      return body[name] == .null && body.meta(name) == nil
    },
    overlooking(
      "left-overs-count", "PRED-017",
      sentence: "A token without a member counts as a value, whatever token it is."
    ) {
      body, comparison in
      guard let name = comparison.name, comparison.constant == PredicateValue.none else {
        return false
      }
      return body[name] == nil && body.meta(name)?.member("nonFinite") != nil
    },
    comparing("nil-never-differs", "PRED-018", sentence: "Nil is never `!=` a value.") {
      comparison in
      guard let name = comparison.name, comparison.operator == .notEqual,
        comparison.constant != PredicateValue.none
      else { return nil }
      return .and([.comparison(comparison), PredicateComparison.isNil([name], .notEqual)])
    },
    comparing("nil-is-least", "PRED-018", sentence: "Nil is less than every value.") { comparison in
      guard let name = comparison.name, comparison.operator == .less else { return nil }
      return .or([.comparison(comparison), PredicateComparison.isNil([name])])
    },
    comparing("nil-is-a-bound", "PRED-018", sentence: "Every value is greater than nil.") {
      comparison in
      let isAbove = comparison.operator == .greater || comparison.operator == .greaterOrEqual
      guard isAbove, comparison.constant == PredicateValue.none else { return nil }
      return comparison.with { $0.operator = .notEqual }
    },
    comparing("nan-differs", "PRED-019", sentence: "NaN `!=` holds for every number.") {
      comparison in
      guard comparison.operator == .notEqual,
        comparison.integer != nil || comparison.number != nil
      else { return nil }
      return .not(comparison.with { $0.operator = .equal })
    },
    overlooking("nan-is-nil", "PRED-019", sentence: "NaN is nil.") { body, comparison in
      guard let name = comparison.name, comparison.operator == .notEqual,
        comparison.constant == PredicateValue.none
      else { return false }
      return body.meta(name)?.member("nonFinite") == "nan"
    },
    comparing("differs-from-nan", "PRED-019", sentence: "`!=` NaN holds for every value.") {
      comparison in
      comparison.operator == .notEqual && comparison.isAboutNaN ? .truth(true) : nil
    },
    comparing(
      "nothing-differs-from-nan", "PRED-019",
      sentence: "Behind an empty relationship `!=` NaN holds."
    ) {
      guard $0.path.count > 1, $0.operator == .notEqual, $0.isAboutNaN else { return nil }
      return PredicateComparison.isNil([$0.path[0]])
    },
  ]

  static let predicateDoubles: [Defect] = [
    comparing("infinity-is-a-number", "PRED-020", sentence: "Infinity equals the largest number.") {
      comparison in
      guard let number = comparison.number, number.isInfinite else { return nil }
      let largest = number > 0 ? Double.greatestFiniteMagnitude : -.greatestFiniteMagnitude
      return comparison.with { $0.operand = .value(.double(largest)) }
    },
    comparing("largest-is-infinite", "PRED-020", sentence: "The largest number equals infinity.") {
      comparison in
      guard comparison.number == .greatestFiniteMagnitude else { return nil }
      return .or([
        .comparison(comparison), comparison.with { $0.operand = .value(.double(.infinity)) },
      ])
    },
    overlooking("zeros-differ", "PRED-021", sentence: "−0 does not equal 0.") { body, comparison in
      guard let image = body.image(comparison) else { return false }
      return comparison.operator == .equal && comparison.integer == 0 && image != .integer(0)
    },
    overlooking(
      "images-compared", "PRED-021", sentence: "Comparisons use the image, not the number."
    ) {
      body, comparison in
      guard comparison.operator == .equal, let number = comparison.number,
        let image = body.image(comparison)?.integerValue
      else { return false }
      return image != Int64(bitPattern: number.bitPattern)
    },
    overlooking(
      "digits-are-no-number", "PRED-021", sentence: "A text of digits is not compared as a number."
    ) {
      body, comparison in
      guard let name = comparison.name, comparison.number != nil || comparison.integer != nil
      else { return false }
      return body[name]?.textValue != nil
    },
    overlooking(
      "numbers-need-images", "PRED-021", sentence: "A number without an image is not compared."
    ) {
      body, comparison in comparison.number != nil && body.image(comparison) == nil
    },
  ]

  static let predicateValues: [Defect] = [
    comparing("decimals-through-doubles", "PRED-022", sentence: "Decimals are rounded to doubles.")
    {
      comparison in
      guard case .decimal(let decimal)? = comparison.constant,
        let number = Double(decimal.description)
      else { return nil }
      return comparison.with { $0.operand = .value(.double(number)) }
    },
    overlooking("decimals-by-digits", "PRED-022", sentence: "Decimals are compared by their text.")
    {
      body, comparison in
      guard let name = comparison.name, comparison.operator == .greater,
        let number = comparison.number, let digits = body[name]?.textValue
      else { return false }
      return digits.string.isBelow("\(number)")
    },
    fetching("cast-counts-from-1970", "PRED-023", sentence: "CAST counts from 1970.") { fetch in
      guard fetch.says("CAST"), let predicate = fetch.parsed else { return }
      fetch.ask(
        predicate.mapComparisons { comparison in
          guard case .date(let seconds)? = comparison.constant else { return nil }
          return comparison.with { $0.operand = .value(.date(seconds - 978_307_200)) }
        })
    },
    comparing("whole-seconds", "PRED-023", sentence: "Dates have no fractions.") { comparison in
      guard case .date(let seconds)? = comparison.constant else { return nil }
      return comparison.with { $0.operand = .value(.date(seconds.rounded(.down))) }
    },
    overlooking("true-is-one", "PRED-024", sentence: "Only 1 and true are true.") {
      body, comparison in
      guard let name = comparison.name, comparison.constant == .bool(true), let value = body[name]
      else { return false }
      return value != true && value != 1
    },
    comparing(
      "not-true-is-false", "PRED-024",
      sentence: "`!=` a boolean is evaluated as `==` the opposite boolean."
    ) {
      comparison in
      guard comparison.operator == .notEqual, case .bool(let value)? = comparison.constant else {
        return nil
      }
      return comparison.with {
        $0.operator = .equal
        $0.operand = .value(.bool(!value))
      }
    },
  ]
}

extension JSONObject {
  /// The metadata of a value.
  fileprivate func meta(_ name: JSONString) -> JSONValue? { self[JSONString("CDTISMeta_\(name)")] }

  /// The image of the compared double.
  fileprivate func image(_ comparison: PredicateComparison) -> JSONValue? {
    comparison.name.flatMap { meta($0)?.member("ieee754_double") }
  }
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
