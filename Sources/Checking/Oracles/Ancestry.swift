internal import Datastore
internal import JSON

/// The statements of clients about the parent of a revision that they wrote or inserted.
enum RevisionOrigin: Hashable {
  /// The parent is one of these: one for an update, several for a tombstone of `resolve`.
  case child(of: [RevisionID])
  /// A new document, or a child of a tombstone that the client did not name.
  case creation
  /// A client inserted a path that ends here, without older ancestors.
  case pathEnd
}

/// The revisions that a store may have forgotten, derived from the requests of clients alone and
/// never from responses of a store.
///
/// A history limit of n removes ancestors n or more steps above every leaf. A record of a replica
/// with a limit, or a truncated path that a client inserted, has no older revisions for its
/// receiver. Generations fall by exactly one along a path, so the number of steps is the difference
/// of the generations.
extension History {
  /// A revision, or the unnamed result of a write with an unknown outcome.
  private enum Node: Hashable {
    case revision(RevisionID)
    case attempt(Int)
  }

  private struct Visit: Hashable {
    var node: Node
    var generation: UInt64
    /// Whether a path that a client inserted was truncated.
    var isPastEnd: Bool
  }

  /// The smallest history limit of any replica so far; nil for none.
  var leastLimit: Int64? { limits.compactMap { $0 }.min() }

  /// Whether any path was truncated, so that replicas may lack different revisions.
  var hasCuts: Bool { hasPathEnds || leastLimit != nil }

  /// Whether a store at the end may lack a revision because it lies far enough below a leaf.
  ///
  /// - Parameters:
  ///   - leaf: a leaf that the store has.
  ///   - limit: the smallest history limit that applies; nil for none.
  ///   - takesEnds: whether a truncated path that a client inserted explains the gap as well.
  func mayLack(
    _ rev: RevisionID, of id: DocumentID, under leaf: RevisionID, limit: Int64?, takesEnds: Bool
  ) -> Bool {
    guard let top = leaf.generation, let bottom = rev.generation, top > bottom else { return false }
    let isFarEnough = limit.map { top - bottom >= UInt64(max(0, $0)) } ?? false
    guard isFarEnough || takesEnds else { return false }
    var waiting = [Visit(node: .revision(leaf), generation: top, isPastEnd: false)]
    var visited = Set(waiting)
    while let visit = waiting.popLast() {
      if visit.node == .revision(rev) {
        if isFarEnough || visit.isPastEnd { return true }
        continue
      }
      guard visit.generation > bottom else { continue }
      for next in steps(down: visit, id) where visited.insert(next).inserted {
        waiting.append(next)
      }
    }
    return false
  }

  /// The possible parents of a revision.
  private func steps(down visit: Visit, _ id: DocumentID) -> [Visit] {
    guard visit.generation > 1 else { return [] }
    var nodes: [Node] = []
    var isPastEnd = visit.isPastEnd
    switch visit.node {
    case .attempt(let place):
      guard let attempt = attempts[id]?[place] else { return [] }
      nodes =
        attempt.parent.map { [.revision($0)] } ?? tombstones(of: id, at: visit.generation - 1)
    case .revision(let rev):
      let origins = origins[RevisionKey(id: id, rev: rev)] ?? []
      for origin in origins {
        switch origin {
        case .child(let parents): nodes += parents.map { .revision($0) }
        case .creation: nodes += tombstones(of: id, at: visit.generation - 1)
        case .pathEnd: isPastEnd = true
        }
      }
      // The result of a write with an unknown outcome, or a revision with an older history than
      // that of the client that inserted it.
      if origins.allSatisfy({ $0 == .pathEnd }) {
        for attempt in attempts[id] ?? [] {
          if let parent = attempt.parent {
            nodes.append(.revision(parent))
          } else {
            nodes += tombstones(of: id, at: visit.generation - 1)
          }
        }
      }
    }
    return nodes.compactMap { node in
      if case .revision(let rev) = node, rev.generation != visit.generation - 1 { return nil }
      return Visit(node: node, generation: visit.generation - 1, isPastEnd: isPastEnd)
    }
  }

  /// Deleted revisions of a generation, the results of unanswered deletions included.
  private func tombstones(of id: DocumentID, at generation: UInt64) -> [Node] {
    var nodes: [Node] = []
    for rev in writtenRevisions[id] ?? []
    where rev.generation == generation && writes[RevisionKey(id: id, rev: rev)]?.deleted == true {
      nodes.append(.revision(rev))
    }
    for (key, tips) in unsureTips
    where key.id == id && key.rev.generation == generation && tips.contains(where: \.deleted) {
      nodes.append(.revision(key.rev))
    }
    for (place, attempt) in (attempts[id] ?? []).enumerated() where attempt.deleted {
      guard let parent = attempt.parent?.generation, parent < generation,
        parent + 1 == generation
      else { continue }
      nodes.append(.attempt(place))
    }
    return nodes
  }
}

extension RevisionID {
  /// The number before the hyphen; nil if it does not fit 64 bits.
  var generation: UInt64? {
    var number: UInt64 = 0
    var digits = 0
    for byte in text.utf8 {
      guard byte != UInt8(ascii: "-") else { return digits > 0 ? number : nil }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      let (scaled, overflows) = number.multipliedReportingOverflow(by: 10)
      let (sum, carries) = scaled.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      guard !overflows, !carries else { return nil }
      number = sum
      digits += 1
    }
    return nil
  }
}
