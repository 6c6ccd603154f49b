import Datastore
import JSON
import ObjectMapping
import ReferenceDatastore
import SQLiteDatastore
import Simulation
import Storage
import Testing

/// Random objects through both bundled stores; a hundred thousand are for `touchstone objects`.
struct ObjectJourneyTests {
  @Test func theModelLosesNothing() throws {
    let journey = ObjectJourney(ObjectDatastore(ReferenceDatastore()), objectCount: 8)
    for seed in UInt64(1)...12 { #expect(try journey.run(seed: seed) == nil) }
  }

  @Test func theStoreLosesNothing() throws {
    let store = SQLiteDatastore(storage: MemoryStorage())
    let journey = ObjectJourney(ObjectDatastore(store), objectCount: 8)
    for seed in UInt64(1)...12 { #expect(try journey.run(seed: seed) == nil) }
  }

  /// A store below that loses a little.
  final class Forgetful: ImplementationUnderTest {
    let inner = ReferenceDatastore()
    let spoil: @Sendable (JSONObject) -> JSONObject

    init(_ spoil: @escaping @Sendable (JSONObject) -> JSONObject) { self.spoil = spoil }

    var description: ImplementationDescription { inner.description }

    func reset() { inner.reset() }

    func crash(_ kind: CrashKind) { inner.crash(kind) }

    func shutdown() { inner.shutdown() }

    func perform(
      _ operation: Operation, _ environment: inout Environment
    ) throws(HarnessError) -> Outcome {
      let outcome = inner.perform(operation, &environment)
      guard case .ok(.document(var document)) = outcome,
        document.body.objectValue?["CDTISEntityName"] != nil
      else { return outcome }
      document.body = .object(spoil(document.body.objectValue ?? [:]))
      return .ok(.document(document))
    }
  }

  /// Without these the two tests above would say nothing.
  @Test func whatIsLostIsFound() throws {
    let mistakes: [@Sendable (JSONObject) -> JSONObject] = [
      // Images are gone, and the signs of zeros with them.
      { body in
        JSONObject(
          body.members.filter { !$0.name.utf8.starts(with: "CDTISMeta_".utf8) }
            .map { ($0.name, $0.value) })
      },
      // Versions are not counted.
      { body in
        var body = body
        body["CDTISObjectVersion"] = "1"
        return body
      },
      // Empty texts are taken for nothing.
      { body in
        JSONObject(body.members.filter { $0.value != "" }.map { ($0.name, $0.value) })
      },
    ]
    for mistake in mistakes {
      let journey = ObjectJourney(ObjectDatastore(Forgetful(mistake)), objectCount: 8)
      let isFound = try (UInt64(1)...12).contains { seed in try journey.run(seed: seed) != nil }
      #expect(isFound)
    }
  }
}
