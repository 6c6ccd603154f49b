public import Datastore
internal import JSON
internal import ObjectOperations
internal import ReferenceDatastore
internal import Scenarios
public import Simulation

/// Compares a layer of an implementation with the bundled layer over random sequences of operations.
///
/// A sequence follows from its seed. The bundled layer runs on the reference model. Both must return
/// the same outcomes, except for messages of errors and for names that an implementation chooses.
public struct LayerComparison {
  private let layer: ComparedLayer
  private let stepCount: Int
  private let makeImplementation: () throws(HarnessError) -> any ImplementationUnderTest
  /// The last disagreement of `report(ofSeed:)`.
  package var found: Disagreement?
  /// Whether shrinking should end with the shortest sequence so far; never by default.
  public var isStopped: @Sendable () -> Bool = { false }

  /// - Parameters:
  ///   - stepCount: the number of random steps of a sequence, 1 or more.
  ///   - makeImplementation: makes a store without any data; called once per sequence.
  public init(
    _ layer: ComparedLayer, stepCount: Int = 50,
    _ makeImplementation: @escaping () throws(HarnessError) -> any ImplementationUnderTest
  ) {
    self.layer = layer
    self.stepCount = stepCount
    self.makeImplementation = makeImplementation
  }

  /// An operation with the outcomes of both implementations.
  public struct Step: Hashable, Sendable {
    /// The operation, with the names of the reference.
    public var operation: StoreOperation
    /// The outcome of the bundled layer.
    public var expected: Outcome
    /// The outcome of the tested implementation.
    public var actual: Outcome
  }

  /// A sequence with a last outcome that differs from the one of the bundled layer.
  public struct Disagreement: Hashable, Sendable {
    /// The seed of the sequence.
    public var seed: UInt64
    /// The steps up to the one that disagrees.
    public var steps: [Step]
    /// The crash, hang or protocol error in place of the last outcome; nil if there is an outcome.
    public var breakdown: String?
    /// The keys of the random steps; empty for given operations.
    package var keys: [UInt64]
    /// The members of results whose texts each implementation chooses.
    let chosenMembers: Set<JSONString>
  }

  /// The result of the comparison of one sequence.
  public typealias Verdict = SequenceVerdict<Disagreement>

  /// Runs the sequence of a seed.
  public func run(seed: UInt64) throws(HarnessError) -> Verdict {
    try evaluate(seed: seed, keys: keys).verdict
  }

  /// The disagreement of a seed, shrunk; nil if the sequence does not disagree again.
  public func shrunk(seed: UInt64) throws(HarnessError) -> Disagreement? {
    try minimized(seed: seed)
  }
}

extension LayerComparison: SequenceExperiment {
  /// Compares the sequence of a seed and keeps the disagreement.
  public mutating func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    try sequenceReport(ofSeed: seed)
  }

  package var keys: [UInt64] { (1...UInt64(stepCount)).map { $0 } }

  package func evaluate(
    seed: UInt64, keys: [UInt64]
  ) throws(HarnessError) -> SequenceEvaluation<Disagreement> {
    try evaluate(seed: seed) { run throws(HarnessError) in
      var workload = layer.makeWorkload(seed)
      return try run.perform(&workload, keys)
    }
  }

  package func run(
    seed: UInt64, operations: [StoreOperation]
  ) throws(HarnessError) -> Verdict {
    try evaluate(seed: seed) { run throws(HarnessError) in try run.perform(operations) }.verdict
  }

  private func evaluate(
    seed: UInt64, _ perform: (inout LayerRun) throws(HarnessError) -> Verdict
  ) throws(HarnessError) -> SequenceEvaluation<Disagreement> {
    let implementation = try makeImplementation()
    let missing = layer.capabilities.filter {
      !implementation.description.capabilities.contains($0)
    }
    guard missing.isEmpty else {
      let names = missing.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw HarnessError("the layer \(layer.name) needs the capabilities \(names)")
    }
    var run = LayerRun(seed: seed, implementation, layer)
    let verdict = try perform(&run)
    try implementation.shutdown()
    return SequenceEvaluation(verdict: verdict, digest: run.digest.value)
  }
}

/// One sequence during its run.
private struct LayerRun {
  let seed: UInt64
  let implementation: any ImplementationUnderTest
  let reference = CollectionDatastore(ContextDatastore(ReferenceDatastore()))
  /// Each implementation draws its own random bits.
  let environment: RunEnvironment
  let referenceEnvironment: RunEnvironment
  var names: NameCorrespondence
  var steps: [LayerComparison.Step] = []
  var digest = RunDigest()

  init(seed: UInt64, _ implementation: any ImplementationUnderTest, _ layer: ComparedLayer) {
    self.seed = seed
    self.implementation = implementation
    environment = RunEnvironment(seed: seed)
    referenceEnvironment = RunEnvironment(seed: seed)
    names = NameCorrespondence(
      chosenMembers: layer.chosenMembers, freeMembers: layer.freeMembers,
      uncomparedMembers: layer.uncomparedMembers, hasUnsavedObjects: layer.hasUnsavedObjects,
      isChosen: layer.isChosen)
  }

  mutating func perform(
    _ operations: [StoreOperation]
  ) throws(HarnessError) -> LayerComparison.Verdict {
    for operation in operations {
      if let found = try perform(operation, []) { return .disagreed(found) }
    }
    return .agreed(operations: steps.count)
  }

  mutating func perform(
    _ workload: inout some LayerWorkload, _ keys: [UInt64]
  ) throws(HarnessError) -> LayerComparison.Verdict {
    if let found = try perform(workload.opening, &workload, keys: keys) { return .disagreed(found) }
    for key in keys {
      var random = KeyedRandom(seed: seed, key: key)
      let operations = workload.step(&random)
      if let found = try perform(operations, &workload, keys: keys) { return .disagreed(found) }
    }
    if let found = try perform(workload.closing, &workload, keys: keys) { return .disagreed(found) }
    return .agreed(operations: steps.count)
  }

  private mutating func perform(
    _ operations: [JSONValue], _ workload: inout some LayerWorkload, keys: [UInt64]
  ) throws(HarnessError) -> LayerComparison.Disagreement? {
    for json in operations {
      let operation = try StoreOperation(ofSequence: json)
      if let found = try perform(operation, keys) { return found }
      if let step = steps.last { workload.note(operation, step.expected) }
    }
    return nil
  }

  /// Performs an operation on both implementations; returns a disagreement.
  private mutating func perform(
    _ operation: StoreOperation, _ keys: [UInt64]
  ) throws(HarnessError) -> LayerComparison.Disagreement? {
    let expected = try reference.perform(operation, referenceEnvironment)
    let translated = try StoreOperation(ofSequence: names.translated(operation.json))
    var breakdown: String?
    var actual = Outcome.unknown
    do throws(HarnessError) {
      actual = try implementation.perform(translated, environment)
    } catch {
      guard error.breakdown != nil else { throw error }
      breakdown = error.message
    }
    if case .error(let error) = actual, error.isOfTheMachine {
      throw HarnessError("\(operation) could not be performed: \(error)")
    }
    digest.fold(actual)
    steps.append(
      LayerComparison.Step(operation: operation, expected: expected, actual: actual))
    guard breakdown != nil || !names.matches(expected.comparable, actual.comparable)
    else { return nil }
    return LayerComparison.Disagreement(
      seed: seed, steps: steps, breakdown: breakdown, keys: keys,
      chosenMembers: names.chosenMembers.union(names.uncomparedMembers))
  }
}

extension StoreOperation {
  /// Reads an operation of a workload, which is valid unless the workload is wrong.
  fileprivate init(ofSequence json: JSONValue) throws(HarnessError) {
    do throws(DecodingFailure) { try self.init(json) } catch {
      throw HarnessError("\(json.serialized()): \(error)")
    }
  }
}

extension Outcome {
  /// The outcome as JSON, without the parts of errors that are up to the implementation.
  var comparable: JSONValue { json.withoutFreeParts }
}

extension JSONValue {
  /// The value without the messages of errors, without the places of writes in batches of a layer,
  /// whose order is up to the implementation, and without the name of a text that is no predicate.
  fileprivate var withoutFreeParts: JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map { $0.withoutFreeParts })
    case .object(let object):
      let isError = object["kind"] != nil
      let isFormat = isError && object["what"] == "badFormat" && object["name"] != "columns"
      let kept = object.members.filter {
        !(isError && ($0.name == "message" || $0.name == "write") || isFormat && $0.name == "name")
      }
      return .object(JSONObject(kept.map { ($0.name, $0.value.withoutFreeParts) }))
    default: return self
    }
  }
}
