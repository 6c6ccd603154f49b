internal import Datastore
internal import JSON

/// Checks that each client sees its own writes, and what it has seen before.
///
/// A revision that was seen stays a leaf or has a descendant that is one, unless its document is
/// purged.
struct SessionCheck {
  private(set) var findings: [HistoryFinding] = []
  /// The known parents.
  private var parents: [RevisionName: RevisionID] = [:]

  private struct Session: Hashable {
    var connection: Int
    var id: DocumentID
  }

  /// A revision that a client has seen or written, and the operation that showed it.
  private struct Sight {
    var rev: RevisionID
    var operation: Int
  }

  init(_ history: ClientHistory) {
    var purged: Set<DocumentID> = []
    for operation in history.operations {
      if case .purge(let id, _) = operation.operation.action { purged.insert(id) }
      noteParents(operation)
    }
    var seen: [Session: [Sight]] = [:]
    for (place, operation) in history.operations.enumerated() {
      for (id, leaves) in Self.leaves(operation) where !purged.contains(id) {
        let session = Session(connection: operation.connection, id: id)
        let lost = seen[session]?.first { sight in
          !leaves.contains { descends($0, from: sight.rev, in: id) }
        }
        // A leaf with an unknown parent may descend from anything.
        if let lost, findings.count < 4, leaves.allSatisfy({ isRooted($0, id) }) {
          findings.append(
            HistoryFinding(
              .session, of: [id],
              sentence: "connection \(operation.connection) has seen \(lost.rev) of \(id), and "
                + "then sees leaves that do not descend from it",
              operations: [lost.operation, place], until: operation.deadline))
        }
        seen[session] = leaves.map { Sight(rev: $0, operation: place) }
      }
      for name in operation.acknowledged where !purged.contains(name.id) {
        let session = Session(connection: operation.connection, id: name.id)
        seen[session, default: []].append(Sight(rev: name.rev, operation: place))
      }
    }
  }

  /// The leaves that an operation shows, by document.
  private static func leaves(_ operation: ClientOperation) -> [(DocumentID, [RevisionID])] {
    switch (operation.operation.action, operation.outcome?.result) {
    case (.leaves(let id), .leaves(let leaves)): [(id, leaves.map(\.rev))]
    default: []
    }
  }

  private mutating func noteParents(_ operation: ClientOperation) {
    note(operation.operation.action, operation.outcome?.result)
    guard case .ok(.revisions(let answers)) = operation.outcome else { return }
    for case .records(let records) in answers.map(\.found) {
      for record in records { notePath(record) }
    }
  }

  private mutating func notePath(_ record: RevisionRecord) {
    for (child, parent) in zip(record.path, record.path.dropFirst()) {
      parents[RevisionName(id: record.id, rev: child)] = parent
    }
  }

  private mutating func note(_ action: StoreAction, _ result: OperationResult?) {
    switch (action.withoutAttachments, result) {
    case (.update(let id, let parent, _), .written(_, let rev)),
      (.delete(let id, let parent, _), .written(_, let rev)):
      parents[RevisionName(id: id, rev: rev)] = parent
    case (.resolve(let id, _, let keep, let body?), .resolved(let rev, _)):
      _ = body
      parents[RevisionName(id: id, rev: rev)] = keep
    case (.batch(let writes), .batch(let results)):
      for (write, result) in zip(writes, results) { note(write, result) }
    case (.insertRevisions(let records), _): for record in records { notePath(record) }
    default: break
    }
  }

  /// Whether a revision is another one or descends from it, as far as the parents are known.
  private func descends(
    _ rev: RevisionID, from ancestor: RevisionID, in id: DocumentID
  ) -> Bool {
    let lowest = RevisionNames.generation(ancestor)
    var place = rev
    while place != ancestor {
      guard RevisionNames.generation(place) > lowest,
        let parent = parents[RevisionName(id: id, rev: place)]
      else { return false }
      place = parent
    }
    return true
  }

  private func ancestry(of rev: RevisionID, _ id: DocumentID) -> [RevisionID] {
    var found = [rev]
    while let last = found.last, let parent = parents[RevisionName(id: id, rev: last)],
      found.count < 100_000
    {
      found.append(parent)
    }
    return found
  }

  /// Whether the ancestry is known down to the first generation.
  private func isRooted(_ rev: RevisionID, _ id: DocumentID) -> Bool {
    ancestry(of: rev, id).last?.text.string.hasPrefix("1-") == true
  }
}
