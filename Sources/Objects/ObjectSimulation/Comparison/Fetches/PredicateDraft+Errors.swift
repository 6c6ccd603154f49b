internal import JSON
internal import ObjectMapping
internal import Simulation

// Predicates that the contract refuses, each with one error.

extension PredicateDraft {
  /// A comparison that the contract refuses.
  mutating func refused(_ entity: Int) -> Part {
    switch random.below(8) {
    case ..<2: badFormat(entity)
    case ..<4: unsupported(entity)
    case 4: unknownKey(entity)
    case 5: wrongType(entity)
    case 6: missingQuantifier(entity)
    default: partial(entity)
    }
  }

  private mutating func attribute(_ entity: Int) -> FetchModel.Attribute {
    random.pick(model.entities[entity].attributes) ?? model.entities[entity].attributes[0]
  }

  /// A stored attribute of one of these types; nil if the entity has none.
  private mutating func attribute(
    _ entity: Int, _ types: [AttributeType]
  ) -> FetchModel.Attribute? {
    random.pick(model.entities[entity].attributes.filter { types.contains($0.type) })
  }

  /// A text that is no predicate, or wrong arguments.
  private mutating func badFormat(_ entity: Int) -> Part {
    let name = attribute(entity).name.string
    switch random.below(12) {
    case 0: return Part(text: "\(name) == ==")
    case 1: return Part(text: "\(name) == 'a")
    case 2: return Part(text: "(\(name) == nil")
    case 3: return Part(text: "\(name) == nil)")
    case 4: return Part(text: "\(name) nil")
    case 5: return Part(text: "\(name) == nil nil")
    case 6:
      return Part(text: random.pick(["", "AND", "\(name) === nil", "\(name) ==[x] nil"]) ?? "")
    case 7: return Part(text: "\(name) IN {nil, nil")
    case 8: return Part(text: "\(name)..\(name) == nil")
    case 9:
      let arguments: [JSONValue] = [
        ["x": 1], ["date": "0"], ["decimal": "one"], ["decimal": 1], ["image": "7ff"],
        ["object": 1], ["date": 1, "decimal": "1"], [:], [[1]], ["image": "xyzxyzxyzxyzxyzx"],
      ]
      return Part(text: "\(name) == %@", arguments: [random.pick(arguments) ?? [:]])
    case 10: return Part(text: "%K == nil", arguments: [random.pick([1, .null, ""]) ?? 1])
    default:
      miscountArguments()
      return Part(text: "\(name) == nil")
    }
  }

  /// A feature of the language that the contract does not have.
  private mutating func unsupported(_ entity: Int) -> Part {
    let name = attribute(entity).name.string
    let text = attribute(entity, [.utf8])?.name.string
    switch random.below(8) {
    case 0: return Part(text: "\(text ?? name) ==\(random.pick(["[d]", "[cd]"]) ?? "[d]") nil")
    case 1: return Part(text: "\(random.pick(["length", "lowercase"]) ?? "f")(\(name)) == nil")
    case 2: return Part(text: "SUBQUERY(r0, $o, $o.\(name) == nil).@count > 0")
    case 3: return Part(text: "\(name) == \(attribute(entity).name)")
    case 4: return Part(text: random.pick(["1 == 1", "nil == 'a'"]) ?? "1 == 1")
    case 5: return Part(text: "\(name) IN \(random.pick(["1", "'a'", "nil"]) ?? "1")")
    case 6:
      let list = (0..<(random.pick([0, 1, 3]) ?? 1)).map { _ in
        Constant(json: .null, literal: "nil")
      }
      return Part(text: "\(name) BETWEEN ") + self.list(list)
    default:
      let operation = random.pick(["@sum", "@max", "@avg", "@min"]) ?? "@sum"
      return Part(text: "r0.\(operation).\(name) == 1")
    }
  }

  /// An operator that the contract does not have for this property.
  private mutating func partial(_ entity: Int) -> Part {
    if let relationship = random.pick(model.entities[entity].relationships), random.chance(1, in: 3)
    {
      let name = relationship.isMany ? "ANY \(relationship.name)" : relationship.name.string
      let subject = random.chance(1, in: 3) ? "SELF" : name
      let sign = random.pick(["<", ">"]) ?? "<"
      return Part(text: "\(subject) \(sign) %@", arguments: [["object": "a"]])
    }
    guard let text = attribute(entity, [.utf8])?.name.string else { return unsupported(entity) }
    switch random.below(5) {
    case 0:
      let word = random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"]) ?? "LIKE"
      return Part(text: "'a' \(word) \(text)")
    case 1:
      return Part(text: "\(text) MATCHES '\(random.pick(["(", "[a", "*", "a)", "(?=a)"]) ?? "(")'")
    case 2: return Part(text: "\(text) MATCHES[c] 'a'")
    default:
      let sign = random.pick(["<", "<=", ">", ">="]) ?? "<"
      return Part(text: "\(text) \(sign)[c] 'a'")
    }
  }

  /// A key path with a name that the model does not have, or does not store.
  private mutating func unknownKey(_ entity: Int) -> Part {
    let way = way(entity)
    var names = way.names
    let (attribute, relationship) = FetchModel.transient
    names.append(random.pick(["nope", attribute, relationship, "T"]) ?? "nope")
    if random.chance(1, in: 6) { names.append("n") }
    let path = names.map { $0.string }.joined(separator: ".")
    return (way.isMany ? quantifier() : Part(text: "")) + Part(text: "\(path) == nil")
  }

  /// A constant of another type than the property.
  private mutating func wrongType(_ entity: Int) -> Part {
    if let relationship = random.pick(model.entities[entity].relationships), random.chance(1, in: 6)
    {
      let quantifier = relationship.isMany ? "ANY " : ""
      return Part(text: "\(quantifier)\(relationship.name) == 'a'")
    }
    let attribute = attribute(entity)
    let name = attribute.name.string
    let sign = random.pick(["==", "!="]) ?? "=="
    switch attribute.type {
    case .utf8, .id:
      let constant = random.pick(["1", "1.5", "YES", "CAST(0, \"NSDate\")"]) ?? "1"
      return Part(text: "\(name) \(sign) \(constant)")
    case .date1970: return Part(text: "\(name) \(sign) \(random.pick(["1", "'a'"]) ?? "1")")
    case .bool:
      let wrong = ["== 'a'", "< YES", ">= NO"]
      return Part(text: "\(name) \(random.pick(wrong) ?? "== 'a'")")
    case .xform, .binary: return Part(text: "\(name) \(sign) \(random.pick(["'a'", "1"]) ?? "1")")
    default:
      let wrong = ["\(sign) 'a'", "IN {1, '1'}", "CONTAINS '1'", "==[c] 1", "< '1'"]
      return Part(text: "\(name) \(random.pick(wrong) ?? "== 'a'")")
    }
  }

  /// A to-many relationship without a quantifier, or a quantifier without one.
  private mutating func missingQuantifier(_ entity: Int) -> Part {
    let described = model.entities[entity]
    if let many = random.pick(described.relationships.filter { $0.isMany }), random.chance(2, in: 3)
    {
      if random.chance(1, in: 4) {
        return Part(text: "\(many.name) == %@", arguments: [["object": "a"]])
      }
      let attribute = model.entities[many.destination].attributes[0]
      return comparison(attribute, Part(text: "\(many.name).\(attribute.name)"))
    }
    let quantifier = random.pick(["ANY", "ALL", "NONE"]) ?? "ANY"
    let attribute = attribute(entity)
    return Part(text: "\(quantifier) ") + comparison(attribute, Part(text: attribute.name.string))
  }
}
