internal import Datastore
internal import JSON

// Indexes of document contents. They follow the live winners: every change of a winner calls
// `reindex` within the same transaction. If the counter in the row of the store is 0, no index
// exists and `reindex` returns at once.

extension Store {
  /// The indexes of the store, read again only after one was created or dropped.
  func indexes() throws(DatastoreError) -> StoredIndexes {
    if let knownIndexes, knownIndexes.changes == row.indexChanges { return knownIndexes }
    var indexes = StoredIndexes(changes: row.indexChanges)
    var rows = try prepare(.indexes).rows()
    while try rows.next() {
      let name = try rows.text(1)
      let fields = try decode(rows.bytes(3), "the index '\(name)'").arrayValue ?? []
      let texts = fields.compactMap { $0.textValue }
      let paths = texts.compactMap { FieldPath($0) }
      guard let type = IndexDefinition.Kind(rawValue: try rows.text(2).string),
        !paths.isEmpty, paths.count == fields.count
      else { throw corrupt("is damaged: the index '\(name)' is not valid") }
      indexes.add(rows.integer(0), IndexDefinition(name, type, fields: texts), paths: paths)
    }
    knownIndexes = indexes
    return indexes
  }

  /// Creates an index of all live documents; returns false if an equal one exists.
  func createIndex(_ definition: IndexDefinition, _ paths: [FieldPath]) throws(DatastoreError)
    -> Bool
  {
    let known = try indexes().all
    if let same = known.first(where: { $0.definition.name == definition.name }) {
      guard same.definition.type == definition.type, same.paths == paths else {
        throw DatastoreError(
          .badRequest(path: "name"), "the index '\(definition.name)' exists with another definition"
        )
      }
      return false
    }
    row.indexChanges += 1
    let number = row.indexChanges
    let fields = BodyCodec.encode(.array(definition.fields.map { .string($0) })) ?? []
    try prepare(.insertIndex).integer(number).bytes(definition.name)
      .text(JSONString(definition.type.rawValue)).utf8(fields).run()
    var indexes = StoredIndexes(changes: number)
    indexes.add(number, definition, paths: paths)
    if definition.type == .text { try connection.createWords(number, columns: paths.count) }
    var rows = try prepare(.scan).rows()
    while try rows.next() {
      let subject = try subject(rows, indexes.fields, needsNames: true)
      let id = DocumentID(subject.id)
      for index in indexes.all {
        try insert(subject, into: index, id, document: rows.integer(3))
      }
    }
    return true
  }

  func dropIndex(_ name: JSONString) throws(DatastoreError) {
    guard let index = try indexes().all.first(where: { $0.definition.name == name }) else {
      throw DatastoreError(.notFound(.missing), "no index '\(name)'")
    }
    row.indexChanges += 1
    try prepare(.deleteIndex).integer(index.number).run()
    switch index.definition.type {
    case .json: try prepare(.dropEntries).integer(index.number).run()
    case .text: try connection.dropWords(index.number)
    }
  }

  // MARK: Updates

  /// Updates the indexes for a document whose winner has changed or was removed.
  func reindex(
    _ id: DocumentID, _ document: Int64, from before: LeafRow?, to after: LeafRow?
  ) throws(DatastoreError) {
    guard row.indexChanges > 0, before != after else { return }
    let wasLive = before?.isDeleted == false
    let live = after.flatMap { $0.isDeleted ? nil : $0 }
    guard wasLive || live != nil else { return }
    let indexes = try indexes()
    if indexes.all.isEmpty { return }
    var subject: Matcher.Subject?
    if let live {
      subject = try self.subject(id, document, name: live.name, fields: indexes.fields)
    }
    try updateEntries(of: id, subject, indexes.all, isIndexed: wasLive)
    for index in indexes.all where index.definition.type == .text {
      if wasLive { try connection.deleteWords(index.number, document) }
      if let subject { try insert(subject, into: index, id, document: document) }
    }
  }

  /// Inserts the new entries, and deletes the obsolete ones.
  private func updateEntries(
    of id: DocumentID, _ subject: Matcher.Subject?, _ indexes: [StoredIndex], isIndexed: Bool
  ) throws(DatastoreError) {
    var missing: Set<IndexEntry> = []
    if let subject {
      for index in indexes where index.definition.type == .json {
        missing.formUnion(IndexEntry.entries(of: subject, in: index))
      }
    }
    if isIndexed {
      var stale: [IndexEntry] = []
      var rows = try prepare(.entriesOf).text(id.text).rows()
      while try rows.next() {
        let entry = IndexEntry(
          index: rows.integer(0), key: Array(rows.bytes(1)), isOwn: rows.flag(2))
        if missing.remove(entry) == nil { stale.append(entry) }
      }
      for entry in stale {
        try prepare(.deleteEntry).integer(entry.index).blob(entry.key).text(id.text).run()
      }
    }
    try insert(missing, of: id)
  }

  private func insert(
    _ subject: Matcher.Subject, into index: StoredIndex, _ id: DocumentID, document: Int64
  ) throws(DatastoreError) {
    switch index.definition.type {
    case .json: try insert(IndexEntry.entries(of: subject, in: index), of: id)
    case .text:
      guard let texts = index.texts(subject) else { return }
      try connection.insertWords(index.number, document, id: id, texts: texts)
    }
  }

  /// Inserts entries in their order, so that equal writes perform equal steps.
  private func insert(_ entries: Set<IndexEntry>, of id: DocumentID) throws(DatastoreError) {
    for entry in entries.sorted() {
      try prepare(.insertEntry).integer(entry.index).blob(entry.key).text(id.text).flag(entry.isOwn)
        .run()
    }
  }

  // MARK: Subjects

  /// The fields of the body in a row with the columns id, winner and body.
  func subject(
    _ rows: borrowing Rows, _ fields: FieldTree, needsNames: Bool
  ) throws(DatastoreError) -> Matcher.Subject {
    var subject = Matcher.Subject()
    subject.values = Array(repeating: nil, count: fields.slotCount)
    try read(rows, fields, needsNames: needsNames, into: &subject)
    return subject
  }

  /// The same, reusing memory.
  func read(
    _ rows: borrowing Rows, _ fields: FieldTree, needsNames: Bool,
    into subject: inout Matcher.Subject
  ) throws(DatastoreError) {
    if needsNames {
      subject.id = try rows.text(0)
      subject.rev = try rows.text(1)
    }
    do throws(BodyCodecError) {
      try fields.extract(from: rows.bytes(2), into: &subject.values)
    } catch {
      throw corrupt(
        "is damaged: the body of '\(try rows.text(0))' is not valid JSON: \(error.reason)")
    }
  }

  private func subject(
    _ id: DocumentID, _ document: Int64, name: RevisionName, fields: FieldTree
  ) throws(DatastoreError) -> Matcher.Subject {
    var rows = try prepare(.content).key(name, of: document).rows()
    guard try rows.next(), !rows.isNull(4) else {
      throw corrupt("lacks the body of '\(id)' at \(name.text)")
    }
    var subject = Matcher.Subject(id: id.text, rev: name.text)
    subject.values = Array(repeating: nil, count: fields.slotCount)
    do throws(BodyCodecError) {
      try fields.extract(from: rows.bytes(4), into: &subject.values)
    } catch {
      throw corrupt("is damaged: the body of '\(id)' is not valid JSON: \(error.reason)")
    }
    return subject
  }
}

/// An entry of a document.
private struct IndexEntry: Hashable, Comparable {
  let index: Int64
  let key: [UInt8]
  /// Whether it is the entry of the values themselves and not of elements.
  let isOwn: Bool

  static func entries(of subject: Matcher.Subject, in index: StoredIndex) -> Set<IndexEntry> {
    let keys = index.keys(subject)
    return Set(
      keys.all.map { IndexEntry(index: index.number, key: $0, isOwn: $0 == keys.own) })
  }

  static func < (left: IndexEntry, right: IndexEntry) -> Bool {
    left.index != right.index
      ? left.index < right.index : left.key.lexicographicallyPrecedes(right.key)
  }
}
