internal import Datastore
internal import JSON

/// The final contents: every leaf can be read on every replica, and all operations that read it
/// return the same.
extension RevisionContents {
  func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for (place, store) in stores.enumerated() where place == 0 || store != stores[0] {
      let replica = history.replicas[place]
      // A leaf whose descendants were purged may be a stub revision.
      for document in store.documents where !history.exempt.contains(document.id) {
        findings += reads(of: document, replica)
        for record in document.records where !record.attachments.isEmpty {
          let finding = description(of: record, replica, history)
          if let finding { findings.append(finding) }
        }
      }
    }
    return findings
  }

  /// Compares the results of `read` with the records of `getRevisions`.
  private func reads(of document: FinalDocument, _ replica: JSONString) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for read in document.reads ?? [] {
      guard let found = read.document,
        let record = document.records.first(where: { $0.path.first == read.rev })
      else {
        findings.append(.unreadableLeaf(document.id, read.rev, replica: replica))
        continue
      }
      if let aspect = RevisionContent(record).difference(from: RevisionContent(found)) {
        findings.append(.unequalReads(document.id, read.rev, aspect, replica: replica))
      }
    }
    return findings
  }

  /// Compares the types and encodings of attachments with the written ones; other oracles compare
  /// bodies and bytes.
  private func description(
    of record: RevisionRecord, _ replica: JSONString, _ history: History
  ) -> OracleFinding? {
    guard let rev = record.path.first,
      let first = sightings[RevisionKey(id: record.id, rev: rev)],
      shared[RevisionKey(id: record.id, rev: rev)] == nil
    else { return nil }
    let revisionIDs = history.stores[first.replica].revisionIDs
    guard
      let name = first.content.covered(by: revisionIDs).nameOfDifferentDescription(
        from: RevisionContent(record).covered(by: revisionIDs))
    else { return nil }
    return .unequalContents(
      record.id, rev, .attachment(name), left: history.replicas[first.replica], right: replica)
  }
}
