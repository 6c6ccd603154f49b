import Foundation
import Testing

/// `tools/mutants/equivalent.json`: each entry matches code that still exists.
struct EquivalentMutantTests {
  private struct File: Decodable {
    struct Group: Decodable {
      struct Entry: Decodable {
        var file: String
        var code: String
      }

      var reason: String
      var mutants: [Entry]
    }

    var groups: [Group]
  }

  @Test func everyEntryIsAboutCodeThatIsThere() throws {
    let url = SourceTree.top.appending(path: "tools/mutants/equivalent.json")
    let list = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
    // The code of an entry is one line of the source, or several with their breaks as spaces.
    let sources = try SourceTree.files(below: "Sources").map { file in
      let words = file.lines.joined(separator: " ").split(separator: " ")
      return (path: file.path, code: words.joined(separator: " "))
    }
    for group in list.groups {
      #expect(group.reason.hasSuffix("."))
      for entry in group.mutants {
        let found = sources.contains {
          Self.has($0.path, entry.file) && Self.has($0.code, entry.code)
        }
        #expect(found, "\(entry.file): \(entry.code)")
      }
    }
  }

  /// Returns true if a text contains the parts of a pattern in this order.
  private static func has(_ text: String, _ pattern: String) -> Bool {
    var rest = text[...]
    for part in pattern.split(separator: "*") {
      let words = part.split(separator: " ").joined(separator: " ")
      guard let range = rest.range(of: words) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
