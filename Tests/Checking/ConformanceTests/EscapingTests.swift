import Datastore
import Foundation
import JSON
import Scenarios
import Testing

@testable import Conformance

/// Texts of adapters: reports show them, and no consumer may interpret them.
@Suite struct EscapingTests {
  /// Each text is a command for a terminal, a parser or a build server.
  static let hostile = [
    "\u{1B}[2J\u{1B}]0;title\u{7}", "a\u{0}b", "safe\u{202E}gnp.exe", "\u{2066}x\u{2069}\u{200F}",
    "::error file=a::b", "a\n::set-env name=PATH::/x\nb", " \t::add-mask::x", "\u{A0}::warning::x",
    "a ::stop-commands::x", "##[add-path]/x", "a##vso[task.setvariable variable=x]y", "###[group]x",
    "##teamcity[buildStatus text='x']", "ok 1 - fine # SKIP", "Bail out!", "1..0", "not ok 7",
    "# TODO x", "\n...\n---\n", "]]></failure><failure>", "<script>alert(1)</script>",
    "```\n# x\n```",
    "| a | b |", "![x](http://example.org/x.png)", "[x](javascript:alert(1))", "<!-- x -->",
    "1. item", "- item", "+ item", "=====", "> quote", "# heading", "    code", "~~~\nx", "\\",
    "`x`",
    "\r\u{85}\u{2028}\u{2029}\u{B}\u{C}", "\u{9B}31m\u{90}x\u{9C}", "\u{FFFE}\u{FFFF}", "\u{61C}x",
    "&amp; &#27;", "\"quoted\" 'text'", "$(id) `id`", "::", "::::", "##[", "#[x]", "a::b",
    "::x ::y", "a\u{FEFF}b\u{200B}c\u{AD}d\u{2060}e\u{E0041}",
  ]

  /// Returns the commands in a text; no line of any report may contain one.
  static func commands(in text: String) -> [String] {
    var found: [String] = []
    for line in text.unicodeScalars.split(separator: "\n") {
      let words = String(line).trimmingCharacters(in: .whitespacesAndNewlines)
      if words.hasPrefix("::") { found.append(words) }
      if words.range(of: "##[A-Za-z-]*\\[", options: .regularExpression) != nil {
        found.append(words)
      }
    }
    for scalar in text.unicodeScalars where scalar != "\n" {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
        0xFEFF, 0xE0000...0xE0FFF:
        found.append(scalar.escaped(asASCII: true))
      default: break
      }
    }
    return found
  }

  @Test(arguments: hostile) func aTerminalShowsText(_ text: String) {
    #expect(Self.commands(in: TextLayout.printable(text)) == [])
    #expect(!TextLayout.printable(text).contains("\n"))
    #expect(Self.commands(in: TextLayout.printableLines(text)) == [])
    let lines = TextLayout.wrapped("some words before " + text, width: 12, indent: "  ")
    #expect(Self.commands(in: lines.joined(separator: "\n")) == [])
  }

  @Test(arguments: [
    ("::error::x", #"\u{3A}:error::x"#), ("a::b", "a::b"), ("a ::b", #"a \u{3A}:b"#),
    ("##[x]", #"\u{23}#[x]"#), ("# [x]", "# [x]"), ("##x", "##x"), ("::", #"\u{3A}:"#), (":", ":"),
    ("###[x]", #"#\u{23}#[x]"#),
  ])
  func onlyCommandsAreEscaped(_ text: String, _ printable: String) {
    #expect(TextLayout.printable(text) == printable)
  }

  @Test(arguments: hostile) func jsonKeepsEveryText(_ text: String) throws {
    let value: JSONValue = ["k": .text(text)]
    for line in [SafeJSON(value).line, "  k: " + SafeJSON(value).yamlLine] {
      #expect(Self.commands(in: line) == [])
    }
    #expect(try JSONValue.parse(SafeJSON(value).line) == value)
  }

  /// `tools/check-reports.py` parses the XML; this test checks the escaped text itself.
  @Test(arguments: hostile) func xmlHasNoCommands(_ text: String) {
    for xml in [XML.attribute(text), XML.content(text)] {
      #expect(Self.commands(in: xml.replacing("\t", with: " ")) == [])
      #expect(!xml.utf8.contains(UInt8(ascii: "<")) && !xml.utf8.contains(UInt8(ascii: ">")))
    }
    #expect(!XML.attribute(text).utf8.contains(UInt8(ascii: "\"")))
  }

  @Test(arguments: hostile) func markdownHasNoMarks(_ text: String) {
    for shown in [Markdown.text(text), Markdown.code(text)] {
      #expect(Self.commands(in: shown) == [])
      #expect(!shown.contains("\n"))
    }
    let block = Markdown.block([text], language: "text")
    #expect(Self.commands(in: block.joined(separator: "\n")) == [])
    let fence = block[block.count - 1]
    #expect(block[0] == fence + "text")
    #expect(!block.dropFirst().dropLast().contains { $0.hasPrefix(fence) })
    for line in block { #expect(!line.contains("\n")) }
  }

  /// Every report about a store with a hostile name, messages and log.
  @Test(arguments: MachineReportTests.whole, hostile)
  func everyReportShowsText(_ format: ReportFormat, _ text: String) throws {
    let report = try Self.report(text)
    let shown = format.text(of: report)
    let withoutTabs = shown.replacing("\t", with: " ")
    #expect(Self.commands(in: withoutTabs) == [])
    #expect(Self.commands(in: TerminalReport(report).text) == [])
  }

  /// A report with a failure and a run without a verdict; every external text in it is `text`.
  private static func report(_ text: String) throws -> RunReport {
    let report = Fixtures.report([try Fixtures.conflicting()], FakeDatastore(.noConflicts))
    var implementation = report.implementation
    (implementation.name, implementation.version) = (text, text)
    (implementation.language, implementation.homepage) = (text, text)
    guard case .fail(let witness) = report.results[0].verdict else { return report }
    let hostile = Witness(
      vector: witness.vector, step: witness.step, transcript: witness.transcript,
      exchange: witness.exchange, expected: .text(text), mismatches: witness.mismatches,
      diagnosis: [text], log: text, rerun: text)
    let results = [
      RunReport.Result(vector: witness.vector, verdict: .fail(hostile)),
      RunReport.Result(
        vector: try Fixtures.passing("tree-lost"),
        verdict: .harnessError(HarnessFailure(text, step: 2))),
    ]
    return RunReport(implementation: implementation, corpus: report.corpus, results: results)
  }
}
