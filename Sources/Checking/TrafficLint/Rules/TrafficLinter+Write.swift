internal import Datastore
internal import JSON

// Writes of revisions with `new_edits=false`: `_bulk_docs`, and `PUT` of a document.

extension TrafficLinter {
  /// The errors of a row after which a later attempt may succeed.
  private static let temporaryErrors: Set<JSONString> = [
    "internal_server_error", "timeout", "unknown_error", "service_unavailable", "error",
  ]

  func beginBulkWrite(_ flow: Flow) {
    guard Self.isReplicatedBulk(flow) else { return }
    flow.contact.isTarget = true
    use(flow)
    let bodies = Self.bulkBodies(flow)
    if flow.requestBody?["docs"]?.arrayValue?.isEmpty == true {
      report(.emptyRequest, "_bulk_docs has no document", at: [(flow.place, "docs is []")])
    }
    for body in bodies { write(body, flow) }
  }

  func endBulkWrite(_ flow: Flow) {
    guard Self.isReplicatedBulk(flow), let response = flow.exchange.response else { return }
    let bodies = Self.bulkBodies(flow)
    guard flow.isSuccess else {
      for body in bodies { setFailed(body, flow) }
      return
    }
    var errors: [DocumentID: [JSONObject]] = [:]
    for row in (response.body.json?.arrayValue ?? []).compactMap(\.objectValue) {
      guard let id = row["id"]?.textValue.map({ DocumentID($0) }) else { continue }
      if !bodies.contains(where: { $0.document == id }) {
        report(
          .bulkRowUnknown, "the response names \(id), the request does not",
          at: [(flow.place, "has a row for \(id)")])
      }
      if row["error"] != nil { errors[id, default: []].append(row) }
    }
    for body in bodies {
      guard let key = body.key else { continue }
      let error = errors[key.document]?.first { row in
        row["rev"]?.textValue.map { $0 == key.revision.text } ?? true
      }
      guard let kind = error?["error"]?.textValue else {
        acknowledge(body, key: key, flow)
        continue
      }
      if Self.temporaryErrors.contains(kind) {
        flow.database.facts[key, default: RevisionFacts()].rowFailed = flow.place
      } else {
        reject(body, key: key, flow)
      }
    }
  }

  func beginDocument(_ document: DocumentID, _ flow: Flow) {
    if flow.method == "GET" { return beginDocumentRead(document, flow) }
    guard Self.isReplicatedPut(flow) else { return }
    flow.contact.isTarget = true
    use(flow)
    if let body = putBody(document, flow) { write(body, flow) }
  }

  func endDocument(_ document: DocumentID, _ flow: Flow) {
    if flow.method == "GET" { return endDocumentRead(document, flow) }
    guard Self.isReplicatedPut(flow), let body = putBody(document, flow),
      let key = body.key
    else { return }
    switch flow.status {
    case 200...299:
      let answer = flow.exchange.response?.body.json?.objectValue
      let (id, revision) = (answer?["id"]?.textValue, answer?["rev"]?.textValue)
      if id.map({ $0 != key.document.text }) ?? false
        || revision.map({ $0 != key.revision.text }) ?? false
      {
        let words = "\(id?.string ?? "") \(revision?.string ?? "")"
        report(
          .acknowledgedOther, "\(key.words) was written, the response names \(words)",
          at: [(flow.place, "writes \(key.words), and the response names \(words)")])
      }
      acknowledge(body, key: key, flow)
    case 400, 401, 403, 413, 415: reject(body, key: key, flow)
    default: setFailed(body, flow)
    }
  }

  private func write(_ body: RevisionBody, _ flow: Flow) {
    guard let key = checkWritten(body, flow) else { return }
    let (client, target) = (flow.client, flow.database)
    var facts = target.facts[key] ?? RevisionFacts()
    if facts.acknowledged > 0, facts.acknowledgedClient == client.number,
      facts.missing < facts.acknowledged
    {
      report(
        .writeAgain, "\(key.words) is written again",
        at: [
          (facts.acknowledged, "the target acknowledges \(key.words)"),
          (flow.place, "writes \(key.words) again"),
        ])
    }
    checkSource(key, facts: facts, flow)
    facts.written = flow.place
    target.facts[key] = facts
  }

  /// Checks that the revision came from the source of this target.
  private func checkSource(_ key: RevisionKey, facts: RevisionFacts, _ flow: Flow) {
    let sources = pairedSources(of: flow)
    let own = sources.map { $0.facts[key] ?? RevisionFacts() }
    if !sources.isEmpty, !sources.contains(where: \.hasUnreadFetch),
      own.allSatisfy({ $0.received == 0 }), !facts.isSettled
    {
      report(
        .writtenAfterFetch, "\(key.words) is written, and no response of the source has it",
        at: [
          (own.map(\.requested).max() ?? 0, "fetches \(key.words)"),
          (flow.place, "writes \(key.words)"),
        ])
    }
    guard facts.asked == 0, !flow.database.isMostlyMissing else { return }
    for contact in flow.client.contacts
    where flow.client.isPaired(contact.database, flow.database) {
      guard let requested = contact.database.facts[key]?.requestedUnasked, requested > 0 else {
        continue
      }
      contact.database.facts[key]?.requestedUnasked = 0
      report(
        .askedBeforeFetch, "the target was not asked for \(key.words)",
        at: [(requested, "fetches \(key.words)"), (flow.place, "writes \(key.words)")])
    }
  }

  /// The databases with a feed that share a checkpoint id with the target.
  private func pairedSources(of flow: Flow) -> [DatabaseState] {
    let feeds = flow.client.feeds.filter { feed in
      feed.source !== flow.database && flow.client.sharesCheckpoint(feed.source, flow.database)
    }
    var sources: [DatabaseState] = []
    for feed in feeds where !sources.contains(where: { $0 === feed.source }) {
      sources.append(feed.source)
    }
    return sources
  }

  private func acknowledge(_ body: RevisionBody, key: RevisionKey, _ flow: Flow) {
    let target = flow.database
    target.facts[key, default: RevisionFacts()].acknowledged = flow.place
    target.facts[key]?.acknowledgedClient = flow.client.number
    target.facts[key]?.acknowledgedTick = tick
    target.ancestors[key.document] = nil
    settleAncestors(of: body, key, flow) { $0.isAncestor = true }
  }

  private func reject(_ body: RevisionBody, key: RevisionKey, _ flow: Flow) {
    flow.database.facts[key, default: RevisionFacts()].rejected = flow.place
    settleAncestors(of: body, key, flow) { $0.rejected = flow.place }
  }

  private func setFailed(_ body: RevisionBody, _ flow: Flow) {
    guard let key = body.key else { return }
    flow.database.facts[key, default: RevisionFacts()].failed = flow.place
  }

  /// Changes the facts of known ancestors: a source may send a newer leaf than the requested one.
  private func settleAncestors(
    of body: RevisionBody, _ key: RevisionKey, _ flow: Flow,
    change: (inout RevisionFacts) -> Void
  ) {
    let listed = flow.client.feeds.flatMap { $0.latest[key.document]?.leaves ?? [] }
    for revision in body.path.dropFirst() {
      let ancestor = RevisionKey(document: key.document, revision: revision)
      if flow.database.facts[ancestor] != nil || listed.contains(revision) {
        change(&flow.database.facts[ancestor, default: RevisionFacts()])
      }
    }
  }

  /// Reports a malformed document, and returns its revision.
  private func checkWritten(_ body: RevisionBody, _ flow: Flow) -> RevisionKey? {
    if let flaw = body.flaw {
      let id = body.document.map { "\($0)" } ?? "a document"
      report(.writeHistory, "\(id): \(flaw)", at: [(flow.place, "writes the document")])
    }
    guard let key = body.key else {
      let words = body.document.map { "\($0) has neither _rev nor _revisions" }
      report(
        .writeIdentified, words ?? "a document has no _id",
        at: [(flow.place, "writes the document with new_edits=false")])
      return nil
    }
    checkRequestRevision(key.revision, of: key.document, flow)
    return key
  }

  private func putBody(
    _ document: DocumentID, _ flow: Flow
  ) -> RevisionBody? {
    let request = flow.exchange.request
    var object = request.body.json?.objectValue
    if let bytes = request.body.bytes, let type = request.headers["content-type"] {
      object = MultipartReader(bytes, type: type).values.first?.objectValue
    }
    guard var object else { return nil }
    // The path names the document; the body may omit it.
    if object["_id"] == nil { object["_id"] = .string(document.text) }
    return RevisionBody(object)
  }

  private static func isReplicatedBulk(_ flow: Flow) -> Bool {
    flow.method == "POST" && flow.requestBody?["new_edits"] == .bool(false)
  }

  private static func isReplicatedPut(_ flow: Flow) -> Bool {
    flow.method == "PUT" && flow.target.value("new_edits") == "false"
  }

  private static func bulkBodies(_ flow: Flow) -> [RevisionBody] {
    (flow.requestBody?["docs"]?.arrayValue ?? []).compactMap { value in
      value.objectValue.map { RevisionBody($0) }
    }
  }
}
