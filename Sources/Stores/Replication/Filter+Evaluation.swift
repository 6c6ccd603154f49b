internal import Datastore
internal import JSON
internal import Selectors

extension Filter {
  /// Whether a leaf of a page of changes can pass. A filter of bodies admits all leaves, because
  /// bodies are fetched later.
  func mayAdmit(_ id: DocumentID, _ leaf: Leaf) -> Bool {
    switch self {
    case .documentIDs(let ids): ids.contains(id)
    case .live: !leaf.deleted
    case .bodyFieldEquals, .selector: true
    }
  }

  /// Whether a revision passes; throws `tooLarge` if one of its strings is too long for an
  /// expression.
  func admits(_ record: RevisionRecord) throws(DatastoreError) -> Bool {
    switch self {
    case .documentIDs(let ids): return ids.contains(record.id)
    case .live: return !record.deleted
    case .bodyFieldEquals(let field, let value):
      return record.body.objectValue?[field]?.isSameValue(as: value) ?? false
    case .selector(let selector):
      let subject = Subject(record.body, id: record.id.text, rev: record.path.first?.text)
      try subject.checkWork(of: selector)
      return subject.matches(selector)
    }
  }
}
