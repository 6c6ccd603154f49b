internal import Datastore
internal import JSON

/// Transfer of missing revisions to the target.
extension Replicator {
  /// One revision of one document.
  fileprivate struct Name: Hashable {
    var id: DocumentID
    var rev: RevisionID
  }

  /// Fetches the revisions that the target reported as missing.
  mutating func fetch(_ found: [Difference], askedBy request: Request, _ page: Int64) {
    guard case .revsDiff(let queries) = request.content else { return }
    let asksForAttachments = configuration.asksForAttachments && sourceHasAttachments
    var batch: [RevisionQuery] = []
    var count = 0
    for query in Self.lacking(queries, found) {
      var query = query
      if !asksForAttachments { query.attachmentsSince = nil }
      report.total += Int64(query.revs.count)
      batch.append(query)
      count += query.revs.count
      if count >= configuration.batchRevisions {
        open(page, .source, content: .getRevisions(batch), purpose: .fetch(page: page, .first))
        batch = []
        count = 0
      }
    }
    if !batch.isEmpty {
      open(page, .source, content: .getRevisions(batch), purpose: .fetch(page: page, .first))
    }
    close(page)
  }

  /// The queries to fetch: for each query, the revisions that the target lacks and those that it
  /// has of the document.
  private static func lacking(
    _ queries: [RevisionQuery], _ found: [Difference]
  ) -> [RevisionQuery] {
    if let lacking = lackingInOrder(queries, found) { return lacking }
    var missing: [DocumentID: Difference] = [:]
    for difference in found {
      guard let other = missing.updateValue(difference, forKey: difference.id) else { continue }
      missing[difference.id] = Difference(
        id: difference.id, missing: other.missing + difference.missing,
        possibleAncestors: other.possibleAncestors + difference.possibleAncestors)
    }
    return queries.compactMap { query in
      guard let difference = missing[query.id] else { return nil }
      let revs = revs(query.revs, among: difference.missing)
      return revs.isEmpty ? nil : fetching(revs, difference)
    }
  }

  /// A fast path for an answer in the order of the queries with each document once; nil otherwise.
  private static func lackingInOrder(
    _ queries: [RevisionQuery], _ found: [Difference]
  ) -> [RevisionQuery]? {
    var lacking: [RevisionQuery] = []
    lacking.reserveCapacity(found.count)
    for query in queries {
      guard lacking.count < found.count else { break }
      let difference = found[lacking.count]
      guard difference.id == query.id else { continue }
      let revs = revs(query.revs, among: difference.missing)
      guard !revs.isEmpty, revs.count == difference.missing.count else { return nil }
      lacking.append(fetching(revs, difference))
    }
    return lacking.count == found.count ? lacking : nil
  }

  /// Splits a fetch whose response is too large into two halves; returns false if it names one
  /// revision.
  mutating func divide(_ request: Request, _ page: Int64, round: Round) -> Bool {
    guard case .getRevisions(let queries) = request.content, state == .started else { return false }
    let count = queries.reduce(0) { $0 + $1.revs.count }
    guard count > 1 else { return false }
    var halves: (first: [RevisionQuery], second: [RevisionQuery]) = ([], [])
    var left = count / 2
    for query in queries {
      var (first, second) = (query, query)
      first.revs = Array(query.revs.prefix(left))
      second.revs = Array(query.revs.dropFirst(left))
      left -= first.revs.count
      if !first.revs.isEmpty { halves.first.append(first) }
      if !second.revs.isEmpty { halves.second.append(second) }
    }
    open(page, .source, content: .getRevisions(halves.first), purpose: .fetch(page: page, round))
    open(page, .source, content: .getRevisions(halves.second), purpose: .fetch(page: page, round))
    close(page)
    return true
  }

  private static func fetching(_ revs: [RevisionID], _ difference: Difference) -> RevisionQuery {
    RevisionQuery(
      id: difference.id, revs: revs, latest: true,
      attachmentsSince: difference.possibleAncestors)
  }

  private static func revs(_ revs: [RevisionID], among lacking: [RevisionID]) -> [RevisionID] {
    if revs == lacking { return revs }
    let lacking = Set(lacking)
    return revs.filter { lacking.contains($0) }
  }

  /// Sends the fetched records to the target, and requests unanswered revisions again.
  mutating func insert(
    _ answers: [RevisionAnswer], askedBy request: Request, _ page: Int64, round: Round
  ) {
    guard case .getRevisions(let queries) = request.content else { return }
    var answers = Answers(answers)
    var records: [RevisionRecord] = []
    records.reserveCapacity(queries.count)
    var documents: Set<DocumentID> = []
    documents.reserveCapacity(queries.count)
    var covered: Int64 = 0
    var vanished: [RevisionQuery] = []
    var unanswered: [RevisionQuery] = []
    for query in queries {
      // Two answers may contain the same record: for two of its ancestors, or for a document that
      // occurs twice.
      var taken: Set<RevisionID> = []
      let isNew = documents.insert(query.id).inserted
      if !isNew {
        for record in records where record.id == query.id { taken.insert(record.path[0]) }
      }
      var gone: [RevisionID] = []
      var silent: [RevisionID] = []
      for rev in query.revs {
        switch answers.next(query.id, rev) {
        case .records(let versions)
        where !versions.isEmpty
          && versions.allSatisfy({ $0.id == query.id && !$0.path.isEmpty }):
          if round == .first { covered += 1 }
          for record in versions where passes(record, page) {
            let isOnly = isNew && query.revs.count == 1 && versions.count == 1
            if isOnly || taken.insert(record.path[0]).inserted { records.append(record) }
          }
        case .missing: gone.append(rev)
        case .bodyMissing:
          if round == .first { report.processed += 1 }
          fail(
            page,
            ReplicationReport.Failure(
              id: query.id, rev: rev, reason: "the source has the revision without its body"))
        case .records, nil: silent.append(rev)
        }
      }
      if !gone.isEmpty { vanished.append(RevisionQuery(id: query.id, revs: gone)) }
      if !silent.isEmpty {
        unanswered.append(
          RevisionQuery(
            id: query.id, revs: silent, latest: true, attachmentsSince: query.attachmentsSince))
      }
    }
    if !vanished.isEmpty {
      open(page, .source, content: .revsDiff(vanished), purpose: .lookup(page: page, round))
    }
    if records.isEmpty {
      report.processed += covered
    } else {
      give(records, page, covered: covered, round: round)
    }
    guard unanswered.isEmpty else {
      let rest = request.asking(.getRevisions(unanswered))
      return tryAgain(rest, "the source omitted requested revisions")
    }
    close(page)
  }

  /// Whether the filter admits a record; a record that the filter cannot evaluate fails its page.
  private mutating func passes(_ record: RevisionRecord, _ page: Int64) -> Bool {
    guard let filter = configuration.filter else { return true }
    do throws(DatastoreError) { return try filter.admits(record) } catch {
      fail(
        page,
        ReplicationReport.Failure(
          id: record.id, rev: record.path.first,
          reason: JSONString("the filter cannot be evaluated: \(error)")))
      return false
    }
  }

  /// Processes a look-up of revisions that the source listed but did not return.
  mutating func look(
    at found: [Difference], askedBy request: Request, _ page: Int64, _ round: Round
  ) {
    guard case .revsDiff(let queries) = request.content else { return }
    var unknown: Set<Name> = []
    for difference in found {
      for rev in difference.missing { unknown.insert(Name(id: difference.id, rev: rev)) }
    }
    for query in queries {
      for rev in query.revs {
        if round == .first { report.processed += 1 }
        if unknown.contains(Name(id: query.id, rev: rev)) {
          report.vanished += 1
        } else {
          fail(
            page,
            ReplicationReport.Failure(
              id: query.id, rev: rev, reason: "the source lists the revision but does not return it"
            ))
        }
      }
    }
    close(page)
  }

  /// Processes the target's result for each record; returns false if the results are incomplete.
  mutating func settle(
    _ errors: [DatastoreError?], of request: Request, _ page: Int64, covered: Int64, round: Round
  ) -> Bool {
    guard case .insertRevisions(let records) = request.content, errors.count == records.count
    else { return false }
    var again: [RevisionRecord] = []
    for (place, error) in errors.enumerated() {
      guard let error else { continue }
      let record = records[place]
      switch error.kind {
      case .forbidden: report.refused += 1
      case .busy, .storage: again.append(record)
      case .missingStub where round == .first && !record.attachments.isEmpty,
        .badAttachment where round == .first && !record.attachments.isEmpty:
        fetchAgain(record, page)
      case .tooLarge(let limit) where record.hasData(above: limit):
        guard state == .started else {
          leaveUnfinished(page)
          continue
        }
        give([record.withoutData(above: limit)], page, covered: 0, round: round)
      default:
        fail(
          page,
          ReplicationReport.Failure(
            id: record.id, rev: record.path.first,
            reason: JSONString("the target rejected the revision: \(error.description)")))
      }
    }
    guard again.isEmpty else {
      tryAgain(
        request.asking(.insertRevisions(again)), "the target did not store a complete batch")
      return true
    }
    report.processed += covered
    close(page)
    return true
  }
}

/// The answers of a response, looked up mostly in their order.
private struct Answers {
  private let all: [RevisionAnswer]
  private var place = 0
  /// The index, built when an answer is not at its expected position.
  private var found: [Replicator.Name: RevisionAnswer.Found]?

  init(_ all: [RevisionAnswer]) { self.all = all }

  /// The answer for a revision; nil if it is missing.
  mutating func next(_ id: DocumentID, _ rev: RevisionID) -> RevisionAnswer.Found? {
    if found == nil {
      if place < all.count, all[place].id == id, all[place].rev == rev {
        place += 1
        return all[place - 1].found
      }
      var found: [Replicator.Name: RevisionAnswer.Found] = [:]
      for answer in all { found[Replicator.Name(id: answer.id, rev: answer.rev)] = answer.found }
      self.found = found
    }
    return found?[Replicator.Name(id: id, rev: rev)]
  }
}

extension Replicator.Request {
  /// The same request with other content.
  func asking(_ content: PeerRequest) -> Self {
    Self(number: number, side: side, content: content, purpose: purpose, attempt: attempt)
  }
}
