package import Datastore
internal import JSON

/// The end of an adapter whose folder another process opens next.
extension AdapterImplementation {
  /// Ends the process with `bye`, so that another process can open its folder.
  ///
  /// - Throws: an error with a `breakdown` if the adapter did not respond, or exited with another
  ///   code than 0.
  package func leave() throws(HarnessError) {
    if let breakdown { throw breakdown }
    guard let conversation else { return }
    do throws(HarnessError) {
      let deadline = Deadline.after(limits.operation)
      _ = try exchange([("bye", [:])], until: deadline)
      conversation.process?.waitForEnd(until: deadline)
      guard let end = conversation.process?.end else {
        throw Conversation.breakdown(
          "the adapter responded to bye and did not exit within \(limits.operation)", shape: "hang")
      }
      guard end == .exited(0) else {
        throw Conversation.breakdown(
          "\(end) after bye; expected code 0", shape: end.shape, isProtocolError: false)
      }
    } catch {
      throw noted(error)
    }
    drop()
  }

  /// Kills the process between two requests, and leaves its folder as it is.
  package func kill() { drop() }
}
