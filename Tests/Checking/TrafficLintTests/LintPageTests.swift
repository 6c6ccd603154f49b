import Foundation
import Testing

@testable import TrafficLint

/// The table of `docs/lint.md` is that of the program.
@Suite struct LintPageTests {
  @Test func theTableIsCurrent() throws {
    var top = URL(filePath: #filePath)
    for _ in 0..<4 { top.deleteLastPathComponent() }
    let page = try String(contentsOf: top.appending(path: "docs/lint.md"), encoding: .utf8)
    #expect(page.contains(LintClause.markdownTable), "expected:\n\(LintClause.markdownTable)")
  }
}
