import Rendering
import Testing

/// Schedules as text and as a page.
struct SchedulePageTests {
  static let picture = SchedulePicture(
    lanes: ["main", "background"],
    steps: [
      SchedulePicture.Step(lane: 0, .call, "call <B>"),
      SchedulePicture.Step(lane: 1, .look, "looks\u{1B}[31m", cause: 0),
      SchedulePicture.Step(lane: 1, .save, "saves", cause: 1),
    ],
    waits: [SchedulePicture.Wait(lane: 0, other: 1, "main waits")])

  @Test func asText() {
    #expect(
      Self.picture.lines == [
        "     main  background",
        "  1  >     .           call <B>",
        "  2  .     ?           looks\\u{1B}[31m",
        "  3  .     s           saves",
        "     x     .           main waits",
      ])
    #expect(
      SchedulePicture.legend(of: [Self.picture])
        == "> a call   ? a look   s a save   x waits forever")
  }

  @Test func asAPage() {
    let page = SchedulePage(
      "A & B", purpose: "This page shows <x>.", sentence: "One of 2 schedules.",
      command: "touchstone race", program: "touchstone 1",
      tables: [
        SchedulePage.Table(
          "Rows", "by schedule", head: ["name", "count"], rows: [["<a>", "1,990"], ["b", "-"]])
      ],
      chapters: [SchedulePage.Chapter("first", isOpen: true, [("caption", Self.picture)])])
    let html = page.html
    #expect(html.contains("<title>A &amp; B · Touchstone</title>"))
    #expect(html.contains("<th class=\"number\">count</th>"))
    #expect(html.contains("<td>&lt;a&gt;</td>") && html.contains("<td class=\"number\">1,990</td>"))
    #expect(html.contains("<p class=\"purpose\">This page shows &lt;x&gt;.</p>"))
    #expect(html.contains("<h1>One of 2 schedules.</h1>"))
    #expect(html.contains("<footer>touchstone 1. This page needs no network.</footer>"))
    #expect(html.contains("<a href=\"#chapter-1\">first</a>"))
    #expect(html.contains("<section class=\"card\" id=\"table-1\">"))
    #expect(html.contains("<details id=\"chapter-1\" open>") && html.contains("call &lt;B&gt;"))
    #expect(html.contains("class=\"wait\"") && !html.contains("\u{1B}"))
    // One arrow: a cause on the same lane needs none.
    #expect(html.count(of: "class=\"answer\"") == 1)
    #expect(page.html == html)
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
