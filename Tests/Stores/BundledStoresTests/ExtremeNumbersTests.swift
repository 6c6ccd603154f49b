import ReferenceDatastore
import Replication
import SQLiteDatastore
import Storage
import Testing
import TouchstoneKit

import struct Foundation.Data
import struct Foundation.URL

/// Every number of every operation may have any value: it is rejected, or has an effect on which
/// both bundled stores agree. No value causes a trap or takes long.
///
/// The positions come from the corpus, whose operations contain all numbers, and from the schema of
/// operations for optional ones. Each is tested in the state in which a vector has it.
struct ExtremeNumbersTests {
  /// The two stores, with replicator, objects, contexts and collections on top.
  private final class Both {
    let stores = [
      layered(ReferenceDatastore()), layered(SQLiteDatastore(storage: MemoryStorage())),
    ]
    var environments: [RunEnvironment] = []
    var bindings: [Bindings] = []

    private static func layered(
      _ store: any ImplementationUnderTest
    ) -> any ImplementationUnderTest {
      CollectionDatastore(ContextDatastore(ReplicatingDatastore(store)))
    }

    func begin(_ vector: Vector) throws {
      environments = stores.map { _ in RunEnvironment(seed: 1) }
      bindings = stores.map { _ in Bindings() }
      for store in stores { try store.reset() }
      for name in vector.storesToOpen { _ = try perform { _ in StoreOperation(name, .open()) } }
    }

    func perform(_ make: (Bindings) throws -> StoreOperation) throws -> [Outcome] {
      try stores.indices.map { place in
        try stores[place].perform(try make(bindings[place]), environments[place])
      }
    }

    /// Performs a step as in the vector; returns false if the vector cannot continue.
    func goOn(_ step: Step) throws -> Bool {
      guard let template = step.template else { return true }
      guard let outcomes = try? perform({ try template.operation($0) }) else { return false }
      for (place, outcome) in outcomes.enumerated() {
        if case .match(let bound) = step.effectiveExpectation.match(outcome, bindings[place]) {
          bindings[place] = bound
        }
      }
      return true
    }
  }

  /// A number in an operation, present or optional.
  private struct Place: Hashable {
    let operation: String
    let shape: String
  }

  /// The integers of each operation, according to its schema.
  private static func schemaIntegers(_ corpus: Corpus) throws -> [String: [JSONString]] {
    let file = "\(corpus.folder)/schemas/operation.schema.json"
    let schema = try JSONValue.parse(Array(Data(contentsOf: URL(filePath: file))))
    let definitions = try #require(schema.objectValue?["$defs"]?.objectValue)
    var integers: [String: [JSONString]] = [:]
    for definition in definitions.members {
      let properties = definition.value.objectValue?["properties"]?.objectValue?.members ?? []
      integers[definition.name.string] = properties.compactMap { property in
        let type = property.value.objectValue?["type"]
        return type == "integer" || property.name == "since" ? property.name : nil
      }
    }
    return integers
  }

  /// The positions to test in an operation: those of its numbers, and those of optional numbers.
  private static func paths(
    _ operation: JSONValue, _ integers: [String: [JSONString]]
  ) -> [NumberPlaces.Path] {
    let name = operation.objectValue?["op"]?.textValue?.string ?? ""
    let absent = (integers[name] ?? []).filter { operation.objectValue?[$0] == nil }
    return NumberPlaces.paths(of: operation) + absent.map { [.member($0)] }
  }

  /// Operations that occur in no vector: turns of a replicator, which contain responses of another
  /// store.
  private static let turns: [JSONValue] = [
    #"{"start": {"direction": "pull", "remote": "/b", "batch": 2}}"#,
    #"{"response": {"number": 1, "response": {"status": 200, "body": {"db_name": "b", "doc_count": 1, "doc_del_count": 0, "update_seq": 1, "instance_start_time": "0"}}}}"#,
    #"{"response": {"number": 2, "response": {"status": 404, "body": {"error": "not_found"}}}}"#,
    #"{"response": {"number": 3, "response": {"status": 200, "body": {"results": [{"seq": 1, "id": "d", "changes": [{"rev": "1-a"}]}], "last_seq": 1, "pending": 0}}}}"#,
    #"{"response": {"number": 4, "response": {"status": 200, "body": {"results": [{"id": "d", "docs": [{"ok": {"_id": "d", "_rev": "1-a", "_revisions": {"start": 1, "ids": ["a"]}, "n": 1, "_attachments": {"x": {"stub": true, "length": 3, "revpos": 1, "digest": "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", "content_type": "text/plain"}}}}]}]}}}}"#,
    #"{"lost": {"number": 5}}"#, #"{"timer": {}}"#, #"{"cancel": {}}"#,
  ].map { (try? JSONValue.parse(Array($0.utf8))) ?? .null }

  private func check(_ both: Both, _ operation: JSONValue, _ what: @autoclosure () -> String) throws
  {
    guard let read = try? StoreOperation(operation) else { return }
    let start = ContinuousClock.now
    let outcomes = try both.perform { _ in read }
    #expect(ContinuousClock.now - start < .seconds(20), "\(what()): too slow")
    for outcome in outcomes {
      let again = try Outcome(JSONValue.parse(outcome.json.serializedBytes()), of: read.action)
      #expect(again.json == outcome.json, "\(what())")
    }
    let kinds = outcomes.map { $0.errorKind }
    let isOfSequences = kinds.contains(.badSequence)
    #expect(
      kinds[0] == kinds[1] || isOfSequences,
      "\(what()): \(outcomes[0].json.serialized()) and \(outcomes[1].json.serialized())")
  }

  @Test(.timeLimit(.minutes(10))) func inEveryOperationOfTheCorpus() throws {
    let corpus = try Corpus.standard()
    let integers = try Self.schemaIntegers(corpus)
    let both = Both()
    var known: Set<Place> = []
    for vector in corpus.vectors.map({ $0.vector }) {
      // The new positions, by step.
      var news: [Int: [NumberPlaces.Path]] = [:]
      for (index, step) in vector.steps.enumerated() {
        guard let json = step.template?.json else { continue }
        let name = json.objectValue?["op"]?.textValue?.string ?? ""
        for path in Self.paths(json, integers)
        where known.insert(Place(operation: name, shape: NumberPlaces.shape(path))).inserted {
          news[index, default: []].append(path)
        }
      }
      guard let last = news.keys.max() else { continue }
      try both.begin(vector)
      for (index, step) in vector.steps.enumerated() where index <= last {
        if let paths = news[index], let template = step.template,
          let json = try? template.operation(both.bindings[0]).json
        {
          for path in paths {
            for number in NumberPlaces.extremes {
              try check(
                both, NumberPlaces.replacing(path[...], in: json, by: number),
                "\(vector.id), step \(index + 1), \(NumberPlaces.shape(path)) = \(number)")
            }
          }
        }
        guard try both.goOn(step) else { break }
      }
    }
    // The corpus and the schema together yield many positions, including those that caused a trap
    // before.
    #expect(known.count > 400)
    for (operation, shape) in [
      ("migrateObjects", ".batch"), ("migrateObjects", ".steps"), ("queryCollection", ".depth"),
      ("loadFromCollection", ".depth"), ("openCollection", ".options.removalBatch"),
      ("readAttachment", ".offset"), ("changes", ".since"),
    ] {
      #expect(known.contains(Place(operation: operation, shape: shape)), "\(operation)\(shape)")
    }
  }

  @Test(.timeLimit(.minutes(10))) func inEveryTurnOfAReplicator() throws {
    let both = Both()
    let vector = Vector(id: "none", clauses: [], note: "", isOpened: false, steps: [])
    for place in Self.turns.indices {
      for path in NumberPlaces.paths(of: Self.turns[place]) {
        for number in NumberPlaces.extremes {
          try both.begin(vector)
          _ = try both.perform { _ in StoreOperation("a", .open()) }
          for (index, turn) in Self.turns.enumerated() {
            let event =
              index == place ? NumberPlaces.replacing(path[...], in: turn, by: number) : turn
            try check(
              both, ["op": "replicate", "store": "a", "session": "s", "event": event],
              "turn \(place)\(NumberPlaces.shape(path)) = \(number), then turn \(index)")
          }
        }
      }
    }
  }
}
