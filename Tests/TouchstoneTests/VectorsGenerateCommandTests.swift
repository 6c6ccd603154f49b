import Conformance
import Foundation
import Testing

@testable import touchstone

@Suite struct VectorsGenerateCommandTests {
  /// What is committed is what would be written.
  @Test func committedVectorsAreTheGenerated() throws {
    let world = TestWorld()
    #expect(world.run("vectors", "generate", "--check") == .success, "\(world.output)")
  }

  /// A folder that has nothing, then a file too many and one that somebody has changed.
  @Test func writesWhatIsMissingOrWrong() throws {
    let corpus = try TemporaryFolder.corpus()
    let folder = corpus.path + "/generated"
    let world = TestWorld()
    #expect(world.run("vectors", "generate", "--vectors", corpus.path) == .success)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let committed = try VectorsLocation.find().folder + "/generated"
    #expect(try FileManager.default.contentsOfDirectory(atPath: committed).sorted() == names)
    for name in names {
      let pair = [folder, committed].map { FileManager.default.contents(atPath: "\($0)/\(name)") }
      #expect(pair[0] == pair[1])
      #expect(pair[0]?.count ?? .max <= 200_000)
    }

    let name = try #require(names.first)
    try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder)/other.json"))
    #expect(world.run("vectors", "generate", "--check", "--vectors", corpus.path) == .failure)
    #expect(
      world.output == """
        \(folder)/\(name) is not what would be written
        \(folder)/other.json is not what would be written
        2 of \(names.count) files differ; 'touchstone vectors generate' writes them

        """)
    #expect(world.run("vectors", "generate", "--vectors", corpus.path) == .success)
    #expect(
      world.output == """
        wrote \(folder)/\(name)
        removed \(folder)/other.json
        \(names.count) files, 2 changed

        """)
  }

  @Test func takesNoFile() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    let file = corpus.path + "/core/tree.json"
    #expect(world.run("vectors", "generate", "--check", "--vectors", file) == .harness)
    #expect(world.error.contains("is a file; --vectors is a folder with clauses.json"))
  }
}
