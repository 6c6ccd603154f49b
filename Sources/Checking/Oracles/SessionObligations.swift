internal import Datastore
internal import JSON

/// Checks that the target has what a session owes it: all changes up to a checkpoint, and at the end
/// of a complete session all changes of its feed. A session starts only at a position that a
/// checkpoint of the same two stores and filter has reached.
///
/// Each page of changes is an obligation: each of its leaves must be at the target, or was rejected
/// there, or is gone from the source, or does not pass the filter, or was superseded by newer
/// leaves that fulfil the same. A saved sequence must be the end of a page, with all obligations of
/// it and of the earlier pages fulfilled. A complete session has received the last page, and has
/// fulfilled all obligations. A stopped session saves a sequence if several pages are fulfilled.
struct SessionObligations: Oracle {
  private var sessions: [Int: Session] = [:]
  /// The positions of valid checkpoints.
  private var safe: [Pair: [Position]] = [:]
  private var moment = 0
  private var copies: [Int: Int] = [:]

  /// The key of a checkpoint: two incarnations and a filter.
  private struct Pair: Hashable {
    var source: JSONString
    var target: JSONString
    var filter: Filter?
  }

  private struct Position {
    var sequence: UpdateSequence
    var moment: Int
    var source: Int
    var target: Int
  }

  private struct Session {
    var facts: SessionFacts
    var source: JSONString?
    var target: JSONString?
    /// The last known incarnation of each side, even if it was destroyed since.
    var told: [Bool: JSONString] = [:]
    var hasStarted = false
    /// Whether one of its stores was destroyed during the session: no later session looks for its
    /// checkpoints.
    var isVoid = false
    /// Pages that no checkpoint has passed.
    var pages: [Page] = []
    /// Whether the last page that it received is the last one of the feed.
    var isAtEnd = false
    /// Whether it has tried to save a checkpoint.
    var hasSaved = false
    var refused: Set<RevisionKey> = []
    /// Each response of the source to a request for revisions.
    var given: [[RevisionAnswer]] = []
    /// Each response of the target about missing revisions.
    var lacking: [(asked: [RevisionQuery], found: [Difference])] = []

    /// Whether the target reported that it has the revision.
    func saysTargetHas(_ key: RevisionKey) -> Bool {
      lacking.contains { question in
        question.asked.contains { $0.id == key.id && $0.revs.contains(key.rev) }
          && !question.found.contains { $0.id == key.id && $0.missing.contains(key.rev) }
      }
    }
  }

  private struct Page {
    var since: UpdateSequence?
    var last: UpdateSequence
    var leaves: [RevisionKey]
  }

  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    moment += 1
    switch observation {
    case .sessionBegan(let number, let facts):
      // The harness cannot observe what such a session does to its own store.
      if !facts.isHalfSeen { sessions[number] = Session(facts: facts) }
    case .sessionEnded(let number, let end):
      guard let session = sessions.removeValue(forKey: number) else { return nil }
      return checkEnd(session, end, history: history)
    case .client(let replica, _, let operation, let outcome):
      if case .destroy = operation.action, outcome.errorKind == nil {
        for (number, session) in sessions
        where session.facts.source == replica || session.facts.target == replica {
          if session.hasStarted {
            sessions[number]?.isVoid = true
          } else if session.facts.source == replica {
            // A later `info` may identify the store again.
            sessions[number]?.source = nil
          } else {
            sessions[number]?.target = nil
          }
        }
      }
    case .copied(let replica): copies[replica] = moment
    case .restored(let replica):
      let past = copies[replica] ?? 0
      for pair in safe.keys {
        safe[pair]?.removeAll {
          $0.moment > past && ($0.source == replica || $0.target == replica)
        }
      }
    case .received(let number, let since, let page):
      guard var session = sessions.removeValue(forKey: number) else { return nil }
      defer { sessions[number] = session }
      return turn(to: page, since, &session)
    case .session(let number, _, let operation, .error) where operation.action.isLocalWrite:
      sessions[number]?.hasSaved = true
    case .session(let number, let isSource, let operation, .ok(let result)):
      guard var session = sessions.removeValue(forKey: number) else { return nil }
      defer { sessions[number] = session }
      return note(operation.action, result, isSource: isSource, session: &session, history: history)
    // An unacknowledged revision may have been stored nevertheless.
    case .session(let number, false, let operation, .unknown):
      guard var session = sessions.removeValue(forKey: number) else { return nil }
      defer { sessions[number] = session }
      return checkSave(operation.action, &session, history: history)
    default: break
    }
    return nil
  }

  private mutating func note(
    _ action: StoreAction, _ result: OperationResult, isSource: Bool, session: inout Session,
    history: History
  ) -> OracleFinding? {
    switch (action, result) {
    case (.info, .info(let info)):
      guard !session.hasStarted else { return nil }
      if isSource { session.source = info.incarnation } else { session.target = info.incarnation }
      // The order in which two responses arrived is unknown.
      let other = session.told.updateValue(info.incarnation, forKey: isSource)
      if let other, other != info.incarnation { session.isVoid = true }
    case (.getRevisions, .revisions(let answers)) where isSource:
      session.given.append(answers)
    case (.revsDiff(let queries), .revsDiff(let found)) where !isSource:
      session.lacking.append((queries, found))
    case (.insertRevisions(let records), .inserted(let errors)):
      for (record, error) in zip(records, errors) where error?.kind == .forbidden {
        if let rev = record.path.first {
          session.refused.insert(RevisionKey(id: record.id, rev: rev))
        }
      }
    case (.writeLocal, _): return checkSave(action, &session, history: history)
    default: break
    }
    return nil
  }

  private func turn(
    to page: ChangesPage, _ since: UpdateSequence?, _ session: inout Session
  ) -> OracleFinding? {
    let leaves = page.rows.flatMap { row in
      row.leaves.filter { Self.mayPass(session.facts.filter, row.id, leaf: $0) }
        .map { RevisionKey(id: row.id, rev: $0.rev) }
    }
    // A session that reads again from an earlier position gets the current changes: rows that have
    // left the feed since the first response are no longer obligations.
    if let place = session.pages.firstIndex(where: { $0.since == since }) {
      session.pages.removeSubrange(place...)
    }
    session.pages.append(Page(since: since, last: page.last, leaves: leaves))
    session.isAtEnd = !page.more
    guard !session.hasStarted else { return nil }
    session.hasStarted = true
    return since.flatMap { checkStart($0, session) }
  }

  private func checkStart(_ since: UpdateSequence, _ session: Session) -> OracleFinding? {
    guard !session.isVoid, let source = session.source, let target = session.target
    else { return nil }
    let pair = Pair(source: source, target: target, filter: session.facts.filter)
    guard let positions = safe[pair], positions.contains(where: { $0.sequence == since })
    else {
      return .unknownStart(session: session.facts.name, since: since)
    }
    return nil
  }

  private mutating func checkSave(
    _ action: StoreAction, _ session: inout Session, history: History
  ) -> OracleFinding? {
    session.hasSaved = session.hasSaved || action.isLocalWrite
    guard case .writeLocal(_, let body?) = action,
      let newest = body.objectValue?["history"]?.arrayValue?.first?.objectValue,
      let json = newest["recorded"], let recorded = try? UpdateSequence(json, path: "recorded"),
      newest["session"]?.textValue != nil, let source = session.source ?? session.told[true],
      let target = session.target ?? session.told[false]
    else { return nil }
    let pair = Pair(source: source, target: target, filter: session.facts.filter)
    // If it is unknown whether the store was destroyed, it may still exist and have this
    // checkpoint.
    guard !session.isVoid else {
      safe[pair, default: []].append(
        Position(
          sequence: recorded, moment: moment, source: session.facts.source,
          target: session.facts.target))
      return nil
    }
    if safe[pair]?.contains(where: { $0.sequence == recorded }) == true { return nil }
    guard let place = session.pages.lastIndex(where: { $0.last == recorded }) else {
      return .unknownCheckpoint(session: session.facts.name, recorded: recorded)
    }
    for page in session.pages[...place] {
      for key in page.leaves where !isFulfilled(key, session, history: history, depth: 0) {
        return .earlyCheckpoint(
          session: session.facts.name, recorded: recorded, key.id, key.rev,
          target: history.replicas[session.facts.target])
      }
    }
    // A delayed save may still arrive, so the ends of all pages up to here are valid.
    for page in session.pages[...place] {
      safe[pair, default: []].append(
        Position(
          sequence: page.last, moment: moment, source: session.facts.source,
          target: session.facts.target))
    }
    session.pages.removeSubrange(...place)
    return nil
  }

  /// The number of complete pages from which a stopped session must save a checkpoint. It has
  /// requested a further page by then, so that it knows that the first one is complete.
  private static let pagesToSave = 2

  private func checkEnd(
    _ session: Session, _ end: SessionEnd, history: History
  ) -> OracleFinding? {
    guard session.hasStarted, !session.isVoid else { return nil }
    let name = session.facts.name
    if end.isStoppedCleanly, !session.hasSaved, session.pages.count > Self.pagesToSave {
      let keys = session.pages.prefix(Self.pagesToSave).flatMap(\.leaves)
      if keys.allSatisfy({ isFulfilled($0, session, history: history, depth: 0) }) {
        return .forgottenProgress(session: name)
      }
    }
    guard end.isComplete else { return nil }
    guard session.isAtEnd else { return .unreadFeed(session: name) }
    for key in session.pages.flatMap(\.leaves)
    where !isFulfilled(key, session, history: history, depth: 0) {
      return .incompleteCopy(
        session: name, key.id, key.rev, target: history.replicas[session.facts.target])
    }
    return nil
  }

  private func isFulfilled(
    _ key: RevisionKey, _ session: Session, history: History, depth: Int
  ) -> Bool {
    // The first condition is rare, and is checked first.
    if history.known[session.facts.target].contains(key) || session.refused.contains(key)
      || session.saysTargetHas(key)
    {
      return true
    }
    guard depth < 2 else { return false }
    return session.given.joined().contains { answer in
      guard answer.rev == key.rev, answer.id == key.id else { return false }
      switch answer.found {
      case .missing: return true
      case .bodyMissing: return false
      case .records(let records):
        return !records.isEmpty
          && records.allSatisfy { record in
            guard let rev = record.path.first else { return false }
            if !Self.passes(session.facts.filter, record) { return true }
            let newer = RevisionKey(id: record.id, rev: rev)
            return newer != key && isFulfilled(newer, session, history: history, depth: depth + 1)
          }
      }
    }
  }

  private static func mayPass(_ filter: Filter?, _ id: DocumentID, leaf: Leaf) -> Bool {
    switch filter {
    case .documentIDs(let ids): ids.contains(id)
    case .live: !leaf.deleted
    case .bodyFieldEquals, .selector, nil: true
    }
  }

  private static func passes(_ filter: Filter?, _ record: RevisionRecord) -> Bool {
    switch filter {
    case .documentIDs(let ids): ids.contains(record.id)
    case .live: !record.deleted
    case .bodyFieldEquals(let field, let value):
      record.body.objectValue?[field]?.isSameValue(as: value) == true
    case .selector(let selector): selector.selects(record)
    case nil: true
    }
  }
}

extension StoreAction {
  /// Whether the action writes a local document, as a session does to save a checkpoint.
  fileprivate var isLocalWrite: Bool {
    if case .writeLocal = self { true } else { false }
  }
}
