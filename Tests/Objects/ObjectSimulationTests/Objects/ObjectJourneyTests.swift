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

/// Random objects in both bundled stores; `touchstone objects` tests 100,000.
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

  /// A full disk is not a loss: the store could not be tested.
  @Test func aFullDiskIsNotALoss() throws {
    let store = SQLiteDatastore(storage: MemoryStorage(capacityBytes: 100_000))
    let journey = ObjectJourney(ObjectDatastore(store), objectCount: 40)
    #expect(throws: HarnessError.self) { try journey.run(seed: 1) }
  }

  /// A store that loses some data of the documents.
  final class Forgetful: ImplementationUnderTest {
    let inner: any ImplementationUnderTest
    let spoil: @Sendable (JSONObject) -> JSONObject
    /// The member that identifies the documents to modify.
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
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      let outcome = try inner.perform(operation, environment)
      guard case .ok(.document(var document)) = outcome,
        document.body.objectValue?[member] != nil
      else { return outcome }
      document.body = .object(spoil(document.body.objectValue ?? [:]))
      return .ok(.document(document))
    }
  }

  /// Shows that the two tests above can fail.
  @Test func whatIsLostIsFound() throws {
    let defects: [@Sendable (JSONObject) -> JSONObject] = [
      // Images are lost, and with them the signs of zeros.
      { body in
        JSONObject(
          body.members.filter { !$0.name.utf8.starts(with: "CDTISMeta_".utf8) }
            .map { ($0.name, $0.value) })
      },
      // Versions are not incremented.
      { body in
        var body = body
        body["CDTISObjectVersion"] = "1"
        return body
      },
      // Empty texts are treated as missing.
      { body in
        JSONObject(body.members.filter { $0.value != "" }.map { ($0.name, $0.value) })
      },
    ]
    for defect in defects {
      let journey = ObjectJourney(ObjectDatastore(Forgetful(spoil: defect)), objectCount: 8)
      let isFound = try (UInt64(1)...12).contains { seed in try journey.run(seed: seed) != nil }
      #expect(isFound)
    }
  }

  /// Stores that can read their own objects, but whose documents other clients cannot read.
  @Test func whatIsStoredOtherwiseIsFound() throws {
    let defects: [(member: JSONString, spoil: @Sendable (JSONObject) -> JSONObject)] = [
      // Types of contents are not stored.
      (
        "CDTISEntityName",
        { body in
          JSONObject(
            body.members.filter { $0.value.objectValue?["mime-type"] == nil }
              .map { ($0.name, $0.value) })
        }
      ),
      // Lists of ids are stored in reverse order.
      (
        "CDTISEntityName",
        { body in
          JSONObject(
            body.members.map { member in
              (member.name, member.value.arrayValue.map { .array($0.reversed()) } ?? member.value)
            })
        }
      ),
      // Documents have an additional member.
      (
        "CDTISEntityName",
        { body in
          var body = body
          body["saved"] = true
          return body
        }
      ),
      // The description of the model is empty.
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
    for defect in defects {
      let store = Forgetful(
        ObjectDatastore(ReferenceDatastore()), member: defect.member, spoil: defect.spoil)
      let journey = ObjectJourney(store, objectCount: 8)
      let isFound = try (UInt64(1)...12).contains { seed in try journey.run(seed: seed) != nil }
      #expect(isFound, "\(defect.member)")
    }
  }
}
