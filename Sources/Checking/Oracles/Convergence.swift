internal import Datastore
internal import JSON

/// Checks that all replicas have the same leaves, winners, bodies and attachments when nothing is left
/// to replicate.
///
/// Only these are compared, because nothing else is equal in all products: not the order of losing
/// leaves, the lengths of paths, or digests of attachments that are no SHA-256.
///
/// A leaf may exist at one replica only if a leaf at the other descends from it by so many steps
/// that a history limit cut the path between them: with a truncated path, the replica cannot relate
/// them.
struct Convergence: Oracle {
  func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding] {
    guard let first = stores.first else { return [] }
    var findings: [OracleFinding] = []
    for (place, store) in stores.enumerated().dropFirst() where store != first {
      findings += compare(
        first, history.stores[0], right: store, rightReplica: history.stores[place],
        history: history)
    }
    return findings
  }

  private func compare(
    _ left: FinalStore, _ leftReplica: OracleReplica, right: FinalStore,
    rightReplica: OracleReplica, history: History
  ) -> [OracleFinding] {
    let (leftName, rightName) = (leftReplica.name, rightReplica.name)
    let comparesDigests = leftReplica.hasDigests && rightReplica.hasDigests
    let leftDocuments = Dictionary(left.documents.map { ($0.id, $0) }) { first, _ in first }
    let rightDocuments = Dictionary(right.documents.map { ($0.id, $0) }) { first, _ in first }
    var findings: [OracleFinding] = []
    let onlyRight = right.documents.map(\.id).filter { leftDocuments[$0] == nil }
    for id in left.documents.map(\.id) + onlyRight where !history.exempt.contains(id) {
      let here = Set(leftDocuments[id]?.leaves ?? [])
      let there = Set(rightDocuments[id]?.leaves ?? [])
      let lacking = leftDocuments[id]?.leaves.filter { !there.contains($0) } ?? []
      let extra = rightDocuments[id]?.leaves.filter { !here.contains($0) } ?? []
      let isCut =
        lacking.allSatisfy { history.isHidden($0.rev, of: id, under: there) }
        && extra.allSatisfy { history.isHidden($0.rev, of: id, under: here) }
      if !isCut {
        findings.append(
          .differentLeaves(
            id, left: leftName, onlyLeft: lacking, right: rightName, onlyRight: extra))
      } else if here == there, leftDocuments[id]?.winner != rightDocuments[id]?.winner {
        findings.append(
          .differentWinners(
            id, leftDocuments[id]?.winner, left: leftName, rightDocuments[id]?.winner,
            right: rightName))
      } else if let rev = unequalBody(leftDocuments[id], rightDocuments[id]) {
        findings.append(.differentBodies(id, rev, left: leftName, right: rightName))
      } else if let rev = unequalAttachments(
        leftDocuments[id], rightDocuments[id], comparesDigests: comparesDigests)
      {
        findings.append(.differentAttachments(id, rev, left: leftName, right: rightName))
      }
    }
    return findings
  }

  private func unequalBody(_ left: FinalDocument?, _ right: FinalDocument?) -> RevisionID? {
    guard let left, let right else { return nil }
    var bodies: [RevisionID: JSONValue] = [:]
    for record in right.records { if let rev = record.path.first { bodies[rev] = record.body } }
    for record in left.records {
      guard let rev = record.path.first, let body = bodies[rev] else { continue }
      if !record.body.isSameValue(as: body) { return rev }
    }
    return nil
  }

  private func unequalAttachments(
    _ left: FinalDocument?, _ right: FinalDocument?, comparesDigests: Bool
  ) -> RevisionID? {
    guard let left, let right else { return nil }
    func compared(_ attachment: FinalAttachment) -> FinalAttachment {
      var attachment = attachment
      if !comparesDigests { attachment.digest = nil }
      return attachment
    }
    // A leaf of only one of them cannot be compared.
    let common = Set(left.leaves).intersection(right.leaves).map(\.rev)
    let here = Set(left.attachments.filter { common.contains($0.rev) }.map(compared))
    let there = Set(right.attachments.filter { common.contains($0.rev) }.map(compared))
    guard here != there else { return nil }
    return (left.attachments + right.attachments).filter { common.contains($0.rev) }
      .map(compared).first { here.contains($0) != there.contains($0) }?.rev
  }
}

extension History {
  /// Whether a leaf need not be a leaf elsewhere, because one of the leaves there descends from it
  /// beyond a cut.
  fileprivate func isHidden(_ rev: RevisionID, of id: DocumentID, under leaves: Set<Leaf>) -> Bool {
    leaves.contains {
      mayLack(rev, of: id, under: $0.rev, limit: leastLimit, takesEnds: true)
    }
  }
}
