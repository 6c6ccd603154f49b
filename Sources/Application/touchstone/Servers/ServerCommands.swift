internal import Adapters
internal import Datastore

#if HTTP
  internal import CouchDBDatastore
#endif

/// The shell commands that kill and start the server under test.
struct ServerCommands: Sendable {
  /// Kills the server, and ends after it.
  let stopCommand: String
  /// Starts the server; it ends, or runs as long as the server.
  let startCommand: String

  private static let stopLimitMilliseconds: Int32 = 60_000
}

#if HTTP
  extension ServerCommands: ServerControl {
    func stop() throws(HarnessError) {
      let program: Subprocess
      do throws(SystemFailure) {
        program = try Subprocess("/bin/sh", ["-c", stopCommand], variables: [])
      } catch {
        throw HarnessError("--stop-command: \(error)")
      }
      var waited: Int32 = 0
      while !program.advance(milliseconds: 100) {
        waited += 100
        if waited >= Self.stopLimitMilliseconds { program.stop() }
      }
      switch program.end {
      case .exited(0): break
      case .timedOut: throw HarnessError("--stop-command did not end within 60 s")
      default:
        let text = String(decoding: program.errorTail, as: UTF8.self)
        throw HarnessError("--stop-command failed: \(text)")
      }
    }

    func start() throws(HarnessError) {
      do throws(SystemFailure) {
        // A group of its own: Control-C at the terminal does not reach the server.
        _ = try ProgramStart.spawn(
          ["/bin/sh", "-c", startCommand], streams: [.nowhere, .nowhere, .nowhere], leadsGroup: true
        )
      } catch {
        throw HarnessError("--start-command: \(error)")
      }
    }
  }
#endif
