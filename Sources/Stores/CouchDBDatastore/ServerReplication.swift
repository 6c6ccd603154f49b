#if HTTP
  internal import Datastore
  internal import HTTPClient
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// The sessions of the server's own replicator: `_replicate` between a database and a proxy.
  ///
  /// The proxy stands for the remote store. It holds each request of the replicator until the harness
  /// has its response, and cuts the connection where the harness lost it. The replicator runs in real
  /// time, which is not that of the harness.
  final class ServerReplication {
    private let proxy: HeldRequests
    private var sessions: [JSONString: ServerSession] = [:]
    /// Requests of sessions whose turn it is not.
    private var waiting: [HeldRequest] = []
    private var count = 0

    /// The longest time of a turn without a request.
    private static let turnMilliseconds = 20
    /// The number of turns without a request, 60 s, after which a session has failed.
    private static let silentTurnsMax = 3000
    /// The time for which a turn waits for further requests.
    private static let restMilliseconds = 10
    /// The shortest wait for an event.
    private static let stepMilliseconds = 2
    /// The number of such waits for the server to end its sessions, 2 s.
    private static let stopStepsMax = 1000

    init() throws(HTTPServerFailure) { proxy = try HeldRequests() }

    /// Ends all sessions, also on the server, where they would remain otherwise.
    func stop(through client: any HTTPTransport) {
      let open = sessions.values.filter { $0.end == nil }
      for session in open { session.abandon(through: client, proxyPort: proxy.port) }
      for _ in 0..<Self.stopStepsMax where open.contains(where: { $0.end == nil }) {
        BackgroundThread.pause(microseconds: UInt32(Self.stepMilliseconds * 1000))
      }
      for session in sessions.values { session.cutAll() }
      proxy.stop()
    }

    /// Performs a turn of a session.
    ///
    /// - Parameter database: the path of the database on the server.
    func perform(
      _ turn: ReplicationTurn, on database: JSONString, through client: any HTTPTransport
    ) throws(HTTPFailure) -> ReplicationTurn.Answer {
      if case .start(let start) = turn.event {
        count += 1
        let session = ServerSession(start, database: database, label: "s\(count)")
        sessions[turn.session] = session
        try session.begin(through: client, proxyPort: proxy.port)
      }
      guard let session = sessions[turn.session] else {
        return ReplicationTurn.Answer([], state: .stopped)
      }
      switch turn.event {
      case .start, .timer: break
      case .response(let number, let response): session.answer(number, response)
      case .lost(let number): session.lose(number)
      case .cancel: try session.cancel(through: client, proxyPort: proxy.port)
      }
      let answer = next(of: session)
      // A session that has failed without a response continues on the server.
      if answer.state == .error { session.abandon(through: client, proxyPort: proxy.port) }
      if answer.state.isFinal {
        session.cutAll()
        sessions[turn.session] = nil
      }
      return answer
    }

    /// Waits for a moment until the session has a request for the harness, or has ended; else asks for
    /// another turn. The replicator pauses for seconds, and other sessions need their responses.
    private func next(of session: ServerSession) -> ReplicationTurn.Answer {
      var requests = session.takeFollowUps()
      var rested = 0
      while true {
        // The requests that still come belong to a session that has ended.
        if let end = session.end { return end }
        if let request = take(of: session, withinMilliseconds: Self.stepMilliseconds) {
          if let wanted = session.accept(request) {
            requests.append(wanted)
            if !wanted.request.isCount { session.silentTurns = 0 }
          }
          rested = 0
          continue
        }
        rested += Self.stepMilliseconds
        let state: ReplicatorState = session.isCancelled ? .stopping : .started
        if session.hasOpenRequests, rested >= Self.restMilliseconds {
          return ReplicationTurn.Answer(requests, state: state)
        }
        guard rested >= Self.turnMilliseconds else { continue }
        session.silentTurns += 1
        guard session.silentTurns < Self.silentTurnsMax else {
          return ReplicationTurn.Answer(
            [], state: .error,
            message: "the replicator copies nothing and does not end for 60 s")
        }
        // Simulated time passes faster than that of the replicator, whose requests to other sessions
        // would reach their time limits otherwise.
        let pause = Int64(Self.turnMilliseconds) * 1_000_000 << min(session.silentTurns, 6)
        return ReplicationTurn.Answer([], wakeAfter: pause, state: state)
      }
    }

    private func take(of session: ServerSession, withinMilliseconds limit: Int) -> HeldRequest? {
      if let place = waiting.firstIndex(where: { session.owns($0) }) {
        return waiting.remove(at: place)
      }
      guard let request = proxy.next(withinMilliseconds: limit) else { return nil }
      if session.owns(request) { return request }
      if sessions.values.contains(where: { $0.owns(request) }) {
        waiting.append(request)
      } else {
        request.cut()
      }
      return nil
    }
  }

  extension HTTPRequest {
    /// Whether it only counts the changes that remain, which CouchDB does every 30 s, also in a session
    /// that makes no progress.
    fileprivate var isCount: Bool {
      query.map {
        $0.utf8.split(separator: UInt8(ascii: "&")).contains { $0.elementsEqual("limit=0".utf8) }
      }
        ?? false
    }
  }
#endif
