import Testing

/// Names that the Swift package gives to its users.
///
/// A test target imports TouchstoneKit beside Foundation and Testing. A type that two of them have
/// is ambiguous there, and a type of the standard library is hidden.
struct PublicNameTests {
  /// The sources of TouchstoneKit and of the modules that it exports.
  private static func exportedFiles() throws -> [SourceTree.File] {
    let files = try SourceTree.files(below: "Sources")
    let kit = files.filter { $0.module == "TouchstoneKit" }
    let exported = Set(kit.flatMap { $0.lines.compactMap(exportedModule) })
    return kit + files.filter { exported.contains($0.module) }
  }

  @Test func noTypeHasTheNameOfAWellKnownOne() throws {
    for file in try Self.exportedFiles() {
      for type in file.lines.compactMap(Self.publicType) {
        for module in WellKnownTypes.modules where module.types.contains(type) {
          Issue.record("\(file.path): \(module.name) has a type \(type), too")
        }
      }
    }
  }

  /// Without modules or types that are found, the test above could not fail.
  @Test func typesAreFound() throws {
    let files = try Self.exportedFiles()
    #expect(Set(files.map { $0.module }).count >= 12)
    #expect(files.flatMap { $0.lines.compactMap(Self.publicType) }.count >= 300)
  }

  @Test(arguments: [
    ("public struct Predicate {", "Predicate"),
    ("public indirect enum Selector: Hashable {", "Selector"),
    ("@MainActor public final class Test<Value> {", "Test"),
    ("public protocol Tag: Sendable {", "Tag"),
    ("public typealias Date = Int", "Date"),
    ("open class View {", "View"),
  ])
  func aDeclarationIsFound(line: String, type: String) {
    #expect(Self.publicType(Substring(line)) == type)
  }

  @Test(arguments: [
    "struct Predicate {", "  public struct Predicate {", "/// public struct Predicate",
    "public func date() {", "public extension Predicate {",
  ])
  func otherLinesAreNone(line: String) {
    #expect(Self.publicType(Substring(line)) == nil)
  }

  /// Returns the name of the public type that a line at the top level declares.
  private static func publicType(_ line: Substring) -> String? {
    guard line.hasPrefix("public ") || line.hasPrefix("open ") || line.hasPrefix("@") else {
      return nil
    }
    let words = line.split(separator: " ")
    guard words.contains("public") || words.contains("open"),
      let place = words.firstIndex(where: { kinds.contains($0) }), place + 1 < words.count
    else { return nil }
    return String(words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  private static let kinds: Set<Substring> = [
    "struct", "enum", "class", "protocol", "actor", "typealias",
  ]

  /// Returns the module that a line exports.
  private static func exportedModule(_ line: Substring) -> String? {
    let prefix = "@_exported public import "
    return line.hasPrefix(prefix) ? String(line.dropFirst(prefix.utf8.count)) : nil
  }
}
