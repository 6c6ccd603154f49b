import Conformance
import Foundation
import Generation
import Testing

@testable import touchstone

@Suite struct VectorsGenerateCommandTests {
  /// The committed files equal the generated ones.
  @Test func committedVectorsAreTheGenerated() throws {
    let world = TestWorld()
    #expect(world.run("vectors", "generate", "--check") == .success, "\(world.output)")
  }

  /// Missing and changed files are written again, and unknown files are removed.
  @Test func writesWhatIsMissingOrWrong() throws {
    let standard = try VectorsLocation.find().folder
    let committed = standard + "/generated"
    let names = try FileManager.default.contentsOfDirectory(atPath: committed).sorted()
    let name = try #require(names.first)
    let clauses = try String(contentsOfFile: standard + "/clauses.json", encoding: .utf8)
    let corpus = try TemporaryFolder([("clauses.json", clauses)])
    let folder = corpus.path + "/generated"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for other in [name, "other.json"] {
      try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(other)"))
    }
    // operations.json, operations.md and their schemas, and the files of the deviations.
    let tables =
      OperationFiles.files(ofFamilies: VectorsGenerateCommand.families).count
      + DeviationFiles.files.count
    let world = TestWorld()
    #expect(world.run("vectors", "generate", "--check", "--vectors", corpus.path) == .failure)
    #expect(world.output.hasPrefix("\(folder)/\(name) is out of date\n"))
    #expect(world.output.contains("\(folder)/other.json is out of date\n"))
    #expect(world.output.contains("\(names.count + tables + 1) files differ"))

    #expect(world.run("vectors", "generate", "--vectors", corpus.path) == .success)
    #expect(world.output.hasPrefix("wrote \(folder)/\(name)\n"))
    #expect(world.output.contains("removed \(folder)/other.json\n"))
    #expect(world.output.contains("wrote \(corpus.path)/TRACEABILITY.md\n"))
    #expect(world.output.contains("wrote \(corpus.path)/SOURCES.md\n"))
    #expect(world.output.contains("wrote \(corpus.path)/operations.json\n"))
    #expect(world.output.hasSuffix("\(names.count + tables + 5) files: up to date\n"))
    #expect(world.run("vectors", "check", corpus.path) == .success)

    // The command itself would generate all files again.
    try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(corpus.path)/TRACEABILITY.md"))
    let pages = try VectorsPages(folder: corpus.path).files
    #expect(try GeneratedFile.changed(pages, in: corpus.path).map(\.name) == ["TRACEABILITY.md"])
    #expect(try corpus.text("manifest.json").contains("\"path\": \"generated/\(name)\""))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
    for name in names {
      let pair = [folder, committed].map { FileManager.default.contents(atPath: "\($0)/\(name)") }
      #expect(pair[0] == pair[1])
      #expect(pair[0]?.count ?? .max <= 200_000)
    }
  }

  @Test func takesNoFile() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    let file = corpus.path + "/core/tree.json"
    #expect(world.run("vectors", "generate", "--check", "--vectors", file) == .harness)
    #expect(world.error.contains(": expected a folder with clauses.json, found a file"))
  }
}
