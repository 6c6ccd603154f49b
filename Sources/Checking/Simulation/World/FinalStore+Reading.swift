internal import Datastore
internal import JSON
internal import Oracles

extension FinalStore {
  /// Reads all visible contents of a store: each leaf with its body and its attachments.
  ///
  /// - Parameter readsPieces: whether the store offers `attachmentPieces`; otherwise each content is
  ///   read at once.
  init(
    readsPieces: Bool = true, asking ask: (StoreAction) throws(HarnessError) -> Outcome
  ) throws(HarnessError) {
    guard case .ok(.changes(let page)) = try ask(.changes()) else {
      self.init(documents: [])
      return
    }
    let queries = page.rows.map { RevisionQuery(id: $0.id, revs: $0.leaves.map { $0.rev }) }
    var records: [DocumentID: [RevisionRecord]] = [:]
    if case .ok(.revisions(let answers)) = try ask(.getRevisions(queries)) {
      for answer in answers {
        if case .records(let found) = answer.found { records[answer.id, default: []] += found }
      }
    }
    var documents: [FinalDocument] = []
    for row in page.rows {
      var winner: DocumentRevision?
      if case .ok(.document(let document)) = try ask(.read(id: row.id)) { winner = document }
      var reads: [FinalRead] = []
      for leaf in row.leaves.array {
        var found = winner
        // The record of a single tombstone is enough.
        if found?.rev != leaf.rev, row.leaves.array.count == 1 { continue }
        if found?.rev != leaf.rev {
          let outcome = try ask(.read(id: row.id, rev: leaf.rev))
          found = if case .ok(.document(let document)) = outcome { document } else { nil }
        }
        reads.append(FinalRead(rev: leaf.rev, document: found))
      }
      var document = FinalDocument(
        id: row.id, winner: winner?.rev, leaves: row.leaves.array, records: records[row.id] ?? [],
        reads: reads)
      for record in document.records where !record.attachments.isEmpty {
        document.attachments += try FinalAttachment.all(
          of: record, readsPieces: readsPieces, asking: ask)
      }
      documents.append(document)
    }
    documents.sort { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
    self.init(documents: documents)
  }
}

extension FinalAttachment {
  /// Reads all attachments of a revision, each to its end.
  fileprivate static func all(
    of record: RevisionRecord, readsPieces: Bool,
    asking ask: (StoreAction) throws(HarnessError) -> Outcome
  ) throws(HarnessError) -> [FinalAttachment] {
    guard let rev = record.path.first else { return [] }
    var all: [FinalAttachment] = []
    for attachment in record.attachments {
      var bytes: [UInt8] = []
      var isWhole = false
      while !isWhole {
        let outcome = try ask(
          .readAttachment(
            id: record.id, rev: rev, name: attachment.name,
            offset: readsPieces ? Int64(bytes.count) : nil))
        guard case .ok(.attachment(let piece)) = outcome, let more = Content.bytes(piece.bytes)
        else { break }
        bytes += more
        isWhole = !readsPieces || more.isEmpty || bytes.count > Self.bytesMax
      }
      all.append(
        FinalAttachment(
          rev: rev, name: attachment.name, digest: attachment.digest,
          length: attachment.encodedLength ?? attachment.length, bytes: isWhole ? bytes : nil))
    }
    return all
  }

  /// More than any client of a run writes; a longer attachment is treated as endless.
  private static let bytesMax = 1 << 24
}
