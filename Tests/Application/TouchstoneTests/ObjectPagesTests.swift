import JSON
import Simulation
import Testing

@testable import touchstone

/// The pages of `objects` and `collections`.
struct ObjectPagesTests {
  /// The number of events with a loss in a page.
  private static func lossCount(_ page: String) -> Int {
    page.ranges(of: "class=\"event lossy\"").count
  }

  @Test func objectsWithoutLoss() throws {
    let folder = try TemporaryFolder([])
    let world = TestWorld()
    let words = [
      "objects", "--implementation", "reference", "--objects", "4", "--seeds", "3..5",
    ]
    #expect(world.run(all: words + ["--page", "\(folder.path)/o.html"]) == .success)
    #expect(world.output.hasSuffix("wrote \(folder.path)/o.html\n"))
    let page = try folder.text("o.html")
    #expect(page.contains("<h1>reference: 0 lost values in 3 journeys, 12 objects</h1>"))
    #expect(page.contains("--objects 4 --seeds 3</code>"))
    #expect(Self.lossCount(page) == 0)
  }

  /// The page of a mutant has the lost value at the stage that the command reports.
  @Test(arguments: [
    ("stored-dates-whole", "saved"), ("decimals-as-numbers", "decoded"),
    ("metadata-stays-at-home", "replicated"),
  ])
  func theLostValue(mutant: String, stage: String) throws {
    let folder = try TemporaryFolder([])
    let world = TestWorld()
    let path = "\(folder.path)/o.html"
    let words = ["objects", "--implementation", "mutant:\(mutant)", "--objects", "8"]
    #expect(world.run(all: words + ["--page", path]) == .failure)
    #expect(world.error.contains("when the object was \(stage)"), "\(world.error)")
    let page = try folder.text("o.html")
    let losses = Self.lossCount(page)
    #expect(losses > 0)
    // A row of the table of losses for each, and its stage.
    let table = try #require(page.firstRange(of: "<section class=\"card\" id=\"loss\">"))
    let end = try #require(page[table.upperBound...].firstRange(of: "</tbody>"))
    let rows = page[table.upperBound..<end.lowerBound]
    #expect(rows.ranges(of: "<td>\(stage)</td>").count == losses)
    #expect(rows.ranges(of: "<td class=\"bad\">").count == losses)
    #expect(page.contains("not reached: ") || stage == "replicated")
  }

  @Test func collections() throws {
    let folder = try TemporaryFolder([])
    let world = TestWorld()
    let words = ["collections", "--implementation", "reference", "--seeds", "1..6"]
    #expect(world.run(all: words) == .success)
    let text = world.output
    #expect(world.run(all: words + ["--page", "\(folder.path)/c.html"]) == .success)
    #expect(world.output == text + "wrote \(folder.path)/c.html\n")
    let page = try folder.text("c.html")
    for name in ["lost updates", "lost deletes", "duplicates"] {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  \(name) ") })
      let count = try #require(line.split(separator: " ").last)
      #expect(page.contains("\(count) \(count == "1" ? name.dropLast() + "" : name)"), "\(line)")
    }
    #expect(page.contains("id=\"example0-0\"") && page.contains("COLL-096"))
    #expect(Self.lossCount(page) > 2)
  }

  /// The page of a broken guarantee draws the minimized run.
  @Test func aBrokenGuarantee() throws {
    let folder = try TemporaryFolder([])
    let world = TestWorld()
    let words = [
      "collections", "--implementation", "mutant:deleted-stay-deleted", "--seeds", "1..3",
    ]
    #expect(world.run(all: words + ["--page", "\(folder.path)/c.html"]) == .failure)
    let page = try folder.text("c.html")
    #expect(page.contains("<h1>A guarantee is broken: "))
    #expect(Self.lossCount(page) == 1)
    let count = try #require(
      world.error.split(separator: "\n").first { $0.contains(" when shrunk: ") }?
        .split(separator: " ").first)
    #expect(page.contains("<dt>steps in it</dt><dd>\(count)</dd>"), "\(world.error)")
  }

  /// A report on standard output has no other text.
  @Test func aPageBesideAReport() throws {
    let folder = try TemporaryFolder([])
    let world = TestWorld()
    #expect(
      world.run(
        "objects", "--implementation", "reference", "--objects", "2", "--seeds", "1", "--report",
        "-", "--page", "\(folder.path)/o.html") == .success)
    #expect(try CampaignFile(try JSONValue.parse(world.output)).report.runs == 1)
    #expect(try folder.text("o.html").contains("0 lost values"))
  }
}
