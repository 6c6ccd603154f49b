import Datastore
import JSON
import ObjectOperations
import ObjectSimulation
import ReferenceDatastore
import SQLiteDatastore
import Scenarios
import Simulation
import Storage
import Testing

/// Random operations on layers of objects, compared with the bundled layers.
@Suite struct LayerComparisonTests {
  @Test(arguments: ComparedLayer.all.map(\.name))
  func theBundledLayersAgree(name: String) throws {
    let layer = try #require(ComparedLayer.all.first { $0.name == name })
    let comparison = LayerComparison(layer, stepCount: 30) {
      CollectionDatastore(ContextDatastore(SQLiteDatastore(storage: MemoryStorage())))
    }
    for seed in UInt64(1)...20 {
      guard case .agreed(let operations) = try comparison.run(seed: seed) else {
        Issue.record("seed \(seed)")
        continue
      }
      #expect(operations > 20)
    }
  }

  /// A layer without deletions is found, and the sequence is shrunk to a vector for any store.
  @Test(arguments: [
    ("contexts", "deleteObject"), ("contexts-complete", "refreshObject"), ("stacks", "saveStack"),
  ])
  func aLayerWithoutAnOperationIsFound(name: String, operation: String) throws {
    let layer = try #require(ComparedLayer.all.first { $0.name == name })
    let comparison = LayerComparison(layer) { DeafLayer(to: operation) }
    var shrunk: LayerComparison.Disagreement?
    for seed in UInt64(1)...10 where shrunk == nil {
      guard case .disagreed = try comparison.run(seed: seed) else { continue }
      shrunk = try comparison.shrunk(seed: seed)
    }
    let found = try #require(shrunk)
    #expect(found.steps.contains { $0.operation.action.name == operation })
    #expect(found.steps.count < 12)
    let vector = try found.vector()
    #expect(vector.steps.count == found.steps.count)
    #expect(vector.capabilities.contains(.contexts))
    // The bundled layer passes the vector.
    let reference = CollectionDatastore(ContextDatastore(ReferenceDatastore()))
    let environment = RunEnvironment(seed: 1)
    for step in vector.steps {
      let operation = try #require(step.template).sample
      let outcome = try reference.perform(operation, environment)
      guard case .match = step.effectiveExpectation.match(outcome, Bindings()) else {
        Issue.record("\(operation): \(outcome)")
        continue
      }
    }
  }

  /// Each implementation chooses the URIs of its objects; they must correspond one to one.
  @Test func urisMayDiffer() throws {
    let layer = try #require(ComparedLayer.all.first { $0.name == "contexts" })
    let other = LayerComparison(layer) { RenamingLayer(isConstant: false) }
    let constant = LayerComparison(layer) { RenamingLayer(isConstant: true) }
    var agreedCount = 0
    var disagreedCount = 0
    for seed in UInt64(1)...10 {
      if case .agreed = try other.run(seed: seed) { agreedCount += 1 }
      if case .disagreed = try constant.run(seed: seed) { disagreedCount += 1 }
    }
    #expect(agreedCount == 10)
    #expect(disagreedCount > 0)
  }

  @Test func aStoreWithoutTheLayerIsNotCompared() throws {
    let layer = try #require(ComparedLayer.all.first { $0.name == "stacks" })
    let comparison = LayerComparison(layer) { ReferenceDatastore() }
    #expect {
      try comparison.run(seed: 1)
    } throws: { error in
      "\(error)".contains("the layer stacks needs the capabilities `objects`, `contexts`, `stacks`")
    }
  }
}

/// A layer that does not perform one operation, and reports success.
private final class DeafLayer: ImplementationLayer {
  let base: any ImplementationUnderTest = CollectionDatastore(
    ContextDatastore(ReferenceDatastore()))
  private let name: String

  init(to name: String) { self.name = name }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    guard operation.action.name == name else { return try base.perform(operation, environment) }
    return .ok(.done)
  }
}

/// A layer with other URIs than those of the bundled layer.
private final class RenamingLayer: ImplementationLayer {
  let base: any ImplementationUnderTest = CollectionDatastore(
    ContextDatastore(ReferenceDatastore()))
  /// Whether all objects have one URI.
  private let isConstant: Bool

  init(isConstant: Bool) { self.isConstant = isConstant }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    let outcome = try base.perform(operation, environment)
    do throws(DecodingFailure) {
      return try Outcome(renamed(outcome.json), of: operation.action)
    } catch {
      throw HarnessError("\(error)")
    }
  }

  private func renamed(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map { renamed($0) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { member in
            guard ["identifier", "CDTISIdentifier"].contains(member.name),
              let text = member.value.textValue
            else {
              return (member.name, renamed(member.value))
            }
            return (member.name, .text(isConstant ? "urn:one" : "urn:\(text.string)"))
          }))
    default: value
    }
  }
}
