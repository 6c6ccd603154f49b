#if HTTP
  internal import Datastore
  internal import HTTPClient
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// The comparison of what clients were told with what the server holds at the end.
  extension HostilePeer {
    /// Reads the final state of the server, without faults, and gives the verdict.
    ///
    /// - Parameters:
    ///   - held: what clients hold.
    ///   - asked: the request with the credentials to read with.
    func verdict(_ held: [HeldDocuments], as asked: ServerRequest) -> Verdict {
      var verdict = Verdict()
      verdict.requests = log.count
      verdict.plan = plan.text
      let faults = log.faults
      verdict.faults = WireFault.allCases.compactMap { fault in
        faults[fault].map { (fault, $0) }
      }
      var claims: [JSONString: [(id: JSONString, rev: JSONString, source: String)]] = [:]
      for write in log.acknowledged.writes {
        claims[write.database, default: []].append((write.id.text, write.rev.text, "the server"))
      }
      for one in held {
        claims[one.database, default: []] += one.acknowledged.map { ($0.id, $0.rev, one.client) }
      }
      let databases = Set(claims.keys).union(held.map(\.database))
      for database in Array(databases).inByteOrder {
        let name = database.percentEncoded
        let (status, found) = leaves(of: name, as: asked)
        guard let server = found ?? (status == 404 ? [:] : nil) else {
          verdict.unread.append("the database \(database): status \(status)")
          continue
        }
        // Of a database that is gone, although no client removed it, all writes are lost.
        guard found != nil else {
          for claim in claims[database] ?? [] {
            verdict.counts[.lost, default: 0] += 1
            verdict.lost.append((database, claim.id, claim.rev, claim.source))
          }
          for one in held where one.database == database { compare(one, [:], into: &verdict) }
          continue
        }
        let listed = (claims[database] ?? []).sorted { left, right in
          (left.id == right.id)
            ? left.rev.precedesBytewise(right.rev) : left.id.precedesBytewise(right.id)
        }
        classify(listed, in: database, server, into: &verdict, as: asked)
        for one in held where one.database == database {
          compare(one, server, into: &verdict)
        }
      }
      return verdict
    }

    /// A document of the server: its leaves, the winner first.
    struct Document {
      var leaves: [JSONString]
      var isDeleted: Bool
    }

    /// All documents of a database; nil if it cannot be read.
    private func leaves(
      of database: JSONString, as asked: ServerRequest
    ) -> (status: Int, documents: [JSONString: Document]?) {
      guard let answer = send("GET", "/\(database)/_changes?style=all_docs", as: asked) else {
        return (0, nil)
      }
      guard answer.status == 200, let rows = answer.body.objectValue?["results"]?.arrayValue else {
        return (answer.status, nil)
      }
      return (200, Self.documents(rows))
    }

    /// Whether a history limit permits that a revision is not stored any more.
    private func isBelowLimit(
      _ rev: JSONString, _ document: Document?, in database: JSONString
    ) -> Bool {
      guard let limit = log.acknowledged.historyLimits[database], let document else { return false }
      func generation(_ rev: JSONString) -> Int64 {
        Int64(rev.string.prefix { $0 != "-" }) ?? 0
      }
      return document.leaves.contains { generation($0) - generation(rev) >= limit }
    }

    static func documents(_ rows: [JSONValue]) -> [JSONString: Document] {
      var documents: [JSONString: Document] = [:]
      for row in rows {
        guard let object = row.objectValue, let id = object["id"]?.textValue else { continue }
        let revs = (object["changes"]?.arrayValue ?? []).compactMap {
          $0.objectValue?["rev"]?.textValue
        }
        documents[id] = Document(leaves: revs, isDeleted: object["deleted"] == true)
      }
      return documents
    }

    private func classify(
      _ claims: [(id: JSONString, rev: JSONString, source: String)], in database: JSONString,
      _ server: [JSONString: Document], into verdict: inout Verdict, as asked: ServerRequest
    ) {
      var questions: [(JSONString, JSONValue)] = []
      for claim in claims {
        if questions.last?.0 == claim.id {
          let before = questions.removeLast().1.arrayValue ?? []
          questions.append((claim.id, .array(before + [.string(claim.rev)])))
        } else {
          questions.append((claim.id, [.string(claim.rev)]))
        }
      }
      var missing: [JSONString: [JSONString]] = [:]
      for start in stride(from: 0, to: questions.count, by: 500) {
        let part = questions[start..<min(start + 500, questions.count)]
        let target = "/\(database.percentEncoded)/_revs_diff"
        let body = JSONValue.object(JSONObject(Array(part)))
        guard let answer = send("POST", target, as: asked, body: body), answer.status == 200 else {
          verdict.unread.append("_revs_diff of \(database)")
          return
        }
        for member in answer.body.objectValue?.members ?? [] {
          missing[member.name] = (member.value.objectValue?["missing"]?.arrayValue ?? [])
            .compactMap { $0.textValue }
        }
      }
      for claim in claims {
        let document = server[claim.id]
        let state: Verdict.FinalState
        let isMissing = missing[claim.id]?.contains(claim.rev) ?? false
        if isMissing, !isBelowLimit(claim.rev, document, in: database) {
          state = .lost
          verdict.lost.append((database, claim.id, claim.rev, claim.source))
        } else if document?.isDeleted ?? true {
          state = .deleted
        } else if document?.leaves.first == claim.rev {
          state = .current
        } else {
          state = document?.leaves.contains(claim.rev) ?? false ? .inConflict : .superseded
        }
        verdict.counts[state, default: 0] += 1
      }
    }

    private func compare(
      _ held: HeldDocuments, _ server: [JSONString: Document], into verdict: inout Verdict
    ) {
      guard let leaves = held.leaves else { return }
      verdict.compared.append(held.client)
      for id in Array(Set(leaves.keys).union(server.keys)).inByteOrder {
        let onServer = Set(server[id]?.leaves ?? [])
        let onClient = leaves[id] ?? []
        guard onServer != onClient else { continue }
        verdict.differences.append(
          Verdict.Difference(
            client: held.client, id: id, onServer: Array(onServer).inByteOrder,
            onClient: Array(onClient).inByteOrder))
      }
    }

    /// Reads the documents of a client over CouchDB's protocol.
    ///
    /// - Throws: the reason that it cannot be read.
    static func read(
      _ url: String, as database: JSONString
    ) throws(HTTPFailure) -> HeldDocuments {
      let (address, credentials) = try ServerAddress.reading(url)
      let client = try HTTPClient(address, credentials: credentials, limitSeconds: 60)
      let answer = try client.send(
        HTTPRequest("GET", "/_changes", query: "style=all_docs"))
      guard answer.status == 200, let rows = answer.body?.objectValue?["results"]?.arrayValue else {
        throw .invalidResponse("\(address)/_changes: status \(answer.status)")
      }
      return HeldDocuments(
        client: "\(address)", database: database,
        leaves: documents(rows).mapValues { Set($0.leaves) })
    }
  }
#endif
