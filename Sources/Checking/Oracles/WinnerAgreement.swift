internal import Datastore
internal import JSON

/// The rule of the winner, implemented independently: live before deleted, then the higher
/// generation as a number, then the higher suffix: byte by byte, or under `couchdb` by the value of
/// 32 hexadecimal digits. Each replica is checked under its own collation.
///
/// Under `cdt` the rule is valid up to generations of 8 digits, which no run reaches.
struct WinnerAgreement: Oracle {
  func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    switch observation {
    case .client(let replica, _, let operation, .ok(let result)):
      return check(operation, result, replica: history.stores[replica])
    case .session(let session, let isSource, let operation, .ok(let result)):
      guard let facts = history.sessions[session] else { return nil }
      return check(
        operation, result, replica: history.stores[isSource ? facts.source : facts.target])
    default: return nil
    }
  }

  func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for (store, replica) in zip(stores, history.stores) {
      for document in store.documents {
        if let finding = check(document.id, document.leaves, replica: replica) {
          findings.append(finding)
        }
        let winner = winner(of: document.leaves, under: replica.collation)
        let expected = winner.flatMap { $0.deleted ? nil : $0.rev }
        if document.winner != expected {
          findings.append(
            .wrongRead(document.id, document.winner, winner: expected, replica: replica.name))
        }
      }
    }
    return findings
  }

  private func check(
    _ operation: StoreOperation, _ result: OperationResult, replica: OracleReplica
  ) -> OracleFinding? {
    switch (operation.action, result) {
    case (.leaves(let id), .leaves(let leaves)): return check(id, leaves, replica: replica)
    case (.changes, .changes(let page)):
      for row in page.rows {
        if let finding = check(row.id, row.leaves.array, replica: replica) { return finding }
        if row.deleted != (row.leaves.first?.deleted ?? row.deleted) {
          return .wrongDeletion(row.id, isListedDeleted: row.deleted, replica: replica.name)
        }
      }
      return nil
    default: return nil
    }
  }

  private func check(
    _ id: DocumentID, _ leaves: [Leaf], replica: OracleReplica
  ) -> OracleFinding? {
    guard leaves.count > 1, let winner = winner(of: leaves, under: replica.collation),
      let first = leaves.first,
      first.rev != winner.rev
    else { return nil }
    return .wrongOrder(id, first: first, winner: winner, replica: replica.name)
  }

  func winner(of leaves: [Leaf], under collation: CollationName) -> Leaf? {
    var best: Leaf?
    for leaf in leaves {
      guard let leader = best else {
        best = leaf
        continue
      }
      if leads(leaf, leader, under: collation) { best = leaf }
    }
    return best
  }

  private func leads(
    _ left: Leaf, _ right: Leaf, under collation: CollationName
  ) -> Bool {
    if left.deleted != right.deleted { return !left.deleted }
    let (leftNumber, leftSuffix) = Self.split(left.rev)
    let (rightNumber, rightSuffix) = Self.split(right.rev)
    if leftNumber != rightNumber { return leftNumber > rightNumber }
    guard collation == .couchdb else { return rightSuffix.lexicographicallyPrecedes(leftSuffix) }
    return Self.bytes(rightSuffix).lexicographicallyPrecedes(Self.bytes(leftSuffix))
  }

  private static func split(_ rev: RevisionID) -> (UInt64, Substring.UTF8View.SubSequence) {
    let bytes = rev.text.string.utf8[...]
    var number: UInt64 = 0
    var place = bytes.startIndex
    while place < bytes.endIndex, bytes[place] != UInt8(ascii: "-") {
      number = number &* 10 &+ UInt64(bytes[place] &- UInt8(ascii: "0"))
      place = bytes.index(after: place)
    }
    return (number, bytes[place...])
  }

  /// The value of a suffix, with the hyphen before it, in CouchDB.
  private static func bytes(_ suffix: Substring.UTF8View.SubSequence) -> [UInt8] {
    let digits = suffix.dropFirst()
    let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
    guard digits.count == 32, values.count == 32 else { return Array(digits) }
    return stride(from: 0, to: 32, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
