public import Datastore
public import JSON

// What is left when nothing is on its way any more.

extension CollectionLedger {
  /// Checks the end of a run, in which every queue was drained and nothing failed any more.
  ///
  /// - Parameters:
  ///   - stored: the entities of the backend, whoever asks.
  ///   - waiting: how many saves wait at each client.
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
    // One is as good as another; the first in some order is the same in every run.
    return findings.sorted { $0.sentence.utf8.lexicographicallyPrecedes($1.sentence.utf8) }
  }

  /// Whether what waited came to the backend, or a later save or a removal took its place.
  private func isKept(_ stamp: JSONString, by client: Int) -> Bool {
    if written.contains(stamp) { return true }
    let (root, order) = (root(of: stamp), authors[stamp]?.order ?? 0)
    return (removedBy[client] ?? []).contains { self.root(of: $0) == root }
      || written.contains { later in
        guard let author = authors[later] else { return false }
        return author.client == client && author.order > order && self.root(of: later) == root
      }
  }

  /// The stamp by which an object began.
  private func root(of stamp: JSONString) -> JSONString {
    var root = stamp
    while let base = drafts[root]?.base { root = base }
    return root
  }

  /// What was lost that nobody promised to keep.
  public var losses: Losses {
    var losses = Losses()
    for (stamp, isRemoval) in unseenEnds where acknowledged.contains(stamp) {
      if isRemoval { losses.removed += 1 } else { losses.overwritten += 1 }
    }
    for count in made.values where count > 1 { losses.madeTwice += count - 1 }
    return losses
  }
}

/// The same edits on replicated stores: which acknowledged revisions are no part of any leaf's history.
public struct ReplicatedKeeping {
  /// The revisions of which an application was told that they are written, with their stamps.
  public private(set) var acknowledged: [DocumentID: [RevisionID]] = [:]

  public init() {}

  /// An application was told that a revision is written.
  public mutating func acknowledge(_ id: DocumentID, _ rev: RevisionID) {
    acknowledged[id, default: []].append(rev)
  }

  /// How many acknowledged revisions there are.
  public var count: Int { acknowledged.values.reduce(0) { $0 + $1.count } }

  /// Acknowledged revisions that neither are leaves nor have any; in the end there is none.
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
