internal import JSON

/// A name of another product in the form in which it was typed.
///
/// `-processConflictsWithContext:error:`, `[KCSQuery query]`, `DataStore.performClosure(_:)` and
/// `@objc(NAME)` are names with signs, receivers and arguments. The comparison is exact first: with
/// arguments and case, then without arguments, then without case.
struct NameQuery {
  private let name: [UInt8]
  /// True for a word of the language, such as `save`, that may have other explanations.
  let isWord: Bool

  init(_ query: JSONString) {
    name = Self.bare(Array(query.utf8))
    isWord = name.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  /// Returns the matches of the most exact comparison with any, in their order.
  func matches(in names: [ForeignName]) -> [ForeignName] {
    guard !name.isEmpty else { return [] }
    let comparisons: [([UInt8]) -> [UInt8]] = [
      { $0 }, Self.withoutArguments, Self.folded, { Self.folded(Self.withoutArguments($0)) },
    ]
    for form in comparisons {
      let wanted = form(name)
      let found = names.filter { candidate in
        ([candidate.name] + candidate.others).contains { other in
          form(Self.bare(Array(other.utf8))) == wanted
        }
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Returns the name without the sign of a method, brackets, a receiver and a closing semicolon.
  private static func bare(_ text: [UInt8]) -> [UInt8] {
    var rest = text[...]
    func isOutside(_ byte: UInt8) -> Bool { " -+@;".utf8.contains(byte) }
    rest = rest.drop(while: isOutside)
    while let last = rest.last, isOutside(last) { rest = rest.dropLast() }
    if rest.first == UInt8(ascii: "["), rest.last == UInt8(ascii: "]") {
      rest = rest.dropFirst().dropLast()
      if let space = rest.firstIndex(of: UInt8(ascii: " ")) { rest = rest[(space + 1)...] }
    }
    let arguments = rest.firstIndex(where: isArgument) ?? rest.endIndex
    if let dot = rest[..<arguments].lastIndex(of: UInt8(ascii: ".")), dot + 1 < arguments {
      rest = rest[(dot + 1)...]
    }
    return Array(rest)
  }

  private static func isArgument(_ byte: UInt8) -> Bool { ":(".utf8.contains(byte) }

  private static func withoutArguments(_ name: [UInt8]) -> [UInt8] {
    Array(name.prefix { !isArgument($0) })
  }

  private static func folded(_ name: [UInt8]) -> [UInt8] {
    Array(JSONString(String(decoding: name, as: UTF8.self)).folded.utf8)
  }
}
