internal import Datastore
internal import JSON

// Arguments of operations.

extension OperationGenerator {
  mutating func document(_ store: StoreName) -> DocumentID {
    random.pick(workload.documents + (knowledge.madeDocuments[store] ?? []).suffix(2)) ?? "d"
  }

  /// Mostly a known revision, preferably a recent one.
  mutating func revision(_ id: DocumentID, _ store: StoreName) -> RevisionID {
    let key = Knowledge.Key(store: store, id: id)
    let leaves = (knowledge.leaves[key] ?? []).map { $0.rev }
    let seen = knowledge.revisions[key] ?? []
    let known: RevisionID? =
      switch random.below(8) {
      case 0, 1, 2: random.pick(leaves)
      case 3, 4: random.pick(Array(seen.suffix(3)))
      case 5, 6: random.pick(seen)
      default: nil
      }
    return known ?? freshRevision(Int64(random.below(Int(workload.generationMax))) + 1)
  }

  private mutating func freshRevision(_ generation: Int64) -> RevisionID {
    RevisionID(JSONString("\(generation)-\(random.pick(workload.suffixes) ?? "a")"))
  }

  mutating func sequence(_ store: StoreName) -> UpdateSequence? {
    random.chance(1, in: 3) ? nil : random.pick(knowledge.sequences[store] ?? [])
  }

  mutating func rowLimit() -> Int64? {
    random.chance(1, in: 2) ? nil : Int64(random.below(4))
  }

  mutating func record(_ store: StoreName) -> RevisionRecord {
    let id = document(store)
    let deleted = random.chance(1, in: 4)
    let path = path(Knowledge.Key(store: store, id: id))
    let body = deleted && random.chance(1, in: 2) ? [:] : body()
    let record = RevisionRecord(
      id: id, path: path, deleted: deleted, body: body, attachments: recordAttachments())
    return workload.isHonest ? honest(record, Knowledge.Key(store: store, id: id)) : record
  }

  /// The record with the content of its revision if the store made it: a store may derive ids from
  /// contents, so another content under such an id is forged.
  private mutating func honest(
    _ record: RevisionRecord, _ key: Knowledge.Key
  ) -> RevisionRecord {
    guard let made = knowledge.made[key]?[record.path[0]] else { return record }
    var record = record
    if let made {
      (record.deleted, record.body, record.attachments) = (made.deleted, made.body, [])
    } else {
      // The content is unknown here, so the record has a child of the revision.
      record.path.insert(freshRevision((Self.generation(record.path[0]) ?? 0) + 1), at: 0)
    }
    return record
  }

  /// A history that is new or branches off a known one at any point. Its oldest part may be
  /// missing.
  private mutating func path(_ key: Knowledge.Key) -> [RevisionID] {
    var path: [RevisionID] = []
    if random.chance(3, in: 4), let known = random.pick(knowledge.paths[key] ?? []) {
      path = Array(known.dropFirst(random.below(known.count)))
    } else if random.chance(1, in: 2), let seen = random.pick(knowledge.revisions[key] ?? []) {
      path = [seen]
    }
    if path.isEmpty { path = [freshRevision(Int64(random.below(3)) + 1)] }
    for _ in 0..<random.below(3) {
      let generation = (Self.generation(path[0]) ?? 1) + 1
      guard generation <= workload.generationMax else { break }
      path.insert(freshRevision(generation), at: 0)
    }
    if random.chance(1, in: 3) { path = Array(path.prefix(random.below(path.count) + 1)) }
    if random.chance(1, in: 4) {
      // A longer history than all sent before.
      while let generation = path.last.flatMap({ Self.generation($0) }), generation > 1,
        random.chance(3, in: 4)
      { path.append(freshRevision(generation - 1)) }
    }
    return workload.isHonest ? honest(path, key) : path
  }

  /// The path with the known parents: histories of one document contradict each other only if one
  /// is forged.
  private func honest(_ path: [RevisionID], _ key: Knowledge.Key) -> [RevisionID] {
    var honest = [path[0]]
    for rev in path.dropFirst() {
      switch knowledge.parents[key]?[honest[honest.count - 1]] {
      case .some(.some(let parent)): honest.append(parent)
      // The store has a parent that is unknown here.
      case .some(.none): return honest
      case .none: honest.append(rev)
      }
    }
    return honest
  }

  private static func generation(_ rev: RevisionID) -> Int64? {
    Int64(rev.text.string.prefix { $0 != "-" })
  }

  mutating func body() -> JSONValue {
    if workload.finds, random.chance(7, in: 8) { return soughtBody() }
    if !workload.nearEqualSets.isEmpty { return ["n": 1] }
    if !workload.nearEqual.isEmpty { return random.pick(workload.nearEqual) ?? [:] }
    return anyBody()
  }

  private mutating func anyBody() -> JSONValue {
    switch random.below(8) {
    case 0: [:]
    case 1: ["n": 1.0]
    case 2 where random.chance(1, in: 3): ["__proto__": 1, "constructor": [strangeText()]]
    case 2 where random.chance(1, in: 2): ["t": strangeText(), "e\u{301}": "e\u{301}", "": .null]
    case 2: ["t": "é\u{0}\u{1f600}\"\\/\u{8}", "e\u{301}": "e\u{301}", "": .null]
    case 3 where workload.isExact:
      ["n": .integer(.min), "m": JSONValue(UInt64.max), "x": -0.0, "y": 1.5e-7, "z": 1e21]
    case 3: ["n": .integer(-1 << 53), "m": .integer(1 << 53), "x": -0.0, "y": 1.5e-7, "z": 1e21]
    case 4: ["deep": [[], [:], [["a": [true, false, .null]]], [1, 2, 255], [256, 1]]]
    case 5 where workload.isExact:
      ["b": 1, "a": 2, "\u{0}": ["_x": 0.1], "\u{ff5e}": 1, "\u{1f600}": 2]
    case 5: ["b": 1, "a": 2, "\u{1}": ["_x": 0.1], "\u{ff5e}": 1, "\u{1f600}": 2]
    // Stores may store long ids differently from short ones.
    case 6 where random.chance(1, in: 4):
      ["long": .text(String(repeating: "lang \u{E9} ", count: random.pick([120, 700]) ?? 120))]
    default: ["n": .integer(Int64(random.below(3)))]
    }
  }

  /// A text that programs change if they normalize, escape or convert texts.
  private mutating func strangeText() -> JSONValue {
    random.pick([
      "a &amp; b &#39;", "\r\n\r", Self.noncharacter, "\u{1d400}\u{1d7d8}", "\u{feff}a\u{2028}",
    ]) ?? ""
  }

  /// U+FFFF, which no literal can have.
  private static let noncharacter = JSONValue.text(
    String(Character(UnicodeScalar(0xFFFF as UInt16) ?? "?")))

  /// An operation with one syntax error.
  mutating func malformed(_ store: StoreName) -> StoreAction {
    let id = document(store)
    let rev = revision(id, store)
    let badID: DocumentID = random.pick(["", "_x", "_design/", "a\u{0}", "_\u{301}x"]) ?? ""
    let badRev: RevisionID =
      random.pick([
        "", "1", "1-", "-a", "0-a", "01-a", "+1-a", " 1-a", "x-a", "1_a", "9007199254740992-a",
        "99999999999999999999-a", "\u{661}-a",
      ]) ?? ""
    let badBody: JSONValue = random.pick([.null, [], "x", 1, ["_x": 1], ["_\u{301}": 1]]) ?? .null
    switch random.below(13) {
    case 0: return .create(id: badID, body: body())
    case 1: return .create(id: id, body: badBody)
    case 2: return .update(id: id, rev: badRev, body: body())
    case 3: return .update(id: id, rev: rev, body: badBody)
    case 4: return .delete(id: badID, rev: rev)
    case 5: return .read(id: badID)
    case 6: return .changes(limit: -1)
    case 7: return .list(limit: -1)
    case 8:
      return .insertRevisions([
        RevisionRecord(id: id, path: [badRev], body: body()), record(store),
        RevisionRecord(id: id, path: ["3-a", "1-a"], body: body()),
        RevisionRecord(id: id, path: [], body: body()),
        RevisionRecord(id: badID, path: ["1-a"], body: body()),
        RevisionRecord(id: id, path: ["1-a"], body: badBody),
      ])
    case 9: return .writeLocal(id: badID, body: body())
    // `null` removes the local document.
    case 10: return .writeLocal(id: id, body: badBody == .null ? nil : badBody)
    case 11: return .getRevisions([RevisionQuery(id: id, revs: [rev, badRev])])
    default: return .revsDiff([RevisionQuery(id: badID, revs: [rev])])
    }
  }
}
