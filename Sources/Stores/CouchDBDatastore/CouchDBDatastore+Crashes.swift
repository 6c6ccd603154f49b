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

    /// The number of calls of `stop` so far, by all users of the server.
    var stopCount: Int { get }
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

    /// The number of kills of the server so far.
    public var killCount: Int { control?.stopCount ?? 0 }

    /// Waits until all nodes are there, and all copies are equal.
    ///
    /// The nodes copy missing changes to each other by themselves; requests for it only begin sooner.
    public func settle() throws(HarnessError) {
      guard copies > 1 else { return }
      var quietCount = 0
      var reason = "a node is away"
      for _ in 0..<Self.startAttempts {
        if let jobs = try backlog() {
          reason = "they still copy changes to each other"
          if quietCount == 0, jobs == 0 { try synchronize() }
          quietCount = jobs == 0 ? quietCount + 1 : 0
          if quietCount > Self.quietLooks { return }
        } else {
          (reason, quietCount) = ("a node is away", 0)
        }
        BackgroundThread.pause(microseconds: Self.startPauseMicroseconds)
      }
      throw HarnessError(
        "the nodes of \(client.address) are not equal after \(Self.startAttempts) looks: \(reason)")
    }

    /// Lets the nodes compare all copies.
    private func synchronize() throws(HarnessError) {
      for database in databases.values.sorted(by: { $0.number < $1.number }) {
        let request = HTTPRequest("POST", JSONString("\(database.path)/_sync_shards"))
        do throws(Refusal) {
          let response = try send(request)
          guard (200...299).contains(response.status) else {
            throw refusal(response, to: "POST \(request.path)")
          }
        } catch {
          switch error {
          case .harness(let error): throw error
          case .error(let error): throw HarnessError("POST \(request.path): \(error.message)")
          }
        }
      }
    }

    /// The number of running copies between nodes; nil if a node is away.
    private func backlog() throws(HarnessError) -> Int64? {
      do throws(Refusal) {
        let membership = try send(HTTPRequest("GET", "/_membership")).body?.objectValue
        let all = membership?["cluster_nodes"]?.arrayValue ?? []
        let present = membership?["all_nodes"]?.arrayValue ?? []
        guard !all.isEmpty, all.allSatisfy({ present.contains($0) }) else { return nil }
        var jobs: Int64 = 0
        for node in all.compactMap(\.textValue) {
          let response = try send(HTTPRequest("GET", JSONString("/_node/\(node)/_system")))
          guard let own = response.body?.objectValue?["internal_replication_jobs"]?.integerValue
          else { return nil }
          jobs += own
        }
        return jobs
      } catch {
        switch error {
        case .harness(let error): throw error
        case .error: return nil
        }
      }
    }

    /// The number of looks without work after which the copies count as equal.
    private static let quietLooks = 10

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
