import Foundation
import Testing

@testable import touchstone

/// The workers and adapters of a command end with it in every case, and their folders are removed.
@Suite struct ChildrenEndTests {
  /// An adapter that never answers, with a child that ignores the end of its input. It writes the
  /// numbers of both and of its parent to a folder.
  private static func adapter(_ folder: String) -> String {
    "exec:trap '' TERM HUP INT; (trap '' TERM HUP INT; sleep 1000; sleep 1000) & "
      + "echo $PPID $$ $! > \(folder)/$$; sleep 1000; sleep 1000"
  }

  private static let deadlineSeconds = 30
  /// Less than the time limit of an adapter's start: before its first result a command ends at once.
  private static let endSeconds = 15

  /// Whether started programs ignore a signal, as under `nohup` and in the background of a script.
  private static func isIgnored(_ signal: Int32) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let mask = text.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }?
      .split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) }
    return (mask ?? 0) >> UInt64(signal - 1) & 1 == 1
  }

  @Test(
    arguments: [
      (["simulate", "--jobs", "2", "--seeds", "1..40"], 2), (["compare"], 1), (["run"], 1),
    ] as [([String], Int)],
    [SIGTERM, SIGHUP, SIGINT, SIGKILL].filter { !ChildrenEndTests.isIgnored($0) })
  func nothingStays(command: ([String], Int), signal: Int32) throws {
    let (words, count) = command
    let folder = try TemporaryFolder([("pids/.keep", ""), ("tmp/.keep", "")])
    let (pids, temporary) = ("\(folder.path)/pids", "\(folder.path)/tmp")
    let process = try Subprocess(
      try BuiltProgram.path(), words + ["--implementation", Self.adapter(pids)],
      variables: ["TMPDIR=\(temporary)"])
    var started: Set<Int32> = []
    for _ in 0..<(Self.deadlineSeconds * 50) where started.count < 2 * count {
      started = try Self.numbers(in: pids, count: count)
      if process.advance(milliseconds: 20) { break }
    }
    try #require(
      started.count >= 2 * count, "\(String(decoding: process.errorTail, as: UTF8.self))")
    #expect(try !Self.folders(in: temporary).isEmpty)
    #expect(kill(process.identifier, signal) == 0)
    var (running, left) = (started, ["?"])
    for _ in 0..<(Self.endSeconds * 50) where !running.isEmpty || !left.isEmpty {
      running = running.filter { Self.runs($0) }
      left = try Self.folders(in: temporary)
      _ = process.advance(milliseconds: 0)
      usleep(20_000)
    }
    #expect(running.isEmpty, "still running, of \(started)")
    #expect(left.isEmpty)
    process.kill()
    // No process may remain after a failed test either.
    for number in running { kill(number, SIGKILL) }
  }

  private static let withFolders = [
    ["bench", "--filter", "read", "--runs", "1000"],
    ["crash", "--filter", "create", "--subsets", "2", "--kill", "100000"],
  ]

  /// The folders of commands with temporary files are removed in the same way.
  @Test(
    arguments: withFolders,
    [SIGTERM, SIGHUP, SIGINT, SIGKILL].filter { !ChildrenEndTests.isIgnored($0) })
  func noFolderStays(words: [String], signal: Int32) throws {
    let folder = try TemporaryFolder([("tmp/.keep", "")])
    let temporary = "\(folder.path)/tmp"
    let process = try Subprocess(try BuiltProgram.path(), words, variables: ["TMPDIR=\(temporary)"])
    var made: [String] = []
    for _ in 0..<(Self.deadlineSeconds * 50) where made.isEmpty {
      made = try Self.folders(in: temporary)
      if process.advance(milliseconds: 20) { break }
    }
    try #require(!made.isEmpty, "\(String(decoding: process.errorTail, as: UTF8.self))")
    #expect(kill(process.identifier, signal) == 0)
    var left = made
    for _ in 0..<(Self.deadlineSeconds * 50) where !left.isEmpty || process.end == nil {
      left = try Self.folders(in: temporary)
      // After its end `advance` returns at once, and the folders are removed after it.
      if process.advance(milliseconds: 20) { usleep(20_000) }
    }
    #expect(left.isEmpty)
    #expect(process.end == .signalled(signal))
    process.kill()
  }

  @Test(arguments: [
    ["bench", "--filter", "read", "--runs", "1", "--scale", "small"],
    ["crash", "--filter", "create", "--subsets", "2", "--kill", "1"],
  ])
  func theNextStartRemovesFoldersOfDeadProcesses(words: [String]) throws {
    let abandoned = "tmp/touchstone-4194303-17-abcdef"
    let folder = try TemporaryFolder([("\(abandoned)/a.sqlite", "x"), ("tmp/touchstone-mine", "")])
    let temporary = "\(folder.path)/tmp"
    let process = try Subprocess(try BuiltProgram.path(), words, variables: ["TMPDIR=\(temporary)"])
    while !process.advance(milliseconds: 20) {}
    #expect(process.end == .exited(0))
    #expect(try Self.folders(in: temporary) == ["touchstone-mine"])
  }

  /// A worker has the environment of the command, and the log of its adapter is printed.
  @Test func whatAnAdapterInAWorkerWrites() throws {
    let adapter = "exec:echo \"no library in $ADAPTER_HOME\" >&2; exit 7"
    let process = try Subprocess(
      try BuiltProgram.path(),
      ["simulate", "--jobs", "2", "--seeds", "1..4", "--implementation", adapter],
      variables: ["ADAPTER_HOME=/opt/adapter"])
    while !process.advance(milliseconds: 20) {}
    let text = String(decoding: process.errorTail, as: UTF8.self)
    #expect(process.end == .exited(ExitCode.harness.rawValue))
    #expect(text.contains("the worker for seeds "))
    #expect(text.contains("no library in /opt/adapter"), "\(text)")
  }

  // MARK: Processes and folders

  /// The numbers in the complete files; each file has 3.
  private static func numbers(in folder: String, count: Int) throws -> Set<Int32> {
    var numbers: Set<Int32> = []
    var files = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != ".keep" {
      let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
      let found = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
      if text.hasSuffix("\n"), found.count == 3 {
        numbers.formUnion(found)
        files += 1
      }
    }
    return files >= count ? numbers : []
  }

  private static func folders(in parent: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: parent)
      .filter { $0.hasPrefix("touchstone-") }
  }

  /// Whether a process runs; a zombie does not.
  private static func runs(_ number: Int32) -> Bool {
    guard kill(number, 0) == 0 else { return false }
    let text = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
    return text.split(separator: ")").last?.split(separator: " ").first != "Z"
  }
}
