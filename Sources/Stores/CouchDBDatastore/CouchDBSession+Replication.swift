#if HTTP
  internal import Datastore
  internal import Digest
  internal import JSON
  internal import Replication

  /// The operations of replicators.
  extension CouchDBSession {
    private var form: HTTPForm { HTTPForm(database: database.path) }

    /// Sends the request of a replicator, and reads its response.
    private func replicating(_ request: PeerRequest) throws(Refusal) -> PeerResponse {
      try replicatingWithBody(request).response
    }

    private func replicatingWithBody(
      _ request: PeerRequest
    ) throws(Refusal) -> (response: PeerResponse, body: JSONValue) {
      let (form, server) = (form, server)
      let sent = try reading("a request") { () throws(DecodingFailure) in
        try form.request(request)
      }
      let response = try server.send(sent)
      guard (200...299).contains(response.status) else {
        throw server.refusal(response, to: "\(sent.method) \(sent.path)")
      }
      let read = try reading("\(sent.method) \(sent.path)") { () throws(DecodingFailure) in
        try form.read(response, to: request)
      }
      return (read, response.body ?? .null)
    }

    /// The server answers for each revision; an operation with a malformed one is refused.
    private func refuseBadRevisions(_ body: JSONValue) throws(Refusal) {
      let docs = (body.objectValue?["results"]?.arrayValue ?? []).flatMap {
        $0.objectValue?["docs"]?.arrayValue ?? []
      }
      for doc in docs {
        guard let error = doc.objectValue?["error"]?.objectValue else { continue }
        guard let found = DatastoreError(response: error) else { continue }
        if case .notFound = found.kind { continue }
        throw .error(found)
      }
    }

    func changes(since: UpdateSequence?, limit: Int64?) throws(Refusal) -> OperationResult {
      var parameters = ["style=all_docs"]
      if let since { parameters.append("since=\(since.parameter.percentEncoded)") }
      if let limit { parameters.append("limit=\(limit)") }
      let query = JSONString(parameters.joined(separator: "&"))
      return .changes(
        try stablePage { () throws(Refusal) in try ask("GET", "_changes", query: query) })
    }

    /// A page of the feed, with the state of each leaf.
    ///
    /// The states come from a second request. If another connection has meanwhile replaced a leaf and
    /// compacted the database, its state is unknown, and both are repeated.
    func stablePage(_ ask: () throws(Refusal) -> JSONValue) throws(Refusal) -> ChangesPage {
      for _ in 0..<Self.pageAttemptsMax {
        let (page, isStable) = try page(try ask())
        if isStable { return page }
      }
      throw malformed("GET _changes", "the leaves change all the time")
    }

    private static let pageAttemptsMax = 100

    private func page(_ body: JSONValue) throws(Refusal) -> (page: ChangesPage, isStable: Bool) {
      var page = try reading("_changes") { () throws(DecodingFailure) in
        var reader = try ObjectReader(body)
        let rows = try reader.elements("results") { (element, path) throws(DecodingFailure) in
          var row = try ObjectReader(element, path: path)
          let isDeleted = try row.optionalBool("deleted") ?? false
          return ChangesRow(
            seq: try UpdateSequence(try row.required("seq"), path: row.path(to: "seq")),
            id: DocumentID(try row.text("id")), deleted: isDeleted,
            leaves: Leaves(
              try row.elements("changes") { (element, path) throws(DecodingFailure) in
                var leaf = try ObjectReader(element, path: path)
                return Leaf(rev: RevisionID(try leaf.text("rev")), deleted: isDeleted)
              }))
        }
        return ChangesPage(
          rows: rows, last: try UpdateSequence(try reader.required("last_seq"), path: "last_seq"),
          more: try reader.integer("pending") > 0)
      }
      // The feed has the state of the winner alone. If that is deleted, all leaves are.
      let open = page.rows.indices.filter {
        page.rows[$0].leaves.count > 1 && !page.rows[$0].deleted
      }
      guard !open.isEmpty else { return (page, true) }
      var isStable = true
      let docs = open.map { place -> JSONValue in ["id": page.rows[place].id.json] }
      var states = try self.states(of: .array(docs))
      if server.isShared {
        // The state of a former leaf never changes.
        let gone = open.flatMap { place in
          page.rows[place].leaves.map { RevisionState(id: page.rows[place].id, rev: $0.rev) }
        }.filter { !states.current.contains($0) }
        if !gone.isEmpty {
          let named = gone.map { state -> JSONValue in
            ["id": state.id.json, "rev": state.rev.json]
          }
          let former = try self.states(of: .array(named))
          states.deleted.formUnion(former.deleted)
          isStable = gone.allSatisfy { former.current.contains($0) }
        }
      }
      for place in open {
        let id = page.rows[place].id
        for leaf in page.rows[place].leaves.indices {
          let rev = page.rows[place].leaves[leaf].rev
          page.rows[place].leaves.array[leaf].deleted = states.deleted.contains(
            RevisionState(id: id, rev: rev))
        }
      }
      return (page, isStable)
    }

    private struct RevisionState: Hashable {
      let id: DocumentID
      let rev: RevisionID
    }

    /// The leaves of documents, or revisions, and which of them are deleted.
    private func states(
      of docs: JSONValue
    ) throws(Refusal) -> (current: Set<RevisionState>, deleted: Set<RevisionState>) {
      let body = try ask("POST", "_bulk_get", body: ["docs": docs])
      return try reading("POST _bulk_get") { () throws(DecodingFailure) in
        var reader = try ObjectReader(body)
        var current: Set<RevisionState> = []
        var deleted: Set<RevisionState> = []
        let results = try reader.elements("results") { (element, path) throws(DecodingFailure) in
          var result = try ObjectReader(element, path: path)
          return try result.array("docs")
        }
        for doc in results.joined() {
          guard let ok = doc.objectValue?["ok"]?.objectValue, let id = ok["_id"]?.textValue,
            let rev = ok["_rev"]?.textValue
          else { continue }
          let state = RevisionState(id: DocumentID(id), rev: RevisionID(rev))
          current.insert(state)
          if ok["_deleted"] == true { deleted.insert(state) }
        }
        return (current, deleted)
      }
    }

    /// A request names a document once, so that several questions about it are several requests.
    func differences(_ queries: [RevisionQuery]) throws(Refusal) -> [Difference] {
      var found: [Difference] = []
      var rest = queries[...]
      while !rest.isEmpty {
        var ids: Set<DocumentID> = []
        let asked = Array(rest.prefix { ids.insert($0.id).inserted })
        rest = rest.dropFirst(asked.count)
        guard case .ok(.revsDiff(let part)) = try replicating(.revsDiff(asked)) else {
          throw malformed("POST _revs_diff", "not a difference")
        }
        found += part
      }
      return found
    }

    /// One request for the revisions themselves, and one for their latest leaves.
    func revisions(_ queries: [RevisionQuery]) throws(Refusal) -> [RevisionAnswer] {
      var answers: [[RevisionAnswer]] = Array(repeating: [], count: queries.count)
      for isLatest in [false, true] {
        let places = queries.indices.filter { queries[$0].latest == isLatest }
        let asked = places.map { queries[$0] }
        guard !asked.isEmpty else { continue }
        let (response, body) = try replicatingWithBody(.getRevisions(asked))
        guard case .ok(.revisions(let found)) = response else {
          throw malformed("POST _bulk_get", "not a list of revisions")
        }
        try refuseBadRevisions(body)
        let count = asked.reduce(0) { $0 + $1.revs.count }
        guard found.count == count else {
          throw malformed("POST _bulk_get", "\(found.count) answers to \(count) revisions")
        }
        var rest = found[...]
        for place in places {
          answers[place] = rest.prefix(queries[place].revs.count).map { named($0, by: body) }
          rest = rest.dropFirst(queries[place].revs.count)
        }
      }
      return try withStubs(answers.flatMap { $0 }).map { $0.withLengths }
    }

    /// The answer with the revision id that the server uses.
    private func named(_ answer: RevisionAnswer, by body: JSONValue) -> RevisionAnswer {
      var names: [RevisionID] = []
      if case .records(let records) = answer.found {
        names = records.flatMap(\.path)
      } else {
        let docs = (body.objectValue?["results"]?.arrayValue ?? []).flatMap {
          $0.objectValue?["docs"]?.arrayValue ?? []
        }
        names = docs.compactMap {
          $0.objectValue?["error"]?.objectValue?["rev"]?.textValue.map { RevisionID($0) }
        }
      }
      // A leaf whose stored path ends above the revision does not name it.
      let name = names.first { Self.isSame($0, answer.rev) } ?? Self.folded(answer.rev)
      return RevisionAnswer(id: answer.id, rev: name, found: answer.found)
    }

    /// The response is the same for an unknown revision and for one without a body.
    private func withStubs(
      _ answers: [RevisionAnswer], isAgain: Bool = false
    ) throws(Refusal) -> [RevisionAnswer] {
      let open = answers.filter { $0.found == .missing }
      guard !open.isEmpty else { return answers }
      var queries: [RevisionQuery] = []
      for answer in open {
        if let place = queries.firstIndex(where: { $0.id == answer.id }) {
          // What the server answers to a repeated revision is another question.
          guard !queries[place].revs.contains(answer.rev) else { continue }
          queries[place].revs.append(answer.rev)
        } else {
          queries.append(RevisionQuery(id: answer.id, revs: [answer.rev]))
        }
      }
      let unknown = try differences(queries)
      if server.isShared, !isAgain, unknown.count < queries.count {
        // Some may have arrived after the first request.
        return try withStubs(try found(queries, in: answers), isAgain: true)
      }
      return answers.map { answer in
        guard answer.found == .missing,
          !unknown.contains(where: { difference in
            difference.id == answer.id
              && difference.missing.contains { Self.isSame($0, answer.rev) }
          })
        else { return answer }
        return RevisionAnswer(id: answer.id, rev: answer.rev, found: .bodyMissing)
      }
    }

    /// Answers in which missing revisions are asked for once more.
    private func found(
      _ queries: [RevisionQuery], in answers: [RevisionAnswer]
    ) throws(Refusal) -> [RevisionAnswer] {
      guard case .ok(.revisions(let found)) = try replicating(.getRevisions(queries)) else {
        throw malformed("POST _bulk_get", "not a list of revisions")
      }
      return answers.map { answer in
        guard answer.found == .missing else { return answer }
        return found.first { $0.id == answer.id && Self.isSame($0.rev, answer.rev) } ?? answer
      }
    }

    /// Whether a revision id in a response may stand for one in the request.
    private static func isSame(_ answered: RevisionID, _ asked: RevisionID) -> Bool {
      folded(answered) == folded(asked)
    }

    /// A revision id as the server writes it: without a sign and leading zeros of its generation, and
    /// with a hexadecimal suffix in lower case.
    static func folded(_ rev: RevisionID) -> RevisionID {
      guard let (generation, text) = parts(of: rev) else { return rev }
      var suffix = text
      if suffix.utf8.count == 32,
        suffix.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
      {
        suffix = suffix.lowercased()
      }
      return RevisionID(JSONString("\(generation)-\(suffix)"))
    }

    /// The revision id with its generation as a number.
    private static func withNumber(_ rev: RevisionID) -> RevisionID {
      parts(of: rev).map { RevisionID(JSONString("\($0.generation)-\($0.suffix)")) } ?? rev
    }

    private static func parts(of rev: RevisionID) -> (generation: Int64, suffix: String)? {
      let parts = rev.text.string.split(
        separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let generation = Int64(parts[0]) else { return nil }
      return (generation, String(parts[1]))
    }

    func insert(_ records: [RevisionRecord]) throws(Refusal) -> [DatastoreError?] {
      var results: [DatastoreError?] = Array(repeating: nil, count: records.count)
      var (places, docs): ([Int], [JSONValue]) = ([], [])
      for (place, record) in records.enumerated() {
        do throws(Refusal) {
          docs.append(try document(record))
          places.append(place)
        } catch {
          guard case .error(let error) = error else { throw error }
          results[place] = error
        }
      }
      try insert(docs, of: records, at: places, into: &results)
      return results
    }

    private func insert(
      _ docs: [JSONValue], of records: [RevisionRecord], at places: [Int],
      into results: inout [DatastoreError?]
    ) throws(Refusal) {
      guard !docs.isEmpty else { return }
      let response = try send(
        "POST", "_bulk_docs", body: ["new_edits": false, "docs": .array(docs)])
      guard (200...299).contains(response.status) else {
        let refusal = refusal(response, to: "POST", "_bulk_docs")
        guard case .error(let error) = refusal,
          error.kind != .missingStub || docs.count < records.count
        else { throw refusal }
        guard docs.count > 1 else {
          results[places[0]] = error
          return
        }
        // An invalid document is the error of the whole request.
        for (doc, place) in zip(docs, places) {
          try insert([doc], of: records, at: [place], into: &results)
        }
        return
      }
      guard let items = response.body?.arrayValue else {
        throw malformed("POST _bulk_docs", "expected an array")
      }
      for item in items {
        guard let object = item.objectValue, object["error"] != nil else { continue }
        let error = DatastoreError(response: object) ?? DatastoreError(.storage(.io))
        let (id, rev) = (object["id"]?.textValue, object["rev"]?.textValue)
        for place in places where records[place].id.text == id {
          if rev == nil || records[place].path.first?.text == rev { results[place] = error }
        }
      }
    }

    /// A record as it is sent.
    private func document(_ record: RevisionRecord) throws(Refusal) -> JSONValue {
      guard let rev = record.path.first else { throw .error(DatastoreError(.badRevision)) }
      guard Self.isDocument(record.id) else { throw .error(DatastoreError(.badID)) }
      let document = try Self.document(record.id, rev, body: record.body, isDeleted: record.deleted)
      guard case .object(var object) = document else { return document }
      if !record.attachments.isEmpty {
        object["_attachments"] = try Self.members(record.attachments)
      }
      // A path of one revision needs no generations that can be encoded.
      guard record.path.count > 1 else { return .object(object) }
      // There, a generation is a number.
      guard let revisions = record.path.map(Self.withNumber).revisionsMember else {
        throw .error(DatastoreError(.badRevision))
      }
      object["_revisions"] = revisions
      return .object(object)
    }
  }

  extension RevisionAnswer {
    /// The answer with the length of inline content, which documents with content do not have.
    fileprivate var withLengths: RevisionAnswer {
      guard case .records(let records) = found else { return self }
      return RevisionAnswer(
        id: id, rev: rev,
        found: .records(
          records.map { record in
            var record = record
            for place in record.attachments.indices {
              if case .data(let text) = record.attachments[place].content {
                record.attachments[place].length = Base64.decode(text.utf8).map { Int64($0.count) }
              }
            }
            return record
          }))
    }
  }
#endif
