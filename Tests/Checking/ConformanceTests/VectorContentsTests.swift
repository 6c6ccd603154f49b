import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

/// Contents that no expectation mentions are compared over all steps of a vector.
struct VectorContentsTests {
  /// A store that names every new revision `1-same`, in all of its stores.
  private final class OneID: ImplementationUnderTest {
    let description = ImplementationDescription(name: "one id", version: "1", isDeterministic: true)
    private var bodies: [StoreName: JSONValue] = [:]

    func reset() { bodies = [:] }

    func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
      switch operation.action {
      case .create(let id?, let body):
        bodies[operation.store] = body
        return .ok(.written(id: id, rev: "1-same"))
      case .read(let id, _):
        return .ok(
          .document(
            DocumentRevision(id: id, rev: "1-same", body: bodies[operation.store] ?? [:])))
      case .insertRevisions(let records): return .ok(.inserted(records.map { _ in nil }))
      default: return .ok(.done)
      }
    }

    func crash(_ kind: CrashKind) {}

    func shutdown() {}
  }

  private static func step(_ store: String, _ body: String, op: String = "create") -> String {
    let member = body.isEmpty ? "" : #", "body": \#(body)"#
    return
      #"{"do": {"op": "\#(op)", "store": "\#(store)", "id": "d"\#(member)}, "expect": {"ok": {}}}"#
  }

  private static func verdict(_ steps: [String]) throws -> Verdict {
    let vector = try Fixtures.vector("{\"steps\": [\(steps.joined(separator: ", "))]}")
    return Runner(OneID()).verdict(on: vector)
  }

  @Test func twoContentsOfOneRevisionFail() throws {
    let steps = [Self.step("a", #"{"n": 1}"#), Self.step("b", #"{"n": 2}"#)]
    guard case .fail(let witness) = try Self.verdict(steps) else {
      Issue.record("the vector passes")
      return
    }
    #expect(witness.step == 2)
    #expect(witness.message == "step 2 create: violates the checker contents")
    #expect(witness.hints.last?.contains("1-same") == true, "\(witness.hints)")
  }

  @Test func equalContentsPass() throws {
    #expect(
      try Self.verdict([
        Self.step("a", #"{"n": 1}"#), Self.step("b", #"{"n": 1}"#), Self.step("b", "", op: "read"),
      ]).isPass)
  }

  /// Clients may insert any content under any id.
  @Test func insertedRevisionsAreNotCompared() throws {
    let record = #"[{"id": "d", "path": ["1-same"], "body": {"n": 3}}]"#
    let insertion =
      #"{"do": {"op": "insertRevisions", "store": "a", "records": \#(record)}, "expect": {"ok": {}}}"#
    #expect(
      try Self.verdict([
        Self.step("a", #"{"n": 1}"#), insertion, Self.step("b", #"{"n": 2}"#),
      ]).isPass)
  }

  /// Ids of different profiles cover different contents.
  @Test func profilesAreNotCompared() throws {
    let opening =
      #"{"do": {"op": "open", "store": "b", "revisionIDs": "couchdb"}, "expect": {"ok": {}}}"#
    #expect(
      try Self.verdict([
        opening, Self.step("a", #"{"n": 1}"#), Self.step("b", #"{"n": 2}"#),
      ]).isPass)
  }
}
