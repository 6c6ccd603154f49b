package import Datastore
internal import JSON

// Several connections to the same stores.

extension AdapterImplementation {
  /// The identifier of the process of the adapter; nil if this process did not start it.
  package var processIdentifier: Int32? { conversation?.process?.identifier }

  /// Sends an operation, closes the connection without reading the response, and connects again.
  package func cut(during operation: StoreOperation) throws(HarnessError) {
    _ = try conversation?.sendIfShort(request(operation.json), until: operationDeadline)
    drop()
    try ensureProcess()
  }

  /// Lets the adapter listen on a Unix socket for further connections.
  ///
  /// - Parameter path: the path of the socket, which does not exist yet.
  package func listen(at path: String) throws(HarnessError) {
    do throws(HarnessError) {
      let reply = try exchange([("listen", ["path": .text(path)])], until: .after(limits.start))
      guard reply["ok"] == [:], reply.count == 1 else {
        throw Conversation.breakdown(
          "invalid response to listen: \(JSONValue.object(reply).serialized())", shape: "listen",
          answer: .object(reply))
      }
    } catch {
      throw noted(error)
    }
  }
}
