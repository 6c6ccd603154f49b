import Conformance
import Datastore
import Defects
import Foundation
import JSON
import ObjectDefects
import Testing
import TouchstoneKit

/// `Vectors/mistakes.json` is written by `touchstone defects --write`, which takes minutes; what can
/// be seen without making the mistakes is seen here.
@Suite struct MistakesFileTests {
  /// The list of the mutants registers the families whose vectors are read.
  init() { _ = Defect.all }

  /// The header of a patch: its mistake and its clause.
  private static func header(_ text: String) -> (sentence: String, clause: String) {
    var fields: [String: String] = [:]
    var last = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("--- ") { break }
      if line.hasPrefix("  ") {
        fields[last, default: ""] += " " + line.trimmingCharacters(in: .whitespaces)
      } else if let colon = line.firstIndex(of: ":") {
        last = String(line[..<colon])
        fields[last] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return (fields["Mistake"] ?? "", fields["Clause"] ?? "")
  }

  @Test func namesAllMistakesAsTheyAre() throws {
    let folder = try VectorsLocation.find().folder
    let patches = "\(folder)/../tools/mutants"
    var known = Defect.all.map { ["\($0.name)", "wrapper", $0.sentence, $0.clause] }
    for name in try FileManager.default.contentsOfDirectory(atPath: patches).sorted()
    where name.hasSuffix(".patch") {
      let text = try String(contentsOfFile: "\(patches)/\(name)", encoding: .utf8)
      let header = Self.header(text)
      known.append(
        [String(name.dropLast(".patch".count)), "source"] + [header.sentence, header.clause])
    }
    let list = try #require(try MistakeList.read(folder))
    let listed = list.mistakes.map {
      [$0.name.string, $0.kind.rawValue, $0.sentence.string, $0.clause.description]
    }
    let hint: Comment = "tools/generate writes mistakes.json anew"
    #expect(Set(known).subtracting(listed).map { $0[0] }.sorted() == [], hint)
    #expect(Set(listed).subtracting(known).map { $0[0] }.sorted() == [], hint)
    #expect(list.mistakes.filter { $0.end == .survived }.map(\.name.string) == [])
    #expect(
      known.map { $0[0] }.filter { name in list.retired.contains { $0.name.string == name } } == [])
  }

  @Test func nothingIsWrongBesideTheClauses() throws {
    #expect(try Corpus.standard().sideProblems == [])
  }
}
