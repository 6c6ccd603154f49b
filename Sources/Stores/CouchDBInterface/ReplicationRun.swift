#if HTTP
  internal import Datastore
  internal import Digest
  internal import HTTPClient
  internal import HTTPPeer
  internal import HTTPServer
  internal import JSON
  internal import Replication
  internal import Synchronization

  /// A database of a service, as a source or target of a replication.
  private struct OwnPeer: ReplicationPeer {
    let service: CouchDBService
    let database: StoreName

    var capabilities: Set<Capability> { service.gate.description.capabilities }
    var restrictions: Set<Restriction> { service.gate.description.restrictions }

    func answer(
      _ request: PeerRequest, _ environment: RunEnvironment
    ) throws(HarnessError) -> PeerResponse? {
      let answer: PeerResponse?
      do throws(ServiceError) {
        answer = try service.withDatabase(database) { (store) throws(ServiceError) in
          var action = request.action
          if case .insertRevisions(let records) = action {
            action = .insertRevisions(try store.uploaded(records))
          }
          return Peer.response(to: request, try store.outcomeOfPeer(action))
        }
      } catch {
        return error.status == 404 ? .refused(DatastoreError(.noSuchStore)) : .status(error.status)
      }
      switch request {
      case .insertRevisions: service.signal.changed(database)
      case .writeLocal(let id, _): service.listLocal(id, in: database)
      default: break
      }
      return answer
    }
  }

  /// One replication run, with Touchstone's replicator, on the calling thread.
  final class ReplicationRun: Sendable {
    let request: ReplicationRequest
    let session: JSONString
    let startSeconds: Int
    private let service: CouchDBService
    private let state = Mutex(State())

    private struct State {
      var isCancelled = false
      var report = ReplicationReport()
      var end: ReplicatorState?
      var message = ""
    }

    init(
      _ request: ReplicationRequest, service: CouchDBService, session: JSONString, startSeconds: Int
    ) {
      (self.request, self.service, self.session) = (request, service, session)
      self.startSeconds = startSeconds
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var report: ReplicationReport { state.withLock { $0.report } }
    /// How the run ended; nil while it runs.
    var end: ReplicatorState? { state.withLock { $0.end } }
    var message: String { state.withLock { $0.message } }

    /// Copies until the run ends or is cancelled.
    func run() throws(ServiceError) {
      let source = try peer(request.source, isTarget: false)
      let target = try peer(request.target, isTarget: true)
      var configuration = ReplicatorConfiguration()
      configuration.filter = request.filter
      configuration.isContinuous = request.isContinuous
      configuration.pageRows = 1000
      configuration.batchRevisions = 500
      configuration.flushesTarget = true
      configuration.restrict(source: source, target: target)
      var replicator = Replicator(configuration)
      let environment = RunEnvironment(seed: RandomGenerator.seed(of: session))
      do throws(HarnessError) {
        try drive(&replicator, from: source, to: target, environment)
      } catch {
        state.withLock { $0.message = error.message }
        throw ServiceError(500, "replication_failed", reason: JSONString(error.message))
      }
      let (end, report) = (replicator.state, replicator.report)
      state.withLock { state in
        (state.end, state.report) = (end, report)
      }
    }

    private func drive(
      _ machine: inout Replicator, from source: any ReplicationPeer,
      to target: any ReplicationPeer, _ environment: RunEnvironment
    ) throws(HarnessError) {
      var queue = machine.handle(.start(session: session))[...]
      while !machine.state.isFinal {
        if isCancelled { queue += machine.handle(.cancel) }
        guard let effect = next(&queue) else { return }
        let event: ReplicatorEvent
        switch effect {
        case .send(let number, let side, let request, _):
          let peer = side == .source ? source : target
          let answer = try peer.answer(request, environment)
          event = answer.map { .response(number, $0) } ?? .lost(number, reason: "no response")
        case .wait(let timer, let range):
          if case .checkpoint = timer { continue }
          pause(range.lowerBound)
          event = .timer(timer)
        }
        queue += machine.handle(event)
        let report = machine.report
        state.withLock { $0.report = report }
      }
    }

    /// The next request; the next pause if no request is waiting.
    private func next(_ queue: inout ArraySlice<ReplicatorEffect>) -> ReplicatorEffect? {
      let place = queue.firstIndex { if case .send = $0 { true } else { false } }
      return place.map { queue.remove(at: $0) } ?? queue.popFirst()
    }

    /// Waits, in short steps: a run that is cancelled ends soon.
    private func pause(_ nanoseconds: UInt64) {
      var left = nanoseconds / 1000
      while left > 0, !isCancelled {
        let step = min(left, 50_000)
        BackgroundThread.pause(microseconds: UInt32(step))
        left -= step
      }
    }

    private func peer(
      _ place: ReplicationRequest.Place, isTarget: Bool
    ) throws(ServiceError) -> any ReplicationPeer {
      switch place {
      case .local(let name):
        if isTarget, request.createsTarget {
          do throws(ServiceError) { try service.createDatabase(name) } catch {
            guard error.status == 412 else { throw error }
          }
        }
        do throws(ServiceError) { try service.withDatabase(name) { _ in } } catch {
          throw Self.notFound(place)
        }
        return OwnPeer(service: service, database: name)
      case .remote(let address, let credentials):
        let creates = isTarget && request.createsTarget
        let answer: (peer: ServerPeer, status: Int64)
        do throws(HTTPFailure) {
          let client = try HTTPClient(address, credentials: credentials, limitSeconds: 60)
          if creates { _ = try client.send(HTTPRequest("PUT", "")) }
          answer = (
            ServerPeer(client, database: ""), try client.send(HTTPRequest("GET", "")).status
          )
        } catch {
          throw ServiceError(500, "replication_failed", reason: JSONString("\(error)"))
        }
        guard answer.status == 200 || answer.status >= 429 else { throw Self.notFound(place) }
        return answer.peer
      }
    }

    private static func notFound(_ place: ReplicationRequest.Place) -> ServiceError {
      ServiceError(500, "db_not_found", reason: JSONString("could not open \(place.text)"))
    }
  }

  extension RandomGenerator {
    fileprivate static func seed(of text: JSONString) -> UInt64 {
      DigestAlgorithm.md5.digest(of: text.utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  extension OpenDatabase {
    /// The outcome as the contract has it.
    fileprivate func outcomeOfPeer(_ action: StoreAction) throws(ServiceError) -> Outcome {
      try session.outcome(DatabaseRegistry.store(of: name), action)
    }
  }

  extension CouchDBService {
    /// Lists a local document that a replication run wrote.
    fileprivate func listLocal(_ id: DocumentID, in database: StoreName) {
      try? gate.exclusively { (session) throws(ServiceError) in
        guard var entry = registry.entries[database], !entry.locals.contains(id.text) else {
          return
        }
        entry.locals = (entry.locals + [id.text]).inByteOrder
        try registry.store(database, entry, with: session)
      }
    }
  }
#endif
