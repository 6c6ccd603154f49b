internal import Datastore
internal import JSON

// The feed of a source.

extension TrafficLinter {
  func beginChanges(_ flow: Flow) {
    let (client, contact) = (flow.client, flow.contact)
    let since = flow.target.value("since").map { SequenceName(query: $0) } ?? .zero
    let feed = client.feed(flow.database, filter: Self.filter(flow))
    flow.feed = feed
    let isNew = feed.positions.isEmpty
    let isFirst = !contact.hasWorked || isNew
    if !contact.hasWorked { checkResume(flow, since) }
    let isResumed = contact.hasWorked && feed.positions[since.digest] == nil
    if isFirst { sessionCount += 1 }
    if isResumed, !isFirst { contact.session += 1 }
    use(flow)
    if isFirst || isResumed { feed.restart(at: since) }
    for read in contact.readCheckpoints {
      let checkpoint = client.checkpoint(read.id)
      if !checkpoint.feeds.contains(where: { $0 === feed }) { checkpoint.feeds.append(feed) }
    }
    checkSince(since, isFirst: isNew, flow)
    let style = flow.target.value("style")
    if style != "all_docs", style != "main_only", feed.withoutStyle == 0 {
      feed.withoutStyle = flow.place
    }
  }

  func endChanges(_ flow: Flow) {
    guard flow.isSuccess, let feed = flow.feed, let response = flow.exchange.response else {
      return
    }
    switch response.body {
    case .json(.object(let page)) where page["results"] != nil || page["id"] == nil:
      readPage(page, flow, into: feed)
    case .json(let row): readLines([row], flow, into: feed)
    case .bytes(let bytes): readLines(Self.values(ofLines: bytes), flow, into: feed)
    case .empty, .unrecorded: break
    }
  }

  private func readPage(_ page: JSONObject, _ flow: Flow, into feed: Feed) {
    let isFeed = flow.target.value("feed").map { $0 == "normal" || $0 == "longpoll" } ?? true
    guard let rows = page["results"]?.arrayValue else {
      // The end of a continuous feed has last_seq only.
      if isFeed {
        report(
          .feedLastSequence, "the response has no array results",
          at: [(flow.place, "the response of the feed")])
      }
      return
    }
    var documents: Set<DocumentID> = []
    for row in rows {
      guard let document = read(row, flow, into: feed) else { continue }
      if !documents.insert(document).inserted {
        report(
          .feedDuplicate, "\(document) has two rows in one page",
          at: [(flow.place, "lists \(document) twice")])
      }
    }
    if let last = page["last_seq"].flatMap({ SequenceName($0) }) {
      mark(last, feed)
    } else {
      report(
        .feedLastSequence, "the response has no last_seq",
        at: [(flow.place, "\(rows.count) rows without last_seq")])
    }
  }

  private func readLines(_ lines: [JSONValue], _ flow: Flow, into feed: Feed) {
    for line in lines {
      if let last = line.objectValue?["last_seq"], line.objectValue?["id"] == nil {
        if let last = SequenceName(last) { mark(last, feed) }
      } else {
        _ = read(line, flow, into: feed)
      }
    }
  }

  /// Reads a row, and returns its document; nil if the row is malformed.
  private func read(_ value: JSONValue, _ flow: Flow, into feed: Feed) -> DocumentID? {
    guard let row = value.objectValue, let id = row["id"]?.textValue, let sequence = row["seq"],
      let changes = row["changes"]?.arrayValue, !changes.isEmpty
    else {
      report(
        .feedRow, "a row has no id, seq or changes",
        at: [(flow.place, "row \(Self.brief(value))")])
      return nil
    }
    let document = DocumentID(id)
    var leaves: [RevisionID] = []
    for change in changes {
      guard let text = change.objectValue?["rev"]?.textValue else {
        report(
          .feedRow, "a row has a change without rev",
          at: [(flow.place, "row \(Self.brief(value))")])
        continue
      }
      leaves.append(RevisionID(text))
      checkResponseRevision(RevisionID(text), of: document, flow)
    }
    if let body = row["doc"]?.objectValue, let key = RevisionBody(body).key {
      flow.database.facts[key, default: RevisionFacts()].received = flow.place
    }
    feed.list(
      document,
      Feed.Row(
        position: 0, place: flow.place, leaves: leaves, hasDocument: row["doc"] != nil))
    if let sequence = SequenceName(sequence) { mark(sequence, feed) }
    return document
  }

  private func mark(_ sequence: SequenceName, _ feed: Feed) {
    feed.mark(sequence)
    feed.source.sequences.insert(sequence.digest)
  }

  /// - Parameter isFirst: whether the client had not read the feed: a sequence from an earlier run that
  ///   the client stored itself is not in the transcript.
  private func checkSince(_ since: SequenceName, isFirst: Bool, _ flow: Flow) {
    let known = flow.database.sequences
    let isStored = isFirst && flow.contact.readCheckpoints.allSatisfy { $0.body == nil }
    guard !isStored, since != .zero, since.text != "now", since.text != "", !known.isEmpty,
      !known.contains(since.digest), !flow.client.checkpointSequences.contains(since.digest)
    else { return }
    report(
      .feedSince, "the source never returned the sequence \(since.words)",
      at: [(flow.place, "since=\(since.words)")])
  }

  /// The query and the body of a feed without what does not change the selection of rows.
  private static func filter(_ flow: Flow) -> JSONString {
    var parts: [String] = []
    for item in flow.target.query where !unselective.contains(item.name) {
      parts.append("\(item.name)=\(item.value)")
    }
    if let body = flow.exchange.request.body.json { parts.append(body.serialized()) }
    return JSONString(parts.joined(separator: "&"))
  }

  private static let unselective: Set<JSONString> = [
    "since", "limit", "feed", "timeout", "heartbeat", "include_docs", "seq_interval", "attachments",
    "conflicts", "att_encoding_info", "batch_size", "last-event-id", "_nonce",
  ]

  /// The values of a continuous feed, or of an event source.
  private static func values(ofLines bytes: [UInt8]) -> [JSONValue] {
    let prefix = Array("data:".utf8)
    return bytes.split(separator: 0x0A).compactMap { line in
      try? JSONValue.parse(line.starts(with: prefix) ? line.dropFirst(prefix.count) : line)
    }.filter { $0.objectValue != nil }
  }

  static func brief(_ value: JSONValue) -> String {
    let bytes = value.serializedBytes()
    return String(decoding: bytes.prefix(60), as: UTF8.self) + (bytes.count > 60 ? "…" : "")
  }
}
