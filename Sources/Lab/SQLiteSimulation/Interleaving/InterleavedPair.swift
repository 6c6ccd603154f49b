internal import Datastore
internal import JSON

/// Two operations that two connections perform at once, on a small store.
struct InterleavedPair: Sendable {
  /// What the pair is about, in a few words.
  let name: String
  /// The operations before, on one connection.
  let before: [StoreAction]
  let first: StoreAction
  let second: StoreAction

  private static let base: DocumentID = "d"

  private static func body(_ number: Int64) -> JSONValue { ["w": .integer(number), "k": 1] }

  /// The first document of most pairs, without and with an attachment.
  static let create = StoreAction.create(id: base, body: body(1))
  static let withContent = StoreAction.create(
    id: base, body: body(1),
    attachments: [RevisionAttachment("a", .data("YmJi"), type: "text/plain")])

  /// The pairs.
  ///
  /// - Parameters:
  ///   - r1: the revision that `create` makes.
  ///   - attached: the revision that `withContent` makes.
  static func all(firstRevision r1: RevisionID, attached: RevisionID) -> [InterleavedPair] {
    let update = StoreAction.update(id: base, rev: r1, body: body(2))
    let again = StoreAction.update(id: base, rev: r1, body: body(3))
    let delete = StoreAction.delete(id: base, rev: r1)
    let other = RevisionRecord(
      id: base, path: ["2-00000000000000000000000000000002", r1], body: body(4))
    let root = RevisionRecord(id: base, path: ["1-00000000000000000000000000000009"], body: body(5))
    let attach = StoreAction.update(
      id: base, rev: r1, body: body(6),
      attachments: [RevisionAttachment("a", .data("YQ=="), type: "text/plain")])
    let readInner = StoreAction.readAttachment(id: base, rev: attached, name: "a")
    let find = StoreAction.finding(.find(FindRequest(["k": 1])))
    let index = StoreAction.finding(.createIndex(IndexDefinition("by-k", fields: ["k"])))
    func pair(
      _ name: String, after before: [StoreAction], _ first: StoreAction, and second: StoreAction
    ) -> InterleavedPair {
      InterleavedPair(name: name, before: before, first: first, second: second)
    }
    return [
      pair("two edits of one revision", after: [create], update, and: again),
      pair("an edit and a deletion of one revision", after: [create], update, and: delete),
      pair(
        "two creations of one document", after: [], create, and: .create(id: base, body: body(7))),
      pair(
        "a creation and a replicated first revision", after: [], create,
        and: .insertRevisions([root])),
      pair(
        "an edit and a replicated edit", after: [create], update, and: .insertRevisions([other])),
      pair(
        "the same record twice", after: [create], .insertRevisions([other]),
        and: .insertRevisions([other])),
      pair("an edit and a read", after: [create], update, and: .read(id: base)),
      pair("an edit and a page of the feed", after: [create], update, and: .changes()),
      pair("an edit and info", after: [create], update, and: .info),
      pair("a deletion and a list", after: [create], delete, and: .list()),
      pair("an edit and a query", after: [index, create], update, and: find),
      pair("an edit and a purge", after: [create], update, and: .purge(id: base, revs: [r1])),
      pair(
        "two writes of local documents", after: [], .writeLocal(id: "x", body: body(1)),
        and: .writeLocal(id: "y", body: body(2))),
      pair("an edit and a compaction", after: [create], update, and: .compact),
      pair(
        "a compaction and the reading of an attachment that it removes",
        after: [withContent, updateOf(attached)], .compact, and: readInner),
      pair("two attachments with one content", after: [create], attach, and: attach),
      pair(
        "a compaction and an attachment with the content that it removes",
        after: [withContent, updateOf(attached)], .compact,
        and: .create(
          id: "e", body: body(9),
          attachments: [RevisionAttachment("a", .data("YmJi"), type: "text/plain")])),
    ]
  }

  /// An edit without attachments.
  private static func updateOf(_ rev: RevisionID) -> StoreAction {
    .update(id: base, rev: rev, body: body(8))
  }

  /// The operations that show the result, on another connection.
  static let closing: [StoreAction] = [
    .changes(), .info, .list(), .leaves(id: base), .read(id: base), .leaves(id: "e"),
    .readAttachment(id: base, name: "a"), .readAttachment(id: "e", name: "a"),
    .readLocal(id: "x"), .readLocal(id: "y"), .finding(.find(FindRequest(["k": 1]))),
  ]
}
