internal import Datastore
internal import JSON

/// A history as events of documents, in groups that can be searched one by one.
struct HistoryReading {
  let history: ClientHistory
  let promises: Set<ConsistencyPromise>
  var names = RevisionNames()
  /// The ways in which each operation without a response may have happened.
  var unansweredWays: [Int: [[DocumentEvent]]] = [:]
  /// The same for operations that may have happened in part: for each part its ways.
  var unansweredParts: [Int: [[[DocumentEvent]]]] = [:]
  /// Revisions that an outcome shows and that no operation can have written.
  var strangers: [(id: DocumentID, rev: RevisionID, operation: Int)] = []
  /// The first operation that shows each revision.
  var shown: [Int32: Int] = [:]
  /// Revisions that a write without a response may have made.
  var explained: Set<Int32> = []
  /// Documents with an operation of which not every way is searched. A missing order of them proves
  /// nothing.
  var inexact: Set<Int32> = []
  private(set) var documentKeys: [DocumentKey] = []
  private var documentNumbers: [DocumentKey: Int32] = [:]
  /// The group of each document: batches join documents.
  private var groups: [Int32] = []
  /// What each reader of the feed knows at a position.
  private var views: [FeedPosition: [Int32: DocumentEvent]] = [:]
  private var entries: [Int32: [OrderSearch.Entry]] = [:]
  private var common: [OrderSearch.Entry] = []
  /// Observations of all documents at one moment.
  private var wholeEntries: [OrderSearch.Entry] = []
  private let isLimited: Bool
  /// The documents that a purge may have removed.
  private var purged: Set<DocumentID> = []
  private var purgedNumbers: Set<Int32> = []

  /// A document, or a local document.
  struct DocumentKey: Hashable {
    var id: DocumentID
    var isLocal = false
  }

  /// Documents whose operations are ordered together.
  struct Group {
    /// Empty for observations of the whole store.
    var documents: [DocumentKey]
    var search: OrderSearch
    /// A search with more entries, for the case that the first one ends early.
    var fallback: OrderSearch?
    /// Whether every way of every operation is searched.
    var isExact: Bool

    /// The answer, and the search that found it.
    func answer() -> (answer: OrderSearch.Answer, search: OrderSearch) {
      for search in [search, fallback].compactMap({ $0 }) {
        var running = search
        let answer = running.run()
        if answer != .unknown || fallback == nil { return (answer, search) }
      }
      return (.unknown, search)
    }
  }

  private struct FeedPosition: Hashable {
    var connection: Int
    var position: UpdateSequence
  }

  init(_ history: ClientHistory, _ promises: Set<ConsistencyPromise>) {
    self.history = history
    self.promises = promises
    isLimited = history.operations.contains {
      if case .historyLimit = $0.operation.action { true } else { false }
    }
    collect()
    for operation in history.operations {
      if case .purge(let id, _) = operation.operation.action { purged.insert(id) }
    }
    purgedNumbers = Set(purged.compactMap { documentNumbers[DocumentKey(id: $0)] })
    join()
    for place in history.operations.indices { read(place) }
    names.rank()
  }

  mutating func document(_ id: DocumentID) -> Int32 { number(DocumentKey(id: id)) }

  mutating func local(_ id: DocumentID) -> Int32 { number(DocumentKey(id: id, isLocal: true)) }

  private mutating func number(_ key: DocumentKey) -> Int32 {
    if let number = documentNumbers[key] { return number }
    let number = Int32(documentKeys.count)
    documentNumbers[key] = number
    documentKeys.append(key)
    groups.append(number)
    return number
  }

  /// The value of a local document as a number, none for a missing one.
  mutating func value(_ body: JSONValue?) -> Int32 {
    body.map { names.content($0) } ?? DocumentForest.none
  }

  // MARK: Groups

  /// Joins the documents of each batch.
  private mutating func join() {
    for operation in history.operations {
      guard case .batch(let writes) = operation.operation.action,
        operation.isUnanswered || operation.outcome?.result != nil
      else { continue }
      var first: Int32?
      for write in writes {
        let plain = write.withoutAttachments
        var numbers = plain.documents.map { document($0) }
        if case .writeLocal(let id, _) = plain { numbers.append(local(id)) }
        for number in numbers {
          if let first { groups[Int(group(of: number))] = group(of: first) }
          first = first ?? number
        }
      }
    }
  }

  private func group(of number: Int32) -> Int32 {
    var place = number
    while groups[Int(place)] != place { place = groups[Int(place)] }
    return place
  }

  /// A search for each group of documents, and one for all documents if an observation concerns all.
  func searches(stepsMax: Int) -> [Group] {
    let roots = documentKeys.indices.map { group(of: Int32($0)) }
    let left =
      promises.contains(.purges)
      ? []
      : Set(
        purged.compactMap { id in
          documentNumbers[DocumentKey(id: id)].map { roots[Int($0)] }
        })
    var found: [Group] = []
    for root in Set(roots).sorted() where !left.contains(root) {
      guard let own = entries[root], !own.isEmpty else { continue }
      let members = documentKeys.indices.filter { roots[$0] == root }
      found.append(
        Group(
          documents: members.map { documentKeys[$0] },
          search: search(own + common, stepsMax: stepsMax),
          isExact: inexact.isDisjoint(with: members.map { Int32($0) })))
    }
    if !wholeEntries.isEmpty, left.isEmpty {
      let all = entries.sorted { $0.key < $1.key }.flatMap(\.value)
      let writes = all.filter { !$0.isRead }
      // Mostly the writes alone suffice. The reads leave fewer orders, and take time.
      found.append(
        Group(
          documents: [],
          search: search(writes + common + wholeEntries, stepsMax: stepsMax / 10),
          fallback: search(all + common + wholeEntries, stepsMax: stepsMax),
          isExact: inexact.isEmpty))
    }
    return found
  }

  private func search(_ entries: [OrderSearch.Entry], stepsMax: Int) -> OrderSearch {
    OrderSearch(
      entries.sorted { ($0.call, $0.operation) < ($1.call, $1.operation) },
      DocumentForest(names, documents: documentKeys.count, isLimited: isLimited),
      stepsMax: stepsMax)
  }

  private mutating func add(_ ways: [[DocumentEvent]], of document: Int32, at place: Int) {
    let operation = history.operations[place]
    entries[group(of: document), default: []].append(
      OrderSearch.Entry(
        call: operation.call, end: operation.deadline, ways: ways, operation: place))
  }

  mutating func add(_ event: DocumentEvent, of document: Int32, at place: Int) {
    add([[event]], of: document, at: place)
  }

  // MARK: Operations

  private mutating func read(_ place: Int) {
    let operation = history.operations[place]
    if operation.isUnanswered {
      readUnanswered(place)
    } else if let outcome = operation.outcome {
      switch outcome {
      case .ok(let result): readResult(result, of: operation.operation.action, at: place)
      case .error(let error): readError(error, of: operation.operation.action, at: place)
      case .unknown: break
      }
    }
  }

  private mutating func readUnanswered(_ place: Int) {
    let operation = history.operations[place]
    if case .insertRevisions(let records) = operation.operation.action {
      for record in records { add(insertion(record), of: document(record.id), at: place) }
      return
    }
    if let parts = unansweredParts[place] {
      guard let document = operation.operation.action.firstDocument(&self) else { return }
      for ways in parts { addOptional(ways, of: document, at: place) }
      return
    }
    guard let ways = unansweredWays[place] else { return }
    if operation.operation.action.concernsAll {
      addToAll(place, ways)
    } else if let document = operation.operation.action.firstDocument(&self) {
      add(ways, of: document, at: place)
    }
  }

  /// Adds a part of an operation that may have happened or not: until its response, if there was one.
  private mutating func addOptional(
    _ ways: [[DocumentEvent]], of document: Int32, at place: Int
  ) {
    let operation = history.operations[place]
    let end = operation.deadline
    entries[group(of: document), default: []].append(
      OrderSearch.Entry(
        call: operation.call, end: end, ways: end == .max ? ways : [[]] + ways,
        operation: place))
  }

  /// Adds an observation of several documents at one moment.
  mutating func addWhole(_ place: Int, _ events: [DocumentEvent]) {
    let operation = history.operations[place]
    wholeEntries.append(
      OrderSearch.Entry(
        call: operation.call, end: operation.deadline, ways: [events], operation: place))
  }

  private mutating func addToAll(_ place: Int, _ ways: [[DocumentEvent]]) {
    let operation = history.operations[place]
    common.append(
      OrderSearch.Entry(
        call: operation.call, end: operation.deadline, ways: ways, operation: place))
  }

  mutating func insertion(_ record: RevisionRecord) -> DocumentEvent {
    let document = document(record.id)
    return .insert(
      record.path.map { names.number($0, document) }, isDeleted: record.deleted)
  }

  private mutating func readResult(
    _ result: OperationResult, of action: StoreAction, at place: Int
  ) {
    switch (action.withoutAttachments, result) {
    case (.insertRevisions(let records), .inserted(let errors)):
      for (record, error) in zip(records, errors) where error == nil {
        add(insertion(record), of: document(record.id), at: place)
      }
    case (.batch(let writes), .batch(let results)):
      var events: [DocumentEvent] = []
      for (write, result) in zip(writes, results) {
        if let event = self.write(of: write, result) { events.append(event) }
      }
      if let document = action.firstDocument(&self) { add([events], of: document, at: place) }
    case (.compact, _): addToAll(place, [[.compact]])
    case (.historyLimit, _): addToAll(place, [[.limitHistory]])
    case (.info, .info(let info)):
      guard promises.contains(.counts) else { return }
      addWhole(place, [.counts(live: info.documents, deleted: info.deletedDocuments)])
    case (.changes(let since, _), .changes(let page)): readPage(page, since: since, at: place)
    case (.resolve(let id, _, _, _), .resolved) where !promises.contains(.resolutions):
      for event in edits(of: action, result) { add(event, of: document(id), at: place) }
    case (.resolve(let id, _, _, _), .resolved) where purged.contains(id):
      let ways = resolutions(of: action, result)
      if let document = action.firstDocument(&self) {
        add(ways.map { [$0] }, of: document, at: place)
      }
    default:
      if let event = write(of: action, result) {
        if let document = action.firstDocument(&self) { add(event, of: document, at: place) }
      } else {
        observe(result, of: action, at: place)
      }
    }
  }

  /// The event of a write that succeeded; nil for another operation.
  private mutating func write(of action: StoreAction, _ result: OperationResult) -> DocumentEvent? {
    switch (action.withoutAttachments, result) {
    case (.create(let id?, _), .written(let written, let rev)):
      guard written == id else { return .impossible }
      let document = document(id)
      return .create(document, names.number(rev, document))
    case (.update(let id, let parent, _), .written(let written, let rev)):
      guard written == id else { return .impossible }
      let document = document(id)
      return .edit(
        names.number(parent, document), child: names.number(rev, document), isDeleted: false)
    case (.delete(let id, let parent, _), .written(let written, let rev)):
      guard written == id else { return .impossible }
      let document = document(id)
      return .edit(
        names.number(parent, document), child: names.number(rev, document), isDeleted: true)
    case (.resolve(let id, let leaves, let keep, let body), .resolved(let rev, let tombstones)):
      let document = document(id)
      var asked: [Int32] = []
      for leaf in leaves.map({ names.number($0, document) }) where !asked.contains(leaf) {
        asked.append(leaf)
      }
      let kept = names.number(keep, document)
      let losers = asked.filter { $0 != kept }
      return .resolve(
        document, leaves: asked, keep: kept,
        child: body == nil ? nil : names.number(rev, document),
        tombstones: matched(tombstones.map { names.number($0, document) }, to: losers))
    case (.purge(let id, let revs), .purged(let removed)):
      let document = document(id)
      return .purge(
        document, revs.map { names.number($0, document) },
        removed: removed.map { names.number($0, document) })
    case (.writeLocal(let id, let body), .done): return .writeLocal(local(id), value(body))
    default: return nil
    }
  }

  /// A resolution with each assignment of tombstones to leaves that the response permits: a purge of a
  /// tombstone removes the leaf below it.
  private mutating func resolutions(
    of action: StoreAction, _ result: OperationResult
  ) -> [DocumentEvent] {
    guard let event = write(of: action, result),
      case .resolve(let document, let leaves, let keep, let child, let tombstones) = event
    else { return [.impossible] }
    let losers = leaves.filter { $0 != keep }
    guard losers.count == tombstones.count else { return [event] }
    var found: [[Int32]] = [[]]
    for loser in losers {
      found = found.flatMap { begun in
        tombstones.filter { tombstone in
          !begun.contains(tombstone)
            && names.generations[Int(tombstone)] == names.generations[Int(loser)] + 1
            && (names.parents[Int(tombstone)] ?? loser) == loser
        }.map { begun + [$0] }
      }
      guard found.count <= Self.assignmentsMax else {
        inexact.insert(document)
        return [event]
      }
    }
    guard !found.isEmpty else { return [event] }
    return found.map { order in
      .resolve(document, leaves: leaves, keep: keep, child: child, tombstones: order)
    }
  }

  private static let assignmentsMax = 24

  /// The writes of a resolution that is not atomic.
  private mutating func edits(
    of action: StoreAction, _ result: OperationResult
  ) -> [DocumentEvent] {
    guard
      case .resolve(_, let leaves, let keep, let child, let tombstones)? = write(of: action, result)
    else { return [] }
    let losers = leaves.filter { $0 != keep }
    return (child.map { [.edit(keep, child: $0, isDeleted: false)] } ?? [])
      + zip(losers, tombstones).map { .edit($0, child: $1, isDeleted: true) }
  }

  /// The tombstones in the order of the leaves that they delete, as far as paths and generations
  /// tell.
  private func matched(_ tombstones: [Int32], to leaves: [Int32]) -> [Int32] {
    guard tombstones.count == leaves.count else { return tombstones }
    var rest = tombstones
    var found: [Int32] = []
    for leaf in leaves {
      let generation = names.generations[Int(leaf)] + 1
      let place =
        rest.firstIndex { names.parents[Int($0)] == leaf }
        ?? rest.firstIndex {
          names.parents[Int($0)] == nil && names.generations[Int($0)] == generation
        } ?? rest.startIndex
      found.append(rest.remove(at: place))
    }
    return found
  }

  private mutating func readError(_ error: DatastoreError, of action: StoreAction, at place: Int) {
    if unansweredParts[place] != nil {
      readUnanswered(place)
      return
    }
    guard let document = action.firstDocument(&self) else { return }
    switch (action.withoutAttachments, error.kind) {
    case (.create, .conflict): add(.createConflict(document), of: document, at: place)
    case (.update(_, let rev, _), let kind), (.delete(_, let rev, _), let kind):
      guard let refusal = DocumentEvent.Refusal(kind) else { return }
      add(.editRefused(document, names.number(rev, document), refusal), of: document, at: place)
    case (.resolve(_, let leaves, _, _), .conflict):
      add(
        .resolveConflict(document, leaves.map { names.number($0, document) }), of: document,
        at: place)
    default: observeError(error.kind, of: action, at: place)
    }
  }

  // MARK: The feed

  /// A page is an observation of the documents in it. The last page of a reader is one of all
  /// documents, because the reader has seen every change by then.
  private mutating func readPage(
    _ page: ChangesPage, since: UpdateSequence?, at place: Int
  ) {
    let connection = history.operations[place].connection
    var view: [Int32: DocumentEvent]? = [:]
    if let since { view = views[FeedPosition(connection: connection, position: since)] }
    var seen: Set<Int32> = []
    for row in page.rows {
      let isDeleted = row.leaves.allSatisfy { $0.deleted }
      let document = document(row.id)
      let event = leaves(row.leaves, of: row.id)
      view?[document] = event
      seen.insert(document)
      if row.deleted != isDeleted { add(.impossible, of: document, at: place) }
      if promises.contains(.feed) { add(event, of: document, at: place) }
    }
    guard let view else { return }
    views[FeedPosition(connection: connection, position: page.last)] = view
    guard !page.more, promises.contains(.feed) else { return }
    for number in documentKeys.indices.map({ Int32($0) })
    where !documentKeys[Int(number)].isLocal && !seen.contains(number) {
      switch view[number] {
      case .leaves(let document, let revs, let deleted)? where purgedNumbers.contains(number):
        add(.leavesOrUnknown(document, revs, deleted: deleted), of: number, at: place)
      case let known: add(known ?? .unknownDocument(number), of: number, at: place)
      }
    }
  }

  mutating func leaves(_ leaves: Leaves, of id: DocumentID) -> DocumentEvent {
    let document = document(id)
    return .leaves(
      document, leaves.map { names.number($0.rev, document) }, deleted: leaves.map(\.deleted))
  }
}

extension DocumentEvent.Refusal {
  init?(_ kind: DatastoreError.Kind) {
    switch kind {
    case .conflict: self = .conflict
    case .notFound(.missing): self = .missing
    case .notFound(.deleted): self = .deleted
    default: return nil
    }
  }
}

extension StoreAction {
  fileprivate var concernsAll: Bool {
    switch self {
    case .compact, .historyLimit: true
    default: false
    }
  }

  /// The first document of the operation; nil if it names none.
  fileprivate func firstDocument(_ reading: inout HistoryReading) -> Int32? {
    switch withoutAttachments {
    case .writeLocal(let id, _), .readLocal(let id): return reading.local(id)
    case .batch(let writes):
      for write in writes {
        if let document = write.firstDocument(&reading) { return document }
      }
      return nil
    case let action: return action.documents.first.map { reading.document($0) }
    }
  }
}
