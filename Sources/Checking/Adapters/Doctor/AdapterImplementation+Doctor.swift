internal import Datastore
internal import JSON

/// Requests that only the doctor sends.
extension AdapterImplementation {
  /// The process; nil if this process did not start it.
  var process: ChildProcess? { conversation?.process }

  /// The last request to the current or the last process, without its id; nil before the first.
  var lastRequest: JSONValue? { conversation?.lastRequest ?? lastRequestOfEnded }

  /// Returns the response to any value in place of an operation.
  func raw(_ operation: JSONValue) throws(HarnessError) -> JSONObject {
    guard let conversation else { throw HarnessError("the adapter is not running") }
    isUsed = true
    let deadline = operationDeadline
    let environment = RunEnvironment(seed: 1)
    do throws(HarnessError) {
      let id = try conversation.send(request(operation), until: deadline)
      while true {
        switch try conversation.next(for: id, until: deadline) {
        case .reply(let reply): return reply
        case .ask(let ask): try serve(ask, on: conversation, until: deadline, environment)
        }
      }
    } catch {
      throw noted(error)
    }
  }

  /// Writes all requests before it reads the first response; returns the number of responses.
  func raw(inARow operations: [JSONValue]) throws(HarnessError) -> Int {
    guard let conversation else { throw HarnessError("the adapter is not running") }
    isUsed = true
    let deadline = operationDeadline
    do throws(HarnessError) {
      var ids: [Int64] = []
      for operation in operations {
        ids.append(try conversation.send(request(operation), until: deadline))
      }
      for id in ids { _ = try conversation.next(for: id, until: deadline) }
      return ids.count
    } catch {
      throw noted(error)
    }
  }

  /// Closes the standard input of the process, and waits for it to exit; nil without a process.
  func hangUp(within duration: Duration) -> ChildProcess? {
    guard let process = conversation?.process else { return nil }
    process.input.close()
    process.waitForEnd(until: .after(duration))
    drop()
    return process
  }
}
