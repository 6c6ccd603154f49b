internal import Datastore
internal import JSON

/// Checks that equal revision ids have equal contents on every replica.
///
/// Two replicas that give one id to two different edits never exchange them: each edit exists on its
/// own replica only, and no later session detects it. Only ids that a store chose are compared,
/// because clients may insert any content under any id.
///
/// The reverse, two ids for equal edits of one parent, is a needless conflict and no violation. It
/// is counted as lost convergence, except between products whose ids for one edit differ.
struct RevisionContents: Oracle {
  /// The first known content of each revision whose id a store chose.
  private(set) var sightings: [RevisionKey: Sighting] = [:]
  /// Leaves that clients inserted with `insertRevisions`.
  private var inserted: Set<RevisionKey> = []
  private var edits: [Place: [Edit]] = [:]
  /// The revisions with several contents, as declared.
  private(set) var shared: [RevisionKey: ContentFlaw] = [:]
  /// The first content of each recreation whose outcome a declared deviation explains.
  private var recreations: [RevisionKey: RevisionContent] = [:]
  /// The number of edits that have another id than an equal edit of the same parent on another
  /// replica.
  private(set) var lostConvergence = 0

  struct Sighting {
    var replica: Int
    var content: RevisionContent
  }

  /// The parent of an edit; nil for the first revision of a document.
  private struct Place: Hashable {
    var id: DocumentID
    var parent: RevisionID?
  }

  private struct Edit {
    var replica: Int
    var rev: RevisionID
    var content: RevisionContent
  }

  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    switch observation {
    case .client(let replica, _, let operation, let outcome):
      if case .insertRevisions(let records) = operation.action {
        insert(records)
        return nil
      }
      guard case .ok(let result) = outcome else { return nil }
      return write(operation.action, result, at: replica, history: history)
        ?? read(result, at: replica, history)
    case .session(let session, let isSource, _, .ok(let result)):
      guard let facts = history.sessions[session] else { return nil }
      return read(result, at: isSource ? facts.source : facts.target, history)
    default: return nil
    }
  }

  private mutating func insert(_ records: [RevisionRecord]) {
    for record in records {
      guard let rev = record.path.first else { continue }
      let key = RevisionKey(id: record.id, rev: rev)
      inserted.insert(key)
      sightings[key] = nil
    }
  }

  // MARK: Writes

  private mutating func write(
    _ action: StoreAction, _ result: OperationResult, at replica: Int, history: History
  ) -> OracleFinding? {
    var (write, said): (StoreAction, [RevisionAttachment]?) = (action, nil)
    if case .attaching(let attachments, let inner) = action { (write, said) = (inner, attachments) }
    let digests = { [ledger = history.ledger] (attachment: RevisionAttachment) in
      ledger.knownDigest(of: attachment)
    }
    let attachments = RevisionContent.Attachment.all(said ?? [], digest: digests)
    switch (write, result) {
    case (.create(_, let body), .written(let id, let rev)):
      let content = RevisionContent(deleted: false, body: body, attachments: attachments)
      // A created document may continue a tombstone that the client did not name.
      let place = rev.generation == 1 ? Place(id: id, parent: nil) : nil
      return note(
        content, RevisionKey(id: id, rev: rev), place: place, at: replica, history: history)
    case (.update(_, let parent, let body), .written(let id, let rev)):
      let content = RevisionContent(deleted: false, body: body, attachments: attachments)
      let place = Place(id: id, parent: parent)
      return note(
        content, RevisionKey(id: id, rev: rev), place: place, at: replica, history: history)
    case (.delete(_, let parent, let body), .written(let id, let rev)):
      let content = RevisionContent(deleted: true, body: body ?? [:], attachments: [:])
      let place = Place(id: id, parent: parent)
      return note(
        content, RevisionKey(id: id, rev: rev), place: place, at: replica, history: history)
    case (.resolve(let id, _, let keep, let body?), .resolved(let rev, _)):
      // Without attachments in the request the child has those of the kept leaf.
      let content = RevisionContent(
        deleted: false, body: body, attachments: said == nil ? nil : attachments)
      let place = Place(id: id, parent: keep)
      return note(
        content, RevisionKey(id: id, rev: rev), place: place, at: replica, history: history)
    default: return nil
    }
  }

  private mutating func note(
    _ content: RevisionContent, _ key: RevisionKey, place: Place?, at replica: Int,
    history: History
  ) -> OracleFinding? {
    if let place {
      let others = edits[place, default: []]
      if !others.isEmpty, !others.contains(where: { $0.rev == key.rev }) {
        let isApart = others.contains { other in
          other.replica != replica && other.content.isEqual(to: content)
            && history.stores[other.replica].makesSameIDs(as: history.stores[replica])
        }
        if isApart { lostConvergence += 1 }
      }
      edits[place, default: []].append(Edit(replica: replica, rev: key.rev, content: content))
    }
    guard !inserted.contains(key) else { return nil }
    guard sightings[key] != nil else {
      sightings[key] = Sighting(replica: replica, content: content)
      return nil
    }
    let cause = declaredFlaw(content, key, place: place, at: replica, history: history)
    if let cause {
      shared[key] = cause
      return nil
    }
    return compare(content, key, at: replica, history: history)
  }

  /// The declared flaw that explains a difference from the first content with this id; nil for none.
  private func declaredFlaw(
    _ content: RevisionContent, _ key: RevisionKey, place: Place?, at replica: Int,
    history: History
  ) -> ContentFlaw? {
    guard let first = sightings[key] else { return nil }
    let declared = history.stores[first.replica].contentFlaws
      .intersection(history.stores[replica].contentFlaws)
    switch first.content.difference(from: content) {
    case .body? where declared.contains(.highBytesOfTexts):
      return first.content.body.hasSameLowBytes(as: content.body) ? .highBytesOfTexts : nil
    case .attachment? where declared.contains(.attachmentsOfRecreations):
      return place == nil && key.rev.generation ?? 1 > 1 ? .attachmentsOfRecreations : nil
    default: return nil
    }
  }

  /// Receives an outcome that a declared deviation explains: it need not name the content that was
  /// written, but several contents may have its revision id.
  mutating func observeDeclared(_ observation: Observation, _ history: History) {
    guard case .client(let replica, _, let operation, .ok(.written(let id, let rev))) = observation,
      history.stores[replica].contentFlaws.contains(.attachmentsOfRecreations),
      let generation = rev.generation, generation > 1,
      case .attaching(let said, .create(_, let body)) = operation.action
    else { return }
    let attachments = RevisionContent.Attachment.all(said) { history.ledger.knownDigest(of: $0) }
    let content = RevisionContent(deleted: false, body: body, attachments: attachments)
    let key = RevisionKey(id: id, rev: rev)
    guard let first = recreations[key] else {
      recreations[key] = content
      return
    }
    if case .attachment? = first.difference(from: content) {
      shared[key] = .attachmentsOfRecreations
    }
  }

  // MARK: Reads

  private mutating func read(
    _ result: OperationResult, at replica: Int, _ history: History
  ) -> OracleFinding? {
    switch result {
    case .document(let document):
      return compare(
        RevisionContent(document, hasDigests: history.stores[replica].hasDigests),
        RevisionKey(id: document.id, rev: document.rev), at: replica,
        history: history)
    case .revisions(let answers):
      for answer in answers {
        guard case .records(let records) = answer.found else { continue }
        for record in records {
          guard let rev = record.path.first else { continue }
          let key = RevisionKey(id: record.id, rev: rev)
          let content = RevisionContent(record, hasDigests: history.stores[replica].hasDigests)
          if let finding = compare(content, key, at: replica, history: history) { return finding }
        }
      }
      return nil
    default: return nil
    }
  }

  /// Compares a content with the first one under the same id, and records what that one lacks.
  private mutating func compare(
    _ content: @autoclosure () -> RevisionContent, _ key: RevisionKey, at replica: Int,
    history: History
  ) -> OracleFinding? {
    // Most revisions of large imports are unknown here.
    guard let first = sightings[key], shared[key] == nil, !history.exempt.contains(key.id) else {
      return nil
    }
    let content = content()
    // The ids of the store that chose this one determine which contents are equal.
    let revisionIDs = history.stores[first.replica].revisionIDs
    let covered = content.covered(by: revisionIDs)
    guard let aspect = first.content.covered(by: revisionIDs).difference(from: covered) else {
      if first.content.attachments == nil {
        sightings[key]?.content.attachments = content.attachments
      }
      return nil
    }
    return .unequalContents(
      key.id, key.rev, aspect, left: history.replicas[first.replica],
      right: history.replicas[replica])
  }
}

extension JSONValue {
  /// Whether the values differ at most in the high bytes of the UTF-16 code units of texts.
  fileprivate func hasSameLowBytes(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.hasSameLowBytes(as: right)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.hasSameLowBytes(as: $1) }
    case (.object(let left), .object(let right)):
      left.members.count == right.members.count
        && left.members.allSatisfy { member in
          right.members.contains {
            member.name.hasSameLowBytes(as: $0.name) && member.value.hasSameLowBytes(as: $0.value)
          }
        }
    default: isSameValue(as: other)
    }
  }
}

extension JSONString {
  fileprivate func hasSameLowBytes(as other: JSONString) -> Bool {
    string.utf16.elementsEqual(other.string.utf16) { $0 & 0xff == $1 & 0xff }
  }
}
