#if HTTP
  import CouchDBDatastore
  import Datastore
  import HTTPClient
  import JSON
  import Synchronization
  import Testing

  /// Crashes of the server under test.
  struct ServerCrashTests {
    /// Records what it is asked for.
    private final class Control: ServerControl {
      private let calls = Mutex<[String]>([])
      private let failure: HarnessError?

      init(failure: HarnessError? = nil) { self.failure = failure }

      var all: [String] { calls.withLock { $0 } }

      var stopCount: Int { all.count { $0 == "stop" } }

      func stop() throws(HarnessError) {
        calls.withLock { $0.append("stop") }
        if let failure { throw failure }
      }

      func start() throws(HarnessError) { calls.withLock { $0.append("start") } }
    }

    private func store(_ server: FakeServer, _ control: Control?) throws -> CouchDBDatastore {
      try CouchDBDatastore(
        HTTPClient(server.address, limitSeconds: 30), label: "test", control: control)
    }

    @Test func aServerWithoutCommandsHasNoCrashes() throws {
      let server = try FakeServer { _ in HTTPResponse(200) }
      defer { server.stop() }
      let store = try store(server, nil)
      #expect(store.description.crashes == [])
      #expect(throws: HarnessError.self) { try store.crash(.kill) }
    }

    @Test func aCrashStopsTheServerAndStartsItAgain() throws {
      let server = try FakeServer { _ in HTTPResponse(200) }
      defer { server.stop() }
      let control = Control()
      let store = try store(server, control)
      #expect(store.description.crashes == [.kill])
      try store.crash(.kill)
      #expect(control.all == ["stop", "start"])
      #expect(throws: HarnessError.self) { try store.crash(.powerLoss) }
      #expect(control.all == ["stop", "start"])
    }

    @Test func anOperationIsPerformedWhileTheServerIsKilled() throws {
      let server = try FakeServer { _ in HTTPResponse(200) }
      defer { server.stop() }
      let control = Control()
      let store = try store(server, control)
      let environment = RunEnvironment(seed: 1)
      try store.performKilled(
        StoreOperation("a", .open()), environment, delayMicroseconds: 1000)
      #expect(control.all == ["stop", "start"])
      // The operation had its effect.
      #expect(
        try store.perform(StoreOperation("a", .close), environment) == .ok(.done))
    }

    @Test func aFailedStopIsAnError() throws {
      let server = try FakeServer { _ in HTTPResponse(200) }
      defer { server.stop() }
      let control = Control(failure: HarnessError("no such process"))
      let store = try store(server, control)
      let error = try #require(throws: HarnessError.self) {
        try store.performKilled(
          StoreOperation("a", .open()), RunEnvironment(seed: 1), delayMicroseconds: 0)
      }
      #expect(error.message == "no such process")
      #expect(control.all == ["stop"])
    }
  }
#endif
