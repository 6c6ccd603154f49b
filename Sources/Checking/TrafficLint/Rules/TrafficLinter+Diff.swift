internal import Datastore
internal import JSON

// `_revs_diff`: which revisions does the target not have?

extension TrafficLinter {
  /// The number of requests with one document from which on they are too many.
  private static let singleMax = 10

  func beginDiff(_ flow: Flow) {
    guard flow.method == "POST" else { return }
    flow.contact.isTarget = true
    use(flow)
    let asked = Self.asked(flow)
    if asked.isEmpty, flow.requestBody?.isEmpty == true {
      report(.emptyRequest, "_revs_diff names no document", at: [(flow.place, "the body is {}")])
    }
    checkBatch(asked.count, flow)
    for (document, revisions) in asked {
      for revision in revisions {
        checkRequestRevision(revision, of: document, flow)
        ask(RevisionKey(document: document, revision: revision), flow)
      }
      for feed in flow.client.feeds where feed.source !== flow.database { feed.ask(document) }
    }
  }

  func endDiff(_ flow: Flow) {
    guard flow.method == "POST", flow.isSuccess, let response = flow.exchange.response else {
      // A question without an answer must be repeated.
      for (document, revisions) in Self.asked(flow) {
        for revision in revisions {
          let key = RevisionKey(document: document, revision: revision)
          guard flow.database.facts[key]?.asked == flow.place else { continue }
          flow.database.facts[key]?.asked = 0
        }
      }
      return
    }
    let target = flow.database
    let answer = response.body.json?.objectValue
    guard answer != nil || response.body.isUnreadable else { return }
    var places: [DocumentID: Int] = [:]
    for (place, item) in Self.asked(flow).enumerated() { places[item.document] = place }
    let asked = Self.asked(flow)
    for member in (answer ?? [:]).members where places[DocumentID(member.name)] == nil {
      report(
        .missingUnasked, "the response names \(member.name), the request does not",
        at: [(flow.place, "reports \(member.name)")])
    }
    for (document, revisions) in asked {
      let row = answer?[document.text]?.objectValue
      let missing = (row?["missing"]?.arrayValue ?? []).compactMap(\.textValue).map {
        RevisionID($0)
      }
      checkMissing(missing, of: document, asked: revisions, flow)
      checkAncestors(row, of: document, missing: missing, flow)
      let unknown = Set(missing)
      for revision in revisions {
        let key = RevisionKey(document: document, revision: revision)
        target.askedCount += 1
        if unknown.contains(revision) {
          target.missingCount += 1
          checkAcknowledged(key, flow)
          target.facts[key, default: RevisionFacts()].missing = flow.place
        } else {
          target.facts[key, default: RevisionFacts()].known = flow.place
        }
      }
    }
  }

  private func ask(_ key: RevisionKey, _ flow: Flow) {
    let (client, target) = (flow.client, flow.database)
    var facts = target.facts[key] ?? RevisionFacts()
    let session = flow.contact.session
    if facts.asked > 0, facts.askedClient == client.number, facts.askedSession == session,
      facts.isKnown || (facts.acknowledged > 0 && !facts.isNeeded)
    {
      let listed = client.feeds.compactMap { $0.latest[key.document]?.place }.max() ?? 0
      if listed <= facts.asked {
        report(
          .askAgain, "\(key.words) is in the target already",
          at: [
            (facts.asked, "asks for \(key.words)"),
            (facts.acknowledged, "the target acknowledges the revision"),
            (flow.place, "asks for \(key.words) again"),
          ])
      }
    }
    for contact in client.contacts where client.isPaired(contact.database, target) {
      guard let requested = contact.database.facts[key]?.requestedUnasked, requested > 0 else {
        continue
      }
      contact.database.facts[key]?.requestedUnasked = 0
      if facts.asked == 0 {
        report(
          .askedBeforeFetch, "\(key.words) was fetched before the target was asked for it",
          at: [(requested, "fetches \(key.words)"), (flow.place, "asks for \(key.words)")])
      }
    }
    facts.asked = flow.place
    facts.askedClient = client.number
    facts.askedSession = session
    target.facts[key] = facts
  }

  private func checkBatch(_ count: Int, _ flow: Flow) {
    for feed in flow.client.feeds where feed.source !== flow.database {
      guard count == 1, feed.waitingCount > 2 else {
        feed.singleCount = 0
        continue
      }
      feed.singleCount += 1
      if feed.singleCount == Self.singleMax {
        report(
          .askOneByOne, "\(Self.singleMax) requests in sequence name one document each",
          at: [(flow.place, "names one document, while \(feed.waitingCount - 1) others wait")])
      }
    }
  }

  private func checkMissing(
    _ missing: [RevisionID], of document: DocumentID, asked: [RevisionID], _ flow: Flow
  ) {
    for revision in missing where !asked.contains(revision) {
      report(
        .missingUnasked,
        "the response reports \(document) \(revision), the request does not name it",
        at: [(flow.place, "reports \(document) \(revision) as missing")])
    }
    for revision in missing { checkResponseRevision(revision, of: document, flow) }
  }

  private func checkAncestors(
    _ row: JSONObject?, of document: DocumentID, missing: [RevisionID], _ flow: Flow
  ) {
    let values = row?["possible_ancestors"]?.arrayValue ?? []
    let ancestors = values.compactMap(\.textValue).map { RevisionID($0) }
    flow.database.ancestors[document] = ancestors.isEmpty ? nil : ancestors
    let highest = missing.compactMap(\.generation).max() ?? 0
    for ancestor in ancestors {
      checkResponseRevision(ancestor, of: document, flow)
      if let generation = ancestor.generation, generation >= highest {
        report(
          .ancestorGeneration,
          "\(document) \(ancestor) is no ancestor of a revision of generation \(highest)",
          at: [(flow.place, "names \(ancestor) in possible_ancestors of \(document)")])
      }
    }
  }

  private func checkAcknowledged(_ key: RevisionKey, _ flow: Flow) {
    guard let facts = flow.database.facts[key], facts.acknowledged > 0, !facts.isAncestor,
      facts.acknowledgedTick < flow.tick
    else { return }
    report(
      .missingAcknowledged, "\(key.words) is reported as missing after its write",
      at: [
        (facts.acknowledged, "the database acknowledges \(key.words)"),
        (flow.place, "reports \(key.revision) as missing"),
      ])
  }

  /// The revisions that a request names, by document.
  private static func asked(
    _ flow: Flow
  ) -> [(document: DocumentID, revisions: [RevisionID])] {
    (flow.requestBody?.members ?? []).map { member in
      let texts = (member.value.arrayValue ?? []).compactMap(\.textValue)
      return (DocumentID(member.name), texts.map { RevisionID($0) })
    }
  }
}
