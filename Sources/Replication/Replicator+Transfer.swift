internal import Datastore
internal import JSON

/// From what is missing to what is stored.
extension Replicator {
  /// One revision of one document.
  private struct Name: Hashable {
    var id: DocumentID
    var rev: RevisionID
  }

  /// Fetches what the target lacks of what it was asked about.
  mutating func fetch(_ found: [Difference], askedBy request: Request, _ page: Int64) {
    guard case .revsDiff(let queries) = request.content else { return }
    var missing: [DocumentID: Set<RevisionID>] = [:]
    for difference in found {
      missing[difference.id, default: []].formUnion(difference.missing)
    }
    var batch: [RevisionQuery] = []
    var count = 0
    for query in queries {
      guard let lacking = missing[query.id] else { continue }
      let revs = query.revs.filter { lacking.contains($0) }
      guard !revs.isEmpty else { continue }
      report.total += Int64(revs.count)
      batch.append(RevisionQuery(id: query.id, revs: revs, latest: true))
      count += revs.count
      if count >= configuration.batchRevisions {
        open(page, .source, .getRevisions(batch), .fetch(page: page))
        batch = []
        count = 0
      }
    }
    if !batch.isEmpty { open(page, .source, .getRevisions(batch), .fetch(page: page)) }
    close(page)
  }

  /// Gives the target what the source answered; what it did not answer is asked for again.
  mutating func insert(
    _ answers: [RevisionAnswer], askedBy request: Request, _ page: Int64
  ) {
    guard case .getRevisions(let queries) = request.content else { return }
    var found: [Name: RevisionAnswer.Found] = [:]
    for answer in answers { found[Name(id: answer.id, rev: answer.rev)] = answer.found }
    var records: [RevisionRecord] = []
    var taken: Set<Name> = []
    var covered: Int64 = 0
    var vanished: [RevisionQuery] = []
    var unanswered: [RevisionQuery] = []
    for query in queries {
      var gone: [RevisionID] = []
      var silent: [RevisionID] = []
      for rev in query.revs {
        switch found[Name(id: query.id, rev: rev)] {
        case .records(let versions)
        where !versions.isEmpty
          && versions.allSatisfy({ $0.id == query.id && !$0.path.isEmpty }):
          covered += 1
          for record in versions where configuration.filter?.admits(record) ?? true {
            if taken.insert(Name(id: record.id, rev: record.path[0])).inserted {
              records.append(record)
            }
          }
        case .missing: gone.append(rev)
        case .bodyMissing:
          report.processed += 1
          fail(
            page,
            ReplicationReport.Failure(
              id: query.id, rev: rev, reason: "the source holds its name without its body"))
        case .records, nil: silent.append(rev)
        }
      }
      if !gone.isEmpty { vanished.append(RevisionQuery(id: query.id, revs: gone)) }
      if !silent.isEmpty {
        unanswered.append(RevisionQuery(id: query.id, revs: silent, latest: true))
      }
    }
    if !vanished.isEmpty { open(page, .source, .revsDiff(vanished), .lookup(page: page)) }
    if records.isEmpty {
      report.processed += covered
    } else {
      open(
        page, .target, .insertRevisions(records), .insert(page: page, covered: covered))
    }
    guard unanswered.isEmpty else {
      let rest = request.asking(.getRevisions(unanswered))
      return tryAgain(rest, "the source left out what it was asked for")
    }
    close(page)
  }

  /// Decides what became of revisions that the source listed and then did not have.
  mutating func look(at found: [Difference], askedBy request: Request, _ page: Int64) {
    guard case .revsDiff(let queries) = request.content else { return }
    var unknown: Set<Name> = []
    for difference in found {
      for rev in difference.missing { unknown.insert(Name(id: difference.id, rev: rev)) }
    }
    for query in queries {
      for rev in query.revs {
        report.processed += 1
        if unknown.contains(Name(id: query.id, rev: rev)) {
          report.vanished += 1
        } else {
          fail(
            page,
            ReplicationReport.Failure(
              id: query.id, rev: rev, reason: "the source knows it and does not give it"))
        }
      }
    }
    close(page)
  }

  /// Takes note of what the target did with each record; false when it does not say.
  mutating func settle(
    _ errors: [DatastoreError?], of request: Request, _ page: Int64, covered: Int64
  ) -> Bool {
    guard case .insertRevisions(let records) = request.content, errors.count == records.count
    else { return false }
    var again: [RevisionRecord] = []
    for (record, error) in zip(records, errors) {
      switch error?.kind {
      case nil: break
      case .forbidden: report.refused += 1
      case .busy, .storage: again.append(record)
      default:
        fail(
          page,
          ReplicationReport.Failure(
            id: record.id, rev: record.path.first,
            reason: Text("the target refused it: \(error?.description ?? "")")))
      }
    }
    guard again.isEmpty else {
      tryAgain(
        request.asking(.insertRevisions(again)), "the target could not store all of a batch")
      return true
    }
    report.processed += covered
    close(page)
    return true
  }
}

extension Replicator.Request {
  /// The same request with the rest of its content.
  fileprivate func asking(_ content: PeerRequest) -> Self {
    Self(number: number, side: side, content: content, purpose: purpose, attempt: attempt)
  }
}
