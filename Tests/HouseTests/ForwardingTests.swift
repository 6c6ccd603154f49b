import Testing

/// An implementation on top of another one is an `ImplementationLayer`.
///
/// A type that forwards by hand uses the default of each requirement that it does not forward, such
/// as `begin`, `end` and `takeLog`.
struct ForwardingTests {
  @Test func aTypeThatStoresAnImplementationIsALayer() throws {
    let types = try SourceTree.files(below: "Sources").flatMap { DeclaredType.all(in: $0.lines) }
    for type in Self.forwardingByHand(types) {
      Issue.record("\(type.name) stores an implementation, but is not an ImplementationLayer")
    }
  }

  /// Without types that are found, the test above could not fail.
  @Test func typesAreFound() throws {
    let types = try SourceTree.files(below: "Sources").flatMap { DeclaredType.all(in: $0.lines) }
    let implementations = Self.implementations(among: types)
    #expect(
      implementations.isSuperset(of: [
        "ReferenceDatastore", "SQLiteDatastore", "AdapterImplementation", "ReplicatingDatastore",
        "SQLiteReplica",
      ]))
    let layers = types.filter { $0.parents.contains("ImplementationLayer") }
    #expect(layers.count >= 8)
    let storing = layers.filter { !implementations.isDisjoint(with: $0.storedTypes) }
    #expect(storing.count >= 4)
  }

  @Test(arguments: [
    ("final class A: ImplementationUnderTest {\n  let base: any ImplementationUnderTest\n}", ["A"]),
    ("class A: Box<Int>, ImplementationUnderTest {\n  private var store: Store?\n}", ["A"]),
    (
      "class A: SimulatedStore,\n  ImplementationUnderTest\n{\n  let all: [String: Store]\n}", ["A"]
    ),
    ("class A {\n  let store = Store()\n}\n\nextension A: ImplementationUnderTest {\n}", ["A"]),
    ("class A: ImplementationUnderTest {\n  let honest: any SimulatedStore\n}", ["A"]),
    ("class A: ImplementationLayer {\n  let base: any ImplementationUnderTest\n}", []),
    ("class A: Runner {\n  let base: any ImplementationUnderTest\n}", []),
    ("class A: ImplementationUnderTest {\n  var own: Store { .shared }\n  let count: Int\n}", []),
    (
      "class A: ImplementationUnderTest {\n  func f() {\n    let store: Store\n  }\n}", []
    ),
  ])
  func forwardingByHandIsFound(text: String, names: [String]) {
    let store = "final class Store: ImplementationUnderTest {\n}\n"
    let types = DeclaredType.all(
      in: (store + text).split(separator: "\n", omittingEmptySubsequences: false))
    #expect(Self.forwardingByHand(types).map(\.name) == names)
  }

  /// Returns the implementations that store another one and are no layers.
  private static func forwardingByHand(_ types: [DeclaredType]) -> [DeclaredType] {
    let layers = Set(types.filter { $0.parents.contains("ImplementationLayer") }.map(\.name))
    let implementations = implementations(among: types)
    return types.filter { type in
      implementations.contains(type.name) && !layers.contains(type.name)
        && !implementations.isDisjoint(with: type.storedTypes)
    }
  }

  /// Returns the names of the protocols and types of implementations.
  private static func implementations(among types: [DeclaredType]) -> Set<String> {
    let protocols: Set = ["ImplementationUnderTest", "ImplementationLayer"]
    let conforming = types.filter { !protocols.isDisjoint(with: $0.parents) }.map(\.name)
    return protocols.union(conforming).union(["SimulatedStore"])
  }
}

/// A type or an extension in a Swift source.
private struct DeclaredType {
  let name: String
  /// The superclass and the protocols, and their generic arguments.
  let parents: Set<String>
  /// The types in the declarations of stored properties.
  private(set) var storedTypes: Set<String> = []

  private static let kinds: Set<Substring> = ["class", "struct", "enum", "actor", "extension"]

  /// Returns the types that lines declare; the layout is that of the formatter.
  static func all(in lines: [Substring]) -> [DeclaredType] {
    lines.indices.compactMap { index in
      let line = lines[index]
      let indent = line.prefix { $0 == " " }
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(where: { kinds.contains($0) }), place + 1 < words.count,
        words[..<place].allSatisfy({ $0.allSatisfy { $0.isLetter || "@_()".contains($0) } })
      else { return nil }
      guard let opening = lines[index...].firstIndex(where: { $0.hasSuffix("{") }),
        let end = lines[opening...].firstIndex(where: { $0 == indent + "}" })
      else { return nil }
      let head = lines[index...opening].joined(separator: " ")
      let name = words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "." }
      let clause = head.drop { $0 != ":" }
      var type = DeclaredType(name: String(name), parents: Set(self.words(of: clause)))
      for member in lines[opening..<end].dropFirst()
      where member.hasPrefix(indent + "  ") && member.dropFirst(indent.count + 2).first != " " {
        type.storedTypes.formUnion(storedTypes(in: member))
      }
      return type
    }
  }

  /// Returns the words of the type, or of the initial value, of a stored property.
  private static func storedTypes(in line: Substring) -> [String] {
    let words = line.split(separator: " ")
    guard words.contains("let") || words.contains("var"), !line.hasSuffix("{"),
      !line.hasSuffix("}"), let start = line.firstIndex(where: { ":=".contains($0) })
    else { return [] }
    return self.words(of: line[start...])
  }

  private static func words(of text: Substring) -> [String] {
    text.split { !($0.isLetter || $0.isNumber) }.map { String($0) }
  }
}
