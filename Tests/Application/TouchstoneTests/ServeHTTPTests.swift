#if HTTP
  import Conformance
  import Datastore
  import HTTPClient
  import JSON
  import Testing

  @testable import touchstone

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// `serve --http` as a process of its own.
  @Suite struct ServeHTTPTests {
    /// A running server and a connection to it.
    private final class Served {
      let process: Subprocess
      let client: HTTPClient
      private let deadlineSteps = 1500

      init(_ words: [String], variables: [String] = []) throws {
        process = try Subprocess(
          try BuiltProgram.path(), ["serve", "--http", "0"] + words, variables: variables)
        var address: String?
        for _ in 0..<1500 where address == nil {
          if process.advance(milliseconds: 20) { break }
          address = Self.address(in: process.output)
        }
        let text = try #require(
          address, "no address: \(String(decoding: process.errorTail, as: UTF8.self))")
        client = try HTTPClient(try ServerAddress.reading(text).address, limitSeconds: 20)
      }

      private static func address(in output: [UInt8]) -> String? {
        let text = String(decoding: output, as: UTF8.self)
        guard text.contains("\n"), let mark = text.firstRange(of: " is served at ") else {
          return nil
        }
        return text[mark.upperBound...].split(separator: "\n").first.map { String($0) }
      }

      /// Ends the server with a signal, and waits for it.
      func end(_ signal: Int32) -> Subprocess.End? {
        kill(process.identifier, signal)
        for _ in 0..<deadlineSteps where process.end == nil {
          _ = process.advance(milliseconds: 20)
        }
        defer { process.kill() }
        return process.end
      }

      func status(_ method: JSONString, _ path: JSONString, _ body: JSONValue? = nil) throws
        -> Int64
      {
        try client.send(HTTPRequest(method, path, body: body)).status
      }
    }

    /// Every acknowledged write exists after the server was killed.
    @Test func aKillLosesNothing() throws {
      let folder = try TemporaryFolder([("data/.keep", "")])
      let words = ["--storage", "disk:\(folder.path)/data"]
      let first = try Served(words)
      #expect(try first.status("PUT", "/notes") == 201)
      for number in 0..<30 {
        #expect(try first.status("PUT", JSONString("/notes/d\(number)"), ["n": 1]) == 201)
      }
      #expect(first.end(SIGKILL) == .signalled(SIGKILL))
      let second = try Served(words)
      for number in 0..<30 {
        #expect(try second.status("GET", JSONString("/notes/d\(number)")) == 200)
      }
      #expect(second.end(SIGTERM) == .exited(0))
    }

    /// The verdict is printed at the end, and a recording has each exchange.
    @Test func theVerdictIsPrinted() throws {
      let folder = try TemporaryFolder([])
      let recording = "\(folder.path)/exchanges.jsonl"
      let served = try Served([
        "--implementation", "reference", "--hostile", "slow:3", "--verdict", "--record", recording,
      ])
      #expect(try served.status("PUT", "/notes") == 201)
      for number in 0..<5 {
        #expect(try served.status("PUT", JSONString("/notes/d\(number)"), [:]) == 201)
      }
      #expect(served.end(SIGINT) == .exited(0))
      let output = String(decoding: served.process.output, as: UTF8.self)
      #expect(output.contains("passed  6 requests"))
      #expect(output.contains("acknowledged writes: 5 current, 0 in conflict"))
      #expect(output.contains("traffic: 0 findings of level MUST"))
      let lines = String(decoding: try Files.read(recording), as: UTF8.self).split(
        separator: "\n")
      #expect(lines.count == 6)
    }

    @Test func aPasswordIsRequired() throws {
      let served = try Served(
        [], variables: ["TOUCHSTONE_HTTP_USER=me", "TOUCHSTONE_HTTP_PASSWORD=word"])
      #expect(try served.status("PUT", "/notes") == 401)
      let own = try HTTPClient(
        served.client.address, credentials: Credentials(user: "me", password: "word"))
      #expect(try own.send(HTTPRequest("PUT", "/notes")).status == 201)
      // Only this user may change the faults or read the verdict.
      #expect(try served.status("POST", "/_touchstone/plan", ["plan": "cuts"]) == 401)
      #expect(try served.status("GET", "/_touchstone/verdict") == 401)
      #expect(try own.send(HTTPRequest("GET", "/_touchstone/verdict")).status == 200)
      #expect(served.end(SIGTERM) == .exited(0))
    }

    /// A proxy passes requests on, and injects faults of its own.
    @Test func aProxy() throws {
      let served = try Served([])
      let proxy = try Served(["--upstream", "\(served.client.address)", "--hostile", "errors:2"])
      #expect(try served.status("PUT", "/notes") == 201)
      var statuses: Set<Int64> = []
      for number in 0..<40 {
        statuses.insert(try proxy.status("PUT", JSONString("/notes/d\(number)"), [:]))
      }
      #expect(statuses.contains(201))
      #expect(!statuses.isDisjoint(with: [429, 500, 503]))
      let info = try served.client.send(HTTPRequest("GET", "/notes"))
      let count = try #require(info.body?.objectValue?["doc_count"]?.integerValue)
      // Each request of the proxy that was performed reached the other server.
      #expect((20...40).contains(count))
      #expect(proxy.end(SIGTERM) == .exited(0))
      #expect(served.end(SIGTERM) == .exited(0))
    }

    @Test(
      arguments: [
        (["serve", "5984"], "needs --http"), (["serve", "--cors", "*"], "--cors needs --http"),
        (["serve", "--http", "70000"], "is not a port"),
        (["serve", "--http", "--host", "0.0.0.0"], "set TOUCHSTONE_HTTP_USER"),
        (["serve", "--http", "--hostile", "x"], "expected a seed"),
        (["serve", "--http", "--listen", "1"], "exclude each other"),
        (
          ["serve", "--http", "--upstream", "http://127.0.0.1:1", "--storage", "memory"], "exclude"
        ),
      ] as [([String], String)])
    func wrongOptions(words: [String], message: String) throws {
      let process = try Subprocess(try BuiltProgram.path(), words, variables: [])
      while !process.advance(milliseconds: 20) {}
      #expect(process.end == .exited(ExitCode.usage.rawValue))
      let text = String(decoding: process.errorTail, as: UTF8.self)
      #expect(text.contains(message), "\(text)")
    }
  }
#endif
