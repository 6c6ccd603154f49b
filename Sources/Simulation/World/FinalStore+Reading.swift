internal import Datastore
internal import JSON
internal import Oracles

extension FinalStore {
  /// Reads everything that a store shows.
  init(asking ask: (Action) throws(HarnessError) -> Outcome) throws(HarnessError) {
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
      var winner: RevisionID?
      if case .ok(.document(let document)) = try ask(.read(id: row.id)) { winner = document.rev }
      documents.append(
        FinalDocument(
          id: row.id, winner: winner, leaves: row.leaves, records: records[row.id] ?? []))
    }
    documents.sort { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
    self.init(documents: documents)
  }
}
