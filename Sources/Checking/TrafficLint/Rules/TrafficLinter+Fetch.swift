internal import Datastore
internal import JSON

// Fetches of revisions: `_bulk_get`, and `GET` of a document with `open_revs` or `rev`.

extension TrafficLinter {
  /// A revision that a fetch requests; without a revision, all leaves.
  private struct Wish {
    var document: DocumentID
    var revision: RevisionID?
    var known: [RevisionID] = []
  }

  func beginBulkGet(_ flow: Flow) {
    guard flow.method == "POST" else { return }
    let wishes = Self.bulkWishes(flow)
    if flow.requestBody?["docs"]?.arrayValue?.isEmpty == true {
      report(.emptyRequest, "_bulk_get names no document", at: [(flow.place, "docs is []")])
    }
    request(wishes, flow)
  }

  func endBulkGet(_ flow: Flow) {
    guard flow.method == "POST", let response = flow.exchange.response else { return }
    let wishes = Self.bulkWishes(flow)
    guard flow.isSuccess else { return fail(wishes, flow) }
    if readUnreadable(wishes, flow) { return }
    guard let results = response.body.json?.objectValue?["results"]?.arrayValue else {
      return readParts(wishes, flow)
    }
    var answered: [DocumentID: [JSONObject]] = [:]
    for result in results {
      guard let row = result.objectValue, let id = row["id"]?.textValue else { continue }
      let docs = (row["docs"]?.arrayValue ?? []).compactMap(\.objectValue)
      answered[DocumentID(id), default: []] += docs
      for doc in docs {
        if let body = doc["ok"]?.objectValue {
          receive(RevisionBody(body), of: DocumentID(id), wishes: wishes, flow)
        } else if let error = doc["error"]?.objectValue {
          readError(error, of: DocumentID(id), flow)
        }
      }
    }
    for wish in wishes where !Self.isAnswered(wish, by: answered[wish.document] ?? []) {
      let words = "\(wish.document) \(wish.revision.map { "\($0)" } ?? "")"
      report(
        .bulkGetComplete, "the response has neither a document nor an error for \(words)",
        at: [(flow.place, "\(results.count) results for \(wishes.count) revisions")])
    }
  }

  func beginDocumentRead(_ document: DocumentID, _ flow: Flow) {
    let wishes = Self.documentWishes(document, flow)
    guard !wishes.isEmpty else { return }
    request(wishes, flow)
  }

  func endDocumentRead(_ document: DocumentID, _ flow: Flow) {
    guard let response = flow.exchange.response else { return }
    let wishes = Self.documentWishes(document, flow)
    guard flow.isSuccess else { return fail(wishes, flow) }
    if readUnreadable(wishes, flow) { return }
    switch response.body.json {
    case .object(let body)?: receive(RevisionBody(body), of: document, wishes: wishes, flow)
    case .array(let items)?:
      for item in items {
        if let body = item.objectValue?["ok"]?.objectValue {
          receive(RevisionBody(body), of: document, wishes: wishes, flow)
        } else if let revision = item.objectValue?["missing"]?.textValue {
          markGone(RevisionKey(document: document, revision: RevisionID(revision)), flow)
        }
      }
    default: readParts(wishes, flow)
    }
  }

  private func request(_ wishes: [Wish], _ flow: Flow) {
    let targets = flow.client.targets(of: flow.database)
    var isNeeded = false
    for wish in wishes {
      guard let revision = wish.revision else { continue }
      checkRequestRevision(revision, of: wish.document, flow)
      let key = RevisionKey(document: wish.document, revision: revision)
      let facts = targets.compactMap { $0.database.facts[key] }
      if facts.contains(where: \.isNeeded) { isNeeded = true }
      checkWaste(key, facts: facts, ofAll: facts.count == targets.count && !targets.isEmpty, flow)
      var own = flow.database.facts[key] ?? RevisionFacts()
      if !facts.contains(where: { $0.asked > 0 }) {
        own.requestedUnasked = flow.place
      }
      own.requested = flow.place
      flow.database.facts[key] = own
    }
    guard isNeeded else { return }
    if !Self.option("revs", flow) {
      report(
        .fetchWithHistory, "missing revisions are fetched without revs=true",
        at: [(flow.place, "has no revs=true")])
    }
    if !Self.option("latest", flow) {
      report(
        .fetchLatest, "missing revisions are fetched without latest=true",
        at: [(flow.place, "has no latest=true")])
    }
  }

  private func checkWaste(
    _ key: RevisionKey, facts: [RevisionFacts], ofAll: Bool, _ flow: Flow
  ) {
    // Another client may have written the revision after this one asked for it.
    let client = flow.client.number
    guard ofAll, !facts.contains(where: { $0.isNeeded || $0.askedClient != client }) else { return }
    let own = flow.database.facts[key]
    if let write = facts.first(where: { $0.acknowledged > 0 }) {
      guard let received = own?.received, received > 0, write.acknowledgedClient == client
      else { return }
      report(
        .fetchAgain, "\(key.words) is fetched after the target acknowledged it",
        at: [
          (received, "the source sends \(key.words)"),
          (write.acknowledged, "the target acknowledges the write"),
          (flow.place, "fetches \(key.words) again"),
        ])
    } else if let known = facts.first(where: { $0.isKnown }) {
      report(
        .fetchKnown, "\(key.words) is fetched although the target has it",
        at: [
          (known.known, "the target does not report \(key.words) as missing"),
          (flow.place, "fetches \(key.words)"),
        ])
    }
  }

  private func receive(
    _ body: RevisionBody, of document: DocumentID, wishes: [Wish], _ flow: Flow
  ) {
    let id = body.document ?? document
    if let flaw = body.flaw {
      report(.fetchedHistory, "\(id): \(flaw)", at: [(flow.place, "sends the document")])
    }
    guard let revision = body.revision else { return }
    checkResponseRevision(revision, of: id, flow)
    let key = RevisionKey(document: id, revision: revision)
    flow.database.facts[key, default: RevisionFacts()].received = flow.place
    let own = wishes.filter { $0.document == id }
    let carried = own.filter { wish in
      wish.revision.map { $0 == revision || body.path.contains($0) } ?? true
    }
    for wish in carried {
      guard let requested = wish.revision, requested != revision else { continue }
      let ancestor = RevisionKey(document: id, revision: requested)
      flow.database.facts[ancestor, default: RevisionFacts()].received = flow.place
    }
    if carried.isEmpty, !wishes.isEmpty, own.isEmpty || !body.path.isEmpty {
      report(
        .fetchedOther, "\(key.words) was not requested",
        at: [(flow.place, "sends \(key.words)")])
    }
    checkAttachments(body, key: key, known: carried.flatMap(\.known), flow)
  }

  private func checkAttachments(
    _ body: RevisionBody, key: RevisionKey, known: [RevisionID], _ flow: Flow
  ) {
    guard let attachments = body.attachments else { return }
    let path = Set(body.path)
    let possible = flow.client.targets(of: flow.database).flatMap {
      $0.database.ancestors[key.document] ?? []
    }.filter { path.contains($0) }
    for member in attachments.members {
      guard let attachment = member.value.objectValue,
        attachment["data"] != nil || attachment["follows"] == .bool(true),
        let position = attachment["revpos"]?.integerValue
      else { continue }
      let has: (RevisionID) -> Bool = { ancestor in
        ancestor != key.revision && ancestor.generation.map { $0 >= position } ?? false
      }
      if let ancestor = known.first(where: { path.contains($0) && has($0) }) {
        report(
          .attachmentsIgnored, "\(key.words): \(member.name) was sent despite atts_since",
          at: [(flow.place, "names \(ancestor) in atts_since, and receives \(member.name)")])
      } else if known.isEmpty, let ancestor = possible.first(where: has) {
        report(
          .attachmentsAgain,
          "\(key.words): \(member.name) was sent, and the target has \(ancestor)",
          at: [(flow.place, "has no atts_since, and receives \(member.name)")])
      }
    }
  }

  private func readParts(_ wishes: [Wish], _ flow: Flow) {
    guard let response = flow.exchange.response, let bytes = response.body.bytes,
      let type = response.headers["content-type"], MultipartReader.isMultipart(type)
    else { return }
    for value in MultipartReader(bytes, type: type).values {
      guard let body = value.objectValue else { continue }
      if body["_id"] != nil {
        receive(RevisionBody(body), of: wishes.first?.document ?? "", wishes: wishes, flow)
      } else if let missing = body["missing"]?.textValue, let document = wishes.first?.document {
        markGone(RevisionKey(document: document, revision: RevisionID(missing)), flow)
      } else if let id = body["id"]?.textValue {
        readError(body, of: DocumentID(id), flow)
      }
    }
  }

  /// Treats the revisions as received if the body is not in the transcript.
  private func readUnreadable(_ wishes: [Wish], _ flow: Flow) -> Bool {
    guard let response = flow.exchange.response else { return false }
    let isMultipart = MultipartReader.isMultipart(response.headers["content-type"])
    guard response.body.isUnreadable, !isMultipart else { return false }
    flow.database.hasUnreadFetch = true
    mark(wishes, flow) { $0.received = flow.place }
    return true
  }

  private func readError(_ error: JSONObject, of document: DocumentID, _ flow: Flow) {
    guard let revision = error["rev"]?.textValue else { return }
    let key = RevisionKey(document: document, revision: RevisionID(revision))
    switch error["error"]?.textValue {
    case "not_found"?, "forbidden"?, "unauthorized"?: markGone(key, flow)
    default: flow.database.facts[key, default: RevisionFacts()].fetchFailed = flow.place
    }
  }

  private func fail(_ wishes: [Wish], _ flow: Flow) {
    let isGone = Self.isDocument(flow) && [401, 403, 404, 410].contains(flow.status)
    mark(wishes, flow) { facts in
      if isGone { facts.gone = flow.place } else { facts.fetchFailed = flow.place }
    }
  }

  private func mark(_ wishes: [Wish], _ flow: Flow, change: (inout RevisionFacts) -> Void) {
    for wish in wishes {
      guard let revision = wish.revision else { continue }
      let key = RevisionKey(document: wish.document, revision: revision)
      change(&flow.database.facts[key, default: RevisionFacts()])
    }
  }

  private func markGone(_ key: RevisionKey, _ flow: Flow) {
    flow.database.facts[key, default: RevisionFacts()].gone = flow.place
  }

  private static func isDocument(_ flow: Flow) -> Bool {
    if case .document = flow.endpoint { true } else { false }
  }

  private static func option(_ name: JSONString, _ flow: Flow) -> Bool {
    flow.target.has(name) || flow.requestBody?[name] == .bool(true)
  }

  private static func isAnswered(_ wish: Wish, by docs: [JSONObject]) -> Bool {
    guard let revision = wish.revision else { return !docs.isEmpty }
    return docs.contains { doc in
      guard let body = doc["ok"]?.objectValue.map({ RevisionBody($0) }) else {
        let named = doc["error"]?.objectValue?["rev"]?.textValue
        return doc["error"] != nil
          && (named == nil || named == revision.text || named == "undefined")
      }
      // Without `_revisions` a newer leaf cannot be recognized.
      return body.revision == revision || body.path.isEmpty || body.path.contains(revision)
    }
  }

  private static func bulkWishes(_ flow: Flow) -> [Wish] {
    (flow.requestBody?["docs"]?.arrayValue ?? []).compactMap { value in
      guard let item = value.objectValue, let id = item["id"]?.textValue else { return nil }
      return Wish(
        document: DocumentID(id), revision: item["rev"]?.textValue.map { RevisionID($0) },
        known: revisions(item["atts_since"]))
    }
  }

  private static func documentWishes(_ document: DocumentID, _ flow: Flow) -> [Wish] {
    func list(_ name: JSONString) -> [RevisionID] {
      revisions(flow.target.value(name).flatMap { try? JSONValue.parse($0.utf8) })
    }
    let known = list("atts_since")
    if let revision = flow.target.value("rev") {
      return [Wish(document: document, revision: RevisionID(revision), known: known)]
    }
    return list("open_revs").map { Wish(document: document, revision: $0, known: known) }
  }

  private static func revisions(_ value: JSONValue?) -> [RevisionID] {
    (value?.arrayValue ?? []).compactMap(\.textValue).map { RevisionID($0) }
  }
}
