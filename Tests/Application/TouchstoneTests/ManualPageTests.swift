import Conformance
import Testing

@testable import touchstone

@Suite struct ManualPageTests {
  private static let page = ManualPage(groups: CommandTable.groups).text

  @Test func everyCommandAndOptionIsOnThePage() {
    let lines = Self.page.split(separator: "\n").map(String.init)
    for manual in CommandTable.commands.map({ $0.manual }) {
      let name = manual.name.split(separator: "-").joined(separator: "\\-")
      #expect(lines.contains(".SS \"touchstone \(name)\""))
      for option in manual.options {
        let name = option.name.split(separator: "-", omittingEmptySubsequences: false)
          .joined(separator: "\\-")
        #expect(lines.contains { $0.hasPrefix("\\fB\(name)\\fR") }, "\(manual.name) \(option.name)")
      }
    }
  }

  /// A line that begins with a dot or an apostrophe is a request to the formatter.
  @Test func textIsNoRequest() {
    let requests = [
      ".\\\"", ".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".RS", ".RE", ".nf", ".fi",
    ]
    for line in Self.page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      let word = line.prefix { $0 != " " }
      #expect(requests.contains(String(word)), "\(line)")
    }
    #expect(Self.page.utf8.allSatisfy { $0 < 0x80 })
    let group = CommandGroup(title: "T", commands: [Dotted.self])
    let text = ManualPage(groups: [group]).text
    #expect(text.contains("\n\\&.hidden \\- a\\eb \\(aqx\\(aq \\[u2026]\n"), "\(text)")
  }

  private struct Dotted: Command {
    static let manual = Manual(words: ["dotted"], summary: ".hidden - a\\b 'x' …")
    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {}
    func run(_ context: Context) throws(CommandFailure) -> ExitCode { .success }
  }

  @Test func theCommandPrintsIt() {
    let world = TestWorld()
    #expect(world.run("man") == .success)
    #expect(world.output == Self.page)
  }
}
