import Datastore
import Foundation
import JSON
import Testing

@testable import Conformance
@testable import touchstone

/// The names of other products in the corpus: each has an explanation, a row, and a counterpart
/// that exists.
struct ExplainNamesTests {
  private static func folder() throws -> String { try VectorsLocation.find().folder }

  private static func list() throws -> NameList {
    try #require(try NameList.read(try folder()))
  }

  private static func file(_ path: String) throws -> String {
    try String(contentsOfFile: "\(try folder())/../\(path)", encoding: .utf8)
  }

  /// Every name, in each of its forms, is found as a name of its product; each tenth one is also
  /// explained, which searches the whole corpus.
  @Test func everyNameIsFound() throws {
    let corpus = try Corpus(folder: try Self.folder())
    let handbook = try Handbook(of: corpus)
    let names = try Self.list().names
    #expect(names.count > 150)
    // A rule, a vector or a mutant of this name would be explained in its place.
    let taken = Set(
      (corpus.clauses.map(\.id.text) + corpus.vectors.map(\.id.text)
        + handbook.mutants.map(\.name) + handbook.retired.map(\.name)).map(\.folded))
    for (place, name) in names.enumerated() {
      for form in [name.name] + name.others {
        #expect(NameQuery(form).matches(in: names).contains(name), "\(form)")
        #expect(!taken.contains(form.folded), "\(form)")
        guard place % 10 == 0 else { continue }
        guard case .name(let found, _)? = handbook.explanation(of: form) else {
          Issue.record("'\(form)' is not explained as a name")
          continue
        }
        #expect(found.contains(name), "\(form)")
      }
    }
  }

  @Test(arguments: [
    ("processConflictsWithContext", "-processConflictsWithContext:error:", "processConflicts"),
    ("-processConflictsWithContext:error:", "-processConflictsWithContext:error:", "CONFL-001"),
    ("performClosure(_:)", "performClosure", "ThreeContextStack.performClosure(_:)"),
    ("DataStore", "DataStore  DataStore", "ThreeContextStack"),
    ("datastore", "DataStore  DataStore", "ThreeContextStack"),
    ("CDTISReplicator", "CDTISReplicator  CDTIncrementalStore", "ObjectReplicator"),
    ("KCSLinkedAppdataStore", "KCSLinkedAppdataStore  KinveyKit", "KinveyRef"),
    ("kKCSIn", "kKCSIn  KinveyKit", "Conditional.isIn"),
  ])
  func theCommand(_ query: String, _ title: String, _ content: String) {
    let world = TestWorld()
    #expect(world.run("explain", query) == .success)
    #expect(world.output.hasPrefix(title))
    #expect(world.output.contains(content))
  }

  @Test func theList() throws {
    let world = TestWorld()
    #expect(world.run("explain", "names") == .success)
    let names = try Self.list().names
    #expect(world.output.split(separator: "\n").count == names.count)
    let machine = TestWorld()
    #expect(machine.run("explain", "names", "--json") == .success)
    #expect(try JSONValue.parse(machine.output).arrayValue?.count == names.count)
  }

  /// `vectors generate --check` compares the page with the list; this is the reader's view of it.
  @Test func everyNameIsOnThePage() throws {
    let page = try Self.file("docs/coming-from.md")
    for name in try Self.list().names {
      for form in [name.name] + name.others {
        #expect(page.contains(Markdown.code(form.string)), "\(form)")
      }
    }
  }

  /// The file of a counterpart contains its last identifier, and the protocol has its operations.
  @Test func everyCounterpartExists() throws {
    let operations = try JSONValue.parse(try Self.file("Vectors/operations.json")).objectValue
    let known = Set(
      (operations?["operations"]?.arrayValue ?? []).compactMap { operation in
        operation.objectValue?["name"]?.textValue ?? operation.objectValue?["op"]?.textValue
      })
    #expect(known.contains("processConflicts"))
    for name in try Self.list().names {
      for operation in name.operations { #expect(known.contains(operation), "\(name.name)") }
      for counterpart in name.counterparts {
        let code = counterpart.code.string.prefix { $0 != "(" }
        let identifier = code.split(whereSeparator: { ". ".contains($0) }).last.map(String.init)
        let words = try Self.file(counterpart.file.string)
          .split { !($0.isLetter || $0.isNumber || "_-".contains($0)) }.map(String.init)
        #expect(words.contains(identifier ?? ""), "\(name.name): \(counterpart.code)")
      }
    }
  }
}
