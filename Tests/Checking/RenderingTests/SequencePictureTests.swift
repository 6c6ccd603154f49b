import Testing

@testable import Rendering

struct SequencePictureTests {
  private static let call = SequencePicture.Sign("c", "quiet", meaning: "a call")
  private static let write = SequencePicture.Sign("w", "live", meaning: "a <write>")

  private static var picture: SequencePicture {
    var picture = SequencePicture(lanes: ["phone", "<b>"], unit: "ms")
    picture.rows = [
      SequencePicture.Row("1", lane: 0, sign: call, words: "calls & waits", id: "e-0"),
      SequencePicture.Row("2", lane: 1, sign: write, words: "overwrites", isLoss: true, id: "e-1"),
      SequencePicture.Row("2", lane: 1, sign: write, words: "answers", peer: (0, true)),
    ]
    picture.messages = [
      SequencePicture.Message(.loss, from: 0, to: 1, lane: 1),
      SequencePicture.Message(.answer, from: 1, to: nil, lane: 0),
    ]
    picture.spans = [SequencePicture.Span(.outage, lane: 0, rows: 0...2, words: "offline")]
    return picture
  }

  @Test func theDrawing() {
    let svg = Self.picture.svg(title: "a \"test\"")
    #expect(svg.contains("aria-label=\"a &quot;test&quot;\""))
    #expect(svg.contains("calls &amp; waits") && svg.contains("&lt;b&gt;"))
    #expect(svg.ranges(of: "class=\"mark ").count == 3)
    #expect(svg.ranges(of: "class=\"event lossy\" id=\"e-1\"").count == 1)
    #expect(svg.contains("class=\"mark bad\"") && svg.contains("class=\"outage\""))
    // The message with the loss, the lost response, and the immediate result.
    #expect(svg.ranges(of: "class=\"loss\"").count == 1)
    #expect(svg.ranges(of: "class=\"stub\"").count == 1)
    #expect(svg.ranges(of: "class=\"answer\"").count == 1)
    // The second event at a time has no time of its own.
    #expect(svg.ranges(of: "class=\"time end\"").count == 2)
  }

  @Test func theTableAndTheLegend() {
    var markup = Markup()
    markup.legend(of: [Self.picture, Self.picture])
    markup.picture(Self.picture, title: "test")
    #expect(markup.text.ranges(of: "a &lt;write&gt;</b>").count == 1)
    #expect(markup.text.contains("3 events as a table"))
    #expect(markup.text.contains("<td class=\"bad\">overwrites</td>"))
  }

  @Test func leavingOut() {
    let short = Self.picture.keeping { $0 == 1 }
    #expect(
      short.rows.map(\.words) == ["⋯ 1 event not shown", "overwrites", "⋯ 1 event not shown"])
    // The request came from a row that is not shown.
    #expect(short.messages.map(\.kind) == [.answer] && short.messages.map(\.from) == [1])
    #expect(short.spans.map(\.rows) == [1...1])
    #expect(short.signs == [Self.write])
  }

  @Test func tables() {
    var markup = Markup()
    markup.table(
      ["name", "count"], [["<a>", Markup.Cell("1,990", tone: "bad", link: "x")], ["b", "-"]],
      namesRows: true)
    #expect(markup.text.contains("<th scope=\"row\">&lt;a&gt;</th>"))
    #expect(markup.text.contains("<td class=\"number bad\"><a href=\"#x\">1,990</a></td>"))
    #expect(markup.text.contains("<th class=\"number\">count</th>"))
  }
}
