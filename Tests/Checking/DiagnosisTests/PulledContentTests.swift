import Conformance
import Datastore
import Diagnosis
import JSON
import ReferenceDatastore
import Testing

/// A declared deviation explains content that a store's own replicator confused with that of another
/// revision, and no other content.
struct PulledContentTests {
  /// The model with a replicator that pulls the losing leaf of the vector, with other content.
  private final class Puller: ImplementationUnderTest {
    private let store = ReferenceDatastore()
    private let content: JSONString
    /// What is read as the attachment `g`; nil for its content.
    private let otherContent: JSONString?

    init(_ content: JSONString, otherContent: JSONString?) {
      (self.content, self.otherContent) = (content, otherContent)
    }

    var description: ImplementationDescription {
      var description = store.description
      description.capabilities.insert(.replicate)
      return description
    }

    func reset() { store.reset() }
    func crash(_ kind: CrashKind) { store.crash(kind) }
    func shutdown() { store.shutdown() }

    func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
      guard case .replicate(let turn) = operation.action else {
        let outcome = store.perform(operation, environment)
        if case .readAttachment(_, _, "g", _, _) = operation.action, let otherContent,
          case .ok(.attachment(var piece)) = outcome
        {
          piece.bytes = otherContent
          return .ok(.attachment(piece))
        }
        return outcome
      }
      guard case .start(let start) = turn.event, start.direction == .pull else {
        return .error(DatastoreError(.unsupported(what: "push")))
      }
      let attachment = RevisionAttachment("f", .data(content), type: "image/png", revpos: 2)
      let record = RevisionRecord(
        id: "c", path: ["2-b", "1-a"], deleted: false, body: [:], attachments: [attachment])
      _ = store.perform(
        StoreOperation(operation.store, .insertRevisions([record])), environment)
      return .ok(.turn(ReplicationTurn.Answer([], state: .complete)))
    }
  }

  private func result(
    of content: JSONString, other: JSONString? = nil, declaring deviations: [String]
  ) throws -> RunReport.Result {
    let product = ProductFile(
      store: ImplementationDescription(name: "s", version: "1"), about: "",
      deviations: Deviation.named(deviations))
    let id = "session-attachment-of-each-leaf-pulled"
    let corpus = try ProductFileTests.corpus()
    let vector = try #require(corpus.vectors.first { $0.id.text.string == id })
    let report = Runner(Puller(content, otherContent: other), explainer: product.explainer).run(
      Corpus(clauses: corpus.clauses, vectors: [vector]))
    return try #require(report.results.first)
  }

  @Test func onlyContentOfAnotherRevisionIsExplained() throws {
    let (loser, winner, other) = (
      "AAEC/w==" as JSONString, "Mg==" as JSONString, "MQ==" as JSONString
    )
    let declared = ["losing-attachments-replaced"]
    #expect(
      try result(of: winner, declaring: declared).knownFailure?.deviations.map(\.id) == declared)
    let strange = try result(of: other, declaring: declared)
    #expect(strange.verdict.name == "fail" && strange.knownFailure == nil)
    // The vector continues behind the explained failure.
    let broken = try result(of: winner, other: other, declaring: declared)
    #expect(broken.verdict.name == "fail" && broken.knownFailure == nil)
    let undeclared = try result(of: winner, declaring: ["stubs-are-missing"])
    #expect(undeclared.verdict.name == "fail" && undeclared.knownFailure == nil)
    #expect(try result(of: loser, declaring: declared).verdict == .pass)
  }
}
