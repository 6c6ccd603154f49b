import Datastore
import JSON
import Scenarios
import Testing

@testable import Rendering

struct RevisionPictureTests {
  private func branch(_ path: String..., deleted: Bool = false) -> Trace.Branch {
    Trace.Branch(path: path.map { RevisionID(JSONString($0)) }, deleted: deleted)
  }

  private func text(_ picture: RevisionPicture, width: Int = 100) -> String {
    picture.text(width: width).joined(separator: "\n")
  }

  @Test func branchesHaveLines() {
    let picture = RevisionPicture([
      branch("3-aaaaaa", "2-aaaaaa", "1-aaaaaa"), branch("3-bbbbbb", "2-aaaaaa", "1-aaaaaa"),
      branch("2-cccccc", "1-aaaaaa", deleted: true), branch("1-dddddd"),
    ])
    let golden = """
      1-aaaa──┬─2-aaaa──┬─●3-aaaa
              │         └─○3-bbbb
              └─×2-cccc
      ○1-dddd
      """
    #expect(text(picture) == golden)
  }

  @Test func longStretchesAreShort() {
    let path = (1...60).reversed().map { RevisionID(JSONString("\($0)-abcdef")) }
    let picture = RevisionPicture([Trace.Branch(path: path)])
    #expect(text(picture) == "1-abcd───⋯58───●60-abcd")
    #expect(picture.svg.utf8.count < 20_000)
  }

  @Test func whatIsForgottenIsNotThere() {
    let picture = RevisionPicture([branch("5-aaaaaa", "4-aaaaaa"), branch("3-bbbbbb", "2-bbbbbb")])
    #expect(text(picture) == "4-aaaa───●5-aaaa\n2-bbbb───○3-bbbb")
  }

  @Test func whatIsNewIsMarked() {
    let picture = RevisionPicture(
      [branch("2-aaaaaa", "1-aaaaaa")], known: [branch("1-aaaaaa")])
    #expect(text(picture) == "1-aaaa───●2-aaaa+")
    #expect(picture.svg.contains("class=\"rev winner new\""))
  }

  @Test func oldColumnsGiveWay() {
    let picture = RevisionPicture(
      (2...9).map { last in
        Trace.Branch(path: (1...last).reversed().map { RevisionID(JSONString("\($0)-\(last)")) })
      })
    for line in picture.text(width: 40) { #expect(line.unicodeScalars.count <= 42) }
  }

  @Test func namesAreEscaped() {
    let picture = RevisionPicture([branch("</svg><script>x")])
    #expect(!picture.svg.contains("<script"))
    #expect(RevisionPicture([]).text() == ["(nothing)"])
  }
}
