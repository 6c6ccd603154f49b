#if HTTP
  public import HTTPServer
  internal import Datastore
  internal import JSON
  internal import Synchronization

  /// A layer between clients and a server that injects faults and records all exchanges.
  ///
  /// The server is a closure: a service of this process, or a proxy for another server.
  public final class HostilePeer: Sendable {
    /// Performs a request; nil if the server gave no response.
    public typealias Server = @Sendable (ServerRequest) -> ServerResponse?

    let server: Server
    /// What happened so far.
    public let log: ExchangeLog
    private let state: Mutex<State>

    private struct State {
      var plan: FaultPlan
      /// The number of requests of each client and kind.
      var counts: [String: Int] = [:]
      var faultsInRow: [String: Int] = [:]
    }

    /// Creates a layer over a server.
    public init(_ plan: FaultPlan, log: ExchangeLog, server: @escaping Server) {
      (self.server, self.log) = (server, log)
      state = Mutex(State(plan: plan))
    }

    /// The current plan.
    public var plan: FaultPlan { state.withLock { $0.plan } }

    /// Starts again with another plan: all counts begin at 0.
    public func begin(_ plan: FaultPlan) {
      state.withLock { $0 = State(plan: plan) }
      log.begin()
    }

    /// The name of a client: what it says in `X-Touchstone-Client`, or its program.
    static func client(of request: ServerRequest) -> String {
      request.headers["x-touchstone-client"] ?? request.headers["user-agent"] ?? "client"
    }

    /// Answers a request, with a fault if the plan has one.
    public func response(to request: ServerRequest) -> ServerResponse? {
      let kind = RequestKind(request)
      let client = Self.client(of: request)
      let choice = state.withLock { state -> FaultPlan.Choice? in
        guard kind.isSubject else { return nil }
        let key = "\(client)\n\(kind.name)"
        state.counts[key, default: 0] += 1
        let choice = state.plan.choice(
          for: kind, of: client, number: state.counts[key] ?? 0,
          faultsInRow: state.faultsInRow[key] ?? 0)
        state.faultsInRow[key] = choice == nil ? 0 : (state.faultsInRow[key] ?? 0) + 1
        return choice
      }
      let entry = log.start(request, client: client)
      let asked = SequenceCode.decoded(request)
      let response = perform(asked, kind, fault: choice)
      return log.finish(entry, response, fault: choice?.fault)
    }

    private func perform(
      _ request: ServerRequest, _ kind: RequestKind, fault choice: FaultPlan.Choice?
    ) -> ServerResponse? {
      guard let choice else { return server(request) }
      switch choice.fault {
      case .refused: return nil
      case .unavailable: return .error(503, "service_unavailable", reason: "injected fault")
      case .limited:
        var response = ServerResponse.error(429, "too_many_requests", reason: "injected fault")
        response.headers.append(("Retry-After", "1"))
        return response
      case .delayed:
        BackgroundThread.pause(microseconds: 20_000 + UInt32(choice.draw % 400_000))
        return server(request)
      case .cut: return server(request)?.cut(afterShare: choice.draw)
      case .truncated: return server(request)?.truncated(afterShare: choice.draw)
      case .duplicated:
        let response = server(request)
        _ = server(request)
        return response
      case .failedAfterwards:
        _ = server(request)
        return .error(500, "internal_server_error", reason: "injected fault")
      case .lostAfterwards:
        _ = server(request)
        return nil
      case .reencoded: return server(request).map { SequenceCode.encoded($0) }
      case .drip: return server(request)?.dripping()
      case .closed:
        var response = server(request)
        response?.closesConnection = true
        return response
      case .compacted:
        if let database = kind.database { compact(database, as: request) }
        return server(request)
      case .edited:
        edit(request, kind, draw: choice.draw)
        return server(request)
      case .checkpointLost:
        guard kind.method == "PUT" else { return .error(404, "not_found", reason: "missing") }
        let id = JSONValue.text("_local/\(kind.id?.text.string ?? "")").serialized()
        return .json(201, #"{"ok":true,"id":\#(id),"rev":"0-1"}"#)
      }
    }
  }

  extension ServerResponse {
    static func error(_ status: Int, _ name: String, reason: String) -> ServerResponse {
      json(status, #"{"error":"\#(name)","reason":"\#(reason)"}"#)
    }

    static func json(_ status: Int, _ text: String) -> ServerResponse {
      ServerResponse(
        status, headers: [("Content-Type", "application/json")], body: Array("\(text)\n".utf8))
    }

    /// All bytes of the body; nil for a stream.
    var bytes: [UInt8]? {
      if case .bytes(let bytes) = body { bytes } else { nil }
    }
  }
#endif
