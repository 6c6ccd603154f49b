internal import Datastore
internal import JSON
internal import Oracles

/// The visible contents of a store, as far as the ledger can check them.
struct StoreHoldings {
  /// In byte order of the ids.
  var documents: [Document] = []

  struct Document {
    var id: DocumentID
    /// The winner first.
    var leaves: [Leaf]
    /// One for each leaf.
    var records: [RevisionRecord]
    /// The bytes of attachments, by revision and name; absent if they could not be read.
    var contents: [Key: [UInt8]] = [:]
  }

  struct Key: Hashable {
    var rev: RevisionID
    var name: JSONString
  }

  /// Reads everything, starting with the feed.
  ///
  /// - Parameter ids: documents to read even if the feed does not list them.
  init(ids: [DocumentID], asking ask: StoreReading.Performer) throws(HarnessError) {
    guard let stored = try StoreReading.documents(attachmentsSince: [], ask) else { return }
    for (row, records) in stored {
      var document = Document(id: row.id, leaves: row.leaves.array, records: records)
      for record in document.records {
        guard let rev = record.path.first else { continue }
        for attachment in record.attachments {
          document.contents[Key(rev: rev, name: attachment.name)] = try Self.bytes(
            of: attachment, record.id, rev, ask: ask)
        }
      }
      documents.append(document)
    }
    for id in ids { _ = try ask(.leaves(id: id)) }
    documents.sort { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
  }

  private static func bytes(
    of attachment: RevisionAttachment, _ id: DocumentID, _ rev: RevisionID,
    ask: StoreReading.Performer
  ) throws(HarnessError) -> [UInt8]? {
    if case .data(let text) = attachment.content { return Content.bytes(text) }
    return try StoreReading.attachment(attachment.name, id: id, rev: rev, ask)
  }

  /// The difference between two stores, in words; nil if their leaves, bodies and attachments are
  /// equal.
  func difference(from other: StoreHoldings) -> String? {
    let ids = (documents.map { $0.id } + other.documents.map { $0.id })
    for id in ids {
      let mine = documents.first { $0.id == id }
      let theirs = other.documents.first { $0.id == id }
      guard let mine, let theirs else {
        return "\(id) is \(mine == nil ? "elsewhere" : "here") only"
      }
      guard Set(mine.leaves) == Set(theirs.leaves) else {
        return "the leaves of \(id) are \(mine.spelledLeaves) here and \(theirs.spelledLeaves) "
          + "elsewhere"
      }
      guard mine.contents == theirs.contents else {
        return "the attachments of \(id) have other bytes elsewhere"
      }
      for record in mine.records {
        let twin = theirs.records.first { $0.path.first == record.path.first }
        if twin?.body.isSameValue(as: record.body) != true {
          return
            "the body of \(record.path.first?.text.string ?? "?") of \(id) differs elsewhere"
        }
      }
    }
    return nil
  }
}

extension StoreHoldings.Document {
  var spelledLeaves: String {
    leaves.map { "\($0.rev)\($0.deleted ? " (deleted)" : "")" }.joined(separator: ", ")
  }
}
