import Datastore
import JSON
import Scenarios
import Testing

@testable import Rendering

struct TextTimelineTests {
  @Test func aRunInLines() {
    let lines = TextTimeline().lines(of: SampleTrace.lostWrite())
    let golden = """
      W client write   + revisions stored with their ids   x message lost   ( session begins
      ) session ends   X crash   ^ restart   / partition   = partition healed   E finding
      : adjacent replicas are partitioned

      seconds  a b  step  what
        0.000  W |  s1    create d 1-aaaa
        1.000  ( |  s2    push a → b
        1.020  | +  s2    stores d 1-aaaa
        1.020  | x  s2    response to insertRevisions to a is lost
        2.000  /:/  s3    partition: a | b
        2.100  |:X  s4    process killed
        2.500  = =  s5    all partitions are healed
        2.600  | ^  s6    restarts
        3.000  ) |  s2    session a → b error: no answer
        3.000  E E        b does not know 1-aaaaaaaa of d, which step s1 wrote with success

      1 event without effect left out
      """
    #expect(lines.joined(separator: "\n") == golden)
  }

  @Test func everyEventWhenAsked() {
    var timeline = TextTimeline()
    timeline.isDetailed = true
    let lines = timeline.lines(of: SampleTrace.lostWrite())
    #expect(lines.contains("  1.000  > |  s2    asks b: insertRevisions"))
  }

  @Test(arguments: [40, 60, 100])
  func linesFit(width: Int) {
    var timeline = TextTimeline()
    timeline.width = width
    for line in timeline.lines(of: SampleTrace.lostWrite()) {
      #expect(line.unicodeScalars.count <= width)
    }
  }

  @Test func namesAreNoCommands() {
    let trace = SampleTrace.lostWrite(of: "\u{1B}[31m\n\u{202E}x", replica: "a\tb")
    for line in TextTimeline().lines(of: trace) {
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }
  }

  @Test func longNamesAreNumbered() {
    let lines = TextTimeline().lines(of: SampleTrace.lostWrite(replica: "laptop"))
    #expect(lines.contains("1 laptop"))
    #expect(lines.contains("seconds  1 2  step  what"))
  }
}
