internal import JSON

/// Parses the text of a regular expression from left to right.
struct RegularExpressionParser {
  private typealias Node = RegularExpression.Node
  private typealias ScalarSet = RegularExpression.ScalarSet

  private let scalars: [Unicode.Scalar]
  private let path: String
  private var place = 0

  init(_ pattern: JSONString, path: String) {
    // A longer text exceeds the limit in any case.
    scalars = Array(pattern.string.unicodeScalars.prefix(8 * RegularExpression.sizeMax))
    self.path = path
  }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private func failure(_ message: String) -> DatastoreError {
    SelectorReader.fault("$regex", path, message: "\(message), at scalar \(place)")
  }

  /// Parses the complete text as one expression, and returns it with its number of parts.
  mutating func expression() throws(DatastoreError) -> (RegularExpression.Node, parts: Int) {
    let (node, size) = try choice(depth: 0)
    if next != nil { throw failure("unmatched ')'") }
    try check(size)
    return (node, size)
  }

  private func check(_ size: Int) throws(DatastoreError) {
    if size > RegularExpression.sizeMax { throw failure("expression too large") }
  }

  /// Parses alternatives up to the end of the group, and returns them with their number of parts
  /// after expansion of all counts.
  private mutating func choice(depth: Int) throws(DatastoreError) -> (Node, size: Int) {
    guard depth <= RegularExpression.depthMax else { throw failure("groups nested too deeply") }
    var alternatives: [Node] = []
    var size = 0
    repeat {
      var items: [Node] = []
      let before = size
      while let scalar = next, scalar != "|", scalar != ")" {
        let (item, itemSize) = try item(depth: depth)
        items.append(item)
        size += itemSize
        try check(size)
      }
      alternatives.append(items.count == 1 ? items[0] : .sequence(items))
      // The empty alternative counts as a part, otherwise its repetitions would cost nothing.
      size = max(size, before + 1)
      try check(size)
    } while take("|")
    return (alternatives.count == 1 ? alternatives[0] : .choice(alternatives), size)
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  /// Parses an atom with its quantifier.
  private mutating func item(depth: Int) throws(DatastoreError) -> (Node, size: Int) {
    // A group that contains only an anchor is not an anchor.
    let isAnchor = next == "^" || next == "$"
    let (atom, size) = try atom(depth: depth)
    guard let (lower, upper) = try repetition() else { return (atom, size) }
    if isAnchor { throw failure("an anchor cannot be repeated") }
    if let next, "*+?{".unicodeScalars.contains(next) {
      throw failure("a repetition cannot be repeated")
    }
    let times = upper ?? lower + 1
    try check(size * max(1, times))
    return (.repeated(atom, min: lower, max: upper), size * max(1, times))
  }

  private mutating func repetition() throws(DatastoreError) -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard take("{") else { return nil }
    let lower = try count()
    var upper: Int? = lower
    if take(",") { upper = next == "}" ? nil : try count() }
    guard take("}") else { throw failure("unmatched '{'") }
    if let upper, upper < lower {
      throw failure("the lower bound of a count exceeds its upper bound")
    }
    return (lower, upper)
  }

  private mutating func count() throws(DatastoreError) -> Int {
    var count = 0
    let start = place
    while let digit = next?.value, (48...57).contains(digit) {
      count = count * 10 + Int(digit - 48)
      guard count <= RegularExpression.countMax else { throw failure("count too large") }
      place += 1
    }
    if place == start { throw failure("no count") }
    return count
  }

  private mutating func atom(depth: Int) throws(DatastoreError) -> (Node, size: Int) {
    guard let scalar = next else { throw failure("nothing") }
    switch scalar {
    case "(":
      place += 1
      let group = try choice(depth: depth + 1)
      guard take(")") else { throw failure("unmatched '('") }
      return group
    case "[": return (.scalar(try set()), 1)
    case "*", "+", "?", "{": throw failure("nothing to repeat")
    case "}", "]": throw failure("'\(scalar)' must be escaped")
    case "\\": return (.scalar(ScalarSet(try escape())), 1)
    case "^", "$", ".":
      place += 1
      if scalar == "." { return (.scalar(ScalarSet([10...10], isNegated: true)), 1) }
      return (scalar == "^" ? .start : .end, 1)
    default:
      place += 1
      return (.scalar(ScalarSet([scalar.value...scalar.value])), 1)
    }
  }

  /// Parses an escape sequence after its backslash.
  private mutating func escape() throws(DatastoreError) -> [ClosedRange<UInt32>] {
    place += 1
    guard let scalar = next else { throw failure("incomplete escape sequence at the end") }
    let ranges: [ClosedRange<UInt32>]
    switch scalar {
    case "d": ranges = [48...57]
    case "w": ranges = [48...57, 65...90, 95...95, 97...122]
    case "s": ranges = [9...13, 32...32]
    case "!"..."/", ":"..."@", "["..."`", "{"..."~": ranges = [scalar.value...scalar.value]
    default: throw failure("invalid escape sequence '\\\(scalar)'")
    }
    place += 1
    return ranges
  }

  /// Parses a set in brackets.
  private mutating func set() throws(DatastoreError) -> ScalarSet {
    place += 1
    var set = ScalarSet([], isNegated: take("^"))
    while let scalar = next, scalar != "]" {
      var ranges = try member()
      if next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" {
        place += 1
        let upper = try member()
        guard ranges.count == 1, upper.count == 1, ranges[0].count == 1, upper[0].count == 1,
          ranges[0].lowerBound <= upper[0].lowerBound
        else { throw failure("invalid range") }
        ranges = [ranges[0].lowerBound...upper[0].lowerBound]
      }
      set.ranges += ranges
    }
    guard take("]") else { throw failure("unmatched '['") }
    if set.ranges.isEmpty { throw failure("empty set") }
    return set
  }

  /// Parses one scalar of a set, or an escape sequence in a set.
  private mutating func member() throws(DatastoreError) -> [ClosedRange<UInt32>] {
    guard let scalar = next else { throw failure("unmatched '['") }
    switch scalar {
    case "\\": return try escape()
    case "[": throw failure("'[' must be escaped in a set")
    default:
      place += 1
      return [scalar.value...scalar.value]
    }
  }
}
