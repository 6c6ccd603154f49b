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

  /// Reads a set of values of a closed list; empty if the member is absent.
  package mutating func choices<Choice: RawRepresentable & CaseIterable & Hashable>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Set<Choice> where Choice.RawValue == String {
    guard optional(name) != nil else { return [] }
    let choices = try elements(name) { (element, path) throws(DecodingFailure) -> Choice in
      guard let text = element.textValue else {
        throw DecodingFailure(path: path, message: "expected a string, found \(element.kind)")
      }
      if let choice = Choice(rawValue: text.string) { return choice }
      let known = Choice.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw DecodingFailure(path: path, message: "'\(text)' is not one of \(known)")
    }
    return Set(choices)
  }
}
