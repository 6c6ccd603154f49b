#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Selectors

  extension ServiceCall {
    func changes() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      let query = try ChangesQuery(self)
      let feed = ChangesFeed(query, of: database, service)
      // An invalid sequence is an error of the request; later errors can only cut the connection.
      try feed.begin()
      let type = query.feed == .eventSource ? "text/event-stream" : "application/json"
      return ServerResponse(
        200, headers: [("Content-Type", type)], next: { feed.next() })
    }
  }

  /// One feed of changes, produced in pieces on the thread of its connection.
  final class ChangesFeed: @unchecked Sendable {
    private let service: CouchDBService
    private let database: StoreName
    private let query: ChangesQuery
    private var since: UpdateSequence?
    /// Rows that were read and not sent yet.
    private var rows: ArraySlice<JSONObject> = []
    private var hasMore = true
    private var sentCount: Int64 = 0
    private var last: UpdateSequence?
    private var pending: Int64 = 0
    private var state = State.start
    private var version: UInt64 = 0
    /// The milliseconds of waiting since the last row.
    private var waited: Int64 = 0

    private enum State { case start, rows, ended }

    private static let pageRows: Int64 = 500
    /// The number of rows that are counted for `pending`; beyond it, the number is a lower bound.
    private static let pendingMax: Int64 = 10_000

    init(_ query: ChangesQuery, of database: StoreName, _ service: CouchDBService) {
      (self.service, self.database, self.query) = (service, database, query)
      since = query.since
    }

    /// Reads the first page.
    func begin() throws(ServiceError) {
      version = service.signal.version(of: database)
      if query.isDescending {
        try readDescending()
      } else {
        if query.beginsNow {
          since = try service.withDatabase(database) { (database) throws(ServiceError) in
            try database.info().last
          }
        }
        last = since
        try readPage()
      }
    }

    func next() -> ServerResponse.Piece {
      do throws(ServiceError) { return try piece() } catch {
        // A feed of a database that was removed meanwhile ends like any other one.
        guard error.status == 404, state == .rows else { return .cut }
        state = .ended
        return query.feed == .eventSource
          ? .end : .bytes(end(at: last?.json ?? 0, pending: 0))
      }
    }

    private var isLines: Bool { query.feed == .continuous || query.feed == .eventSource }

    private func piece() throws(ServiceError) -> ServerResponse.Piece {
      switch state {
      case .ended: return .end
      case .start:
        state = .rows
        if !isLines { return .bytes(Array("{\"results\":[\n".utf8)) }
        return try piece()
      case .rows: break
      }
      while true {
        if !rows.isEmpty, sentCount < query.limit { return .bytes(try takeRows()) }
        guard sentCount < query.limit else { return try ending() }
        if hasMore {
          try readPage()
          continue
        }
        let waits = isLines || (query.feed == .longpoll && sentCount == 0)
        guard waits, !query.isDescending else { return try ending() }
        if let piece = try wait() { return piece }
      }
    }

    /// Waits for a change; nil if there is one, or a piece to send meanwhile.
    private func wait() throws(ServiceError) -> ServerResponse.Piece? {
      let end = query.heartbeat == nil ? query.timeout - waited : query.heartbeat ?? 0
      guard end > 0 else { return try ending() }
      // Other programs may write to the files of the store, too.
      let step = min(end, 1000)
      switch service.signal.wait(for: database, after: version, milliseconds: step) {
      case .closed: return .cut
      case .changed:
        version = service.signal.version(of: database)
        hasMore = true
        return nil
      case .timedOut:
        waited += step
        if let heartbeat = query.heartbeat, waited >= heartbeat {
          waited = 0
          return .bytes([UInt8(ascii: "\n")])
        }
        if waited >= query.timeout, query.heartbeat == nil { return try ending() }
        hasMore = true
        return nil
      }
    }

    // MARK: Reading

    private func readPage() throws(ServiceError) {
      let left = query.limit == .max ? Self.pageRows : query.limit - sentCount
      let limit = min(max(left, 1), Self.pageRows)
      let found = try service.withDatabase(database) { (store) throws(ServiceError) in
        let page = try store.changes(since: since, limit: limit)
        var rows: [JSONObject] = []
        for row in page.rows {
          if let object = try self.object(row, store) { rows.append(object) }
        }
        return (page, rows)
      }
      since = found.0.last
      hasMore = found.0.more
      rows = found.1[...]
      if rows.isEmpty { last = since }
      if !rows.isEmpty { waited = 0 }
    }

    /// Reads the whole feed, and reverses it.
    private func readDescending() throws(ServiceError) {
      var (all, position): ([JSONObject], UpdateSequence?) = ([], nil)
      try service.withDatabase(database) { (store) throws(ServiceError) in
        var isEnd = false
        while !isEnd {
          let page = try store.changes(since: position, limit: Self.pageRows)
          for row in page.rows {
            if let object = try self.object(row, store) { all.append(object) }
          }
          (position, isEnd) = (page.last, !page.more)
        }
      }
      rows = all.reversed()[...]
      hasMore = false
      last = position
    }

    /// A row of the feed; nil if the filter rejects it.
    private func object(
      _ row: ChangesRow, _ store: OpenDatabase
    ) throws(ServiceError) -> JSONObject? {
      var leaves = row.leaves.array
      switch query.selection {
      case .all: break
      case .ids(let ids): guard ids.contains(row.id) else { return nil }
      case .design:
        guard row.id.text.utf8.starts(with: "_design/".utf8) else { return nil }
      case .selector(let selector):
        let listed = query.listsLeaves ? leaves : Array(leaves.prefix(1))
        leaves = []
        for leaf in listed where try matches(row.id, leaf, with: selector, in: store) {
          leaves.append(leaf)
        }
        guard !leaves.isEmpty else { return nil }
      }
      let listed = query.listsLeaves ? leaves[...] : leaves.prefix(1)
      var object: JSONObject = [
        "seq": row.seq.json, "id": row.id.json,
        "changes": .array(listed.map { ["rev": $0.rev.json] }),
      ]
      if row.deleted { object["deleted"] = true }
      if query.includesDocuments, let winner = row.leaves.array.first {
        let record = try store.record(
          row.id, winner.rev, attachmentsSince: query.options.attachmentsSince)
        object["doc"] = .null
        if let record {
          object["doc"] = .object(try store.document(record, query.options, isWinner: true))
        }
      }
      return object
    }

    private func matches(
      _ id: DocumentID, _ leaf: Leaf, with selector: FindSelector, in store: OpenDatabase
    ) throws(ServiceError) -> Bool {
      guard let record = try store.record(id, leaf.rev) else { return false }
      var body = record.body
      if record.deleted, case .object(var object) = body {
        object["_deleted"] = true
        body = .object(object)
      }
      let subject = Subject(body, id: id.text, rev: leaf.rev.text)
      do throws(DatastoreError) { try subject.checkWork(of: selector) } catch {
        throw ServiceError(error)
      }
      return subject.matches(selector)
    }

    // MARK: Sending

    private func takeRows() throws(ServiceError) -> [UInt8] {
      var bytes: [UInt8] = []
      while sentCount < query.limit, var row = rows.popFirst() {
        let sequence = row["seq"] ?? .null
        if let position = try? UpdateSequence(sequence, path: "seq"), !query.isDescending {
          last = position
        }
        if query.isDescending { last = (try? UpdateSequence(sequence, path: "seq")) ?? last }
        sentCount += 1
        if sentCount % query.sequenceInterval != 0 { row["seq"] = .null }
        switch query.feed {
        case .normal, .longpoll:
          if sentCount > 1 { bytes += Array(",\n".utf8) }
          JSONValue.object(row).write(to: &bytes)
        case .continuous:
          JSONValue.object(row).write(to: &bytes)
          bytes.append(UInt8(ascii: "\n"))
        case .eventSource:
          bytes += Array("data: ".utf8)
          JSONValue.object(row).write(to: &bytes)
          bytes += Array("\nid: ".utf8)
          sequence.write(to: &bytes)
          bytes += Array("\n\n".utf8)
        }
      }
      // At the end of the pages, the position of the store may be after the last row.
      if rows.isEmpty, !hasMore, sentCount < query.limit, !query.isDescending { last = since }
      return bytes
    }

    private func ending() throws(ServiceError) -> ServerResponse.Piece {
      state = .ended
      guard query.feed != .eventSource else { return .end }
      let position: JSONValue
      if let last { position = last.json } else { position = try firstPosition() }
      return .bytes(end(at: position, pending: try pendingCount()))
    }

    private func end(at position: JSONValue, pending: Int64) -> [UInt8] {
      if isLines {
        var bytes: [UInt8] = []
        let end: JSONValue = ["last_seq": position, "pending": .integer(pending)]
        end.write(to: &bytes)
        return bytes + [UInt8(ascii: "\n")]
      }
      var bytes = Array("\n],\n\"last_seq\":".utf8)
      position.write(to: &bytes)
      return bytes + Array(",\"pending\":\(pending)}\n".utf8)
    }

    /// The position before all changes, for a feed of no rows.
    private func firstPosition() throws(ServiceError) -> JSONValue {
      try service.withDatabase(database) { (store) throws(ServiceError) in
        try store.changes(since: nil, limit: 1).rows.isEmpty ? store.info().last.json : 0
      }
    }

    private func pendingCount() throws(ServiceError) -> Int64 {
      guard !query.isDescending, hasMore || !rows.isEmpty || sentCount >= query.limit else {
        return 0
      }
      var (count, position): (Int64, UpdateSequence?) = (0, last)
      try service.withDatabase(database) { (store) throws(ServiceError) in
        var isEnd = false
        while !isEnd, count < Self.pendingMax {
          let page = try store.changes(since: position, limit: 2000)
          count += Int64(page.rows.count)
          (position, isEnd) = (page.last, !page.more)
        }
      }
      return count
    }
  }
#endif
