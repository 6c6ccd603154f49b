import Datastore
import Foundation
import JSON
import Scenarios
import Testing

@testable import Conformance

/// A folder for one test, removed with this object.
final class TemporaryFolder {
  let path: String

  init(_ files: [(path: String, text: String)]) throws {
    path = NSTemporaryDirectory() + "touchstone-" + UUID().uuidString
    for (file, text) in files {
      let url = URL(fileURLWithPath: "\(path)/\(file)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Files with one fault, and the expected error.
struct CorpusCase: CustomTestStringConvertible, Sendable {
  var clauses = CorpusTests.clauses
  var file = "core/tree.json"
  var vectors: String
  let problem: String

  var testDescription: String { problem }
}

@Suite struct CorpusTests {
  static let clauses = """
    {"clauses": [
      {"id": "TREE-001", "level": "MUST", "binds": "contract", "text": "t", "source": "s", "status": "agreed"},
      {"id": "TREE-002", "level": "SHOULD", "binds": "contract", "text": "t", "source": "s", "status": "ambiguous",
       "accepted": ["this", "that"], "observed": {"CouchDB 3.4.3": "this"}}]}
    """

  static func file(_ vectors: String) -> String {
    #"{"family": "tree", "about": "About trees.", "vectors": [\#(vectors)]}"#
  }

  static func vector(
    _ id: String = "tree-a", _ clauses: String = #"["TREE-001"]"#, _ profile: String = "core",
    more: String = "", steps: String = #"{"do": {"op": "info", "store": "a"}}"#
  ) -> String {
    #"{"id": "\#(id)", "clauses": \#(clauses), "profile": "\#(profile)", "note": "n"\#(more), "#
      + #""steps": [\#(steps)]}"#
  }

  static let oneOf = """
    {"do": {"op": "info", "store": "a"},
     "expect": {"oneOf": [{"ok": {}}, {"error": {"kind": "busy"}}]}}
    """

  static let cases: [CorpusCase] = [
    CorpusCase(
      vectors: file(vector("tree-a", #"["TREE-009"]"#)),
      problem: "core/tree.json: tree-a: vectors[0].clauses[0]: unknown clause 'TREE-009'"),
    CorpusCase(
      vectors: file(vector("tree-a", "[]")),
      problem: "core/tree.json: tree-a: vectors[0].clauses: expected at least one clause"),
    CorpusCase(
      vectors: file(vector("bush-a")),
      problem: "core/tree.json: bush-a: vectors[0].id: expected an id with the prefix 'tree-'"),
    CorpusCase(
      vectors: file(vector("tree-a") + "," + vector("tree-a")),
      problem: "core/tree.json: tree-a: vectors[1].id: duplicate id, also in core/tree.json"),
    CorpusCase(
      vectors: file(vector(steps: oneOf)),
      problem: "core/tree.json: tree-a: vectors[0].steps[0].expect: "
        + "'oneOf' needs a clause whose status is ambiguous"),
    CorpusCase(
      vectors: file(vector(more: #", "capabilities": ["purge"]"#)),
      problem:
        "core/tree.json: tree-a: vectors[0].capabilities: expected no capability for a core vector"),
    CorpusCase(
      vectors: file(vector("tree-a", #"["TREE-001"]"#, "couchdb")),
      problem: "core/tree.json: tree-a: vectors[0].profile: expected 'core' for a core vector"),
    CorpusCase(
      vectors: file(vector("tree-a", #"["TREE-001"]"#, "magic")),
      problem: "core/tree.json: tree-a: vectors[0].profile: 'magic' is not one of core, "
        + "exact-numbers, dense-changes, incarnation-sequences, cdt-digest, cdt-collation, couchdb"),
    CorpusCase(
      file: "capabilities/atomic-batch.json", vectors: file(vector()),
      problem: "capabilities/atomic-batch.json: tree-a: vectors[0].capabilities: "
        + "expected the capability 'atomic-batch', as in the name of the file"),
    CorpusCase(
      file: "profiles/couchdb.json", vectors: file(vector()),
      problem: "profiles/couchdb.json: tree-a: vectors[0].profile: "
        + "expected 'couchdb', as in the name of the file"),
    CorpusCase(
      file: "observed/couchdb.json", vectors: file(vector()),
      problem: "observed/couchdb.json: tree-a: vectors[0].provenance: "
        + "required for an observed vector"),
    CorpusCase(
      file: "generated/forests.json", vectors: file(vector()),
      problem: "generated/forests.json: tree-a: vectors[0].generated: "
        + "expected for vectors below 'generated', and only for these"),
    CorpusCase(
      vectors: file(vector(more: #", "generated": {"generator": "g", "scope": 1}"#)),
      problem: "core/tree.json: tree-a: vectors[0].generated: "
        + "expected for vectors below 'generated', and only for these"),
    CorpusCase(
      file: "observed/couchdb/histories-01.json", vectors: file(vector()),
      problem: "observed/couchdb/histories-01.json: tree-a: vectors[0].provenance: "
        + "required for an observed vector"),
    CorpusCase(
      vectors: file(
        vector(steps: #"{"do": {"op": "open", "store": "a", "collation": "cdt"}}"#)),
      problem: "core/tree.json: tree-a: vectors[0].steps[0].do: "
        + "not part of the profile 'core'"),
    CorpusCase(
      vectors: file(vector(more: #", "colour": 1"#)),
      problem: "core/tree.json: tree-a: vectors[0].colour: unknown member; known here: id, "
        + "clauses, profile, capabilities, needs, note, opened, provenance, generated, steps"),
    CorpusCase(
      vectors: #"{"family": "tree", "vectors": []}"#,
      problem: "core/tree.json: about: missing member"),
    CorpusCase(
      vectors: "{\n  \"family\": ]",
      problem: "core/tree.json: line 2, byte column 13: byte 14: expected a value, found ']'"),
    CorpusCase(
      clauses: #"{"clauses": [{"id": "TREE-1"}]}"#, vectors: file(""),
      problem: "clauses.json: clauses[0].id: expected letters-123, found 'TREE-1'"),
    CorpusCase(
      clauses: clauses.replacing("TREE-002", with: "TREE-001"), vectors: file(""),
      problem: "clauses.json: clauses[1].id: duplicate clause 'TREE-001'"),
    CorpusCase(
      clauses: clauses.replacing(#"["this", "that"]"#, with: #"["this"]"#), vectors: file(""),
      problem: "clauses.json: clauses[1].accepted: expected two or more outcomes"),
    CorpusCase(
      clauses: clauses.replacing("MUST", with: "MIGHT"), vectors: file(""),
      problem: "clauses.json: clauses[0].level: 'MIGHT' is not one of MUST, SHOULD, MAY, OBSERVED"),
    CorpusCase(
      clauses: clauses.replacing("agreed", with: "settled"), vectors: file(""),
      problem: "clauses.json: clauses[0].status: 'settled' is not one of agreed, ambiguous"),
  ]

  @Test(arguments: cases) func namesTheFault(_ invalid: CorpusCase) throws {
    let folder = try TemporaryFolder([
      ("clauses.json", invalid.clauses), (invalid.file, invalid.vectors),
    ])
    let reading = CorpusReading(folder: folder.path)
    #expect(reading.problems.map(\.description) == [invalid.problem])
    #expect(throws: CorpusError.self) { try Corpus(folder: folder.path) }
  }

  @Test func readsAllFilesInByteOrder() throws {
    let folder = try TemporaryFolder([
      ("clauses.json", Self.clauses), ("ignored.json", "not read"),
      ("schema/vector.json", "not read"), ("core/readme.md", "not read"),
      ("core/b.json", Self.file(Self.vector("tree-1"))),
      ("core/a.json", Self.file(Self.vector("tree-3") + "," + Self.vector("tree-2"))),
      ("capabilities/Z.json", Self.file("")),
      (
        "capabilities/purge.json",
        Self.file(Self.vector("tree-4", more: #", "capabilities": ["purge"]"#))
      ),
      ("mine/deep/x.json", Self.file(Self.vector("tree-5", #"["TREE-002"]"#, steps: Self.oneOf))),
    ])
    let corpus = try Corpus(folder: folder.path)
    #expect(
      corpus.vectors.map(\.id) == ["tree-4", "tree-3", "tree-2", "tree-1", "tree-5"])
    #expect(corpus.vectors[0].file == "capabilities/purge.json")
    #expect(corpus.vectors[4].clauses[0].isAmbiguous)
    #expect(!corpus.vectors[4].isRequired)
    #expect(corpus.uncoveredClauses.isEmpty)
    #expect(corpus.vector("tree-2")?.id == "tree-2")
    #expect(
      corpus.clauses[1].observed == [
        Clause.Observation(product: "CouchDB 3.4.3", behaviour: "this")
      ])
    #expect(
      JSONValue.object(["clauses": .array(corpus.clauses.map(\.json))])
        == (try JSONValue.parse(Self.clauses)))
  }

  @Test func tellsEverythingAtOnce() throws {
    let folder = try TemporaryFolder([
      ("core/tree.json", Self.file(Self.vector("tree-a") + #", {"id": 7}, 8"#)),
      ("core/bad.json", "]"),
    ])
    let problems = CorpusReading(folder: folder.path).problems.map(\.description)
    #expect(
      problems == [
        "clauses.json: No such file or directory",
        "core/bad.json: line 1, byte column 1: byte 0: expected a value, found ']'",
        "core/tree.json: vectors[1].id: expected a string, found a number",
        "core/tree.json: vectors[2]: expected an object, found a number",
        "core/tree.json: tree-a: vectors[0].clauses[0]: unknown clause 'TREE-001'",
      ])
  }

  /// Links that form a loop, and two names of one folder: each file is read once, by its own name.
  @Test func visitsEachFolderOnce() throws {
    let folder = try TemporaryFolder([
      ("clauses.json", Self.clauses), ("core/a.json", Self.file(Self.vector("tree-1"))),
      ("elsewhere/b.json", Self.file(Self.vector("tree-2"))), ("schemas/c.json", "not read"),
    ])
    for (link, target) in [
      ("core/loop", ".."), ("core/itself", "."), ("zzz", "core"), ("also", "elsewhere"),
      ("core/other", "../schemas"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(link)", withDestinationPath: target)
    }
    let reading = CorpusReading(folder: folder.path)
    #expect(reading.problems.isEmpty)
    #expect(reading.corpus.vectors.map(\.file) == ["core/a.json", "elsewhere/b.json"])
  }

  @Test func followsLinksToOtherPlaces() throws {
    let other = try TemporaryFolder([("b.json", Self.file(Self.vector("tree-2")))])
    let folder = try TemporaryFolder([("clauses.json", Self.clauses)])
    for link in ["mine", "yours"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(link)", withDestinationPath: other.path)
    }
    #expect(try Corpus(folder: folder.path).vectors.map(\.file) == ["mine/b.json"])
  }

  /// Reading a pipe without a writer would block forever.
  @Test(.timeLimit(.minutes(1))) func readsRegularFilesOnly() throws {
    let folder = try TemporaryFolder([
      ("clauses.json", Self.clauses), ("core/a.json", Self.file("")),
    ])
    #expect(mkfifo("\(folder.path)/core/pipe.json", 0o644) == 0)
    let problem = "core/pipe.json: not a regular file"
    #expect(CorpusReading(folder: folder.path).problems.map(\.description) == [problem])
  }

  @Test func oneFileIsNotTheWholeCorpus() throws {
    let folder = try TemporaryFolder([
      ("clauses.json", Self.clauses), ("core/a.json", Self.file(Self.vector())),
    ])
    #expect(try Corpus(VectorsLocation.find(folder.path)).isWhole)
    let file = CorpusReading(file: "\(folder.path)/core/a.json", clausesOf: folder.path)
    #expect(file.problems.isEmpty)
    #expect(!file.corpus.isWhole)
  }

  @Test func namesMustClausesWithoutVector() throws {
    let folder = try TemporaryFolder([("clauses.json", Self.clauses)])
    #expect(try Corpus(folder: folder.path).uncoveredClauses.map(\.id) == ["TREE-001"])
  }
}

@Suite struct VectorsLocationTests {
  @Test func searchesUpward() throws {
    let folder = try TemporaryFolder([
      ("Vectors/clauses.json", "{}"), ("a/b/c/tool", ""), ("a/Vectors/readme", ""),
    ])
    let found = VectorsLocation.searchUpward(from: "\(folder.path)/a/b/c/tool")
    #expect(found.map { JSONString($0) } == JSONString("\(folder.path)/Vectors"))
    #expect(VectorsLocation.searchUpward(from: "/nowhere/at/all") == nil)
  }

  @Test func anInstalledProgramHasItsCorpusInShare() throws {
    let folder = try TemporaryFolder([
      ("bin/tool", ""), ("share/touchstone/Vectors/clauses.json", "{}"), ("a/b/tool", ""),
      ("a/Vectors/clauses.json", "{}"),
    ])
    let folders = ["Vectors", VectorsLocation.installed]
    let found = VectorsLocation.searchUpward(from: "\(folder.path)/bin/tool", for: folders)
    #expect(found == "\(folder.path)/share/touchstone/Vectors")
    // A program in a checkout finds the corpus of the checkout first.
    let nearer = VectorsLocation.searchUpward(from: "\(folder.path)/a/b/tool", for: folders)
    #expect(nearer == "\(folder.path)/a/Vectors")
    #expect(VectorsLocation.searchUpward(from: "\(folder.path)/bin/tool") == nil)
  }

  @Test func anExplicitFolderIsNotReplaced() throws {
    let folder = try TemporaryFolder([("Vectors/clauses.json", "{}")])
    #expect(try VectorsLocation.find("\(folder.path)/Vectors").folder == "\(folder.path)/Vectors")
    #expect(throws: CorpusError.self) { try VectorsLocation.find(folder.path) }
  }

  @Test func whatIsNotThereIsSaidSo() throws {
    let folder = try TemporaryFolder([("Vectors/clauses.json", "{}")])
    let missing = "\(folder.path)/missing"
    for (explicit, environment) in [(missing, nil), (nil, missing)] as [(String?, String?)] {
      let error = #expect(throws: CorpusError.self) {
        try VectorsLocation.find(explicit, environment: environment)
      }
      #expect(error?.description == "\(missing): No such file or directory")
    }
  }

  @Test func theEnvironmentNamesAFolderOrAFile() throws {
    let folder = try TemporaryFolder([("Vectors/clauses.json", "{}"), ("mine.json", "{}")])
    let (corpus, file) = ("\(folder.path)/Vectors", "\(folder.path)/mine.json")
    #expect(try VectorsLocation.find(nil, environment: file).file == file)
    #expect(try VectorsLocation.find(nil, environment: corpus).folder == corpus)
    // The clauses for a given file come from the folder that the environment names.
    let both = try VectorsLocation.find(file, environment: corpus)
    #expect(both.file == file)
    #expect(both.folder == corpus)
    #expect(try VectorsLocation.find(corpus, environment: file).file == nil)
    #expect(try VectorsLocation.find(file, environment: "\(corpus)/clauses.json").file == file)
  }
}
