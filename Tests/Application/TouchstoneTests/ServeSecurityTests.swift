import Datastore
import Foundation
import JSON
import Testing

@testable import touchstone

/// Security of `touchstone serve` and the runner over sockets against other users of the machine.
@Suite struct ServeSecurityTests {
  private static let hello =
    #"{"id":0,"hello":{"protocol":{"first":1,"last":1},"runner":"r","serves":[]}}"#

  /// A TCP port that was free at the time of the call.
  private func freePort() throws -> UInt16 {
    // A process that another test starts concurrently must not inherit the socket: the port would
    // stay in use until that process ends.
    #if canImport(Glibc)
      let socket = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      let socket = socket(AF_INET, SOCK_STREAM, 0)
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    #endif
    defer { _ = close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 ? getsockname(socket, $0, &size) : -1
      }
    }
    try #require(code == 0)
    return UInt16(bigEndian: address.sin_port)
  }

  @Test func aPortNeedsTheSecret() throws {
    let folder = try TemporaryFolder()
    let port = try freePort()
    let (end, output) = try BuiltProgram.shell(
      #"""
      cd '\#(folder.path)'
      "$TOUCHSTONE" serve --listen \#(port) > secret.env 2> log &
      while ! grep -q TOUCHSTONE_SECRET= secret.env; do sleep 0.05; done
      # Without the secret, and with a wrong one.
      "$TOUCHSTONE" run --implementation connect:127.0.0.1:\#(port) --filter 'winner-*' 2>&1
      echo "without: $?"
      TOUCHSTONE_SECRET=wrong \
        "$TOUCHSTONE" run --implementation connect:127.0.0.1:\#(port) --filter 'winner-*' 2>&1
      echo "wrong: $?"
      . ./secret.env; export TOUCHSTONE_SECRET
      "$TOUCHSTONE" run --implementation connect:127.0.0.1:\#(port) --filter 'winner-*' 2>&1
      echo "right: $?"
      wait
      echo "served: $?"
      wc -l < secret.env
      cat log
      grep -c "$TOUCHSTONE_SECRET" log
      """#)
    #expect(output.contains("without: 3"), "\(output)")
    #expect(output.contains("wrong: 3"), "\(output)")
    #expect(output.contains("right: 0"), "\(output)")
    #expect(output.contains("TOUCHSTONE_SECRET"), "the runner names the variable: \(output)")
    #expect(output.contains("rejected 127.0.0.1:"), "\(output)")
    #expect(output.contains("the first line lacks the secret"), "\(output)")
    #expect(output.contains("connected to 127.0.0.1:"), "\(output)")
    // The secret is printed once, and is in no log.
    #expect(output.split(separator: "\n").last == "0", "\(output)")
    #expect(end == .exited(1))
  }

  @Test func aRunnerThatListensNeedsTheSecret() throws {
    let folder = try TemporaryFolder()
    let port = try freePort()
    let (_, output) = try BuiltProgram.shell(
      #"""
      cd '\#(folder.path)'
      "$TOUCHSTONE" run --implementation listen:\#(port) --require-secret --filter 'winner-*' \
        > out 2> log &
      while ! grep -q TOUCHSTONE_SECRET= log; do sleep 0.05; done
      "$TOUCHSTONE" serve --connect 127.0.0.1:\#(port) 2>&1
      TOUCHSTONE_SECRET=wrong "$TOUCHSTONE" serve --connect 127.0.0.1:\#(port) 2>&1
      export "$(grep TOUCHSTONE_SECRET= log)"
      "$TOUCHSTONE" serve --connect 127.0.0.1:\#(port) 2>&1
      wait $!
      cat out log
      """#)
    #expect(output.contains(ServeCommandTests.passed), "\(output)")
    #expect(
      output.split(separator: "\n").count { $0.contains("lacks the secret") } == 2, "\(output)")
    #expect(output.contains("connected to 127.0.0.1:"), "\(output)")
  }

  /// Several adapters connect to a simulation, each with the single printed secret.
  @Test func aSimulationThatListensNeedsTheSecret() throws {
    let folder = try TemporaryFolder()
    let port = try freePort()
    let (_, output) = try BuiltProgram.shell(
      #"""
      cd '\#(folder.path)'
      "$TOUCHSTONE" simulate --implementation listen:\#(port) --require-secret --seeds 1..2 \
        --replicas 2 --operations 10 > out 2> log &
      runner=$!
      while kill -0 $runner && ! grep -q TOUCHSTONE_SECRET= log; do sleep 0.05; done
      TOUCHSTONE_SECRET=wrong "$TOUCHSTONE" serve --connect 127.0.0.1:\#(port) 2> /dev/null
      export "$(grep -m 1 TOUCHSTONE_SECRET= log)"
      adapters=
      for number in 1 2 3 4; do
        "$TOUCHSTONE" serve --connect 127.0.0.1:\#(port) 2> /dev/null &
        adapters="$adapters $!"
      done
      wait $runner
      echo "runner: $?"
      kill $adapters
      wait
      cat out log
      """#)
    #expect(output.contains("runner: 0\n"), "\(output)")
    #expect(output.contains("0 lost writes"), "\(output)")
    let lines = output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("TOUCHSTONE_SECRET=") } == 1, "\(output)")
    #expect(lines.count { $0.contains("lacks the secret") } == 1, "\(output)")
    #expect(lines.count { $0.contains("connected to 127.0.0.1:") } > 1, "\(output)")
  }

  /// Every command with an adapter accepts the option, but not for an adapter that it starts.
  @Test(arguments: [
    ["run"], ["compare"], ["doctor"], ["simulate"], ["replay", "1"], ["shrink", "x"], ["objects"],
    ["collections"], ["explore", "--replicator"], ["vectors", "promote", "x"],
  ])
  func theOptionIsForListening(words: [String]) {
    let world = TestWorld()
    let code = world.run(all: words + ["--implementation", "exec:true", "--require-secret"])
    #expect(code == .usage)
    #expect(
      world.error.contains("--require-secret needs --implementation listen:PORT\n"),
      "\(world.error)")
  }

  @Test func theSecretNeedsAnImplementation() {
    let world = TestWorld()
    #expect(world.run("explore", "--replicator", "--require-secret") == .usage)
    #expect(world.error.contains("--require-secret needs --implementation listen:PORT\n"))
    #expect(world.run("explore", "--require-secret") == .usage)
    #expect(world.error.contains("--require-secret needs --replicator\n"))
  }

  @Test(arguments: [["--jobs", "2"], ["--prove"]])
  func oneProcessListens(words: [String]) {
    let world = TestWorld()
    #expect(world.run(all: ["simulate", "--implementation", "listen:7000"] + words) == .usage)
    #expect(world.error.contains("listen:7000 accepts adapters in one process only: use --jobs 1"))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func theFileGoesWithTheProcess(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/socket"
    let process = Process()
    // The threads of tests block signals, and started processes inherit that.
    let unblocking =
      "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); "
      + "os.execv(sys.argv[1], sys.argv[1:])"
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["python3", "-c", unblocking, try BuiltProgram.path(), "serve", "--listen", path]
    process.standardError = FileHandle.nullDevice
    let mask = umask(0)
    try process.run()
    _ = umask(mask)
    var status = stat()
    for _ in 0..<1000 where lstat(path, &status) != 0 { usleep(10_000) }
    #expect(status.st_mode & S_IFMT == S_IFSOCK && status.st_mode & 0o777 == 0o600)
    #expect(kill(process.processIdentifier, signal) == 0)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
    #expect(lstat(path, &status) != 0)
  }

  @Test func onlyWithPermissionAFileIsRead() throws {
    let edit =
      #"{"op":"create","store":"a","id":"d","body":{},"attachments":{"a":{"file":"FILE"}}}"#
    let record =
      #"{"op":"insertRevisions","store":"a","records":[{"id":"e","path":["1-a"],"body":{},"#
      + #""attachments":{"a":{"file":"FILE"}}}]}"#
    let read = #"{"op":"readAttachment","store":"a","id":"d","name":"a"}"#
    var lines = [Self.hello]
    for (place, operation) in [#"{"op":"open","store":"a"}"#, edit, record, read].enumerated() {
      lines.append("{\"id\":\(place + 1),\"perform\":\(operation)}")
    }
    let folder = try TemporaryFolder([("file", "abc")])
    let text = lines.joined(separator: "\n").replacing("FILE", with: "\(folder.path)/file") + "\n"
    try text.write(toFile: "\(folder.path)/lines", atomically: false, encoding: .utf8)
    func serve(_ option: String) throws -> String {
      try BuiltProgram.shell("\"$TOUCHSTONE\" serve \(option) < '\(folder.path)/lines' 2>&1").output
    }
    let refused = #""kind":"unsupported","what":"file""#
    let without = try serve("")
    #expect(without.ranges(of: refused).count == 2, "\(without)")
    #expect(!without.contains("YWJj"))
    let with = try serve("--allow-files")
    #expect(with.ranges(of: refused).count == 1, "\(with)")
    #expect(with.contains(#""bytes":"YWJj""#), "\(with)")
    #expect(
      try serve("--allow-files --listen /tmp/x").contains(
        "--allow-files needs the standard streams"))
    #expect(try serve("--allow-files --implementation reference").contains("reads no files"))
  }

  @Test(arguments: [#"/tmp/a\u0000b"#, ""]) func aFolderThatCannotBeIsNotUsed(folder: String) throws
  {
    let hello =
      #"{"id":0,"hello":{"protocol":{"first":1,"last":1},"runner":"r","folder":"\#(folder)","serves":[]}}"#
    let place = try TemporaryFolder([("lines", hello + "\n")])
    let (end, output) = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" serve < '\(place.path)/lines' 2>&1")
    #expect(end == .exited(0))
    #expect(output.contains(#""crashes":[]"#), "\(output)")
    #expect(!FileManager.default.fileExists(atPath: "/tmp/a"))
  }

  /// More stores than file descriptors: the open stores keep their data.
  @Test func tooManyStoresAreAnError() throws {
    var (lines, count) = ([Self.hello], 60)
    func ask(_ operation: String) {
      lines.append("{\"id\":\(lines.count),\"perform\":\(operation)}")
    }
    for number in 0..<count {
      ask(#"{"op":"open","store":"s\#(number)"}"#)
      ask(#"{"op":"create","store":"s\#(number)","id":"d","body":{"n":\#(number)}}"#)
    }
    ask(#"{"op":"read","store":"s0","id":"d"}"#)
    ask(#"{"op":"close","store":"s0"}"#)
    ask(#"{"op":"open","store":"s\#(count - 1)"}"#)
    ask(#"{"op":"create","store":"s\#(count - 1)","id":"d","body":{}}"#)
    ask(#"{"op":"close","store":"s1"}"#)
    ask(#"{"op":"open","store":"s0"}"#)
    ask(#"{"op":"read","store":"s0","id":"d"}"#)
    let folder = try TemporaryFolder([("lines", lines.joined(separator: "\n") + "\n")])
    let (end, output) = try BuiltProgram.shell(
      #"""
      cd '\#(folder.path)'
      ulimit -n 64
      "$TOUCHSTONE" serve --storage disk:stores < lines 2>&1
      """#)
    #expect(end == .exited(0))
    let answers = output.split(separator: "\n").map(String.init)
    #expect(answers.count == lines.count)
    #expect(output.contains("Too many open files"))
    count = answers.count
    #expect(answers[count - 7].contains(#""body":{"n":0}"#), "\(answers[count - 7])")
    for answer in answers[(count - 6)...] { #expect(answer.contains(#""ok""#), "\(answer)") }
    #expect(answers[count - 1].contains(#""body":{"n":0}"#))
    for answer in answers where answer.contains("error") {
      #expect(answer.contains("storage") || answer.contains("noSuchStore"), "\(answer)")
    }
  }

  /// `protocol.md`: the runner omits no argument, and identifies the client.
  @Test func theDoctorSendsWholeRequests() throws {
    let folder = try TemporaryFolder()
    let (end, output) = try BuiltProgram.shell(
      #"""
      "$TOUCHSTONE" doctor --implementation \
        "exec:tee -a '\#(folder.path)/lines' | '$TOUCHSTONE' serve" 2>&1
      """#)
    #expect(output.contains("rejects invalid requests"), "\(output)")
    _ = end
    let lines = try String(contentsOfFile: "\(folder.path)/lines", encoding: .utf8)
    var performed = 0
    for line in lines.split(separator: "\n") where line.utf8.count < 10_000 {
      guard let request = try JSONValue.parse(String(line)).objectValue,
        let operation = request["perform"]
      else { continue }
      performed += 1
      #expect(request["for"]?.textValue != nil, "\(line)")
      do {
        _ = try StoreOperation(operation)
      } catch {
        #expect(operation.objectValue?["op"] == "frobnicate", "\(line): \(error)")
      }
    }
    #expect(performed > 100)
  }
}
