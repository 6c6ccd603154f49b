package import Datastore
package import JSON

extension AdapterImplementation {
  /// Sends a conflict to the resolver of the adapter, and returns its answer: the value of `ok`.
  ///
  /// After a crash, a hang or a protocol error the next call starts another process.
  package func resolveConflict(_ conflict: JSONValue) throws(HarnessError) -> JSONValue {
    try ensureProcess()
    do throws(HarnessError) {
      let reply = try exchange([("resolveConflict", conflict)], until: operationDeadline)
      guard let answer = reply["ok"], reply.count == 1 else {
        throw Conversation.breakdown(
          "invalid response to resolveConflict: \(JSONValue.object(reply).serialized())",
          shape: "answer", answer: .object(reply))
      }
      return answer
    } catch {
      throw noted(error)
    }
  }
}
