/// The members of a JSON object in their order, with distinct names.
public struct JSONObject: Sendable {
  /// One member: its name and its value.
  public struct Member: Hashable, Sendable {
    /// The name: any text, including the empty one.
    public let name: JSONString
    /// The value.
    public var value: JSONValue

    /// A member with a name and a value.
    public init(_ name: JSONString, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The members in order.
  public private(set) var members: [Member]

  /// An object without members.
  public init() { members = [] }

  /// The object with the given members. If a name occurs several times, the last value counts, at
  /// the position of the first.
  public init(_ members: some Swift.Sequence<(JSONString, JSONValue)>) {
    self.init()
    self.members.reserveCapacity(members.underestimatedCount)
    // Empty while there are few members: comparing all names is then faster than hashing.
    var places: [JSONString: Int] = [:]
    for (name, value) in members {
      let count = self.members.count
      let place =
        count < Self.fewMembers
        ? self.members.firstIndex { $0.name == name } : places[name]
      if let place {
        self.members[place].value = value
        continue
      }
      self.members.append(Member(name, value))
      if count + 1 == Self.fewMembers {
        for (place, member) in self.members.enumerated() { places[member.name] = place }
      } else if count >= Self.fewMembers {
        places[name] = count
      }
    }
  }

  private static let fewMembers = 12

  /// The object with members whose names are known to be distinct.
  package init(distinct members: [Member]) { self.members = members }

  /// The value of the member with this name; setting nil removes it, setting a new name appends.
  ///
  /// - Complexity: O(*n*) in the number of members.
  public subscript(name: JSONString) -> JSONValue? {
    get { members.first { $0.name == name }?.value }
    set {
      let place = members.firstIndex { $0.name == name }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(name, value))
      case (nil, nil): break
      }
    }
  }

  /// Whether the object has no members.
  public var isEmpty: Bool { members.isEmpty }
  /// The number of members.
  public var count: Int { members.count }
}

extension JSONObject: Hashable {}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (JSONString, JSONValue)...) {
    self.init(elements.map { ($0.0, $0.1) })
  }
}
