import Datastore
import JSON
import Storage
import Testing

@testable import CrashTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The check of a killed process's lines and files.
@Suite struct KilledProcessTests {
  /// A new temporary folder, removed with this object.
  private final class Folder {
    let path: String

    init() {
      var template = Array("/tmp/touchstone-killed-XXXXXX".utf8CString)
      path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    }

    deinit {
      if let storage = try? DiskStorage(directory: path) {
        for name in (try? storage.fileNames()) ?? [] { try? storage.delete(name) }
      }
      rmdir(path)
    }
  }

  /// All lines of a process that runs to its end.
  private func lines(_ process: KilledProcess) throws -> [String] {
    var lines: [String] = []
    try process.perform { lines.append($0) }
    return lines
  }

  private func check(
    _ process: KilledProcess, _ lines: some Collection<String>, rest: String = ""
  ) throws -> KilledProcess.Verdict {
    try process.check(Array((lines.map { $0 + "\n" }.joined() + rest).utf8))
  }

  @Test(arguments: ["update", "pull-in-pieces", "upgrade"])
  func oneThatEndsHasLostNothing(name: String) throws {
    let folder = Folder()
    let process = KilledProcess(try CrashExplorerTests.scenario(name), folder: folder.path)
    let lines = try lines(process)
    #expect(lines.count { $0 == KilledProcess.readyLine } == 1)
    let verdict = try check(process, lines)
    #expect(verdict.finding == nil)
    #expect(verdict.operation == nil)
    #expect(verdict.acknowledged == lines.count { $0.hasPrefix("{\"here\"") })
  }

  @Test func whatWasOnItsWayMayHaveHappened() throws {
    let folder = Folder()
    let process = KilledProcess(try CrashExplorerTests.scenario("create"), folder: folder.path)
    let lines = try lines(process)
    let last = try #require(lines.lastIndex { $0.hasPrefix("{\"here\":{\"op\":\"create\"") })
    // Half a line is ignored.
    let verdict = try check(process, lines[..<last], rest: String(lines[last].prefix(30)))
    #expect(verdict.finding == nil)
    #expect(verdict.operation?.contains("\"create\"") == true)
  }

  @Test func whatWasSaidAndIsNotThereIsLost() throws {
    let (folder, other) = (Folder(), Folder())
    let scenario = try CrashExplorerTests.scenario("create")
    let lines = try lines(KilledProcess(scenario, folder: folder.path))
    let verdict = try check(KilledProcess(scenario, folder: other.path), lines)
    #expect(verdict.finding?.kind == .lost)
  }

  @Test func whatWasNeverSaidIsStrange() throws {
    let folder = Folder()
    let process = KilledProcess(try CrashExplorerTests.scenario("create"), folder: folder.path)
    let lines = try lines(process)
    let open = try #require(lines.firstIndex { $0.hasPrefix("{\"here\":{\"op\":\"open\"") })
    #expect(try check(process, lines[...open]).finding?.kind == .stranger)
  }

  @Test func nonsenseIsNoEvent() throws {
    let folder = Folder()
    let process = KilledProcess(try CrashExplorerTests.scenario("create"), folder: folder.path)
    #expect(throws: HarnessError.self) { try check(process, ["{\"there\":{}}"]) }
    #expect(throws: HarnessError.self) { try check(process, ["nothing"]) }
  }
}
