package import JSON

extension ObjectReader {
  /// Reads a required member whose text is one of a closed list.
  package mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Choice where Choice.RawValue == String {
    try required(name).choice(at: path(to: name))
  }

  /// Reads a member whose text is one of a closed list, or nil when it is absent.
  package mutating func optionalChoice<Choice: RawRepresentable & CaseIterable>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Choice? where Choice.RawValue == String {
    guard optional(name) != nil else { return nil }
    let choice: Choice = try choice(name)
    return choice
  }

  /// Reads a set of values of a closed list; empty if the member is absent.
  package mutating func choices<Choice: RawRepresentable & CaseIterable & Hashable>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Set<Choice> where Choice.RawValue == String {
    guard optional(name) != nil else { return [] }
    let choices = try elements(name) { (element, path) throws(DecodingFailure) -> Choice in
      try element.choice(at: path)
    }
    return Set(choices)
  }
}

extension JSONValue {
  /// The case of a closed list that this text names; any other value is a failure at `path`.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    at path: String
  ) throws(DecodingFailure) -> Choice where Choice.RawValue == String {
    let text = try text(at: path)
    // `Choice(rawValue:)` compares strings by canonical equivalence; names in a file are compared
    // byte by byte.
    if let choice = Choice.allCases.first(where: { JSONString($0.rawValue) == text }) {
      return choice
    }
    let known = Choice.allCases.map { $0.rawValue }.joined(separator: ", ")
    throw DecodingFailure(path: path, message: "'\(text)' is not one of \(known)")
  }
}
