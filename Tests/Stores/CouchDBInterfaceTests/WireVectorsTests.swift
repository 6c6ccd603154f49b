#if HTTP
  import CouchDBInterface
  import Datastore
  import Foundation
  import JSON
  import SQLiteDatastore
  import ReferenceDatastore
  import Storage
  import Testing
  import WireConformance
  import WireDefects

  /// The vectors of the HTTP interface, on the service over each bundled store.
  struct WireVectorsTests {
    private static func corpus() throws -> WireCorpus {
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Vectors/http").standardized.path
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".json") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return WireCorpus(
        files: try names.map { ($0, Array(try Data(contentsOf: URL(filePath: "\(folder)/\($0)")))) }
      )
    }

    @Test(arguments: ["sqlite", "reference"])
    func allPass(name: String) throws {
      let corpus = try Self.corpus()
      let store: any ImplementationUnderTest =
        name == "sqlite" ? SQLiteDatastore(storage: MemoryStorage()) : ReferenceDatastore()
      let runner = WireRunner(try ServedInProcess(store), label: "t")
      #expect(corpus.problems.isEmpty)
      #expect(corpus.vectors.count > 250)
      for (number, entry) in corpus.vectors.enumerated() {
        let verdict = try runner.run(entry.vector, number: number)
        #expect(verdict == .pass, "\(entry.vector.id): \(verdict)")
      }
    }

    /// Each mutant in front of the service is killed by a vector of its clause.
    @Test func mutantsAreKilled() throws {
      let corpus = try Self.corpus()
      var survivors: [String] = []
      // A tombstone has no attachments by the contract, whatever the client sends.
      let mutants = WireMutant.all.filter { $0.name != "wire-attachment-survives" }
      for (place, mutant) in mutants.enumerated() {
        let transport = mutant.applied(to: try ServedInProcess())
        let runner = WireRunner(transport, label: "m\(place)")
        let vectors = corpus.vectors.filter {
          $0.vector.clauses.map(\.string).contains(mutant.clause)
        }
        let isKilled = try vectors.enumerated().contains { number, entry in
          try !runner.run(entry.vector, number: number).isPass
        }
        if !isKilled { survivors.append(mutant.name) }
      }
      #expect(survivors == [])
    }
  }
#endif
