import Datastore
import JSON
import ObjectMapping
import ObjectOperations
import ObjectSimulation
import ReferenceDatastore
import SQLiteDatastore
import Simulation
import Storage
import TestSeeds
import Testing

/// Random objects through both bundled stores; a hundred thousand are for `touchstone objects`.
struct ObjectJourneyTests {
  @Test func theModelLosesNothing() throws {
    let journey = ObjectJourney(ObjectDatastore(ReferenceDatastore()), objectCount: 8)
    for seed in RotatingSeeds.next(12) {
      #expect(try journey.run(seed: seed) == nil, "seed \(seed)")
    }
  }

  @Test func theStoreLosesNothing() throws {
    let store = SQLiteDatastore(storage: MemoryStorage())
    let journey = ObjectJourney(ObjectDatastore(store), objectCount: 8)
    for seed in RotatingSeeds.next(12) {
      #expect(try journey.run(seed: seed) == nil, "seed \(seed)")
    }
  }

  /// A full disk is no loss: the store could not be tested.
  @Test func aFullDiskIsNotALoss() throws {
    let store = SQLiteDatastore(storage: MemoryStorage(capacityBytes: 100_000))
    let journey = ObjectJourney(ObjectDatastore(store), objectCount: 40)
    #expect(throws: HarnessError.self) { try journey.run(seed: 1) }
  }

  /// A store below that loses a little.
  final class Forgetful: ImplementationUnderTest {
    let inner: any ImplementationUnderTest
    let spoil: @Sendable (JSONObject) -> JSONObject
    /// The member that documents have that are spoiled.
    let member: JSONString

    init(
      _ inner: any ImplementationUnderTest = ReferenceDatastore(),
      member: JSONString = "CDTISEntityName", spoil: @escaping @Sendable (JSONObject) -> JSONObject
    ) {
      self.inner = inner
      self.member = member
      self.spoil = spoil
    }

    var description: ImplementationDescription { inner.description }

    func reset() throws(HarnessError) { try inner.reset() }

    func crash(_ kind: CrashKind) throws(HarnessError) { try inner.crash(kind) }

    func shutdown() throws(HarnessError) { try inner.shutdown() }

    func perform(
      _ operation: StoreOperation, _ environment: inout RunEnvironment
    ) throws(HarnessError) -> Outcome {
      let outcome = try inner.perform(operation, &environment)
      guard case .ok(.document(var document)) = outcome,
        document.body.objectValue?[member] != nil
      else { return outcome }
      document.body = .object(spoil(document.body.objectValue ?? [:]))
      return .ok(.document(document))
    }
  }

  /// Without these the two tests above would say nothing.
  @Test func whatIsLostIsFound() throws {
    let mutants: [@Sendable (JSONObject) -> JSONObject] = [
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
    for mutant in mutants {
      let journey = ObjectJourney(ObjectDatastore(Forgetful(spoil: mutant)), objectCount: 8)
      let isFound = try (UInt64(1)...12).contains { seed in try journey.run(seed: seed) != nil }
      #expect(isFound)
    }
  }

  /// Stores that read their own objects well, and whose documents no other client can read.
  @Test func whatIsStoredOtherwiseIsFound() throws {
    let mutants: [(member: JSONString, spoil: @Sendable (JSONObject) -> JSONObject)] = [
      // Types of contents are not stored.
      (
        "CDTISEntityName",
        { body in
          JSONObject(
            body.members.filter { $0.value.objectValue?["mime-type"] == nil }
              .map { ($0.name, $0.value) })
        }
      ),
      // Lists of ids are stored backwards.
      (
        "CDTISEntityName",
        { body in
          JSONObject(
            body.members.map { member in
              (member.name, member.value.arrayValue.map { .array($0.reversed()) } ?? member.value)
            })
        }
      ),
      // Documents have a member of the store's own.
      (
        "CDTISEntityName",
        { body in
          var body = body
          body["saved"] = true
          return body
        }
      ),
      // The model is described by nothing.
      (
        "objectModel",
        { body in
          var body = body
          body["objectModel"] = [:]
          return body
        }
      ),
      // The store's identifier is not stored.
      (
        "metaData",
        { body in
          var body = body
          body["metaData"] = [:]
          return body
        }
      ),
    ]
    for mutant in mutants {
      let store = Forgetful(
        ObjectDatastore(ReferenceDatastore()), member: mutant.member, spoil: mutant.spoil)
      let journey = ObjectJourney(store, objectCount: 8)
      let isFound = try (UInt64(1)...12).contains { seed in try journey.run(seed: seed) != nil }
      #expect(isFound, "\(mutant.member)")
    }
  }
}
