import Datastore
import JSON
import ObjectMapping
import ObjectOperations
import ReferenceDatastore
import SQLiteDatastore
import Storage

// Predicates: a text is parsed or refused, a predicate is unchanged after a round trip, and it selects
// the same objects in the model and in the bundled store.
//
// The first line is the text. The second line may have the arguments as a JSON array.

private let objects = #"""
  [{"id": "a", "entity": "E", "values": {"n": 1, "d": 0.5, "t": "Alpha", "b": true}},
   {"id": "b", "entity": "E", "values": {"n": -7, "d": -0.0, "t": "été", "boss": "a"}},
   {"id": "c", "entity": "E", "values": {"n": 9223372036854775807, "t": "", "boss": "a"}},
   {"id": "d", "entity": "E", "values": {"t": "a.*b[c]\\"}}]
  """#

private let model = #"""
  {"entities": {"E": {
    "attributes": {
      "n": {"type": "int64"}, "d": {"type": "double"}, "t": {"type": "utf8"},
      "b": {"type": "bool"}},
    "relationships": {
      "boss": {"destination": "E", "inverse": "staff"},
      "staff": {"destination": "E", "inverse": "boss", "many": true}}}}}
  """#

// libFuzzer calls from one thread.
private nonisolated(unsafe) let reference = opened(ReferenceDatastore())
private nonisolated(unsafe) let store = opened(SQLiteDatastore(storage: MemoryStorage()))

private func opened(_ datastore: any ImplementationUnderTest) -> ObjectDatastore {
  let store = ObjectDatastore(datastore)
  store.setUp([
    operation(#"{"op": "open"}"#), operation(#"{"op": "openObjects", "model": \#(model)}"#),
    operation(#"{"op": "saveObjects", "inserted": \#(objects)}"#),
  ])
  return store
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let lines = bytes(data, size).split(
    separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  guard let text = JSONString(validating: lines[0]) else { return 0 }
  let values = lines.count > 1 ? (try? JSONValue.parse(lines[1]))?.arrayValue ?? [] : []
  checkFormat(text, values)

  let action = StoreAction.objects(
    .fetch(ObjectFetch("E", predicate: text, arguments: values, result: .ids)))
  let (right, seen) = (
    reference.outcome(StoreOperation("a", action)), store.outcome(StoreOperation("a", action))
  )
  right.checkSpelling(of: action)
  check(right.json == seen.json, "the model returns \(right), the store \(seen)")
  return 0
}

private func checkFormat(_ text: JSONString, _ values: [JSONValue]) {
  var arguments: [PredicateArgument] = []
  for value in values {
    guard let argument = try? PredicateArgument(value) else { return }
    arguments.append(argument)
    check(
      (try? PredicateArgument(argument.json)) == argument || value.serialized().contains("image")
        || value.serialized().contains("NaN"),
      "the argument \(value.serialized()) became another")
  }
  guard let predicate = try? FetchPredicate(text, arguments) else { return }
  let format = predicate.format
  do throws(FetchPredicateError) {
    let again = try FetchPredicate(format.text, format.arguments)
    check(
      again == predicate || format.arguments.contains { $0.holdsNaN },
      "\(predicate) became \(again), encoded as \(format.text)")
  } catch {
    // The encoding adds parentheses, so it may be too deep.
    guard "\(error)".contains("deeper") else {
      violated("\(predicate), encoded as \(format.text), is refused: \(error)")
    }
  }
}

extension PredicateArgument {
  fileprivate var holdsNaN: Bool {
    switch self {
    case .value(let value): value.isNaN
    case .list(let values): values.contains { $0.isNaN }
    }
  }
}
