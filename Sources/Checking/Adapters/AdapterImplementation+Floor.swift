package import Datastore
internal import JSON

/// The baseline of an operation behind an adapter.
extension AdapterImplementation {
  /// Sends the same line repeatedly, and waits each time for a response line, which is not parsed.
  package func bounce(_ operation: StoreOperation, count: Int) throws(HarnessError) {
    guard let conversation else { throw HarnessError("the adapter is not running") }
    let request: JSONValue = ["id": 0, "for": "bench", "perform": operation.json]
    try conversation.bounce(request.serializedBytes() + [UInt8(ascii: "\n")], count: count)
  }
}
