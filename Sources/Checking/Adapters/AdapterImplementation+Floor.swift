package import Datastore
internal import JSON

/// The least that an operation behind an adapter can take.
extension AdapterImplementation {
  /// Sends the same line again and again, and waits each time for a line that it does not read.
  package func bounce(_ operation: StoreOperation, count: Int) throws(HarnessError) {
    guard let conversation else { throw HarnessError("the adapter is not running") }
    let request: JSONValue = ["id": 0, "for": "bench", "perform": operation.json]
    try conversation.bounce(request.serializedBytes() + [UInt8(ascii: "\n")], count: count)
  }
}
