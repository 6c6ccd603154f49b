import Foundation
import JSON
import Testing

@testable import touchstone

@Suite struct LintCommandTests {
  private static func line(_ number: Int, _ request: String, _ response: String) -> String {
    #"{"n":\#(number),"request":{\#(request)},"response":{\#(response)}}"#
  }

  private static func put(_ number: Int, _ sequence: String) -> String {
    line(
      number,
      #""method":"PUT","target":"/s/_local/p","body":{"session_id":"x","source_last_seq":"\#(sequence)","#
        + #""history":[{"session_id":"x","recorded_seq":"\#(sequence)"}]}"#,
      #""status":201,"body":{"ok":true}"#)
  }

  private static let start = [
    line(1, #""method":"GET","target":"/s""#, #""status":200,"body":{"update_seq":"2-b"}"#),
    line(2, #""method":"GET","target":"/s/_local/p""#, #""status":404,"body":{}"#),
    line(
      3, #""method":"GET","target":"/s/_changes?style=all_docs""#,
      #""status":200,"body":{"results":[],"last_seq":"2-b"}"#),
    put(4, "2-b"),
  ]

  private static func folder(_ lines: [String]) throws -> TemporaryFolder {
    try TemporaryFolder([("traffic.jsonl", lines.joined(separator: "\n"))])
  }

  @Test func correctTrafficIsASuccess() throws {
    let folder = try Self.folder(Self.start)
    let world = TestWorld()
    #expect(world.run("lint", "\(folder.path)/traffic.jsonl") == .success)
    #expect(
      world.output == "4 exchanges, 1 session: 0 findings of level MUST, 0 of level SHOULD\n")
  }

  @Test func aFindingNamesItsClauseAndItsExchanges() throws {
    let folder = try Self.folder(Self.start + [Self.put(5, "9-x")])
    let world = TestWorld()
    #expect(world.run("lint", "\(folder.path)/traffic.jsonl") == .failure)
    #expect(
      world.output == """
        LNT-017 MUST: A checkpoint records only a sequence that the source returned.
          the source never returned 9-x
            #5  PUT /s/_local/p → 201
                records 9-x

        5 exchanges, 1 session: 1 finding of level MUST, 0 of level SHOULD

        """)
    #expect(world.run("lint", "--json", "\(folder.path)/traffic.jsonl") == .failure)
    let json = try JSONValue.parse(world.output)
    #expect(json.objectValue?["counts"] == ["LNT-017": 1])
    #expect(json.objectValue?["must"] == 1)
  }

  @Test func strictCountsAdvice() throws {
    let folder = try Self.folder(Self.start + [Self.put(5, "1-a")])
    let world = TestWorld()
    let path = "\(folder.path)/traffic.jsonl"
    // The sequence is unknown as well, because no row has it.
    #expect(world.run("lint", path) == .failure)
    let older = try Self.folder(
      Self.start.dropLast() + [
        Self.line(
          9, #""method":"GET","target":"/s/_changes?style=all_docs&since=2-b""#,
          #""status":200,"body":{"results":[],"last_seq":"3-c"}"#), Self.put(4, "3-c"),
        Self.put(5, "2-b"),
      ])
    #expect(world.run("lint", "\(older.path)/traffic.jsonl") == .success)
    #expect(world.output.contains("LNT-020 SHOULD: "))
    #expect(world.run("lint", "--strict", "\(older.path)/traffic.jsonl") == .failure)
  }

  @Test func badFilesAreUsageErrors() throws {
    let world = TestWorld()
    let folder = try Self.folder(Self.start + ["x"])
    #expect(world.run("lint", "\(folder.path)/traffic.jsonl") == .usage)
    #expect(world.error.contains("/traffic.jsonl: line 5: expected one exchange as JSON: byte 0"))
    #expect(world.output.isEmpty)
    #expect(world.run("lint", "\(folder.path)/none") == .harness)
    #expect(world.run("lint", folder.path) == .harness)
    #expect(world.run("lint") == .usage)
    #expect(world.run("lint", "a", "b") == .usage)
  }

  /// A line that is longer than one part of the file, and no line feed at the end.
  @Test func longLinesAreRead() throws {
    let long = Self.line(
      5,
      #""method":"GET","target":"/s/d","headers":{"a":"\#(String(repeating: "x", count: 200_000))"}"#,
      #""status":200,"body":{"_id":"d"}"#)
    let folder = try Self.folder(Self.start + [long, Self.put(6, "9-x")])
    let world = TestWorld()
    #expect(world.run("lint", "\(folder.path)/traffic.jsonl") == .failure)
    #expect(world.output.contains("#6  PUT /s/_local/p → 201"))
  }
}
