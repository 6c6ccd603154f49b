internal import Datastore
internal import JSON

// The first reading of a history: the documents, and the revisions with their writers.

extension HistoryReading {
  /// Collects everything that operations say about revisions, then gives numbers to new revisions
  /// without an observed name.
  mutating func collect() {
    for operation in history.operations { collectWrite(operation) }
    for place in history.operations.indices { collectObservation(place) }
    for place in history.operations.indices { collectWays(place) }
    for (number, place) in shown.sorted(by: { $0.key < $1.key })
    where !names.hasWriter[Int(number)] && !explained.contains(number) {
      strangers.append(
        (documentKeys[Int(names.documents[Int(number)])].id, names.ids[Int(number)], place))
    }
  }

  private mutating func collectWrite(_ operation: ClientOperation) {
    switch (operation.operation.action, operation.outcome) {
    case (.batch(let writes), .ok(.batch(let results))):
      for (write, result) in zip(writes, results) { collectWrite(write, .ok(result)) }
    case (.batch(let writes), _):
      for write in writes { collectWrite(write, operation.outcome) }
    case (let action, let outcome): collectWrite(action, outcome)
    }
  }

  private mutating func collectWrite(_ action: StoreAction, _ outcome: Outcome?) {
    let plain = action.withoutAttachments
    let given = action.givenAttachments
    switch (plain, outcome) {
    case (.create(let id?, let body), .ok(.written(_, let rev))):
      note(rev, of: id, body, deleted: false, attachments: given)
    case (.update(let id, let parent, let body), .ok(.written(_, let rev))):
      note(rev, of: id, body, deleted: false, attachments: given, parent: parent)
    case (.delete(let id, let parent, let body), .ok(.written(_, let rev))):
      note(rev, of: id, body ?? [:], deleted: true, attachments: [], parent: parent)
    case (.resolve(let id, _, let keep, let body), .ok(.resolved(let rev, let tombstones))):
      if let body { note(rev, of: id, body, deleted: false, attachments: given, parent: keep) }
      for tombstone in tombstones { note(tombstone, of: id, [:], deleted: true, attachments: []) }
    case (.insertRevisions(let records), .ok(.inserted(let errors))):
      for (record, error) in zip(records, errors) where error == nil { note(record) }
    case (.insertRevisions(let records), let outcome) where outcome == nil || outcome == .unknown:
      for record in records { note(record) }
    default: break
    }
    for id in plain.documents { _ = document(id) }
    if case .writeLocal(let id, _) = plain { _ = local(id) }
  }

  private mutating func note(_ record: RevisionRecord) {
    guard let tip = record.path.first else { return }
    note(
      tip, of: record.id, record.body, deleted: record.deleted, attachments: record.attachments,
      parent: record.path.count > 1 ? record.path[1] : nil)
    notePath(record)
  }

  private mutating func notePath(_ record: RevisionRecord) {
    let document = document(record.id)
    let path = record.path.map { names.number($0, document) }
    for (child, parent) in zip(path, path.dropFirst()) where names.parents[Int(child)] == nil {
      names.parents[Int(child)] = parent
    }
  }

  /// Notes the writer of a revision.
  private mutating func note(
    _ rev: RevisionID, of id: DocumentID, _ body: JSONValue, deleted: Bool,
    attachments: [RevisionAttachment]?, parent: RevisionID? = nil
  ) {
    let document = document(id)
    let number = Int(names.number(rev, document))
    names.hasWriter[number] = true
    if names.contents[number] == nil { names.contents[number] = names.content(body) }
    if names.deletions[number] == nil { names.deletions[number] = deleted }
    if let parent, names.parents[number] == nil {
      names.parents[number] = names.number(parent, document)
    }
    if let attachments, names.attachments[number] == nil {
      var contents: [JSONString: JSONString] = [:]
      for attachment in attachments {
        guard case .data(let bytes) = attachment.content else { return }
        contents[attachment.name] = bytes
      }
      names.attachments[number] = contents
    }
  }

  private mutating func collectObservation(_ place: Int) {
    let operation = history.operations[place]
    switch operation.outcome {
    case .ok(.document(let document)):
      observe(document.rev, of: document.id, document.body, deleted: document.deleted, at: place)
    case .ok(.leaves(let leaves)):
      guard case .leaves(let id) = operation.operation.action else { return }
      for leaf in leaves { observe(leaf, of: id, at: place) }
    case .ok(.changes(let page)):
      for row in page.rows { for leaf in row.leaves { observe(leaf, of: row.id, at: place) } }
    case .ok(.revisions(let answers)):
      for answer in answers {
        guard case .records(let records) = answer.found else { continue }
        for record in records {
          guard let tip = record.path.first else { continue }
          observe(tip, of: record.id, record.body, deleted: record.deleted, at: place)
          notePath(record)
        }
      }
    case .ok(.found(.documents(let found))):
      for document in found {
        observe(document.rev, of: document.id, document.body, deleted: false, at: place)
      }
    case .ok(.list(let rows)):
      for row in rows { _ = names.number(row.rev, document(row.id)) }
    default: break
    }
    // Questions name revisions, too.
    switch operation.operation.action {
    case .revsDiff(let queries), .getRevisions(let queries):
      for query in queries { nameAll(query.revs, of: query.id) }
    case .read(let id, let rev?), .readAttachment(let id, let rev?, _, _, _):
      nameAll([rev], of: id)
    case .read(let id, nil), .readAttachment(let id, nil, _, _, _), .leaves(let id):
      _ = document(id)
    case .readLocal(let id): _ = local(id)
    case .purge(let id, let revs): nameAll(revs, of: id)
    default: nameArguments(of: operation.operation.action)
    }
  }

  private mutating func nameArguments(of action: StoreAction) {
    switch action.withoutAttachments {
    case .update(let id, let rev, _), .delete(let id, let rev, _): nameAll([rev], of: id)
    case .resolve(let id, let leaves, let keep, _): nameAll(leaves + [keep], of: id)
    case .insertRevisions(let records):
      for record in records { nameAll(record.path, of: record.id) }
    case .batch(let writes):
      for write in writes { nameArguments(of: write) }
    default: break
    }
  }

  private mutating func nameAll(_ revs: [RevisionID], of id: DocumentID) {
    let document = document(id)
    for rev in revs { _ = names.number(rev, document) }
  }

  private mutating func observe(_ leaf: Leaf, of id: DocumentID, at place: Int) {
    let number = Int(names.number(leaf.rev, document(id)))
    shown[Int32(number)] = shown[Int32(number)] ?? place
    if names.deletions[number] == nil { names.deletions[number] = leaf.deleted }
  }

  private mutating func observe(
    _ rev: RevisionID, of id: DocumentID, _ body: JSONValue, deleted: Bool,
    at place: Int
  ) {
    let number = Int(names.number(rev, document(id)))
    shown[Int32(number)] = shown[Int32(number)] ?? place
    if names.contents[number] == nil { names.contents[number] = names.content(body) }
    if names.deletions[number] == nil { names.deletions[number] = deleted }
  }

  // MARK: Writes without a response

  /// Finds the ways in which a write without a response may have happened.
  private mutating func collectWays(_ place: Int) {
    let operation = history.operations[place]
    let action = operation.operation.action
    if case .resolve(let id, let leaves, let keep, let body) = action.withoutAttachments,
      !promises.contains(.resolutions), operation.outcome?.result == nil
    {
      unansweredParts[place] = parts(of: document(id), leaves, keep: keep, body: body)
      return
    }
    guard operation.isUnanswered else { return }
    switch action {
    case .batch(let writes):
      var events: [DocumentEvent] = []
      for write in writes {
        let ways = ways(of: write)
        if ways.count > 1, let id = write.documents.first { inexact.insert(document(id)) }
        events += ways.first.map { [$0] } ?? []
      }
      if !events.isEmpty { unansweredWays[place] = [events] }
    case let action:
      let ways = ways(of: action)
      if !ways.isEmpty { unansweredWays[place] = ways.map { [$0] } }
    }
  }

  private mutating func ways(of action: StoreAction) -> [DocumentEvent] {
    switch action.withoutAttachments {
    case .create(let id?, let body):
      let document = document(id)
      // The child of a tombstone has a higher generation.
      let children = children(of: document, body, deleted: false, generation: nil)
      guard children.isEmpty else { return children.map { .create(document, $0) } }
      let highest =
        names.ids.indices.filter { names.documents[$0] == document }
        .map { names.generations[$0] }.max() ?? 0
      return (0...min(highest, 64)).map {
        .create(document, names.unnamed(document, generation: $0 + 1))
      }
    case .update(let id, let rev, let body):
      return edits(of: document(id), rev, body, deleted: false)
    case .delete(let id, let rev, let body):
      return edits(of: document(id), rev, body ?? [:], deleted: true)
    case .resolve(let id, let leaves, let keep, let body):
      return [resolution(of: document(id), leaves, keep: keep, body: body)]
    case .purge(let id, let revs):
      let document = document(id)
      return [.purge(document, revs.map { names.number($0, document) }, removed: nil)]
    case .compact: return [.compact]
    case .historyLimit: return [.limitHistory]
    case .writeLocal(let id, let body): return [.writeLocal(local(id), value(body))]
    default: return []
    }
  }

  private mutating func edits(
    of document: Int32, _ rev: RevisionID, _ body: JSONValue, deleted: Bool
  ) -> [DocumentEvent] {
    let parent = names.number(rev, document)
    let generation = names.generations[Int(parent)] + 1
    var found = children(of: document, body, deleted: deleted, generation: generation)
    // The body of a tombstone tells nothing.
    if found.isEmpty || deleted { found.append(names.unnamed(document, generation: generation)) }
    return found.map { .edit(parent, child: $0, isDeleted: deleted) }
  }

  /// The observed revisions without a writer that a write may have made.
  private mutating func children(
    of document: Int32, _ body: JSONValue, deleted: Bool, generation: Int64?
  ) -> [Int32] {
    let content = names.content(body)
    let found = names.ids.indices.filter { place in
      names.documents[place] == document && !names.hasWriter[place] && !names.isUnnamed[place]
        && (names.deletions[place] ?? deleted) == deleted
        && (generation == nil || names.generations[place] == generation)
    }
    let sure = deleted ? [] : found.filter { names.contents[$0] == content }
    let possible =
      sure.isEmpty
      ? found.filter { names.contents[$0] == nil || names.contents[$0] == content } : sure
    let numbers = possible.map { Int32($0) }
    explained.formUnion(numbers)
    return numbers
  }

  /// The writes of a resolution that may have happened one by one.
  private mutating func parts(
    of document: Int32, _ leaves: [RevisionID], keep: RevisionID, body: JSONValue?
  ) -> [[[DocumentEvent]]] {
    var parts: [[[DocumentEvent]]] = []
    if let body {
      parts.append(edits(of: document, keep, body, deleted: false).map { [$0] })
    }
    for leaf in leaves where leaf != keep {
      parts.append(edits(of: document, leaf, [:], deleted: true).map { [$0] })
    }
    return parts
  }

  /// A resolution without a response: with the names that were observed, as far as they fit.
  private mutating func resolution(
    of document: Int32, _ leaves: [RevisionID], keep: RevisionID, body: JSONValue?
  ) -> DocumentEvent {
    let asked = leaves.map { names.number($0, document) }
    let kept = names.number(keep, document)
    var child: Int32?
    if let body {
      let generation = names.generations[Int(kept)] + 1
      let found = children(of: document, body, deleted: false, generation: generation)
      if found.count > 1 { inexact.insert(document) }
      child = found.first ?? names.unnamed(document, generation: generation)
    }
    var used: Set<Int32> = []
    var tombstones: [Int32] = []
    for leaf in asked where leaf != kept {
      let generation = names.generations[Int(leaf)] + 1
      let found = children(of: document, [:], deleted: true, generation: generation)
        .filter { !used.contains($0) }
      let sure = found.first { names.parents[Int($0)] == leaf }
      if sure == nil, !found.isEmpty { inexact.insert(document) }
      let tombstone = sure ?? found.first ?? names.unnamed(document, generation: generation)
      used.insert(tombstone)
      tombstones.append(tombstone)
    }
    return .resolve(
      document, leaves: asked, keep: kept, child: child, tombstones: tombstones)
  }
}

extension StoreAction {
  /// The attachments that a write gives to the new revision; nil if the revision inherits some.
  var givenAttachments: [RevisionAttachment]? {
    switch self {
    case .attaching(let attachments, _): attachments
    case .resolve: nil
    default: []
    }
  }
}
