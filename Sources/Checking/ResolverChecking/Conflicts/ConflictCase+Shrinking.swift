internal import JSON

extension ConflictCase {
  /// Simpler conflicts, the simplest first.
  var simpler: [ConflictCase] {
    var cases: [ConflictCase] = []
    if sides.count > 2 {
      for side in sides.indices {
        var smaller = self
        smaller.sides.remove(at: side)
        cases.append(smaller)
      }
    }
    for name in names {
      cases.append(mapBodies { $0[name] = nil })
    }
    for side in sides.indices where sides[side].edits > 1 {
      var smaller = self
      smaller.sides[side].edits = 1
      cases.append(smaller)
    }
    if ancestor == nil { cases.append(with { $0.ancestor = [:] }) }
    for side in sides.indices {
      if sides[side].body == nil { cases.append(with { $0.sides[side].body = ancestor ?? [:] }) }
      for name in names {
        cases.append(with { $0.sides[side].body?[name] = ancestor?[name] })
        cases.append(with { $0.sides[side].body?[name] = nil })
      }
    }
    for name in names { cases.append(with { $0.ancestor?[name] = nil }) }
    cases += simplerValues
    for (place, name) in names.enumerated() {
      let letter = JSONString(["a", "b", "c", "d", "e"][min(place, 4)])
      if name != letter, !names.contains(letter) {
        cases.append(mapBodies { $0 = $0.renaming(name, to: letter) })
      }
    }
    return cases.filter { $0.size.precedes(size) }
  }

  /// Conflicts with one value replaced everywhere by a simpler one.
  private var simplerValues: [ConflictCase] {
    var values: [JSONValue] = []
    for body in [ancestor].compactMap({ $0 }) + sides.compactMap(\.body) {
      for member in body.members where !values.contains(member.value) {
        values.append(member.value)
      }
    }
    return values.flatMap { value in
      value.simpler.map { simple in
        mapBodies { body in
          for member in body.members where member.value == value { body[member.name] = simple }
        }
      }
    }
  }

  private var names: [JSONString] {
    var names: [JSONString] = []
    for body in [ancestor].compactMap({ $0 }) + sides.compactMap(\.body) {
      for member in body.members where !names.contains(member.name) { names.append(member.name) }
    }
    return names
  }

  private func with(_ change: (inout ConflictCase) -> Void) -> ConflictCase {
    var copy = self
    change(&copy)
    return copy
  }

  private func mapBodies(_ change: (inout JSONObject) -> Void) -> ConflictCase {
    with { copy in
      if var body = copy.ancestor {
        change(&body)
        copy.ancestor = body
      }
      for side in copy.sides.indices {
        guard var body = copy.sides[side].body else { continue }
        change(&body)
        copy.sides[side].body = body
      }
    }
  }
}

extension JSONObject {
  fileprivate func renaming(_ name: JSONString, to other: JSONString) -> JSONObject {
    JSONObject(members.map { ($0.name == name ? other : $0.name, $0.value) })
  }
}

extension JSONValue {
  /// Simpler values: small numbers, and parts of arrays, objects and texts.
  fileprivate var simpler: [JSONValue] {
    let numbers: [JSONValue] = [1, 2, 3].filter { $0 != self }
    switch self {
    case .array(let elements):
      return numbers
        + elements.indices.map { place in
          var rest = elements
          rest.remove(at: place)
          return .array(rest)
        }
        + elements.indices.flatMap { place in
          elements[place].simpler.map { simple in
            var rest = elements
            rest[place] = simple
            return .array(rest)
          }
        }
    case .object(let object):
      return numbers
        + object.members.map { member in
          var rest = object
          rest[member.name] = nil
          return .object(rest)
        }
    case .string(let text): return numbers + (text.utf8.count > 1 ? ["x", ""] : [])
    default: return numbers
    }
  }
}
