import Diagnosis
import Foundation
import JSON
import ReferenceDatastore
import Testing

/// Failures that were recorded from real products, with causes that were found by reading the sources
/// of the products and by simulating them in another program.
struct RecordedRunTests {
  private struct Recording {
    let run: RecordedRun
    let causes: [JSONString: Set<String>]
    let product: ProductFile
    /// The deviations of the product that its adapter did not correct.
    let declared: [Deviation]

    init(_ file: String, product: String) throws {
      let place = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Recorded/\(file).jsonl")
      let lines = try Data(contentsOf: place).split(separator: UInt8(ascii: "\n"))
        .map { try JSONValue.parse(Array($0)) }
      run = try RecordedRun(lines: lines)
      var causes: [JSONString: Set<String>] = [:]
      for case let line? in lines.map(\.objectValue) {
        guard let id = line["id"]?.textValue else { continue }
        causes[id] = Set((line["causes"]?.arrayValue ?? []).compactMap { $0.textValue?.string })
      }
      self.causes = causes
      self.product = try ProductFileTests.product(product)
      let corrected = RecordedRunTests.corrected[file] ?? []
      declared = self.product.deviations.filter { !corrected.contains($0.id) }
    }
  }

  /// The adapter of this run computed possible ancestors, named stubs with a second request, and
  /// checked ids, bodies and revision ids before it called PouchDB.
  private static let corrected: [String: Set<String>] = [
    "pouchdb-master": [
      "possible-ancestors-never-reported", "stubs-read-as-unknown", "invalid-ids-unknown",
      "malformed-revision-ids-unknown",
    ]
  ]

  /// Vectors whose expectation was wrong.
  private static let others: Set<JSONString> = ["tree-joins-only-roots-on-the-path"]

  @Test(arguments: [("couchdb-3.5.0", "couchdb-3.5", 39), ("pouchdb-master", "pouchdb-9", 147)])
  func aProductFileExplainsEveryFailure(file: String, product: String, count: Int) throws {
    let recording = try Recording(file, product: product)
    var explained = 0
    for failure in recording.run.failures where !Self.others.contains(failure.vector) {
      guard let transcript = failure.transcript else { continue }
      let found = transcript.explanation(by: recording.declared)
      let ids = Set((found ?? []).map(\.id))
      #expect(!ids.isEmpty, "\(failure.vector)")
      // The other analysis names a smallest set, too; of several equal ones, any.
      let expected = recording.causes[failure.vector] ?? []
      #expect(
        ids.count <= expected.count || ids.isSuperset(of: expected),
        "\(failure.vector): \(ids), and not \(expected)")
      explained += ids.isEmpty ? 0 : 1
    }
    #expect(explained == count)
  }

  /// The causes are found without the product file.
  @Test func theCausesAreFound() throws {
    let recording = try Recording("couchdb-3.5.0", product: "couchdb-3.5")
    let search = CauseSearch(
      recording.run.failures.compactMap { failure in failure.transcript.map { (failure.vector, $0) }
      },
      among: Deviation.all)
    #expect(search.causes.count == 14)
    #expect(search.causes.first?.deviation.id == "join-replaces-tip")
    #expect(search.causes.first?.vectors.count == 17)
    #expect(search.permitted == ["tree-joins-only-roots-on-the-path"])
    #expect(search.unexplained.isEmpty)
    // Without the right cause among those of the product, the answer is unknown.
    let rest = CauseSearch(
      recording.run.failures.compactMap { failure in failure.transcript.map { (failure.vector, $0) }
      },
      among: Deviation.all.filter { deviation in
        deviation.id != "join-replaces-tip"
          && deviation.products.contains { $0.product == "Apache CouchDB" }
      })
    #expect(rest.unexplained.count == 17)
  }

  /// Histories of one document of CouchDB 3.4.3, and paths that its merge function merged, recorded
  /// without this suite: those of 300 and of 500 that the rules do not permit.
  @Test func historiesOfCouchDBAreExplained() throws {
    let recording = try Recording("couchdb-histories", product: "couchdb-3.5")
    var causes: [String: Int] = [:]
    for failure in recording.run.failures {
      let transcript = try #require(failure.transcript)
      #expect(!transcript.isPermitted(with: []))
      let found = try #require(
        transcript.explanation(by: recording.product.deviations), "\(failure.vector)")
      for deviation in found { causes[deviation.id, default: 0] += 1 }
    }
    #expect(
      causes == [
        "edit-of-unknown-document-accepted": 6, "limit-cuts-before-join": 7,
        "purge-keeps-live-flag": 1,
      ])
  }

  /// Sessions of PouchDB that were recorded without this suite: revisions that arrive, what is
  /// missing, leaves, winners, the list and compaction.
  ///
  /// They were recorded from the product itself, which reports no possible ancestors.
  @Test func sessionsOfPouchDBAreExplained() throws {
    let recording = try Recording("pouchdb-documents", product: "pouchdb-9")
    #expect(recording.run.failures.count == 30)
    var count = 0
    for failure in recording.run.failures {
      let transcript = try #require(failure.transcript)
      count += transcript.exchanges.count
      #expect(
        transcript.explanation(by: recording.declared)?.isEmpty == false, "\(failure.vector)")
    }
    #expect(count > 300)
  }
}
