internal import JSON

/// The names that two implementations chose for the same things, such as the URIs of objects.
struct NameCorrespondence {
  /// The members whose texts each implementation chooses.
  let chosenMembers: Set<JSONString>
  /// The members in whose objects only the chosen members are compared.
  let freeMembers: Set<JSONString>
  /// The members that are not compared.
  let uncomparedMembers: Set<JSONString>
  /// Whether a chosen member may be absent on one side.
  let hasUnsavedObjects: Bool
  /// Whether a text is chosen wherever it is.
  let isChosen: @Sendable (JSONString) -> Bool
  /// The name of the tested implementation by that of the reference, and the reverse.
  private var tested: [JSONString: JSONString] = [:]
  private var reference: [JSONString: JSONString] = [:]

  init(
    chosenMembers: Set<JSONString>, freeMembers: Set<JSONString>,
    uncomparedMembers: Set<JSONString>, hasUnsavedObjects: Bool,
    isChosen: @escaping @Sendable (JSONString) -> Bool
  ) {
    self.chosenMembers = chosenMembers
    self.freeMembers = freeMembers
    self.uncomparedMembers = uncomparedMembers
    self.hasUnsavedObjects = hasUnsavedObjects
    self.isChosen = isChosen
  }

  /// Whether two results are equal except for chosen names, which must correspond one to one.
  mutating func matches(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
    matches(expected, actual, isChosen: false)
  }

  private mutating func matches(
    _ expected: JSONValue, _ actual: JSONValue, isChosen: Bool
  ) -> Bool {
    switch (expected, actual) {
    case (.string(let left), .string(let right)):
      return matches(left, right, isChosen: isChosen)
    case (.array(let left), .array(let right)):
      guard left.count == right.count else { return false }
      for (one, other) in zip(left, right) {
        guard matches(one, other, isChosen: isChosen) else { return false }
      }
      return true
    case (.object(let left), .object(let right)):
      // Whether an object that was never saved has a URI is up to the implementation.
      guard
        right.members.allSatisfy({
          left[$0.name] != nil || hasUnsavedObjects && chosenMembers.contains($0.name)
        })
      else { return false }
      // A chosen name may also be a value, such as the URI in an attribute.
      let chosen = left.members.filter { chosenMembers.contains($0.name) }
      let others = left.members.filter {
        !chosenMembers.contains($0.name) && !uncomparedMembers.contains($0.name)
      }
      for member in chosen + others {
        let isChosen = chosenMembers.contains(member.name)
        guard let value = right[member.name] else {
          if isChosen, hasUnsavedObjects { continue }
          return false
        }
        let isFree = freeMembers.contains(member.name)
        guard
          isFree
            ? matchesChosen(member.value, value) : matches(member.value, value, isChosen: isChosen)
        else { return false }
      }
      return true
    default: return expected.isSameValue(as: actual)
    }
  }

  /// Whether two objects have equal chosen members, whatever else they have.
  private mutating func matchesChosen(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
    guard let left = expected.objectValue, let right = actual.objectValue else {
      return expected == actual
    }
    for name in left.members.map({ $0.name }) where chosenMembers.contains(name) {
      guard let value = left[name], let other = right[name], matches(value, other, isChosen: true)
      else { return false }
    }
    return true
  }

  private mutating func matches(
    _ expected: JSONString, _ actual: JSONString, isChosen: Bool
  ) -> Bool {
    if let known = tested[expected] { return known == actual }
    guard isChosen || self.isChosen(expected) && self.isChosen(actual) else {
      return expected == actual
    }
    guard reference[actual] == nil else { return false }
    tested[expected] = actual
    reference[actual] = expected
    return true
  }

  /// An operation of the reference with the names of the tested implementation.
  func translated(_ operation: JSONValue) -> JSONValue {
    switch operation {
    case .string(let text): .string(tested[text] ?? text)
    case .array(let elements): .array(elements.map { translated($0) })
    case .object(let object):
      .object(JSONObject(object.members.map { ($0.name, translated($0.value)) }))
    default: operation
    }
  }
}
