import Digest
import Testing

@testable import Rendering

/// The frame and the parts that all pages share.
struct PageTests {
  private static func html(script: String = "") -> String {
    var page = Page(
      "<t>", kind: "test", purpose: "This page is a test.", heading: "A & B", program: nil)
    page.script = script
    return page.html { _ in
    } body: {
      $0.element("main", "", content: "text")
    }
  }

  @Test func theFrame() throws {
    let html = Self.html()
    #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
    #expect(html.contains("<title>&lt;t&gt; · Touchstone</title>"))
    let header = try #require(html.firstRange(of: "<header>"))
    #expect(
      html[header.upperBound...].hasPrefix(
        """

        <p class="kicker">Touchstone · test</p>
        <p class="purpose">This page is a test.</p>
        <h1>A &amp; B</h1>
        </header>
        <main>text</main>
        <footer>Touchstone.</footer>
        """))
  }

  /// Browsers run the script with this digest, and no other.
  @Test(arguments: ["", "const x = 1;"])
  func thePolicyPermitsTheScriptOfThePage(script: String) throws {
    let html = Self.html(script: script)
    let start = try #require(html.firstRange(of: "<script>"))
    let end = try #require(html.firstRange(of: "</script>"))
    let text = html[start.upperBound..<end.lowerBound]
    #expect(text.hasSuffix("\(script)\n"))
    let digest = Base64.encode(DigestAlgorithm.sha256.digest(of: Array(text.utf8)))
    #expect(html.contains("; script-src 'sha256-\(digest)'; "))
    #expect(!html.contains("script-src 'unsafe-inline'"))
  }

  @Test func anchorsAreDifferentAndSafe() {
    #expect(anchor("rule", "TREE-001") == "rule-TREE-001")
    #expect(anchor("vector", "a b") == "vector-a~20b")
    #expect(anchor("vector", "a~20b") == "vector-a~7e20b")
    #expect(anchor("file", "core/é\"") == "file-core~2f~c3~a9~22")
  }

  @Test func parts() {
    var markup = Markup()
    markup.card("A & B", id: "x", count: "2", note: "<n>") { $0.line("content") }
    markup.contents([
      Markup.Entry("Rules", id: "rules", count: "3", entries: [Markup.Entry("<T>", id: "t")])
    ])
    #expect(
      markup.text == """
        <section class="card" id="x"><div class="top">
        <h2>A &amp; B <span class="faint">2</span></h2>
        <div class="faint">&lt;n&gt;</div>
        </div><div class="inner">
        content
        </div></section>
        <ul class="contents">
        <li><a href="#rules">Rules</a> <span class="faint">3</span><ul><li><a href="#t">&lt;T&gt;</a></li></ul></li>
        </ul>

        """)
  }
}
