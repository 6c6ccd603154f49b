import Foundation
import Testing

@testable import Adapters

@Suite struct ProgramStartTests {
  /// A program must not run before it is registered: if this process is killed in between, nothing
  /// ends the program.
  @Test func programsBeginWhenTheyAreRegistered() throws {
    let path = NSTemporaryDirectory() + "begun-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    var registered: Int32?
    let process = try start(["/bin/sh", "-c", #"echo "$1" > "$0""#, path, "a  b='c'"]) {
      registered = $0
      usleep(300_000)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
    #expect(registered == process)
    #expect(end(of: process) == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "a  b='c'\n")
  }

  /// A program has no descriptor of the wait, and its own exit code.
  @Test func nothingOfTheWaitRemains() throws {
    let process = try start([
      "/bin/sh", "-c", #"[ -z "${touchstone_registered+x}" ] && ! true <&9 && exit 7"#,
    ])
    #expect(end(of: process) == 7 << 8)
  }

  /// The gate closes without a line if the process that starts the program is killed.
  @Test func nothingBeginsBehindAClosedGate() throws {
    let path = NSTemporaryDirectory() + "begun-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let script = "exec \(ProgramStart.gate)</dev/null; \(ProgramStart.waiting)"
    let process = try start(["/bin/sh", "-c", script, "/bin/sh", "-c", "echo > '\(path)'"])
    #expect(end(of: process) != 0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [
    ("/no/such/program", ENOENT), ("/etc/passwd", EACCES), ("/", EACCES),
    // Only in `PATH`, which is not searched.
    ("sh", ENOENT),
  ])
  func missingPrograms(path: String, code: Int32) {
    let error = #expect(throws: SystemFailure.self) { _ = try start([path]) }
    #expect(error?.code == code)
  }

  /// A name without a slash is a file of the current folder, also if `PATH` has one.
  @Test(arguments: [("store", "./store"), ("-p", "./-p"), ("bin/store", "bin/store")])
  func namesAreFilesOfTheCurrentFolder(path: String, passed: String) {
    #expect(ProgramStart.pathForShell(path) == passed)
  }

  private func start(
    _ words: [String], register: (Int32) -> Void = { _ in }
  ) throws(SystemFailure) -> Int32 {
    try ProgramStart.spawnRegistered(
      words, streams: [.nowhere, .nowhere, .nowhere], leadsGroup: true, register: register)
  }

  /// Waits for the end of a process, and returns its wait status.
  private func end(of process: Int32) -> Int32 {
    var status: Int32 = -1
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
