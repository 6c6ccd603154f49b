package import Datastore
package import JSON

/// Reads the content of a store through its operations.
package enum StoreReading {
  /// Performs an operation on the store.
  package typealias Performer = (StoreAction) throws(HarnessError) -> Outcome

  /// The rows of the feed with the records of their leaves; nil if the store returns no feed.
  ///
  /// - Parameter attachmentsSince: as in `getRevisions`.
  package static func documents(
    attachmentsSince: [RevisionID]? = nil, _ perform: Performer
  ) throws(HarnessError) -> [(row: ChangesRow, records: [RevisionRecord])]? {
    guard case .ok(.changes(let page)) = try perform(.changes()) else { return nil }
    let queries = page.rows.map {
      RevisionQuery(id: $0.id, revs: $0.leaves.map { $0.rev }, attachmentsSince: attachmentsSince)
    }
    var records: [DocumentID: [RevisionRecord]] = [:]
    if case .ok(.revisions(let answers)) = try perform(.getRevisions(queries)) {
      for answer in answers {
        if case .records(let found) = answer.found { records[answer.id, default: []] += found }
      }
    }
    return page.rows.map { ($0, records[$0.id] ?? []) }
  }

  /// The bytes of an attachment, read to its end; nil if a part cannot be read.
  ///
  /// - Parameter readsPieces: whether the store offers `attachmentPieces`; otherwise the content is
  ///   read at once.
  package static func attachment(
    _ name: JSONString, id: DocumentID, rev: RevisionID, readsPieces: Bool = true,
    _ perform: Performer
  ) throws(HarnessError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let offset = readsPieces ? Int64(bytes.count) : nil
      let action = StoreAction.readAttachment(id: id, rev: rev, name: name, offset: offset)
      guard case .ok(.attachment(let piece)) = try perform(action),
        let more = Content.bytes(piece.bytes)
      else { return nil }
      bytes += more
      if !readsPieces || more.isEmpty || bytes.count > bytesMax { return bytes }
    }
  }

  /// More than any client of a run writes; a longer attachment is treated as endless.
  private static let bytesMax = 1 << 24
}
