public import Datastore
public import JSON

// The checks at the end of a run, when all messages are delivered.

extension CollectionLedger {
  /// Checks the end of a run, after all queues were drained and all faults repaired.
  ///
  /// - Parameters:
  ///   - stored: all entities of the backend.
  ///   - waiting: the number of queued saves at each client.
  public func conclude(_ stored: [Key: JSONObject], waiting: [Int]) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for (key, call) in calls where call.last == 0 {
      findings.append(.collections(.noEnd(key)))
    }
    for key in Set(stored.keys).union(entities.keys)
    where stored[key].map({ arranged($0) }) != entities[key].map({ arranged($0) }) {
      findings.append(.collections(.wrongEntity(key, stored[key], expected: entities[key])))
    }
    for (client, count) in waiting.enumerated() where count > 0 {
      findings.append(.collections(.waiting(client: client, count: count)))
    }
    for (client, stamps) in queued {
      for stamp in stamps where !isKept(stamp, by: client) {
        findings.append(.collections(.neverSent(stamp: stamp, client: client)))
      }
    }
    // Sorted, so that every run reports the same first finding.
    return findings.sorted { $0.sentence.utf8.lexicographicallyPrecedes($1.sentence.utf8) }
  }

  /// Whether a queued save reached the backend, or was superseded by a later save or a removal.
  private func isKept(_ stamp: JSONString, by client: Int) -> Bool {
    if written.contains(stamp) { return true }
    let (root, order) = (root(of: stamp), authors[stamp]?.order ?? 0)
    return (removedBy[client] ?? []).contains { self.root(of: $0) == root }
      || written.contains { later in
        guard let author = authors[later] else { return false }
        return author.client == client && author.order > order && self.root(of: later) == root
      }
  }

  /// The stamp of the creation of an object.
  private func root(of stamp: JSONString) -> JSONString {
    var root = stamp
    while let base = drafts[root]?.base { root = base }
    return root
  }

  /// The losses outside the guarantees.
  public var losses: Losses {
    var losses = Losses()
    for loss in allLosses {
      switch loss.kind {
      case .update: losses.overwritten += 1
      case .removal: losses.removed += 1
      case .duplicate: losses.madeTwice += 1
      }
    }
    return losses
  }
}

/// The same edits on replicated stores: the acknowledged revisions that are in no leaf's history.
public struct ReplicatedKeeping {
  /// The acknowledged revisions of applications, with their stamps.
  public private(set) var acknowledged: [DocumentID: [RevisionID]] = [:]

  public init() {}

  /// An application received the acknowledgement of a revision.
  public mutating func acknowledge(_ id: DocumentID, _ rev: RevisionID) {
    acknowledged[id, default: []].append(rev)
  }

  /// The number of acknowledged revisions.
  public var count: Int { acknowledged.values.reduce(0) { $0 + $1.count } }

  /// Acknowledged revisions that are in the history of no leaf.
  ///
  /// - Parameter leaves: all leaves with their histories.
  public func lost(_ leaves: [RevisionRecord]) -> [OracleFinding] {
    var kept: [DocumentID: Set<RevisionID>] = [:]
    for leaf in leaves { kept[leaf.id, default: []].formUnion(leaf.path) }
    var findings: [OracleFinding] = []
    for id in acknowledged.keys.sorted(by: { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) })
    {
      for rev in acknowledged[id] ?? [] where kept[id]?.contains(rev) != true {
        findings.append(.lostReplicated(id, rev))
      }
    }
    return findings
  }
}
