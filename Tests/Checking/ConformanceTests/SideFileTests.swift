import Datastore
import Foundation
import JSON
import Scenarios
import Testing

@testable import Conformance

/// The JSON files in the folder of the clauses.
@Suite struct SideFileTests {
  static func folder(_ vectors: String = CorpusTests.vector()) throws -> TemporaryFolder {
    try TemporaryFolder([
      (path: "clauses.json", text: CorpusTests.clauses),
      (path: "core/tree.json", text: CorpusTests.file(vectors)),
    ])
  }

  private func write(_ text: String, _ name: String, _ folder: TemporaryFolder) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
  }

  private func problems(_ folder: TemporaryFolder) throws -> [String] {
    try Corpus(folder: folder.path).sideProblems.map(\.description)
  }

  @Test func aManifestIsReadBack() throws {
    let folder = try Self.folder()
    let corpus = try Corpus(folder: folder.path)
    let earlier = Manifest(
      files: [], retiredVectors: [.init(id: "tree-z", reason: "it showed nothing")],
      retiredClauses: [.init(id: "TREE-900", reason: "it was TREE-001 again")])
    let manifest = try Manifest(of: corpus, after: earlier)
    #expect(manifest.files.map(\.path) == ["clauses.json", "core/tree.json"])
    #expect(manifest.files.map(\.count) == [2, 1])
    #expect(manifest.files.map(\.ids) == [["TREE-001", "TREE-002"], ["tree-a"]])
    #expect(manifest.files[1].sha256.utf8.count == 64)
    #expect(try Manifest(manifest.json) == manifest)
    #expect(try problems(folder) == [])
    try write(manifest.json.pretty(), "manifest.json", folder)
    #expect(try problems(folder) == [])
    #expect(try Manifest.read(folder.path) == manifest)
  }

  @Test func aChangedFileIsSeen() throws {
    let folder = try Self.folder()
    let manifest = try Manifest(of: try Corpus(folder: folder.path), after: nil)
    try write(manifest.json.pretty(), "manifest.json", folder)
    try write(CorpusTests.file(CorpusTests.vector()) + "\n", "core/tree.json", folder)
    let remark = "differs from manifest.json; run 'touchstone vectors generate'"
    #expect(try problems(folder) == ["core/tree.json: \(remark)"])
    try FileManager.default.moveItem(
      atPath: "\(folder.path)/core/tree.json", toPath: "\(folder.path)/core/wood.json")
    #expect(try problems(folder) == ["core/wood.json: \(remark)", "core/tree.json: \(remark)"])
  }

  @Test func idsAreNeitherLostNorReused() throws {
    let folder = try Self.folder(CorpusTests.vector("tree-b"))
    let old = try Self.folder()
    let earlier = try Corpus(folder: old.path)
    let manifest = try Manifest(of: earlier, after: nil)
    let corpus = try Corpus(folder: folder.path)
    #expect(
      manifest.idProblems(in: corpus).map(\.description) == [
        "manifest.json: core/tree.json: the vector 'tree-a' is missing; "
          + "list it below 'retired', with the reason"
      ])
    let retiring = Manifest(
      files: manifest.files, retiredVectors: [.init(id: "tree-a", reason: "old")],
      retiredClauses: [])
    #expect(retiring.idProblems(in: corpus) == [])
    #expect(
      retiring.idProblems(in: earlier).map(\.description) == [
        "manifest.json: retired: the vector 'tree-a' is retired (old); choose another id"
      ])
  }

  @Test func mutantsAreReadBack() throws {
    let folder = try Self.folder()
    let corpus = try Corpus(folder: folder.path)
    let list = MutantList([
      Mutant(
        name: "m", kind: .source, implementation: "sqlite", sentence: "It is wrong.",
        clause: "TREE-001", link: "https://example.org", end: .killed, provesClause: true,
        killers: corpus.vectors),
      Mutant(
        name: "n", kind: .wrapper, implementation: "reference", sentence: "It is wrong.",
        clause: "TREE-002", end: .survived, provesClause: false, killers: []),
    ])
    #expect(list.mutants.map(\.provesClause) == [true, false])
    #expect(try MutantList(list.json) == list)
    let retired = RetiredMutant(name: "m", sentence: "It was wrong.", reason: "It proved nothing.")
    let withRetired = MutantList(list.mutants, retired: [retired])
    #expect(try MutantList(withRetired.json) == withRetired)
    #expect(
      withRetired.problems(in: corpus).map(\.message) == [
        "this name belongs to a retired mutant; give the new mutant another name"
      ])
    try write(list.json.pretty(), "mutants.json", folder)
    #expect(try MutantList.read(folder.path) == list)
    #expect(try problems(folder) == [])
    try write(CorpusTests.file(CorpusTests.vector("tree-b")), "core/tree.json", folder)
    #expect(
      try problems(folder) == [
        "mutants.json: m: unknown vector 'tree-a'; run 'touchstone defects --write' to update the "
          + "file"
      ])
  }

  /// Version 0.1 used other names for the file, its format and its member.
  @Test func theFileOfVersion01IsRead() throws {
    let folder = try Self.folder()
    let mutant = Mutant(
      name: "m", kind: .source, implementation: "sqlite", sentence: "It is wrong.",
      clause: "TREE-009", end: .killed, provesClause: true, killers: [])
    let list = MutantList([mutant])
    var json = try #require(list.json.objectValue)
    json["format"] = "touchstone-mistakes"
    json["mistakes"] = json["mutants"]
    json["mutants"] = nil
    try write(JSONValue.object(json).pretty(), "mistakes.json", folder)
    #expect(try MutantList.read(folder.path)?.mutants == [mutant])
    #expect(
      try problems(folder) == [
        "mistakes.json: m: unknown clause 'TREE-009'; run 'touchstone defects --write' to update "
          + "the file"
      ])
    // The new file has priority, and is read in the new format only.
    try write(MutantList([]).json.pretty(), "mutants.json", folder)
    #expect(try MutantList.read(folder.path)?.mutants == [])
    try write(JSONValue.object(json).pretty(), "mutants.json", folder)
    #expect(try problems(folder) == ["mutants.json: format: expected 'touchstone-mutants'"])
  }

  @Test(arguments: [
    ("mutants.json", "{}", "mutants.json: format: missing member"),
    ("manifest.json", "[", "manifest.json: "),
    (
      "mutants.json", #"{"format": "touchstone-vectors"}"#,
      "mutants.json: format: expected 'touchstone-mutants'"
    ),
    (
      "manifest.json", #"{"format": "touchstone-vectors", "version": 2}"#,
      "manifest.json: version: expected 1"
    ),
    (
      "mutants.json",
      #"{"format": "touchstone-mutants", "version": 1, "mutants": [{"name": "a", "kind": "x"}]}"#,
      "mutants.json: mutants[0].kind: 'x' is not one of wrapper, source"
    ),
    (
      "glossary.json",
      #"{"format": "touchstone-glossary", "version": 1, "terms": [{"term": "a", "text": "b", "clauses": ["X-1"]}]}"#,
      "glossary.json: a: unknown clause 'X-1'"
    ),
  ])
  func whatIsWrongIsNamed(_ name: String, _ text: String, _ problem: String) throws {
    let folder = try Self.folder()
    try write(text, name, folder)
    let found = try problems(folder)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(problem) == true, "\(found)")
  }

  @Test func theTraceabilityPage() throws {
    let folder = try Self.folder(
      CorpusTests.vector() + ","
        + CorpusTests.vector(
          "tree-b", more: #", "generated": {"generator": "forests", "scope": 3}"#))
    let vectors = CorpusReading(folder: folder.path).corpus.vectors
    let corpus = Corpus(
      clauses: [
        Clause(id: "TREE-001", level: .must, text: "A|B *is* it.", source: "s"),
        Clause(id: "WIN-001", level: .must, text: "Who wins.", source: "s"),
      ], vectors: vectors)
    let list = MutantList([
      Mutant(
        name: "m", kind: .source, implementation: "sqlite", sentence: "It is wrong.",
        clause: "TREE-001", link: "https://example.org", end: .killed, provesClause: true,
        killers: vectors)
    ])
    let text = TraceabilityPage(corpus, list).text
    #expect(
      text.contains(
        """
        * 2 clauses, 2 of them MUST; 1 of these without a vector
        * of the MUST clauses 0 bind family, 2 bind contract, 0 bind layer
        * 2 vectors: 1 hand-written, 0 observed, 1 generated
        * 1 mutant, 1 of them killed; 1 of the MUST clauses are proven by one

        ## TREE

        | clause | rule | vectors | mutants |
        | --- | --- | --- | --- |
        | TREE-001 MUST contract | A\\|B \\*is\\* it. | [tree-a](core/tree.json)<br>1 generated | **m** |

        ## WIN

        | clause | rule | vectors | mutants |
        | --- | --- | --- | --- |
        | WIN-001 MUST contract | Who wins. |  |  |

        ## Mutants
        """), "\(text)")
    #expect(
      text.hasSuffix(
        """
        | m | sqlite, source | It is wrong. ([found in a product](https://example.org)) | TREE-001 | 1 \
        | 0 | 1 |

        """), "\(text)")
  }
}
