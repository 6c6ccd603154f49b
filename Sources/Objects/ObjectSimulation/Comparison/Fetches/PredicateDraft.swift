internal import JSON
internal import ObjectMapping
internal import Simulation

/// A random predicate as a text with its arguments.
///
/// It is valid and compares values that may be equal, except for at most one error: a text with
/// two errors may fail with either.
struct PredicateDraft {
  let model: FetchModel
  let values: FetchValues
  var random: KeyedRandom
  private(set) var text = ""
  private(set) var arguments: [JSONValue] = []

  /// A part of a text, with the arguments of its placeholders.
  struct Part {
    var text: String
    var arguments: [JSONValue] = []

    static func + (left: Part, right: Part) -> Part {
      Part(text: left.text + right.text, arguments: left.arguments + right.arguments)
    }
  }

  init(_ model: FetchModel, _ values: FetchValues, random: KeyedRandom) {
    self.model = model
    self.values = values
    self.random = random
  }

  /// The members of an operation with the predicate.
  var members: [(JSONString, JSONValue)] {
    let predicate: (JSONString, JSONValue) = ("predicate", .text(text))
    return arguments.isEmpty ? [predicate] : [predicate, ("arguments", .array(arguments))]
  }

  /// Writes one to four comparisons of objects of an entity.
  mutating func write(_ entity: Int, hasError: Bool) {
    let count = random.pick([1, 1, 1, 1, 1, 1, 1, 2, 2, 3]) ?? 1
    let wrong = hasError ? random.below(count) : -1
    var open = 0
    for place in 0..<count {
      if place > 0 { append(Part(text: joint())) }
      if random.chance(1, in: 6) { append(Part(text: negation())) }
      if place < count - 1, random.chance(1, in: 4) {
        append(Part(text: "("))
        open += 1
      }
      append(place == wrong ? refused(entity) : primary(entity))
      while open > 0, place == count - 1 || random.chance(1, in: 2) {
        append(Part(text: ")"))
        open -= 1
      }
    }
    if hasError, wrongArguments {
      if arguments.isEmpty || random.chance(1, in: 2) {
        arguments.append(random.pick([1, "a", .null]) ?? 1)
      } else {
        arguments.removeLast()
      }
    }
  }

  /// Whether the error is the number of arguments.
  private var wrongArguments = false

  private mutating func append(_ part: Part) {
    text += part.text
    arguments += part.arguments
  }

  private mutating func joint() -> String {
    random.pick([" AND ", " AND ", " OR ", " OR ", " && ", "||", " and ", " or ", " Or "])
      ?? " AND "
  }

  private mutating func negation() -> String {
    random.pick(["NOT ", "!", "not ", "NOT NOT ", "! ", "Not "]) ?? "NOT "
  }

  private mutating func primary(_ entity: Int) -> Part {
    if random.chance(1, in: 24) {
      return Part(text: random.pick(["TRUEPREDICATE", "FALSEPREDICATE", "falsepredicate"]) ?? "")
    }
    let comparison = comparison(entity)
    guard random.chance(1, in: 12) else { return comparison }
    return Part(text: "(") + comparison + Part(text: ")")
  }

  // MARK: Key paths

  /// The way from an object along relationships.
  struct Way {
    var names: [JSONString] = []
    var end: Int
    /// Whether a to-many relationship is on the way.
    var isMany = false
  }

  mutating func way(_ entity: Int) -> Way {
    var way = Way(end: entity)
    for _ in 0..<(random.pick([0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3]) ?? 0) {
      guard let relationship = random.pick(model.entities[way.end].relationships) else { break }
      way.names.append(relationship.name)
      way.end = relationship.destination
      way.isMany = way.isMany || relationship.isMany
    }
    return way
  }

  /// A key path as a text, or as an argument.
  mutating func subject(_ names: [JSONString]) -> Part {
    let path = names.map { $0.string }.joined(separator: ".")
    return random.chance(1, in: 8)
      ? Part(text: "%K", arguments: [.text(path)]) : Part(text: path)
  }

  mutating func quantifier() -> Part {
    Part(
      text: random.pick(["ANY ", "ANY ", "SOME ", "ALL ", "ALL ", "NONE ", "NONE ", "any ", "All "])
        ?? "ANY ")
  }

  // MARK: Comparisons

  private mutating func comparison(_ entity: Int) -> Part {
    let way = way(entity)
    switch random.below(10) {
    case 0 where way.names.isEmpty: return objects(Part(text: "SELF"), isOptional: false)
    case ..<4:
      if let relationship = random.pick(model.entities[way.end].relationships) {
        return comparison(relationship, at: way)
      }
    default: break
    }
    let attribute =
      random.pick(model.entities[way.end].attributes) ?? model.entities[0].attributes[0]
    let quantifier = way.isMany ? quantifier() : Part(text: "")
    return quantifier + comparison(attribute, subject(way.names + [attribute.name]))
  }

  private mutating func comparison(_ relationship: FetchModel.Relationship, at way: Way) -> Part {
    let names = way.names + [relationship.name]
    guard relationship.isMany else {
      return (way.isMany ? quantifier() : Part(text: ""))
        + objects(subject(names), isOptional: true)
    }
    switch random.below(3) {
    case 0:
      let quantifier = way.isMany ? quantifier() : Part(text: "")
      return quantifier
        + numbers(subject(names + ["@count"]), isOptional: false) {
          let number = Int64($0.random.below(4))
          return Constant(json: .integer(number), literal: "\(number)")
        }
    // Whether a quantified path may end with CONTAINS is open.
    case 1 where !way.isMany:
      return subject(names) + Part(text: " CONTAINS ") + object(isOptional: false).written(&random)
    default: return quantifier() + objects(subject(names), isOptional: false)
    }
  }

  /// A comparison of objects for equality.
  private mutating func objects(_ subject: Part, isOptional: Bool) -> Part {
    switch random.below(4) {
    case 0:
      let list = (0..<random.below(4)).map { _ in object(isOptional: isOptional) }
      return subject + Part(text: " IN ") + self.list(list)
    case 1: return subject + Part(text: " != ") + object(isOptional: isOptional).written(&random)
    default: return subject + Part(text: " == ") + object(isOptional: isOptional).written(&random)
    }
  }

  private mutating func object(isOptional: Bool) -> Constant {
    if isOptional, random.chance(2, in: 5) { return Constant(json: .null, literal: "nil") }
    return Constant(json: ["object": .string(model.anyID(&random))])
  }

  mutating func comparison(_ attribute: FetchModel.Attribute, _ subject: Part) -> Part {
    switch attribute.type {
    case .xform, .binary:
      let sign = Part(text: random.chance(1, in: 2) ? " == " : " != ")
      return subject + sign + Constant.none(&random).written(&random)
    case .utf8 where random.chance(2, in: 3): return texts(subject)
    case .bool:
      if random.chance(1, in: 6) {
        let list = (0..<random.below(3)).map { _ in constant(.bool) }
        return subject + Part(text: " IN ") + self.list(list)
      }
      return subject + equality() + constant(.bool).written(&random)
    default: return numbers(subject, isOptional: true) { $0.constant(attribute.type) }
    }
  }

  private mutating func equality() -> Part {
    Part(text: random.pick([" == ", " != ", " = ", " <> ", "==", "!="]) ?? " == ")
  }

  /// A comparison of values that have an order.
  private mutating func numbers(
    _ subject: Part, isOptional: Bool, _ constant: (inout PredicateDraft) -> Constant
  ) -> Part {
    switch random.below(12) {
    case 0, 1:
      let count = random.below(4)
      var list: [Constant] = []
      for _ in 0..<count { list.append(constant(&self)) }
      return subject + Part(text: random.pick([" IN ", " in "]) ?? " IN ") + self.list(list)
    case 2, 3:
      let ends = [constant(&self), constant(&self)]
      return subject + Part(text: " BETWEEN ") + self.list(ends)
    case 4, 5:
      let signs = [" < ", " <= ", " > ", " >= ", " == ", " != "]
      let first = constant(&self).written(&random)
      return first + Part(text: random.pick(signs) ?? " < ") + subject
    case ..<9:
      if isOptional, random.chance(1, in: 3) {
        return subject + equality() + Constant.none(&random).written(&random)
      }
      return subject + equality() + constant(&self).written(&random)
    default:
      let sign = random.pick([" < ", " <= ", " > ", " >= ", "<", ">"]) ?? " < "
      return subject + Part(text: sign) + constant(&self).written(&random)
    }
  }

  /// A comparison with the whole or a part of a text.
  private mutating func texts(_ subject: Part) -> Part {
    let text = values.value(.utf8, &random).textValue?.string ?? ""
    let option = random.chance(1, in: 3) ? random.pick(["[c]", " [c]"]) ?? "[c]" : ""
    switch random.below(10) {
    case 8, 9:
      let sign = random.pick(["==", "==", "!="]) ?? "=="
      return subject + Part(text: " \(sign)\(option) ") + Constant(text).written(&random)
    case 0:
      let list = (0..<random.below(4)).map { _ in
        Constant(values.value(.utf8, &random).textValue?.string ?? "")
      }
      return subject + Part(text: " IN\(option) ") + self.list(list)
    case 1, 2:
      let pattern = wildcards(text)
      return subject + Part(text: " LIKE\(option) ") + Constant(pattern).written(&random)
    case 3:
      let pattern = PredicatePattern.random(&random)
      return subject + Part(text: " MATCHES ") + Constant(pattern).written(&random)
    case 4:
      // The constant first: the text at the key path contains it.
      return Constant(part(of: text)).written(&random) + Part(text: " IN ") + subject
    default:
      let word = random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "contains"]) ?? "CONTAINS"
      return subject + Part(text: " \(word)\(option) ") + Constant(part(of: text)).written(&random)
    }
  }

  /// A few neighbouring scalars of a text, or all of them.
  private mutating func part(of text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    guard !scalars.isEmpty, random.chance(2, in: 3) else { return text }
    let begin = random.below(scalars.count)
    let end = begin + 1 + random.below(scalars.count - begin)
    var part = String.UnicodeScalarView()
    part.append(contentsOf: scalars[begin..<end])
    return String(part)
  }

  /// The text with wildcards in place of some scalars.
  private mutating func wildcards(_ text: String) -> String {
    var pattern = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch random.below(6) {
      case 0: pattern.append("?")
      case 1: pattern.append("*")
      case 2 where !"\\".unicodeScalars.contains(scalar):
        pattern.append("\\")
        pattern.append(scalar)
      default:
        if scalar == "\\" { pattern.append("\\") }
        pattern.append(scalar)
      }
    }
    if random.chance(1, in: 5) { pattern.append("*") }
    if random.chance(1, in: 8) { pattern.append("%") }
    return String(pattern)
  }

  mutating func list(_ constants: [Constant]) -> Part {
    if random.chance(1, in: 4) {
      return Part(text: "%@", arguments: [.array(constants.map { $0.json })])
    }
    var part = Part(text: "{")
    for (place, constant) in constants.enumerated() {
      if place > 0 { part = part + Part(text: random.chance(1, in: 2) ? ", " : ",") }
      part = part + constant.written(&random)
    }
    return part + Part(text: "}")
  }

  /// Remembers that the number of arguments is wrong.
  mutating func miscountArguments() { wrongArguments = true }
}
