import Datastore
import JSON
import ObjectOperations
import ReferenceDatastore
import Replication
import SQLiteDatastore
import Scenarios
import Storage

import class Foundation.FileManager

// All operations with extreme numbers. The model and the bundled store, with replicator, objects, contexts and
// collections, return an outcome, and refuse the same operations. Nothing traps or hangs.
//
// The first 2 bytes of the input select a vector of `Vectors/`, whose steps are performed in order. Then 3
// bytes change a number: the step (relative to the previous one), the place in its operation, and the number.
// After 254 the number has the next 8 bytes; after 255 the step is performed twice.

private let vectors: [Vector] = {
  let top = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  var vectors: [Vector] = []
  for folder in ["core", "capabilities", "profiles"] {
    let path = "/\(top)/Vectors/\(folder)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names.sorted() where name.hasSuffix(".json") {
      guard let data = FileManager.default.contents(atPath: "\(path)/\(name)"),
        let json = try? JSONValue.parse(Array(data)), let file = VectorFile.Reading(json).file
      else { violated("\(path)/\(name) cannot be read") }
      vectors += file.vectors.filter { $0.steps.contains { $0.template != nil } }
    }
  }
  check(vectors.count > 1000, "there are only \(vectors.count) vectors")
  return vectors
}()

private let integers: [Int64] = [
  .min, .min + 1, -9_007_199_254_740_992, -2_147_483_648, -1, 0, 1, 2, 3, 255, 65_537,
  2_147_483_648, 4_294_967_296, 9_007_199_254_740_991, 9_007_199_254_740_992, .max - 1, .max,
]

private let numbers: [JSONValue] =
  integers.map { .integer($0) } + [
    .unsigned(9_223_372_036_854_775_808), .unsigned(.max), .double(0.5), .double(-0.0),
    .double(.leastNonzeroMagnitude), .double(1e19), .double(.greatestFiniteMagnitude),
    .double(-.greatestFiniteMagnitude),
  ]

/// Optional arguments with a number, at every place that allows them.
private let optional: [JSONString] = [
  "limit", "skip", "offset", "since", "batch", "steps", "depth", "removalBatch",
]

// libFuzzer calls from one thread.
private nonisolated(unsafe) let stores: [any ImplementationUnderTest] = [
  layered(ReferenceDatastore()), layered(SQLiteDatastore(storage: MemoryStorage())),
]

private func layered(_ store: any ImplementationUnderTest) -> any ImplementationUnderTest {
  CollectionDatastore(ContextDatastore(ReplicatingDatastore(store)))
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  var input = bytes(data, size)[...]
  guard size > 4 else { return 0 }
  let choice = Int(input.removeFirst()) << 8 | Int(input.removeFirst())
  let vector = vectors[choice % vectors.count]
  var run = Run(vector)
  for step in vector.steps {
    guard let template = step.template else { continue }
    while let change = Change(&input, of: step) { run.perform(template, change) }
    run.perform(template, nil)
    run.bind(step)
    if run.isOver { return 0 }
  }
  // Every run ends with a session of the replicator of the store.
  for turn in turns(&input) { run.perform(turn) }
  return 0
}

/// A number that replaces one in an operation.
private struct Change {
  let place: Int
  let number: JSONValue

  /// The next change, if it applies to this step.
  init?(_ input: inout ArraySlice<UInt8>, of step: Step) {
    guard input.count >= 3, let start = input.first else { return nil }
    if start & 3 == 0 {
      input.removeFirst()
      return nil
    }
    input.removeFirst()
    place = Int(input.removeFirst())
    let choice = Int(input.removeFirst())
    if choice == 254, input.count >= 8 {
      var bits: UInt64 = 0
      for byte in input.prefix(8) { bits = bits << 8 | UInt64(byte) }
      input = input.dropFirst(8)
      number = .integer(Int64(bitPattern: bits))
    } else {
      number = numbers[choice % numbers.count]
    }
  }
}

/// One run of a vector over both stores.
private struct Run {
  var isOver = false
  private var bindings = [Bindings(), Bindings()]
  private var environments = [RunEnvironment(seed: 1), RunEnvironment(seed: 1)]
  private var outcomes: [Outcome] = []

  init(_ vector: Vector) {
    for store in stores {
      do throws(HarnessError) { try store.reset() } catch { violated("\(error)") }
    }
    for name in vector.storesToOpen { perform(StoreOperation(name, .open())) }
  }

  mutating func perform(_ template: OperationTemplate, _ change: Change?) {
    guard let operation = try? template.operation(bindings[0]) else {
      isOver = true
      return
    }
    guard let change else { return perform(operation) }
    var json = operation.json
    let paths = numberPaths(json) + optional.map { [.member($0)] }
    json = replacing(paths[change.place % paths.count][...], in: json, by: change.number)
    if let changed = try? StoreOperation(json) { perform(changed) }
  }

  mutating func perform(_ operation: StoreOperation) {
    outcomes = stores.indices.map { place in
      do throws(HarnessError) {
        return try stores[place].perform(operation, environments[place])
      } catch {
        violated("\(operation): \(error)")
      }
    }
    for outcome in outcomes { outcome.checkSpelling(of: operation.action) }
    let kinds = outcomes.map { $0.errorKind }
    // Sequences and revision ids of one store are not valid in the other.
    if kinds.contains(.badSequence) || kinds[0] == kinds[1] { return }
    violated("\(operation): \(outcomes[0].json.serialized()) and \(outcomes[1].json.serialized())")
  }

  /// Binds the names of a step; the ids that the stores create are equal.
  mutating func bind(_ step: Step) {
    guard outcomes.count == 2 else { return }
    for place in 0..<2 {
      if case .match(let bound) = step.effectiveExpectation.match(outcomes[place], bindings[place])
      {
        bindings[place] = bound
      }
    }
  }
}

private enum Part {
  case member(JSONString)
  case element(Int)
}

private func numberPaths(_ value: JSONValue, below path: [Part] = []) -> [[Part]] {
  switch value {
  case .integer, .unsigned, .double: [path]
  case .array(let elements):
    elements.enumerated().flatMap { numberPaths($1, below: path + [.element($0)]) }
  case .object(let object):
    object.members.flatMap { numberPaths($0.value, below: path + [.member($0.name)]) }
  default: []
  }
}

private func replacing(_ path: ArraySlice<Part>, in value: JSONValue, by new: JSONValue)
  -> JSONValue
{
  guard let part = path.first else { return new }
  switch (part, value) {
  case (.member(let name), .object(var object)):
    object[name] = replacing(path.dropFirst(), in: object[name] ?? .null, by: new)
    return .object(object)
  case (.element(let index), .array(var elements)):
    elements[index] = replacing(path.dropFirst(), in: elements[index], by: new)
    return .array(elements)
  default: return value
  }
}

/// A pull session and the responses to its requests, with numbers of the input.
private func turns(_ input: inout ArraySlice<UInt8>) -> [StoreOperation] {
  func number() -> JSONValue {
    input.popFirst().map { numbers[Int($0) % numbers.count] } ?? .integer(1)
  }
  let info: JSONValue = [
    "db_name": "b", "doc_count": number(), "doc_del_count": number(), "update_seq": number(),
    "instance_start_time": "0",
  ]
  let changes: JSONValue = [
    "results": [["seq": number(), "id": "d", "changes": [["rev": "1-a"]]]], "last_seq": number(),
    "pending": number(),
  ]
  let document: JSONValue = [
    "_id": "d", "_rev": "1-a", "_revisions": ["start": number(), "ids": ["a"]], "n": number(),
    "_attachments": [
      "x": [
        "stub": true, "length": number(), "revpos": number(), "content_type": "text/plain",
        "digest": "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
      ]
    ],
  ]
  let fetched: JSONValue = ["results": [["id": "d", "docs": [["ok": document]]]]]
  var events: [JSONValue] = [
    ["start": ["direction": "pull", "remote": "/b", "batch": number()]]
  ]
  for (place, body) in [info, changes, fetched, info].enumerated() {
    events.append([
      "response": [
        "number": .integer(Int64(place + 1)), "response": ["status": 200, "body": body],
      ]
    ])
    events.append(["lost": ["number": number()]])
    events.append(["timer": [:]])
  }
  events.append([
    "response": ["number": number(), "response": ["status": number(), "body": info]]
  ])
  events.append(["cancel": [:]])
  return events.compactMap { event in
    try? StoreOperation(["op": "replicate", "store": "a", "session": "s", "event": event])
  }
}
