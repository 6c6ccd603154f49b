#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication
  internal import Synchronization

  /// The replication runs of a service, by their ids.
  final class ReplicationJobs: Sendable {
    private let runs = Mutex<[String: ReplicationRun]>([:])

    /// Adds a run; false if one with its id is in progress.
    func add(_ run: ReplicationRun) -> Bool {
      runs.withLock { runs in
        guard runs[run.request.id] == nil else { return false }
        runs[run.request.id] = run
        return true
      }
    }

    func remove(_ run: ReplicationRun) {
      runs.withLock { runs in _ = runs.removeValue(forKey: run.request.id) }
    }

    /// Cancels the run with an id; false for an unknown id.
    func cancel(_ id: String) -> Bool {
      let run = runs.withLock { $0[id] }
      run?.cancel()
      return run != nil
    }

    /// Cancels all runs.
    func stop() { for run in all { run.cancel() } }

    /// The runs in the order of their ids.
    var all: [ReplicationRun] {
      runs.withLock { runs in
        runs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
      }
    }

    /// The runs as `_active_tasks` shows them.
    var tasks: [JSONValue] {
      all.map { run in
        let report = run.report
        return [
          "type": "replication", "replication_id": .text(run.request.id),
          "source": .text(run.request.source.text), "target": .text(run.request.target.text),
          "continuous": .bool(run.request.isContinuous), "docs_written": .integer(report.processed),
          "missing_revisions_found": .integer(report.total),
          "started_on": .integer(Int64(run.startSeconds)),
        ]
      }
    }
  }

  extension ServiceCall {
    func replicate() throws(ServiceError) -> ServerResponse {
      try requireJSONType()
      let wanted = try ReplicationRequest(.object(object()))
      if wanted.isCancel {
        guard service.replications.cancel(wanted.id) else { throw .notFound("missing") }
        return .json(200, ["ok": true, "_local_id": .text(wanted.id)])
      }
      let run = try service.makeRun(wanted)
      guard service.replications.add(run) else {
        if wanted.isContinuous { return .json(202, ["ok": true, "_local_id": .text(wanted.id)]) }
        throw ServiceError(
          409, "conflict", reason: "the same replication is in progress")
      }
      let service = service
      if wanted.isContinuous {
        let isStarted = BackgroundThread.start {
          try? run.run()
          service.replications.remove(run)
        }
        guard isStarted else {
          service.replications.remove(run)
          throw ServiceError(503, "busy", reason: "no thread for the replication")
        }
        return .json(202, ["ok": true, "_local_id": .text(wanted.id)])
      }
      defer { service.replications.remove(run) }
      try run.run()
      return try service.response(to: run)
    }

    func schedulerJobs() throws(ServiceError) -> ServerResponse {
      let jobs = service.replications.all.map { run -> JSONValue in
        [
          "id": .text(run.request.id), "source": .text(run.request.source.text),
          "target": .text(run.request.target.text), "database": .null, "doc_id": .null,
          "history": [], "info": ["docs_written": .integer(run.report.processed)],
        ]
      }
      return .json(
        200,
        ["total_rows": .integer(Int64(jobs.count)), "offset": 0, "jobs": .array(jobs)])
    }
  }

  extension CouchDBService {
    func makeRun(_ request: ReplicationRequest) throws(ServiceError) -> ReplicationRun {
      let session = try gate.exclusively { JSONString($0.randomHexadecimal(16)) }
      return ReplicationRun(
        request, service: self, session: session, startSeconds: Int(time(nil)))
    }

    /// The response to a run that has ended, in the form of CouchDB.
    fileprivate func response(to run: ReplicationRun) throws(ServiceError) -> ServerResponse {
      let report = run.report
      guard run.end == .complete else {
        let reason = report.failures.first.map { "\($0.reason)" } ?? "the replication was cancelled"
        throw ServiceError(500, "replication_failed", reason: JSONString(reason))
      }
      let recorded = report.recorded?.json ?? 0
      let written = report.processed - report.refused - report.vanished
      return .json(
        200,
        [
          "ok": true, "session_id": .string(run.session), "source_last_seq": recorded,
          "replication_id_version": 4,
          "history": [
            [
              "session_id": .string(run.session), "end_last_seq": recorded,
              "recorded_seq": recorded, "missing_found": .integer(report.total),
              "docs_written": .integer(written), "docs_read": .integer(written),
              "doc_write_failures": .integer(report.refused),
            ]
          ],
        ])
    }
  }
#endif
