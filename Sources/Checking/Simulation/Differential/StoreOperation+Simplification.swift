internal import Datastore
internal import JSON

extension StoreOperation {
  /// Simpler operations, the simplest first; no operation is among its own simplifications.
  var simplifications: [StoreOperation] { action.simplifications.map { StoreOperation(store, $0) } }
}

extension StoreAction {
  fileprivate var simplifications: [StoreAction] {
    switch self {
    case .open(nil, nil): []
    case .open(let revisionIDs?, let collation?):
      [.open(), .open(revisionIDs: revisionIDs), .open(collation: collation)]
    case .open: [.open()]
    case .create(let id, let body): body.simplifications.map { .create(id: id, body: $0) }
    case .update(let id, let rev, let body):
      body.simplifications.map { .update(id: id, rev: rev, body: $0) }
    case .insertRevisions(let records):
      records.shortenings.map { .insertRevisions($0) }
        + records.replacements { $0.simplifications }.map { .insertRevisions($0) }
    case .revsDiff(let queries):
      queries.shortenings.map { .revsDiff($0) }
        + queries.replacements { $0.simplifications }.map { .revsDiff($0) }
    case .getRevisions(let queries):
      queries.shortenings.map { .getRevisions($0) }
        + queries.replacements { $0.simplifications }.map { .getRevisions($0) }
    case .batch(let writes):
      writes.shortenings.map { .batch($0) }
        + writes.replacements { $0.simplifications }.map { .batch($0) }
    case .purge(let id, let revs): revs.shortenings.map { .purge(id: id, revs: $0) }
    case .delete(let id, let rev, .some): [.delete(id: id, rev: rev)]
    case .read(let id, .some): [.read(id: id)]
    case .resolve(let id, let leaves, let keep, .some):
      [.resolve(id: id, leaves: leaves, keep: keep)]
    case .attaching(let attachments, let write):
      attachments.shortenings.map { .attaching($0, to: write) }
        + (attachments.isEmpty ? [write] : [])
        + attachments.replacements { $0.simplifications }.map { .attaching($0, to: write) }
        + write.simplifications.map { .attaching(attachments, to: $0) }
    case .readAttachment(let id, let rev, let name, let offset, let limit):
      (rev == nil ? [] : [.readAttachment(id: id, name: name, offset: offset, limit: limit)])
        + (offset == nil ? [] : [.readAttachment(id: id, rev: rev, name: name, limit: limit)])
        + (limit == nil ? [] : [.readAttachment(id: id, rev: rev, name: name, offset: offset)])
    case .changes(nil, nil): []
    case .changes(let since?, let limit?): [.changes(limit: limit), .changes(since: since)]
    case .changes: [.changes()]
    case .list(let from, let limit, let descending):
      (from == nil ? [] : [.list(limit: limit, descending: descending)])
        + (limit == nil ? [] : [.list(from: from, descending: descending)])
        + (descending ? [.list(from: from, limit: limit)] : [])
    case .finding(.find(let request)): request.simplifications.map { .finding(.find($0)) }
    case .finding(.createIndex(let definition)):
      definition.fields.shortenings.filter { !$0.isEmpty }.map { fields in
        .finding(.createIndex(IndexDefinition(definition.name, definition.type, fields: fields)))
      }
    default: []
    }
  }
}

extension FindRequest {
  fileprivate var simplifications: [FindRequest] {
    var simpler: [FindRequest] = []
    func change(_ change: (inout FindRequest) -> Void) {
      var changed = self
      change(&changed)
      if changed != self { simpler.append(changed) }
    }
    change { $0.fields = nil }
    change { $0.limit = nil }
    change { $0.skip = nil }
    for sort in sort.shortenings { change { $0.sort = sort } }
    for selector in selector.parts { change { $0.selector = selector } }
    return simpler
  }
}

extension JSONValue {
  /// The parts of a selector, and the selector without a part or with a simplified one.
  fileprivate var parts: [JSONValue] {
    switch self {
    case .array(let elements):
      return (elements.shortenings + elements.replacements { $0.parts }).map { .array($0) }
    case .object(let object):
      let inner = object.members.filter { $0.name.utf8.first == UInt8(ascii: "$") }.flatMap {
        ($0.value.arrayValue ?? [$0.value]).filter { $0.objectValue != nil }
      }
      let changed =
        object.members.shortenings
        + object.members.replacements { member in
          member.value.parts.map { JSONObject.Member(member.name, $0) }
        }
      return inner
        + changed.map { .object(JSONObject($0.map { ($0.name, $0.value) })) }
    default: return []
    }
  }
}

extension RevisionRecord {
  fileprivate var simplifications: [RevisionRecord] {
    var simpler: [RevisionRecord] = []
    if path.count > 1 { simpler.append(changed { $0.path.removeLast() }) }
    if deleted { simpler.append(changed { $0.deleted = false }) }
    let sets = attachments.shortenings + attachments.replacements { $0.simplifications }
    return simpler + sets.map { set in changed { $0.attachments = set } }
      + body.simplifications.map { body in changed { $0.body = body } }
  }

  private func changed(_ change: (inout RevisionRecord) -> Void) -> RevisionRecord {
    var changed = self
    change(&changed)
    return changed
  }
}

extension RevisionAttachment {
  /// The attachment with fewer members.
  fileprivate var simplifications: [RevisionAttachment] {
    var simpler: [RevisionAttachment] = []
    func drop<Value>(_ member: WritableKeyPath<RevisionAttachment, Value?>) {
      guard self[keyPath: member] != nil else { return }
      var changed = self
      changed[keyPath: member] = nil
      simpler.append(changed)
    }
    drop(\.type)
    drop(\.length)
    drop(\.revpos)
    drop(\.encodedLength)
    if content != .chunks { drop(\.digest) }
    return simpler
  }
}

extension RevisionQuery {
  fileprivate var simplifications: [RevisionQuery] {
    let simpler = revs.shortenings.map {
      RevisionQuery(id: id, revs: $0, latest: latest, attachmentsSince: attachmentsSince)
    }
    guard let attachmentsSince else { return simpler }
    return [RevisionQuery(id: id, revs: revs, latest: latest)] + simpler
      + attachmentsSince.shortenings.map {
        RevisionQuery(id: id, revs: revs, latest: latest, attachmentsSince: $0)
      }
  }
}

extension JSONValue {
  /// The empty body, bodies with a shorter text, and bodies without one member.
  fileprivate var simplifications: [JSONValue] {
    guard let object = objectValue, !object.isEmpty else { return [] }
    let shorter = object.members.replacements { member in
      member.value.shorterTexts.map { JSONObject.Member(member.name, $0) }
    }
    let fewer = object.members.shortenings.dropFirst(object.count == 1 ? 1 : 0)
    return [[:]]
      + (shorter + fewer).map { members in
        .object(JSONObject(members.map { ($0.name, $0.value) }))
      }
  }
}

extension JSONValue {
  /// Prefixes of a long text; empty for a short one.
  fileprivate var shorterTexts: [JSONValue] {
    guard case .string(let text) = self, text.utf8.count > 4096 else { return [] }
    let count = text.string.unicodeScalars.count
    return [count / 2, count - count / 8].map {
      var scalars = String.UnicodeScalarView()
      scalars.append(contentsOf: text.string.unicodeScalars.prefix($0))
      return .text(String(scalars))
    }
  }
}

extension Array {
  /// The halves of a long array, and the arrays without one element.
  fileprivate var shortenings: [[Element]] {
    (count > 8 ? [Array(prefix(count / 2)), Array(suffix(count / 2))] : []) + shorterByOne
  }

  private var shorterByOne: [[Element]] {
    indices.map { place in
      var shorter = self
      shorter.remove(at: place)
      return shorter
    }
  }

  /// The arrays with one element replaced.
  fileprivate func replacements(_ simpler: (Element) -> [Element]) -> [[Element]] {
    indices.flatMap { place in
      simpler(self[place]).map { element in
        var replaced = self
        replaced[place] = element
        return replaced
      }
    }
  }
}
