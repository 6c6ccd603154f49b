package import JSON

extension ObjectReader {
  /// Reads a required member whose text is one of a closed list.
  package mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Choice where Choice.RawValue == String {
    let text = try text(name)
    if let choice = Choice(rawValue: text.string) { return choice }
    let known = Choice.allCases.map { $0.rawValue }.joined(separator: ", ")
    throw DecodingFailure(
      path: path(to: name), message: "'\(text)' is not one of \(known)")
  }

  /// Reads a member whose text is one of a closed list, or nil when it is absent.
  package mutating func optionalChoice<Choice: RawRepresentable & CaseIterable>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Choice? where Choice.RawValue == String {
    guard optional(name) != nil else { return nil }
    let choice: Choice = try choice(name)
    return choice
  }
}
