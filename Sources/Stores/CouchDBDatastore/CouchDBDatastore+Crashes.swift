#if HTTP
  public import Datastore
  internal import HTTPClient
  internal import HTTPServer
  internal import JSON
  internal import Replication
  internal import Synchronization

  /// Kills and starts the server under test.
  public protocol ServerControl: Sendable {
    /// Kills the server, and returns when it has ended.
    func stop() throws(HarnessError)

    /// Starts the server; it may answer later.
    func start() throws(HarnessError)
  }

  /// Crashes of the server, which all of its databases share.
  extension CouchDBDatastore {
    public func crash(_ kind: CrashKind) throws(HarnessError) {
      let control = try control(of: kind)
      try control.stop()
      try start(control)
    }

    /// Performs an operation, and kills the server during it.
    ///
    /// - Parameter delayMicroseconds: the time between the first request and the kill.
    /// - Returns: nil if the outcome is unknown. If databases have copies, and the killed node is
    ///   another than the one that answers, the outcome is known, and no store is closed.
    @discardableResult
    public func performKilled(
      _ operation: StoreOperation, _ environment: RunEnvironment, delayMicroseconds: UInt32
    ) throws(HarnessError) -> Outcome? {
      let control = try control(of: .kill)
      let kill = Kill()
      let isStarted = BackgroundThread.start {
        BackgroundThread.pause(microseconds: delayMicroseconds)
        do throws(HarnessError) {
          try control.stop()
          kill.end(.success(()))
        } catch {
          kill.end(.failure(error))
        }
      }
      guard isStarted else { throw HarnessError("no thread for the kill of the server") }
      // Without an answer, the operation may or may not have had an effect.
      let outcome = try? perform(operation, environment)
      try kill.wait()
      try start(control)
      return copies > 1 ? outcome : nil
    }

    private func control(of kind: CrashKind) throws(HarnessError) -> any ServerControl {
      guard kind == .kill, let control else {
        throw HarnessError("\(client.address) cannot be crashed from here")
      }
      return control
    }

    /// Starts the server, and waits until it answers.
    private func start(_ control: any ServerControl) throws(HarnessError) {
      endSessions()
      try control.start()
      for _ in 0..<Self.startAttempts {
        if isUp { return }
        BackgroundThread.pause(microseconds: Self.startPauseMicroseconds)
      }
      throw HarnessError("\(client.address) does not answer 60 s after its start")
    }

    private static let startAttempts = 1200
    private static let startPauseMicroseconds: UInt32 = 50_000

    /// Servers without the endpoint `_up` answer 404.
    private var isUp: Bool {
      guard let other = try? client.another(limitSeconds: 5),
        let response = try? other.send(HTTPRequest("GET", "/_up"))
      else { return false }
      return [200, 404].contains(response.status)
    }
  }

  /// The end of a kill on another thread.
  private final class Kill: Sendable {
    private let result = Mutex<Result<Void, HarnessError>?>(nil)

    func end(_ result: Result<Void, HarnessError>) { self.result.withLock { $0 = result } }

    func wait() throws(HarnessError) {
      while true {
        if let result = result.withLock({ $0 }) { return try result.get() }
        BackgroundThread.pause(microseconds: 1000)
      }
    }
  }
#endif
