import TouchstoneKit

/// A complete store in memory. It implements the core of the contract and no capability.
final class LittleStore: ImplementationUnderTest {
  private var stores: [StoreName: Contents] = [:]
  private var closed: [StoreName: Contents] = [:]

  let description = ImplementationDescription(name: "LittleStore", version: "1")

  func reset() {
    stores = [:]
    closed = [:]
  }

  func crash(_ kind: CrashKind) {}

  func shutdown() {}

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) -> Outcome {
    do {
      return .ok(try result(of: operation, environment))
    } catch {
      return .error(error)
    }
  }

  private func result(
    of operation: StoreOperation, _ environment: RunEnvironment
  ) throws(DatastoreError) -> OperationResult {
    let name = operation.store
    switch operation.action {
    case .open:
      let legal = name.text.string.wholeMatch(of: /[a-z][a-z0-9_$()+\/-]*/) != nil
      guard legal else { throw DatastoreError(.badName) }
      let fresh = Contents(incarnation: JSONString("i\(environment.nextRandom())"))
      stores[name] = stores[name] ?? closed.removeValue(forKey: name) ?? fresh
    case .close: if let store = stores.removeValue(forKey: name) { closed[name] = store }
    case .destroy:
      stores[name] = nil
      closed[name] = nil
    default:
      guard var store = stores[name] else { throw DatastoreError(.noSuchStore) }
      let result = try store.result(of: operation.action, environment)
      stores[name] = store
      return result
    }
    return .done
  }
}

/// The content of one store. A document is a dictionary of revisions, each with its parent.
private struct Contents {
  struct Revision {
    var parent: RevisionID?
    /// Nil for a stub revision: its id is known from a path, its body was not received.
    var content: (deleted: Bool, body: JSONValue)?
  }

  typealias Document = [RevisionID: Revision]

  var incarnation: JSONString
  var documents: [DocumentID: Document] = [:]
  var locals: [DocumentID: JSONValue] = [:]
  /// The sequence number of the latest change of each document.
  var changed: [DocumentID: Int64] = [:]
  var last: Int64 = 0

  mutating func result(
    of action: StoreAction, _ environment: RunEnvironment
  ) throws(DatastoreError) -> OperationResult {
    switch action {
    case .info:
      let live = Int64(documents.values.count { !winner($0).deleted })
      return .info(
        StoreInfo(
          documents: live, deletedDocuments: Int64(documents.count) - live, last: .integer(last),
          incarnation: incarnation))
    case .create(let id, let body):
      let id = id ?? DocumentID(JSONString("made-\(environment.nextRandom())"))
      try check(id)
      let tombstone = documents[id].map { winner($0) }
      if tombstone?.deleted == false { throw DatastoreError(.conflict) }
      return try edit(id, after: tombstone?.rev, deleted: false, body, environment)
    case .update(let id, let rev, let body):
      return try edit(id, after: rev, deleted: false, body, environment)
    case .delete(let id, let rev, nil):
      return try edit(id, after: rev, deleted: true, [:], environment)
    case .insertRevisions(let records):
      return .inserted(
        records.map { record -> DatastoreError? in
          do throws(DatastoreError) {
            try merge(record)
            return nil
          } catch {
            return error
          }
        })
    case .readLocal(let id):
      try check(local: id)
      guard let body = locals[id] else { throw DatastoreError(.notFound(.missing)) }
      return .local(body: body)
    case .writeLocal(let id, let body):
      try check(local: id)
      if let body { try check(body) }
      locals[id] = body
      return .done
    default: return try reading(action)
    }
  }

  // MARK: Writing

  private mutating func edit(
    _ id: DocumentID, after parent: RevisionID?, deleted: Bool, _ body: JSONValue,
    _ environment: RunEnvironment
  ) throws(DatastoreError) -> OperationResult {
    try check(id)
    let generation = try parent.map { (rev) throws(DatastoreError) in try Self.generation(rev) }
    if let parent {
      guard let document = documents[id] else { throw DatastoreError(.notFound(.missing)) }
      guard leaves(document).contains(where: { $0.rev == parent }) else {
        throw DatastoreError(.conflict)
      }
    }
    let suffix = String(environment.nextRandom(), radix: 16)
    let rev = RevisionID(JSONString("\((generation ?? 0) + 1)-\(suffix)"))
    let path = [rev] + (parent.map { [$0] } ?? [])
    try merge(RevisionRecord(id: id, path: path, deleted: deleted, body: body))
    return .written(id: id, rev: rev)
  }

  private mutating func merge(_ record: RevisionRecord) throws(DatastoreError) {
    try check(record.id)
    try check(record.body)
    var generations: [Int64] = []
    for rev in record.path { generations.append(try Self.generation(rev)) }
    let descend = zip(generations, generations.dropFirst()).allSatisfy { $0 == $1 + 1 }
    guard let tip = record.path.first, descend else { throw DatastoreError(.badRevision) }

    var document = documents[record.id] ?? [:]
    var isNew = document[tip]?.content == nil
    for (place, rev) in record.path.enumerated() {
      let parent = place + 1 < record.path.count ? record.path[place + 1] : nil
      if document[rev] == nil {
        document[rev] = Revision(parent: parent)
      } else if document[rev]?.parent == nil, parent != nil {
        document[rev]?.parent = parent
        isNew = true
      } else if parent != nil, document[rev]?.parent != parent {
        break  // The paths name different parents: the stored one is kept.
      }
    }
    guard isNew else { return }
    if document[tip]?.content == nil { document[tip]?.content = (record.deleted, record.body) }
    documents[record.id] = document
    last += 1
    changed[record.id] = last
  }

  // MARK: Reading

  private func reading(_ action: StoreAction) throws(DatastoreError) -> OperationResult {
    switch action {
    case .read(let id, let rev):
      try check(id)
      if let rev { _ = try Self.generation(rev) }
      guard let document = documents[id] else { throw DatastoreError(.notFound(.missing)) }
      let top = winner(document)
      if rev == nil, top.deleted { throw DatastoreError(.notFound(.deleted)) }
      guard let found = document[rev ?? top.rev] else {
        throw DatastoreError(.notFound(.missing))
      }
      guard let content = found.content else { throw DatastoreError(.notFound(.bodyMissing)) }
      return .document(
        DocumentRevision(
          id: id, rev: rev ?? top.rev, deleted: content.deleted, body: content.body))
    case .list(let from, let limit, let descending):
      guard limit ?? 0 >= 0 else { throw DatastoreError(.badRequest(path: "limit")) }
      var ids = documents.filter { !winner($0.value).deleted }.keys.sorted { Self.less($0, $1) }
      if descending { ids.reverse() }
      if let from { ids.removeAll { descending ? Self.less(from, $0) : Self.less($0, from) } }
      return .list(
        ids.prefix(Int(limit ?? .max)).map {
          ListRow(id: $0, rev: winner(documents[$0] ?? [:]).rev)
        })
    case .leaves(let id):
      try check(id)
      guard let document = documents[id] else { throw DatastoreError(.notFound(.missing)) }
      return .leaves(leaves(document))
    case .changes(let since, let limit):
      guard limit ?? 0 >= 0 else { throw DatastoreError(.badRequest(path: "limit")) }
      guard case .integer(let start) = since ?? .integer(0) else {
        throw DatastoreError(.badSequence)
      }
      let due = changed.filter { $0.value > start }.sorted { $0.value < $1.value }
      let page = due.prefix(Int(limit ?? .max)).map { id, position in
        let leaves = leaves(documents[id] ?? [:])
        return ChangesRow(
          seq: .integer(position), id: id, deleted: leaves.first?.deleted ?? true,
          leaves: Leaves(leaves))
      }
      let more = page.count < due.count
      return .changes(
        ChangesPage(
          rows: page, last: more ? page.last?.seq ?? .integer(start) : .integer(last), more: more))
    case .revsDiff(let queries): return .revsDiff(try difference(queries))
    case .getRevisions(let queries): return .revisions(try records(queries))
    default: throw DatastoreError(.unsupported(what: action.name))
    }
  }

  private func difference(_ queries: [RevisionQuery]) throws(DatastoreError) -> [Difference] {
    var differences: [Difference] = []
    for query in queries {
      try check(query.id)
      let document = documents[query.id] ?? [:]
      var missing: [RevisionID] = []
      var highest: Int64 = 0
      for rev in query.revs where document[rev] == nil && !missing.contains(rev) {
        highest = max(highest, try Self.generation(rev))
        missing.append(rev)
      }
      let ancestors = leaves(document).map { $0.rev }.filter { Self.number($0) < highest }
      if !missing.isEmpty {
        differences.append(
          Difference(id: query.id, missing: missing, possibleAncestors: ancestors))
      }
    }
    return differences
  }

  private func records(_ queries: [RevisionQuery]) throws(DatastoreError) -> [RevisionAnswer] {
    var answers: [RevisionAnswer] = []
    for query in queries {
      try check(query.id)
      let document = documents[query.id] ?? [:]
      for rev in query.revs {
        _ = try Self.generation(rev)
        var wanted = [rev]
        if query.latest {
          wanted = leaves(document).map { $0.rev }.filter { path($0, document).contains(rev) }
        }
        let records = wanted.compactMap { wanted in
          document[wanted]?.content.map { content in
            RevisionRecord(
              id: query.id, path: path(wanted, document), deleted: content.deleted,
              body: content.body)
          }
        }
        let absent: RevisionAnswer.Found = document[rev] == nil ? .missing : .bodyMissing
        answers.append(
          RevisionAnswer(
            id: query.id, rev: rev, found: records.isEmpty ? absent : .records(records)))
      }
    }
    return answers
  }

  // MARK: Revisions

  private func path(_ rev: RevisionID, _ document: Document) -> [RevisionID] {
    Array(sequence(first: rev) { document[$0]?.parent })
  }

  /// The leaves, winner first: live before deleted, then by generation, then by suffix.
  private func leaves(_ document: Document) -> [Leaf] {
    let parents = Set(document.values.compactMap { $0.parent })
    let leaves = document.filter { !parents.contains($0.key) }.map { rev, revision in
      Leaf(rev: rev, deleted: revision.content?.deleted ?? false)
    }
    return leaves.sorted { left, right in
      if left.deleted != right.deleted { return right.deleted }
      let generations = (Self.number(left.rev), Self.number(right.rev))
      if generations.0 != generations.1 { return generations.0 > generations.1 }
      return right.rev.text.utf8.lexicographicallyPrecedes(left.rev.text.utf8)
    }
  }

  private func winner(_ document: Document) -> Leaf {
    leaves(document).first ?? Leaf(rev: "0-", deleted: true)
  }

  // MARK: Validation

  private static func generation(_ rev: RevisionID) throws(DatastoreError) -> Int64 {
    let bytes = rev.text.utf8
    let digits = bytes.prefix { (48...57).contains($0) }
    guard digits.first != 48, let number = Int64(String(decoding: digits, as: UTF8.self)),
      number < 1 << 53, bytes.dropFirst(digits.count).first == 45, bytes.count > digits.count + 1
    else { throw DatastoreError(.badRevision) }
    return number
  }

  private static func number(_ rev: RevisionID) -> Int64 { (try? generation(rev)) ?? 0 }

  private static func less(_ left: DocumentID, _ right: DocumentID) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  private func check(_ id: DocumentID) throws(DatastoreError) {
    let bytes = id.text.utf8
    let isDesign = bytes.starts(with: "_design/".utf8) && bytes.count > 8
    guard bytes.first != 95 || isDesign else { throw DatastoreError(.badID) }
    try check(local: id)
  }

  private func check(local id: DocumentID) throws(DatastoreError) {
    let bytes = id.text.utf8
    guard !bytes.isEmpty, !bytes.contains(0) else { throw DatastoreError(.badID) }
  }

  private func check(_ body: JSONValue) throws(DatastoreError) {
    guard let object = body.objectValue, !body.shape.hasNonFiniteNumber,
      object.members.allSatisfy({ $0.name.utf8.first != 95 })
    else { throw DatastoreError(.badBody) }
  }
}
