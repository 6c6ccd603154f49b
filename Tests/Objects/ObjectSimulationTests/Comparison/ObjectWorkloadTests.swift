import Datastore
import JSON
import ObjectOperations
import ObjectSimulation
import ReferenceDatastore
import Simulation
import Testing

/// The outcomes of the sequences of fetches and of stored objects.
@Suite struct ObjectWorkloadTests {
  /// Predicates mean something: most are accepted, some of each kind are refused, and their results
  /// have some of the objects.
  @Test func fetchesHaveManyOutcomes() throws {
    var kinds: [String: Int] = [:]
    var (empty, some) = (0, 0)
    for seed in UInt64(1)...40 {
      for (operation, outcome) in try outcomes(of: FetchWorkload(seed: seed), seed: seed)
      where operation.action.name == "fetchObjects" {
        kinds[Self.kind(outcome), default: 0] += 1
        guard case .ok(let result) = outcome, let ids = result.json.objectValue?["ids"] else {
          continue
        }
        if ids == [] { empty += 1 } else { some += 1 }
      }
    }
    let count = kinds.values.reduce(0, +)
    let refused = count - (kinds["ok"] ?? 0)
    #expect(refused > count / 20 && refused < count / 5)
    for what in ["badFormat", "unsupported", "unknownKey", "wrongType", "needsQuantifier"] {
      #expect(kinds[what] ?? 0 > 3, "\(what)")
    }
    #expect(some > empty / 2 && empty > some / 10)
  }

  /// Documents with one change are read, with and without warnings, or refused for many reasons.
  @Test func documentsHaveManyOutcomes() throws {
    var kinds: [String: Int] = [:]
    var warnings: Set<String> = []
    var validated: Set<String> = []
    for seed in UInt64(1)...60 {
      for (operation, outcome) in try outcomes(of: StoredObjectWorkload(seed: seed), seed: seed) {
        if case .ok(let result) = outcome, let codes = result.json.objectValue?["codes"] {
          for code in codes.arrayValue ?? [] { validated.insert(code.serialized()) }
        }
        guard operation.action.name == "decodeObject" else { continue }
        kinds[Self.kind(outcome), default: 0] += 1
        guard case .ok(let result) = outcome else { continue }
        for warning in result.json.objectValue?["warnings"]?.arrayValue ?? [] {
          warnings.insert(warning.objectValue?["kind"]?.textValue?.string ?? "")
        }
      }
    }
    #expect(kinds["ok"] ?? 0 > kinds.values.reduce(0, +) / 3)
    for what in ["badEnvelope", "wrongType", "badImage", "badBase64", "outOfRange", "noEntity"] {
      #expect(kinds[what] ?? 0 > 0, "\(what)")
    }
    #expect(warnings.isSuperset(of: ["imageMayBeRounded", "integerMayBeRounded", "longDecimal"]))
    #expect(
      validated.isSuperset(of: ["1570", "1580", "1590", "1610", "1620", "1660", "1670", "1680"]))
  }

  private static func kind(_ outcome: Outcome) -> String {
    guard case .error(let error) = outcome else { return "ok" }
    if case .badObject(let what, _) = error.kind { return "\(what)" }
    return error.kind.name
  }

  /// The outcomes of a sequence of 50 steps at the bundled layers.
  private func outcomes(
    of workload: some LayerWorkload, seed: UInt64
  ) throws -> [(StoreOperation, Outcome)] {
    var workload = workload
    let store = CollectionDatastore(ContextDatastore(ReferenceDatastore()))
    let environment = RunEnvironment(seed: seed)
    var found: [(StoreOperation, Outcome)] = []
    func perform(_ steps: [JSONValue]) throws {
      for json in steps {
        let operation = try StoreOperation(json)
        let outcome = try store.perform(operation, environment)
        workload.note(operation, outcome)
        found.append((operation, outcome))
      }
    }
    try perform(workload.opening)
    for key in UInt64(1)...50 {
      var random = KeyedRandom(seed: seed, key: key)
      try perform(workload.step(&random))
    }
    try perform(workload.closing)
    return found
  }
}
