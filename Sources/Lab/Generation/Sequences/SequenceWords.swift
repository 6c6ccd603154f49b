internal import Datastore
internal import Scenarios

/// Describes a sequence: in words for the note, and in clauses.
struct SequenceWords {
  private let found: SequenceCase

  init(_ found: SequenceCase) { self.found = found }

  private var before: SequenceState { found.before }
  private var after: SequenceState { found.after }
  private var action: StoreAction { after.operations[after.operations.count - 1].action }
  private var last: String { after.names[after.names.count - 1] }
  private var isOK: Bool { found.accepted[0].result != nil }
  private var isDebated: Bool { found.accepted.count > 1 }
}

extension SequenceWords {
  /// The operations, and the required result.
  var note: String {
    let sentence = after.names.map { Self.phrase($0) }.joined(separator: "; ")
    return sentence.prefix(1).uppercased() + sentence.dropFirst() + ": \(end)."
  }

  private static func phrase(_ name: String) -> String {
    let parts = name.split(separator: "-").map { String($0) }
    let isDead = parts[0] == "dead"
    let words = isDead ? Array(parts.dropFirst()) : parts
    let thing = isDead ? "tombstone" : "revision"
    switch words[0] {
    case "create": return "create"
    case "update", "delete": return "\(words[0]) \(role(words[1]))"
    case "root": return "an unrelated \(thing) arrives"
    case "deep": return "an unrelated \(thing) of generation 3 arrives with its history"
    case "cut": return "a later \(thing) without its history arrives"
    case "child": return "a \(thing) arrives that continues \(role(words[2]))"
    case "branch": return "a \(thing) arrives that continues a stale revision"
    case "join": return "a \(thing) arrives whose path joins two roots"
    case "again": return "\(role(words[1])) arrives again with another body"
    case "insert": return "a purged revision arrives again"
    case "purge": return "purge \(role(words[1]))"
    case "compact": return "compact"
    case "resolve" where words[1] == "without": return "resolve a document without a live leaf"
    case "resolve" where words[1] == "only": return "resolve with one of the live leaves missing"
    case "resolve":
      return "resolve in favour of \(role(words[1]))" + (words.count > 2 ? " with a body" : "")
    default: return name
    }
  }

  private static func role(_ word: String) -> String {
    switch word {
    case "winner": "the winner"
    case "stale": "a stale revision"
    case "purged": "a purged revision"
    case "unknown": "an unknown revision"
    case "all": "all leaves"
    default: word.hasPrefix("loser") ? "a losing leaf" : "one of two equal leaves"
    }
  }

  private var end: String {
    if isDebated { return "more than one result is right" }
    guard isOK else { return "it is refused and leaves no trace" }
    switch (after.live.count, after.dead.count) {
    case (0, 0): return "the document is unknown again"
    case (0, _): return "the document is deleted"
    case (1, 0): return "one leaf, no conflict"
    case (1, _): return "one live leaf beside tombstones, no conflict"
    case (let live, _): return "a conflict of \(live) live leaves"
    }
  }
}

extension SequenceWords {
  /// The rules that the last operation shows, the most important one first.
  var clauses: [ClauseID] {
    var clauses: [ClauseID] = []
    switch action {
    case .create: clauses = ofCreate
    case .update(_, let rev, _): clauses = ofEdit(rev, isDelete: false)
    case .delete(_, let rev, _): clauses = ofEdit(rev, isDelete: true)
    case .insertRevisions: clauses = ofArrival
    case .resolve(_, _, _, let body): clauses = ofResolve(hasBody: body != nil)
    case .purge(_, let revs): clauses = ofPurge(revs)
    case .compact:
      clauses = ["COMP-001"] + (after.inner.isEmpty ? [] : ["COMP-002"]) + ["COMP-003"]
    default: break
    }
    guard !isDebated else { return clauses }
    if !isOK { clauses.append("EDIT-015") }
    let isNewWinner = before.leaves.first?.rev != after.leaves.first?.rev
    if !before.live.isEmpty, after.live.isEmpty, !after.dead.isEmpty { clauses.append("WIN-007") }
    if isNewWinner, let winner = after.leaves.first, !winner.deleted, !before.live.isEmpty,
      before.live.contains(winner.rev), !clauses.contains("PURGE-003")
    {
      clauses.append("WIN-006")
    }
    // The remaining state after a purge is also visible in the following operation.
    if before.names.last?.hasPrefix("purge") ?? false, before.live.isEmpty, !before.dead.isEmpty,
      !clauses.contains("PURGE-007")
    {
      clauses.append("PURGE-007")
    }
    // The requests at the end show every stub revision.
    if after.hasStubs, !clauses.contains("COMP-002") { clauses.append("REC-003") }
    return clauses
  }

  private var ofCreate: [ClauseID] {
    guard isOK else { return ["EDIT-003"] }
    if before.isKnown { return ["EDIT-004", "TREE-016"] }
    return before.gone.isEmpty ? ["EDIT-001"] : ["PURGE-004", "EDIT-001"]
  }

  private func ofEdit(_ rev: RevisionID, isDelete: Bool) -> [ClauseID] {
    if !before.isKnown { return ["EDIT-009"] }
    let isLeaf = before.leaves.contains { $0.rev == rev }
    if isDebated { return [isLeaf ? "EDIT-010" : "EDIT-011"] }
    guard isOK else { return [before.inner.contains(rev) ? "EDIT-007" : "EDIT-008"] }
    var clauses: [ClauseID] = ["EDIT-005"]
    if before.live.count > 1 { clauses.append("EDIT-006") }
    if isDelete {
      clauses.append("EDIT-012")
      if before.leaves.count > 1 { clauses.append("EDIT-013") }
      if before.live.count == 2 { clauses.append("CONF-003") }
    }
    return clauses
  }

  private var ofArrival: [ClauseID] {
    if last == "insert-purged" { return ["PURGE-008"] }
    if last.hasPrefix("again") { return ["TREE-006"] }
    if last.hasSuffix("root") { return before.isKnown ? ["TREE-003"] : ["TREE-001"] }
    if last.hasSuffix("join") { return ["TREE-005", "TREE-001"] }
    let continuesDead = last.contains("child") && before.dead.count > after.dead.count
    var clauses: [ClauseID] = ["TREE-001"]
    if last.hasSuffix("branch") { clauses.append("CONF-001") } else { clauses.append("TREE-002") }
    if continuesDead { clauses.append("TREE-016") }
    return clauses
  }

  private func ofResolve(hasBody: Bool) -> [ClauseID] {
    if before.live.isEmpty { return ["CONF-008"] }
    guard isOK else { return ["CONF-006"] }
    var clauses: [ClauseID] = [hasBody ? "CONF-005" : "CONF-004"]
    if before.live.count == 1, !hasBody { clauses = ["CONF-011"] }
    if before.live.count > 1, !hasBody { clauses.append("CONF-007") }
    if !before.dead.isEmpty { clauses.append("CONF-009") }
    return clauses
  }

  private func ofPurge(_ revs: [RevisionID]) -> [ClauseID] {
    if !before.leaves.contains(where: { revs.contains($0.rev) }) { return ["PURGE-005"] }
    guard after.isKnown else { return ["PURGE-004", "PURGE-001", "PURGE-006"] }
    var clauses: [ClauseID] = ["PURGE-001", "PURGE-002", "PURGE-006"]
    if before.leaves.first.map({ revs.contains($0.rev) }) ?? false {
      clauses.insert("PURGE-003", at: 0)
    }
    if !before.live.isEmpty, after.live.isEmpty { clauses.insert("PURGE-007", at: 0) }
    return clauses
  }
}
