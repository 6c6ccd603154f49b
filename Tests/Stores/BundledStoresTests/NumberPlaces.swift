import TouchstoneKit

/// The positions of the numbers of a JSON value, and replacement of the number at a position.
enum NumberPlaces {
  enum Step: Hashable {
    case member(JSONString)
    case element(Int)
  }

  typealias Path = [Step]

  /// The paths of all numbers, in document order.
  static func paths(of value: JSONValue, below path: Path = []) -> [Path] {
    switch value {
    case .integer, .unsigned, .double: [path]
    case .array(let elements):
      elements.enumerated().flatMap { paths(of: $1, below: path + [.element($0)]) }
    case .object(let object):
      object.members.flatMap { paths(of: $0.value, below: path + [.member($0.name)]) }
    default: []
    }
  }

  /// The path as a text, equal for all elements of a list.
  static func shape(_ path: Path) -> String {
    path.map { step in
      switch step {
      case .member(let name): ".\(name)"
      case .element: "[]"
      }
    }.joined()
  }

  /// The value with another value at a path; a missing member is added.
  static func replacing(_ path: Path.SubSequence, in value: JSONValue, by new: JSONValue)
    -> JSONValue
  {
    guard let step = path.first else { return new }
    switch (step, value) {
    case (.member(let name), .object(var object)):
      object[name] = replacing(path.dropFirst(), in: object[name] ?? .null, by: new)
      return .object(object)
    case (.element(let index), .array(var elements)):
      elements[index] = replacing(path.dropFirst(), in: elements[index], by: new)
      return .array(elements)
    default: return value
    }
  }

  /// The limits of integers and their nearest doubles, and values around zero.
  static let extremes: [JSONValue] = integers.map { .integer($0) } + others

  private static let integers: [Int64] = [
    .min, .min + 1, -9_007_199_254_740_992, -2_147_483_648, -2, -1, 0, 1, 2, 17, 255, 65_537,
    2_147_483_648, 4_294_967_296, 9_007_199_254_740_991, 9_007_199_254_740_992,
    4_611_686_018_427_387_904, .max - 1, .max,
  ]

  private static let others: [JSONValue] = [
    .unsigned(9_223_372_036_854_775_808), .unsigned(.max), .double(0.5), .double(-0.0),
    .double(.leastNonzeroMagnitude), .double(1e19), .double(.greatestFiniteMagnitude),
    .double(-.greatestFiniteMagnitude),
  ]
}
