import Datastore
import JSON
import ReferenceDatastore
import SQLiteDatastore
import Selectors
import Storage

// Selectors: one is parsed or refused, selects the same documents after a round trip, and finds the same
// of a fixed set of documents in the model and in the bundled store, with and without indexes.
//
// The input is the arguments of `find`, without its store.

private let bodies: [JSONValue] = [
  #"{"n": 1, "t": "alpha beta", "a": [1, 2, 3], "o": {"p": {"q": true}}, "m": null}"#,
  #"{"n": 1.5, "t": "Alpha", "a": ["x", {"n": 1}], "o": {"p": 7}, "g": [10.5, 20]}"#,
  #"{"n": -0.0, "t": "", "a": [], "o": {}, "g": [-179.9, -89]}"#,
  #"{"n": 9007199254740993, "t": "é", "a": [[1], [1, 2]], "g": [[10, 20], [11, 21]]}"#,
  #"{"n": 18446744073709551615, "t": "e\u0301", "a": [{"n": 1, "t": "x"}, {"n": 2, "t": "y"}]}"#,
  #"{"n": "1", "t": "gamma-delta 42", "a": {"n": [1]}, "m": false}"#,
  #"{"n": "12345678901234567890.5", "t": "aab", "a": "alpha", "a.b": 1, "$d": 2}"#,
  #"{"n": [1, "1"], "t": ["alpha", "BETA"], "a": [null, true, false]}"#,
  #"{"n": {"p": 1}, "t": 5, "a": 3, "\u0000": 0, "\\": {"": 1}}"#,
  #"{"n": 1e300, "t": "\n", "a": [1e-300, 2, 2.0]}"#,
  "{}",
].map { json($0) }

private let documents = bodies.enumerated().map { place, body in
  RevisionRecord(
    id: DocumentID(JSONString("d\(place)")), path: [RevisionID(JSONString("1-\(place)"))],
    body: body)
}

// libFuzzer calls from one thread.
private nonisolated(unsafe) let model = opened(ReferenceDatastore(), indexes: [])
private nonisolated(unsafe) let plain = opened(
  SQLiteDatastore(storage: MemoryStorage()), indexes: [])
private nonisolated(unsafe) let indexed = opened(
  SQLiteDatastore(storage: MemoryStorage()),
  indexes: [
    #"{"op": "createIndex", "name": "n", "fields": ["n"]}"#,
    #"{"op": "createIndex", "name": "an", "fields": ["a", "n"]}"#,
    #"{"op": "createIndex", "name": "p", "fields": ["o.p"]}"#,
    #"{"op": "createIndex", "name": "words", "type": "text", "fields": ["t", "a"]}"#,
  ])

private func opened(
  _ store: any ImplementationUnderTest, indexes: [String]
) -> any ImplementationUnderTest {
  store.setUp([operation(#"{"op": "open"}"#), StoreOperation("a", .insertRevisions(documents))])
  store.setUp(indexes.map { operation($0) })
  return store
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  guard var members = (try? JSONValue.parse(bytes(data, size)))?.objectValue else { return 0 }
  if let json = members["selector"], let selector = try? FindSelector(json) {
    checkSpelling(selector)
  }
  members["op"] = "find"
  members["store"] = "a"
  guard let operation = try? StoreOperation(.object(members)) else { return 0 }
  let right = model.outcome(operation)
  right.checkSpelling(of: operation.action)
  for (name, store) in [("store", plain), ("store with indexes", indexed)] {
    let seen = store.outcome(operation)
    check(isSame(right, seen), "\(operation): the model returns \(right), the \(name) \(seen)")
  }
  return 0
}

private func checkSpelling(_ selector: FindSelector) {
  let again: FindSelector
  do throws(DatastoreError) {
    again = try FindSelector(selector.json)
  } catch {
    // The encoding may have one level more than the selector, which exceeds the limit.
    if case .tooLarge = error.kind { return }
    violated("\(selector.json.serialized()): refused after a round trip: \(error)")
  }
  for document in documents {
    let subject = Subject(document.body, id: document.id.text, rev: document.path[0].text)
    check(
      subject.matches(selector) == subject.matches(again),
      "\(selector.json.serialized()): selects other documents after a round trip")
  }
}

/// True if two outcomes are equal; messages of errors are not compared.
private func isSame(_ left: Outcome, _ right: Outcome) -> Bool {
  switch (left, right) {
  case (.ok(let left), .ok(let right)): left.json.isSameValue(as: right.json)
  case (.error(let left), .error(let right)): left.kind == right.kind
  default: false
  }
}
