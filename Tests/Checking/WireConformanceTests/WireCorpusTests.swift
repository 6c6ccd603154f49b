import JSON
import Testing

@testable import WireConformance

@Suite struct WireCorpusTests {
  private func corpus(_ clauses: JSONValue, _ vectors: [JSONValue]) -> WireCorpus {
    func bytes(_ json: JSONValue) -> [UInt8] { Array((json.pretty() + "\n").utf8) }
    return WireCorpus(files: [
      ("a.json", bytes(["about": "Some.", "vectors": .array(vectors)])),
      ("clauses.json", bytes(["clauses": clauses])),
    ])
  }

  private static func clause(_ id: JSONString, level: JSONString = "MUST") -> JSONValue {
    ["id": .string(id), "level": .string(level), "text": "A rule.", "source": "here"]
  }

  private static func vector(_ id: JSONString, _ clause: JSONString) -> JSONValue {
    [
      "id": .string(id), "clauses": [.string(clause)],
      "steps": [["request": ["method": "GET", "path": "/"], "response": ["status": 200]]],
    ]
  }

  @Test func aCorpusIsRead() {
    let corpus = corpus(
      [Self.clause("WIR-001"), Self.clause("WIR-002", level: "SHOULD")],
      [Self.vector("wire-a", "WIR-001"), Self.vector("wire-b", "WIR-002")])
    #expect(corpus.problems == [])
    #expect(corpus.vectors.map(\.file) == ["a.json", "a.json"])
    #expect(corpus.clauses(of: corpus.vectors[1].vector).map(\.level) == ["SHOULD"])
  }

  @Test func problemsAreFound() {
    let corpus = corpus(
      [Self.clause("WIR-001"), Self.clause("WIR-001"), Self.clause("WIR-003")],
      [Self.vector("wire-a", "WIR-001"), Self.vector("wire-a", "WIR-002")])
    #expect(
      corpus.problems == [
        "clauses.json: WIR-001 occurs twice", "a.json: wire-a occurs twice",
        "a.json: wire-a: unknown clause WIR-002", "clauses.json: no vector tests WIR-003",
      ])
  }

  @Test func otherFormsOfFilesAreProblems() {
    let corpus = WireCorpus(files: [
      ("a.json", Array(#"{"about":"x","vectors":[]}"#.utf8)), ("b.json", Array("{".utf8)),
      ("c.json", Array("{\"about\": \"x\"}\n".utf8)),
    ])
    #expect(
      corpus.problems == [
        "a.json: not in the canonical form",
        "b.json: byte 1: expected a member name or '}', found the end of the text",
        "c.json: vectors: missing member",
      ])
  }
}
