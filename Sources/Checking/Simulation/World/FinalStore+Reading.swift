internal import Datastore
internal import JSON
internal import Oracles

extension FinalStore {
  /// Reads all visible contents of a store: each leaf with its body and its attachments.
  ///
  /// - Parameter readsPieces: whether the store offers `attachmentPieces`; otherwise each content is
  ///   read at once.
  init(
    readsPieces: Bool = true, asking ask: StoreReading.Performer
  ) throws(HarnessError) {
    guard let stored = try StoreReading.documents(ask) else {
      self.init(documents: [])
      return
    }
    var documents: [FinalDocument] = []
    for (row, records) in stored {
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
        id: row.id, winner: winner?.rev, leaves: row.leaves.array, records: records, reads: reads)
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
    of record: RevisionRecord, readsPieces: Bool, asking ask: StoreReading.Performer
  ) throws(HarnessError) -> [FinalAttachment] {
    guard let rev = record.path.first else { return [] }
    var all: [FinalAttachment] = []
    for attachment in record.attachments {
      let bytes = try StoreReading.attachment(
        attachment.name, id: record.id, rev: rev, readsPieces: readsPieces, ask)
      all.append(
        FinalAttachment(
          rev: rev, name: attachment.name, digest: attachment.digest,
          length: attachment.encodedLength ?? attachment.length, bytes: bytes))
    }
    return all
  }
}
