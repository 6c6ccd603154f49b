#if HTTP
  internal import Datastore
  internal import JSON

  /// Conflict resolution, compaction, purge and the history limit.
  extension CouchDBSession {
    func resolve(
      _ id: DocumentID, among named: [RevisionID], keep: RevisionID, body: JSONValue?,
      attachments: JSONValue? = nil
    ) throws(Refusal) -> OperationResult {
      let live: [RevisionID]
      do throws(Refusal) {
        live = try leaves(of: id).filter { !$0.deleted }.map(\.rev)
      } catch {
        guard case .error(let error) = error, error.kind == .notFound(.missing) else { throw error }
        throw .error(DatastoreError(.conflict))
      }
      guard Set(named).count == named.count, named.contains(keep) else {
        throw .error(DatastoreError(.badRequest(path: "keep")))
      }
      let keep = Self.folded(keep)
      guard Set(live) == Set(named.map(Self.folded)) else {
        throw .error(DatastoreError(.conflict))
      }
      var docs: [JSONValue] = []
      if let body {
        var child = try Self.document(id, keep, body: body)
        if case .object(var object) = child {
          object["_attachments"] = attachments
          if attachments == nil { object["_attachments"] = try stubs(of: id, keep) }
          child = .object(object)
        }
        docs.append(child)
      }
      for rev in live where rev != keep {
        docs.append(try Self.document(id, rev, body: [:], isDeleted: true))
      }
      guard !docs.isEmpty else { return .resolved(rev: keep, tombstones: []) }
      let answer = try ask("POST", "_bulk_docs", body: ["docs": .array(docs)])
      var revs: [RevisionID] = []
      for item in answer.arrayValue ?? [] {
        if let rev = item.objectValue?["rev"]?.textValue { revs.append(RevisionID(rev)) }
        if let object = item.objectValue, object["error"] != nil {
          throw .error(DatastoreError(response: object) ?? DatastoreError(.storage(.io)))
        }
      }
      guard revs.count == docs.count else {
        throw malformed("POST _bulk_docs", "\(revs.count) results for \(docs.count) documents")
      }
      let child = body == nil ? keep : revs.removeFirst()
      return .resolved(rev: child, tombstones: revs)
    }

    /// The number of looks after which a compaction that was never seen has ended.
    private var unseenLooksMax: Int { server.copies > 1 ? 200 : 20 }
    /// The number of looks, of about 1 ms each, after which the compaction counts as stopped.
    private static let looksAtCompactionMax = 60_000

    /// Compacts, and waits for the end.
    ///
    /// The server responds before the compaction begins.
    func compact() throws(Refusal) -> OperationResult {
      _ = try ask("POST", "_compact")
      var (looks, wasSeen) = (0, false)
      while looks < Self.looksAtCompactionMax {
        let isRunning = try isCompacting()
        looks += 1
        if isRunning {
          wasSeen = true
        } else if wasSeen || looks >= unseenLooksMax {
          return .done
        }
      }
      throw malformed("POST _compact", "the compaction does not end")
    }

    /// Whether a copy is compacted now; the information about a database shows only one of them.
    private func isCompacting() throws(Refusal) -> Bool {
      guard server.copies > 1 else {
        let info = try ask("GET")
        guard let isRunning = info.objectValue?["compact_running"]?.boolValue else {
          throw malformed("GET", "no compact_running")
        }
        return isRunning
      }
      let request = HTTPRequest("GET", "/_active_tasks")
      let response = try server.send(request)
      guard response.status == 200, let tasks = response.body?.arrayValue else {
        throw server.refusal(response, to: "GET /_active_tasks")
      }
      // A shard is `shards/00000000-7fffffff/NAME.1764306000`.
      let name = "\(database.path)."
      return tasks.contains { task in
        let isCompaction = task.objectValue?["type"] == "database_compaction"
        return isCompaction
          && task.objectValue?["database"]?.textValue?.string.contains(name) ?? false
      }
    }

    func purge(_ id: DocumentID, _ revs: [RevisionID]) throws(Refusal) -> OperationResult {
      _ = try path(of: id)
      let list = JSONValue.array(revs.map(\.json))
      let body = try ask(
        "POST", "_purge", body: .object(JSONObject([(id.text, list)])))
      let purged = body.objectValue?["purged"]?.objectValue?[id.text]?.arrayValue ?? []
      return .purged(purged.compactMap { $0.textValue.map { RevisionID($0) } })
    }

    func setHistoryLimit(_ limit: Int64) throws(Refusal) -> OperationResult {
      _ = try ask("PUT", "_revs_limit", body: .integer(limit))
      return .done
    }
  }
#endif
