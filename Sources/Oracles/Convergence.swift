internal import Datastore
internal import JSON

/// When nothing is left to replicate, all replicas hold the same leaves and bodies.
struct Convergence: Oracle {
  func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding] {
    guard let first = stores.first else { return [] }
    var findings: [OracleFinding] = []
    for (place, store) in stores.enumerated().dropFirst() where store != first {
      findings += compare(
        first, history.replicas[0], store, history.replicas[place], except: history.exempt)
    }
    return findings
  }

  private func compare(
    _ left: FinalStore, _ leftName: Text, _ right: FinalStore, _ rightName: Text,
    except exempt: Set<DocumentID>
  ) -> [OracleFinding] {
    let leftDocuments = Dictionary(left.documents.map { ($0.id, $0) }) { first, _ in first }
    let rightDocuments = Dictionary(right.documents.map { ($0.id, $0) }) { first, _ in first }
    var findings: [OracleFinding] = []
    let onlyRight = right.documents.map(\.id).filter { leftDocuments[$0] == nil }
    for id in left.documents.map(\.id) + onlyRight where !exempt.contains(id) {
      let here = Set(leftDocuments[id]?.leaves ?? [])
      let there = Set(rightDocuments[id]?.leaves ?? [])
      if here != there {
        let lacking = leftDocuments[id]?.leaves.filter { !there.contains($0) } ?? []
        let extra = rightDocuments[id]?.leaves.filter { !here.contains($0) } ?? []
        findings.append(
          OracleFinding(
            "convergence", "leaves",
            "\(leftName) and \(rightName) disagree about \(id): only \(leftName) has "
              + "\(Self.list(lacking)), only \(rightName) has \(Self.list(extra))",
            about: id))
      } else if let rev = unequalBody(leftDocuments[id], rightDocuments[id]) {
        findings.append(
          OracleFinding(
            "convergence", "bodies",
            "\(leftName) and \(rightName) hold different bodies of \(rev) of \(id)", about: id))
      } else if let rev = unequalAttachments(leftDocuments[id], rightDocuments[id]) {
        findings.append(
          OracleFinding(
            "convergence", "attachments",
            "\(leftName) and \(rightName) hold different attachments of \(rev) of \(id)",
            about: id))
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

  private func unequalAttachments(_ left: FinalDocument?, _ right: FinalDocument?) -> RevisionID? {
    guard let left, let right else { return nil }
    let (here, there) = (Set(left.attachments), Set(right.attachments))
    guard here != there else { return nil }
    return (left.attachments + right.attachments).first {
      here.contains($0) != there.contains($0)
    }?.rev
  }

  private static func list(_ leaves: [Leaf]) -> String {
    guard !leaves.isEmpty else { return "nothing" }
    return leaves.map { "\($0.rev)\($0.deleted ? " (deleted)" : "")" }.joined(separator: ", ")
  }
}
