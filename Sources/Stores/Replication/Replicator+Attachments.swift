internal import Datastore
internal import JSON

/// Records with attachments: their transfer to the target, and the handling of targets that cannot
/// store them.
extension Replicator {
  /// A record that waits for content; it counts as a request of its page.
  struct DeferredRecord: Hashable, Sendable {
    let page: Int64
    let record: RevisionRecord
    let covered: Int64
    let round: Round
    /// Digests of content that is not at the target yet.
    var lacking: [JSONString]
  }

  /// Sends records to the target: immediately, or after the transfer of content that is sent
  /// separately.
  mutating func give(
    _ records: [RevisionRecord], _ page: Int64, covered: Int64, round: Round
  ) {
    var ready = records
    var rest = covered
    if records.contains(where: { !$0.chunks.isEmpty }) {
      ready = []
      for record in records {
        if record.chunks.isEmpty {
          ready.append(record)
        } else {
          let share = min(rest, 1)
          rest -= share
          hold(record, page, covered: share, round: round)
        }
      }
    }
    if ready.isEmpty {
      report.processed += rest
    } else {
      open(
        page, .target, content: .insertRevisions(ready),
        purpose: .insert(page: page, covered: rest, round))
    }
  }

  /// Defers a record until its content is at the target.
  private mutating func hold(
    _ record: RevisionRecord, _ page: Int64, covered: Int64, round: Round
  ) {
    var lacking: [JSONString] = []
    for attachment in record.chunks {
      let isTransferable = configuration.usesPieces
      guard isTransferable, let digest = attachment.digest else {
        report.processed += covered
        let reason =
          isTransferable
          ? "the source reports no digest for the content of '\(attachment.name)'"
          : "the content of '\(attachment.name)' is too long for a record, and a store has no "
            + "capability attachmentPieces"
        fail(
          page,
          ReplicationReport.Failure(
            id: record.id, rev: record.path.first, reason: JSONString(reason)))
        return
      }
      guard !lacking.contains(digest) else { continue }
      lacking.append(digest)
      // Content that another record already waits for is transferred once.
      if !contents.contains(where: { $0.digest == digest }) {
        contents.append(Content(attachment, digest, of: record, isAnew: round == .second))
      }
    }
    change(page) { $0.open += 1 }
    deferredRecords.append(
      DeferredRecord(page: page, record: record, covered: covered, round: round, lacking: lacking))
    moveContents()
  }

  /// Sends the records that were waiting only for this content.
  mutating func release(_ digest: JSONString) {
    for place in deferredRecords.indices {
      deferredRecords[place].lacking.removeAll { $0 == digest }
    }
    let ready = deferredRecords.filter { $0.lacking.isEmpty }
    deferredRecords.removeAll { $0.lacking.isEmpty }
    for deferred in ready {
      send(
        .target, .insertRevisions([deferred.record]),
        purpose: .insert(page: deferred.page, covered: deferred.covered, deferred.round))
    }
  }

  /// Gives up the records that wait for content that cannot be transferred.
  ///
  /// - Parameter isGone: whether the source no longer has the revision from which the content was
  ///   read; a newer one may have replaced it.
  mutating func refuseDeferredRecords(_ digest: JSONString, _ reason: JSONString, isGone: Bool) {
    let refused = deferredRecords.filter { $0.lacking.contains(digest) }
    deferredRecords.removeAll { $0.lacking.contains(digest) }
    for deferred in refused {
      report.processed += deferred.covered
      if isGone, deferred.round == .first {
        fetchAgain(deferred.record, deferred.page)
      } else {
        fail(
          deferred.page,
          ReplicationReport.Failure(
            id: deferred.record.id, rev: deferred.record.path.first, reason: reason))
      }
      close(deferred.page)
    }
  }

  /// Fetches a record again, or its replacement, with the bytes of all its attachments.
  mutating func fetchAgain(_ record: RevisionRecord, _ page: Int64) {
    guard state == .started, let rev = record.path.first else { return leaveUnfinished(page) }
    let query = RevisionQuery(id: record.id, revs: [rev], latest: true, attachmentsSince: [])
    open(
      page, .source, content: .getRevisions([query]), purpose: .fetch(page: page, .second),
      attempt: 2)
  }

  /// Repeats a fetch without attachment arguments, for a source that does not support attachments.
  mutating func fetchWithoutAttachments(_ request: Request, _ page: Int64) {
    guard case .getRevisions(var queries) = request.content else { return }
    for place in queries.indices { queries[place].attachmentsSince = nil }
    send(
      .source, .getRevisions(queries), purpose: .fetch(page: page, .first), attempt: request.attempt
    )
  }

  /// Splits a batch that was rejected as a whole. If some records have attachments, the others are
  /// sent together and each of these separately; otherwise a batch that is too large is halved.
  /// Returns false if the batch cannot be split.
  mutating func divide(
    _ request: Request, _ error: DatastoreError, page: Int64, covered: Int64, round: Round
  ) -> Bool {
    guard case .insertRevisions(let records) = request.content else { return false }
    let plain = records.filter { $0.attachments.isEmpty }
    let others = records.filter { !$0.attachments.isEmpty }
    guard !others.isEmpty else {
      guard case .tooLarge = error.kind, plain.count > 1 else { return false }
      let count = plain.count / 2
      let share = min(covered, Int64(count))
      open(
        page, .target, content: .insertRevisions(Array(plain.prefix(count))),
        purpose: .insert(page: page, covered: share, round))
      open(
        page, .target, content: .insertRevisions(Array(plain.dropFirst(count))),
        purpose: .insert(page: page, covered: covered - share, round))
      close(page)
      return true
    }
    var rest = covered
    if !plain.isEmpty {
      let share = max(0, rest - Int64(others.count))
      rest -= share
      open(
        page, .target, content: .insertRevisions(plain),
        purpose: .insert(page: page, covered: share, round))
    }
    // A target may offer only a part of the capabilities of attachments.
    let isMixed = Set(others.map { $0.attachments.capabilities }).count > 1
    if others.count == 1 || error.kind.isLasting && !isMixed {
      let errors: [DatastoreError?] = others.map { _ in error }
      return settle(
        errors, of: request.asking(.insertRevisions(others)), page, covered: rest, round: round)
    }
    for record in others {
      let share = min(rest, 1)
      rest -= share
      open(
        page, .target, content: .insertRevisions([record]),
        purpose: .insert(page: page, covered: share, round))
    }
    report.processed += rest
    close(page)
    return true
  }
}

extension Replicator.Request {
  /// Whether the bytes of attachments are requested.
  var asksForAttachments: Bool {
    guard case .getRevisions(let queries) = content else { return false }
    return queries.contains { $0.attachmentsSince != nil }
  }
}

extension DatastoreError.Kind {
  /// Whether another record of the batch would be rejected as well.
  fileprivate var isLasting: Bool {
    if case .unsupported = self { true } else { false }
  }
}

extension RevisionRecord {
  /// The attachments whose content is transferred separately.
  fileprivate var chunks: [RevisionAttachment] {
    attachments.isEmpty ? [] : attachments.filter { $0.content == .chunks }
  }

  /// Whether inline content of the record is longer than the limit.
  func hasData(above limit: Int64) -> Bool {
    attachments.contains { $0.content.dataCount > limit && $0.digest != nil }
  }

  /// The record with such content replaced by references, to be transferred separately.
  func withoutData(above limit: Int64) -> RevisionRecord {
    var record = self
    for place in record.attachments.indices
    where record.attachments[place].content.dataCount > limit
      && record.attachments[place].digest != nil
    {
      record.attachments[place].content = .chunks
    }
    return record
  }
}

extension RevisionAttachment.Content {
  /// The number of inline bytes, computed from the length of the base64.
  fileprivate var dataCount: Int64 {
    guard case .data(let text) = self else { return 0 }
    return text.base64Count
  }
}

extension JSONString {
  /// The number of bytes that this text encodes, if it is base64 with padding.
  var base64Count: Int64 {
    let padding = utf8.reversed().prefix(2).count { $0 == UInt8(ascii: "=") }
    return Int64(utf8.count / 4 * 3 - padding)
  }
}
