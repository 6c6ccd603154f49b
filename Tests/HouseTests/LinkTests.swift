import Foundation
import Testing

/// Links between pages resolve, and links from the README reach every page of `docs`.
struct LinkTests {
  private static let check = Result { try LinkCheck.ofThisPackage() }

  @Test(arguments: try LinkCheck.ofThisPackage().pages.keys.sorted())
  func linksResolve(page: String) throws {
    let problems = try Self.check.get().problems(in: page)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test func everyPageOfDocsIsReachable() throws {
    let check = try Self.check.get()
    let reachable = check.reachable(from: "README.md")
    let pages = check.pages.keys.filter { $0.hasPrefix("docs/") }
    #expect(pages.count >= 7)
    #expect(pages.filter { !reachable.contains($0) }.sorted() == [])
  }

  @Test func theREADMEIsShort() throws {
    let file = SourceTree.top.appending(path: "README.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 180)
  }

  // MARK: The check itself

  /// A tree of two pages and a source file.
  private static func tree(_ text: String) -> LinkCheck {
    let other = """
      # A page, "quoted": `code_span`

      ## Again
      ## Again
      ### A [link](a.md) in a heading
      <a id="by-hand"></a>
      """
    let files = ["a.md": text, "docs/b.md": other, "src/c.swift": ""]
    return LinkCheck(files: Set(files.keys)) { files[$0] ?? "" }
  }

  @Test(arguments: [
    "[x](docs/b.md)", "[x](docs)", "[x](./docs/b.md#again)", "[x](docs/b.md#again-1)",
    "[x](docs/b.md#a-page-quoted-code_span)", "[x](docs/b.md#a-link-in-a-heading)",
    "[x](docs/b.md#by-hand)", "[x](src/c.swift#L3)", "[x](docs/../src/c.swift)",
    "[x](https://example.org/nothing)", "[x](<docs/b.md> \"title\")", "[`x`](docs/b.md)",
    "[two\nlines](docs/b.md)", "# Here\n\n[x](#here)", "[x][r]\n\n[r]: docs/b.md",
    "[r][]\n\n[R]: docs/b.md#again", "[r]\n\n[r]: docs/b.md", "`[x](nothing.md)`",
    "```\n[x](nothing.md)\n```", "plain [text] in brackets", "\\[x](nothing.md)",
    "<a href=\"docs/b.md\">x</a>",
  ])
  func acceptsLinksThatResolve(text: String) {
    #expect(Self.tree(text).problems(in: "a.md") == [])
  }

  @Test(arguments: [
    "[x](nothing.md)", "[x](docs/B.md)", "[x](docs/b.md#nothing)", "[x](docs/b.md#again-2)",
    "[x](#nothing)", "[x](../a.md)", "[x](/docs/b.md)", "[x](src/c.swift#there)", "[x]()",
    "[x][r]", "[r][]", "[x][r]\n\n[r]: nothing.md", "[r]\n\n[r]: nothing.md",
    "![x](nothing.png)", "[`x`](nothing.md)", "[two\nlines](nothing.md)",
    "| a | [x](nothing.md) |", "`a` [x](nothing.md) `b`", "```\ncode\n```\n[x](nothing.md)",
    "[[x](nothing.md)](docs/b.md)", "<img src=\"nothing.png\">", "a ` b\n\n[x](nothing.md) ` c",
  ])
  func findsLinksThatLeadNowhere(text: String) {
    #expect(Self.tree(text).problems(in: "a.md").count == 1)
  }

  @Test func followsLinksThroughPages() {
    let texts = [
      "README.md": "[b](docs/b.md)", "docs/b.md": "[c](c.md)", "docs/c.md": "",
      "docs/d.md": "[b](b.md)",
    ]
    let check = LinkCheck(files: Set(texts.keys)) { texts[$0] ?? "" }
    #expect(check.reachable(from: "README.md") == ["README.md", "docs/b.md", "docs/c.md"])
  }
}
