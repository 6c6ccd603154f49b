/// What one operation did to, or showed of, one document.
enum DocumentEvent {
  typealias Number = RevisionNames.Number
  typealias DocumentNumber = RevisionNames.DocumentNumber

  // Writes that succeeded, or that may have.
  case create(DocumentNumber, Number)
  /// A child of a leaf.
  case edit(Number, child: Number, isDeleted: Bool)
  /// The newest revision first.
  case insert([Number], isDeleted: Bool)
  /// The tombstones are of the leaves other than the kept one, in their order.
  case resolve(DocumentNumber, leaves: [Number], keep: Number, child: Number?, tombstones: [Number])
  /// The removed leaves are nil if no response arrived.
  case purge(DocumentNumber, [Number], removed: [Number]?)
  case compact
  case limitHistory
  case writeLocal(DocumentNumber, Int32)

  // Writes that were rejected.
  case createConflict(DocumentNumber)
  case editRefused(DocumentNumber, Number, Refusal)
  case resolveConflict(DocumentNumber, [Number])

  // Reads.
  /// Exactly these leaves, the winner first; the flags say which are deleted.
  case leaves(DocumentNumber, [Number], deleted: [Bool])
  /// As `leaves`, or the document is unknown.
  case leavesOrUnknown(DocumentNumber, [Number], deleted: [Bool])
  case unknownDocument(DocumentNumber)
  /// The revision is the live winner.
  case winner(DocumentNumber, Number)
  /// One of the revisions is the live winner.
  case winnerAmong(DocumentNumber, Set<Number>)
  /// None of the revisions is the live winner.
  case winnerNotAmong(DocumentNumber, Set<Number>)
  /// Unknown, or all leaves are deleted.
  case notLive(DocumentNumber)
  case deletedDocument(DocumentNumber)
  /// A revision with its body.
  case revision(Number, isDeleted: Bool?)
  case noRevision(Number)
  case noBody(Number)
  case known(Number)
  case readLocal(DocumentNumber, Int32)
  /// The numbers of live and of deleted documents.
  case counts(live: Int64, deleted: Int64)

  /// An outcome that no order of operations explains.
  case impossible

  enum Refusal {
    case conflict
    case missing
    case deleted
  }

  /// Whether the event never changes a document.
  var isRead: Bool {
    switch self {
    case .create, .edit, .insert, .resolve, .purge, .compact, .limitHistory, .writeLocal: false
    default: true
    }
  }

  /// Whether the event names no single document.
  var concernsAll: Bool {
    switch self {
    case .compact, .limitHistory, .counts: true
    default: false
    }
  }
}

extension DocumentEvent {
  /// A revision, or a value of a local document.
  enum Thing: Hashable {
    case revision(Number)
    case value(DocumentNumber, Int32)
  }

  /// What some other event must have made.
  var needs: [Thing] {
    switch self {
    case .edit(let rev, _, _), .editRefused(_, let rev, _), .winner(_, let rev),
      .revision(let rev, _), .noRevision(let rev), .noBody(let rev), .known(let rev):
      [.revision(rev)]
    case .resolve(_, let revs, _, _, _), .resolveConflict(_, let revs), .leaves(_, let revs, _),
      .leavesOrUnknown(_, let revs, _):
      revs.map { .revision($0) }
    case .purge(_, _, let removed): (removed ?? []).map { .revision($0) }
    case .winnerAmong(_, let revs), .winnerNotAmong(_, let revs): revs.map { .revision($0) }
    case .readLocal(let document, let value): value < 0 ? [] : [.value(document, value)]
    default: []
    }
  }

  /// The new things.
  var makes: [Thing] {
    switch self {
    case .create(_, let rev), .edit(_, let rev, _): [.revision(rev)]
    case .insert(let path, _): path.prefix(1).map { .revision($0) }
    case .resolve(_, _, _, let child, let tombstones):
      ((child.map { [$0] } ?? []) + tombstones).map { .revision($0) }
    case .writeLocal(let document, let value): [.value(document, value)]
    default: []
    }
  }
}

extension DocumentForest {
  /// Performs or verifies an event; returns false, possibly with changes, if it contradicts the state.
  mutating func admit(_ event: DocumentEvent) -> Bool {
    switch event {
    case .create(let document, let rev):
      guard !isWinnerLive(document), !has(rev, .present) else { return false }
      let parent = winner(document) ?? Self.none
      guard names.generations[Int(rev)] == generation(parent) + 1 else { return false }
      add(rev, below: parent, isDeleted: false)
      return true
    case .edit(let parent, let child, let isDeleted):
      guard isLeaf(parent), !has(child, .present),
        names.generations[Int(child)] == generation(parent) + 1
      else { return false }
      add(child, below: parent, isDeleted: isDeleted)
      return true
    case .insert(let path, let isDeleted):
      merge(path, isDeleted: isDeleted)
      return true
    case .resolve(let document, let asked, let keep, let child, let tombstones):
      return resolve(document, asked, keep: keep, child: child, tombstones: tombstones)
    case .purge(let document, let asked, let removed):
      if let removed, Set(asked.filter { isLeaf($0) }) != Set(removed) { return false }
      purge(asked, of: document)
      return true
    case .compact:
      compact()
      return true
    case .limitHistory:
      limit()
      return true
    case .writeLocal(let document, let value):
      setLocal(document, value)
      return true
    default: return agrees(with: event)
    }
  }

  private mutating func resolve(
    _ document: DocumentNumber, _ asked: [Number], keep: Number, child: Number?,
    tombstones: [Number]
  ) -> Bool {
    guard isLiveLeaves(asked, of: document), asked.contains(keep) else { return false }
    let losers = asked.filter { $0 != keep }
    guard losers.count == tombstones.count else { return false }
    if let child {
      guard !has(child, .present), names.generations[Int(child)] == generation(keep) + 1 else {
        return false
      }
      add(child, below: keep, isDeleted: false)
    }
    for (loser, tombstone) in zip(losers, tombstones) {
      guard !has(tombstone, .present) else { return false }
      add(tombstone, below: loser, isDeleted: true)
    }
    return true
  }

  private func generation(_ rev: Number) -> Int64 {
    rev == Self.none ? 0 : names.generations[Int(rev)]
  }

  private func isLiveLeaves(_ asked: [Number], of document: DocumentNumber) -> Bool {
    let live = leaves[Int(document)].filter { isLive($0) }
    return !live.isEmpty && live.count == Set(asked).count && asked.allSatisfy(live.contains)
  }

  /// Whether a read or a rejection agrees with the state.
  func agrees(with event: DocumentEvent) -> Bool {
    switch event {
    case .createConflict(let document): return isWinnerLive(document)
    case .editRefused(let document, let rev, let refusal):
      guard exists(document) else { return refusal != .deleted }
      if isLeaf(rev) { return !isLive(rev) && refusal != .missing }
      return refusal == .conflict || refusal == .deleted && !isWinnerLive(document)
    case .resolveConflict(let document, let asked): return !isLiveLeaves(asked, of: document)
    case .leaves(let document, let revs, let deleted):
      let actual = leaves[Int(document)]
      return actual.count == revs.count && !revs.isEmpty && mayWin(revs[0])
        && zip(revs, deleted).allSatisfy { isLeaf($0) && isLive($0) != $1 }
    case .leavesOrUnknown(let document, let revs, let deleted):
      return !exists(document) || agrees(with: .leaves(document, revs, deleted: deleted))
    case .unknownDocument(let document): return !exists(document)
    case .winner(_, let rev): return isLive(rev) && mayWin(rev)
    case .winnerAmong(let document, let revs):
      return leaves[Int(document)].contains { isLive($0) && revs.contains($0) && mayWin($0) }
    case .winnerNotAmong(let document, let revs):
      return !isWinnerLive(document)
        || leaves[Int(document)].contains { isLive($0) && !revs.contains($0) && mayWin($0) }
    case .notLive(let document): return !isWinnerLive(document)
    case .deletedDocument(let document): return exists(document) && !isWinnerLive(document)
    case .revision(let rev, let isDeleted):
      guard has(rev, .present) else { return false }
      if isLeaf(rev), let isDeleted { return isLive(rev) != isDeleted }
      return has(rev, .body) || has(rev, .perhapsBody)
    case .noRevision(let rev): return !has(rev, .present) || isLimited && !isLeaf(rev)
    case .noBody(let rev):
      return has(rev, .present) && !has(rev, .body)
        || isLimited && !isLeaf(rev)
    case .known(let rev): return has(rev, .present)
    case .readLocal(let document, let value): return local(document) == value
    case .counts(let live, let deleted):
      var found: (live: Int64, deleted: Int64) = (0, 0)
      for document in leaves.indices where !leaves[document].isEmpty {
        if isWinnerLive(DocumentNumber(document)) { found.live += 1 } else { found.deleted += 1 }
      }
      return found == (live, deleted)
    default: return false
    }
  }
}
