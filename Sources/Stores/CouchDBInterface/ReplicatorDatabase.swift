#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication
  internal import Synchronization

  /// The replications that documents of the database `_replicator` describe.
  ///
  /// Each document is a job: it starts when the document is written, and is cancelled when the
  /// document is changed or deleted. A one-shot job runs once for each revision of its document, and
  /// again after a restart of the service, where it finds its checkpoint. A job that fails is repeated
  /// after a pause, five times. Its state is in `/_scheduler/docs`; the document itself stays as it
  /// was written, because no store accepts `_replication_state`.
  final class ReplicatorDatabase: Sendable {
    static let name: StoreName = "_replicator"
    static let systemDatabases: [StoreName] = ["_replicator", "_users"]

    /// A job and its state in the words of CouchDB's scheduler.
    private struct Job {
      let rev: RevisionID
      var run: ReplicationRun?
      var state = "initializing"
      var reason: JSONString?
      var failures = 0
    }

    private let jobs = Mutex<[JSONString: Job]>([:])

    private static let attemptsMax = 5
    private static let retryMilliseconds: Int64 = 5_000

    /// Watches the database on a thread of its own, as long as the service runs.
    func start(_ service: CouchDBService) {
      _ = BackgroundThread.start { [weak service] in
        while let service {
          let version = service.signal.version(of: Self.name)
          self.update(service)
          let wake = service.signal.wait(for: Self.name, after: version, milliseconds: 60_000)
          if case .closed = wake { return }
        }
      }
    }

    /// Starts and cancels jobs after a change of the documents.
    private func update(_ service: CouchDBService) {
      guard let documents = try? service.replicatorDocuments() else { return }
      let known = jobs.withLock { $0 }
      for id in known.keys where documents[id]?.rev != known[id]?.rev {
        known[id]?.run?.cancel()
        jobs.withLock { jobs in _ = jobs.removeValue(forKey: id) }
      }
      for (id, document) in documents.sorted(by: { $0.key.precedesBytewise($1.key) })
      where known[id]?.rev != document.rev {
        begin(id, document.rev, body: document.body, in: service)
      }
    }

    private func begin(
      _ id: JSONString, _ rev: RevisionID, body: JSONValue, in service: CouchDBService
    ) {
      var job = Job(rev: rev)
      do throws(ServiceError) {
        job.run = try service.makeRun(try ReplicationRequest(body))
      } catch {
        (job.state, job.reason) = ("failed", error.reason)
      }
      let begun = job
      jobs.withLock { $0[id] = begun }
      guard begun.run != nil else { return }
      let isStarted = BackgroundThread.start { [weak service] in
        if let service { self.run(id, rev, body: body, in: service) }
      }
      if !isStarted { set(id, rev, to: "failed", because: "no thread for the replication") }
    }

    private func run(
      _ id: JSONString, _ rev: RevisionID, body: JSONValue, in service: CouchDBService
    ) {
      for attempt in 1...Self.attemptsMax {
        guard let run = jobs.withLock({ $0[id]?.rev == rev ? $0[id]?.run : nil }) else { return }
        set(id, rev, to: "running", because: nil)
        guard service.replications.add(run) else {
          return set(id, rev, to: "failed", because: "the same replication is in progress")
        }
        do throws(ServiceError) { try run.run() } catch {
          set(id, rev, to: "crashing", because: error.reason)
        }
        service.replications.remove(run)
        if run.end == .complete { return set(id, rev, to: "completed", because: nil) }
        guard !run.isCancelled else { return }
        set(id, rev, to: "crashing", because: run.report.failures.first?.reason)
        let pause = Self.retryMilliseconds << Int64(attempt - 1)
        for _ in 0..<(pause / 100) {
          guard jobs.withLock({ $0[id]?.rev }) == rev, !service.signal.isEnded else { return }
          BackgroundThread.pause(microseconds: 100_000)
        }
        guard let request = try? ReplicationRequest(body),
          let again = try? service.makeRun(request)
        else { return }
        jobs.withLock { $0[id]?.run = again }
      }
      set(id, rev, to: "failed", because: "5 attempts failed")
    }

    private func set(
      _ id: JSONString, _ rev: RevisionID, to state: String, because reason: JSONString?
    ) {
      jobs.withLock { jobs in
        guard jobs[id]?.rev == rev else { return }
        jobs[id]?.state = state
        if reason != nil || state != "failed" { jobs[id]?.reason = reason }
        if state == "crashing" { jobs[id]?.failures += 1 }
      }
    }

    /// The jobs in the form of `/_scheduler/docs`.
    var rows: [JSONValue] {
      let jobs = jobs.withLock { $0 }
      return Array(jobs.keys).inByteOrder.compactMap { id in
        guard let job = jobs[id] else { return nil }
        return [
          "database": "_replicator", "doc_id": .string(id),
          "id": job.run.map { .text($0.request.id) } ?? .null, "state": .text(job.state),
          "error_count": .integer(Int64(job.failures)),
          "source": job.run.map { .text($0.request.source.text) } ?? .null,
          "target": job.run.map { .text($0.request.target.text) } ?? .null,
          "info": job.reason.map { ["error": .string($0)] } ?? .null,
        ]
      }
    }
  }

  extension ServiceCall {
    func schedulerDocuments() throws(ServiceError) -> ServerResponse {
      let rows = service.replicator.rows
      return .json(
        200,
        ["total_rows": .integer(Int64(rows.count)), "offset": 0, "docs": .array(rows)])
    }
  }

  extension CouchDBService {
    /// The live documents of `_replicator`.
    fileprivate func replicatorDocuments() throws(ServiceError) -> [JSONString: (
      rev: RevisionID, body: JSONValue
    )] {
      guard
        let rows = try? withDatabase(
          ReplicatorDatabase.name,
          { (store) throws(ServiceError) in
            guard case .list(let rows) = try store.perform(.list()) else { throw .unexpected }
            var found: [JSONString: (rev: RevisionID, body: JSONValue)] = [:]
            for row in rows where row.id.text.utf8.first != UInt8(ascii: "_") {
              let document = try store.read(row.id)
              found[row.id.text] = (document.rev, document.body)
            }
            return found
          })
      else { return [:] }
      return rows
    }
  }
#endif
