import Datastore
import JSON
import ReferenceDatastore
import Testing

/// Operations with several errors: each of these errors is accepted, and no other.
struct SeveralErrorsTests {
  typealias Kind = DatastoreError.Kind

  /// An operation with all its errors, and some others.
  struct Case: CustomTestStringConvertible {
    let action: StoreAction
    let has: [Kind]
    var hasNot: [Kind] = []
    var isOpen = true

    var testDescription: String { "\(action)" }
  }

  private static let big = DocumentID(JSONString(String(repeating: "x", count: 5000)))

  /// A live document d with the leaves 2-b and 2-c, of which 2-b has the attachment n; a deleted
  /// document x with the leaf 2-x; the validation rejects n = 1.
  private static let beginning: [StoreAction] = [
    .insertRevisions([
      RevisionRecord(
        id: "d", path: ["2-b", "1-a"], body: [:],
        attachments: [RevisionAttachment("n", .data("YWJj"))]),
      RevisionRecord(id: "d", path: ["2-c", "1-a"], body: [:]),
      RevisionRecord(id: "x", path: ["2-x", "1-a"], deleted: true, body: [:]),
    ]),
    .finding(.createIndex(IndexDefinition("i", .json, fields: ["a"]))),
    .setValidation(refuse: .bodyFieldEquals(field: "n", value: 1)),
  ]

  private static let unknown = "sha256-vvV+x/U6bUC+tkCngKY5yDvCmsipgW8fxsXG3Nk8RyE="
  private static let held = "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
  private static let absent = RevisionAttachment("a", .chunks, digest: JSONString(unknown))
  private static let bad = RevisionAttachment("b", .data("?"))
  private static let stub = RevisionAttachment("m", .stub)
  private static let file = RevisionAttachment("f", .file("/nowhere"))
  private static let generationMax: RevisionID = "9007199254740991-z"

  static let edits: [Case] = [
    Case(
      action: .create(id: "d", body: ["n": 1], attachments: [absent, bad]),
      has: [.badAttachment, .conflict, .missingStub, .forbidden],
      hasNot: [.badID, .badBody, .notFound(.missing), .badRevision]),
    Case(
      action: .create(id: "_d", body: []), has: [.badID, .badBody],
      hasNot: [.conflict, .notFound(.missing), .forbidden]),
    Case(
      action: .create(id: nil, body: ["n": 1, "_m": 1]), has: [.badBody, .forbidden],
      hasNot: [.badID, .conflict]),
    Case(
      action: .create(id: big, body: []), has: [.tooLarge(limit: 4096), .badBody],
      hasNot: [.badID, .tooLarge(limit: 1)]),
    Case(
      action: .create(id: "new", body: [:], attachments: [bad, file, stub]),
      has: [.badAttachment, .unsupported(what: "file"), .missingStub],
      hasNot: [.conflict, .unsupported(what: "attachments")]),
    Case(
      action: .create(id: "d", body: [:], attachments: [RevisionAttachment("n", .stub)]),
      has: [.conflict, .missingStub]),
    Case(
      action: .update(id: "d", rev: "1-a", body: ["n": 1], attachments: [stub]),
      has: [.conflict, .missingStub, .forbidden], hasNot: [.notFound(.deleted), .badRevision]),
    Case(
      action: .update(id: "d", rev: "2-b", body: ["n": 1], attachments: [stub]),
      has: [.missingStub, .forbidden], hasNot: [.conflict]),
    Case(
      action: .update(id: "d", rev: "r", body: [], attachments: [stub]),
      has: [.badRevision, .badBody], hasNot: [.missingStub, .conflict]),
    Case(
      action: .update(id: "x", rev: "r", body: [:]), has: [.badRevision, .notFound(.deleted)],
      hasNot: [.conflict, .notFound(.missing)]),
    Case(
      action: .update(id: "x", rev: "2-x", body: []),
      has: [.badBody, .conflict, .notFound(.deleted)], hasNot: [.notFound(.missing)]),
    Case(
      action: .update(id: "e", rev: generationMax, body: ["n": 1]),
      has: [.badRevision, .notFound(.missing), .conflict, .forbidden],
      hasNot: [.notFound(.deleted)]),
    Case(
      action: .delete(id: "_", rev: "r", body: []), has: [.badID, .badRevision, .badBody],
      hasNot: [.notFound(.missing), .conflict]),
    Case(
      action: .resolve(
        id: "d", leaves: ["2-b"], keep: "2-b", body: ["n": 1], attachments: [stub, bad]),
      has: [.badAttachment, .conflict, .missingStub, .forbidden], hasNot: [.badRevision]),
    Case(
      action: .resolve(id: "d", leaves: ["2-b", "2-c", "r"], keep: "2-q", body: []),
      has: [.badRevision, .badRequest(path: "keep"), .badBody], hasNot: [.conflict]),
    Case(
      action: .attaching([bad], to: .resolve(id: "d", leaves: ["2-b", "2-c"], keep: "2-b")),
      has: [.badRequest(path: "attachments"), .badAttachment],
      hasNot: [.conflict, .badRequest(path: "keep")]),
    Case(
      action: .writeLocal(id: "", body: []), has: [.badID, .badBody],
      hasNot: [.notFound(.missing)]),
  ]

  static let others: [Case] = [
    Case(
      action: .read(id: "e", rev: "r"), has: [.badRevision, .notFound(.missing)],
      hasNot: [.notFound(.deleted), .badID]),
    Case(
      action: .read(id: "_", rev: "r"), has: [.badID, .badRevision],
      hasNot: [.notFound(.missing)]),
    Case(
      action: .readAttachment(id: "e", name: "n", offset: -1, limit: -1),
      has: [.badRequest(path: "offset"), .badRequest(path: "limit"), .notFound(.missing)],
      hasNot: [.badID, .badAttachment]),
    Case(
      action: .readAttachment(id: "d", rev: "2-b", name: "m", offset: -1),
      has: [.badRequest(path: "offset"), .notFound(.missing)],
      hasNot: [.badRequest(path: "limit")]),
    Case(
      action: .putBlob(digest: "sha256-AAAA", offset: -1, bytes: "?"),
      has: [.badAttachment, .badRequest(path: "offset")], hasNot: [.missingStub]),
    Case(
      action: .putBlob(digest: JSONString(held), offset: -1, bytes: "?"),
      has: [.badAttachment, .badRequest(path: "offset")]),
    Case(
      action: .putBlob(digest: JSONString(unknown), offset: 1 << 40, bytes: "YWJj"),
      has: [.badRequest(path: "offset"), .tooLarge(limit: 67_108_864)],
      hasNot: [.tooLarge(limit: 1_048_576)]),
    Case(
      action: .purge(id: "_", revs: ["2-b", "r"]), has: [.badID, .badRevision],
      hasNot: [.notFound(.missing)]),
    Case(
      action: .revsDiff([RevisionQuery(id: "d", revs: ["r"]), RevisionQuery(id: "_", revs: [])]),
      has: [.badRevision, .badID]),
    Case(
      action: .getRevisions([
        RevisionQuery(id: "", revs: ["2-b"], attachmentsSince: ["r"])
      ]), has: [.badID, .badRevision], hasNot: [.notFound(.missing)]),
    Case(
      action: .changes(since: .text("no such sequence"), limit: -1),
      has: [.badRequest(path: "limit"), .badSequence], hasNot: [.badRequest(path: "since")]),
    Case(
      action: .finding(
        .find(
          FindRequest(
            ["a": ["$foo": 1, "$size": -1], "$and": [["b": ["$in": [["$decimal": "x"]]]], 1]],
            sort: [SortKey("\\a"), SortKey("a"), SortKey("b\\")], skip: -1, limit: -1, fields: []))),
      has: [
        .unsupported(what: "$foo"), .badSelector(operator: "$size", path: "selector.a.$size"),
        .badSelector(operator: "$decimal", path: "selector.$and[0].b.$in[0].$decimal"),
        .badSelector(operator: "$and", path: "selector.$and[1]"),
        .badRequest(path: "sort[0]"), .badRequest(path: "sort[2]"), .badRequest(path: "skip"),
        .badRequest(path: "limit"), .badRequest(path: "fields"),
      ],
      hasNot: [.badRequest(path: "sort[1]"), .badRequest(path: "selector")]),
    Case(
      action: .finding(.createIndex(IndexDefinition("i", .text, fields: ["\\a", "b"]))),
      has: [.badRequest(path: "fields[0]"), .badRequest(path: "name")],
      hasNot: [.badRequest(path: "fields"), .badRequest(path: "fields[1]")]),
    Case(
      action: .finding(.createIndex(IndexDefinition("", .json, fields: []))),
      has: [.badRequest(path: "name"), .badRequest(path: "fields")]),
    Case(
      action: .create(id: "_", body: []), has: [.noSuchStore, .badID, .badBody],
      hasNot: [.conflict], isOpen: false),
    Case(
      action: .update(id: "d", rev: "1-a", body: ["n": 1], attachments: [absent]),
      has: [.noSuchStore], hasNot: [.conflict, .forbidden, .missingStub], isOpen: false),
  ]

  /// The first of the operations whose outcome the checker does not accept.
  private func violation(
    of actions: [(StoreAction, Outcome)], strictness: OutcomeChecker.Strictness = .contract
  ) -> OutcomeChecker.Violation? {
    let store = ReferenceDatastore()
    let environment = RunEnvironment(seed: 1)
    var checker = OutcomeChecker(profiles: store.description.profiles, strictness: strictness)
    let beginning = [.open()] + Self.beginning
    let outcomes = beginning.map { store.perform(StoreOperation("a", $0), environment) }
    for (action, outcome) in zip(beginning, outcomes) + actions {
      if case .violation(let violation) = checker.admit(StoreOperation("a", action), outcome) {
        return violation
      }
    }
    return nil
  }

  @Test(arguments: edits + others)
  func everyErrorIsAcceptedAndNoOther(example: Case) throws {
    let before: [(StoreAction, Outcome)] = example.isOpen ? [] : [(.close, .ok(.done))]
    func violation(
      _ outcome: Outcome, _ strictness: OutcomeChecker.Strictness = .contract
    ) -> OutcomeChecker.Violation? {
      self.violation(of: before + [(example.action, outcome)], strictness: strictness)
    }
    for kind in example.has {
      #expect(violation(.error(DatastoreError(kind))) == nil, "\(kind)")
    }
    for kind in example.hasNot + [.busy, .storage(.corrupt)] {
      #expect(violation(.error(DatastoreError(kind))) != nil, "\(kind)")
    }
    // The accepted outcomes are reported, the model's own error first; in strict mode only that one
    // is accepted.
    let accepted = try #require(violation(.ok(.list([]))) ?? violation(.ok(.done))).accepted
    #expect(Set(accepted.map { $0.errorKind }) == Set(example.has))
    #expect(violation(.error(DatastoreError(example.has[0])), .model) == nil)
    // Sequences are opaque, so the model does not check them.
    for kind in example.has.dropFirst() where kind != .badSequence {
      #expect(violation(.error(DatastoreError(kind)), .model) != nil, "\(kind)")
    }
  }

  /// A conflict does not hide that the validation rejects the tombstones of the other leaves.
  @Test func aRejectedResolutionMayNameTheValidation() {
    let rejecting = StoreAction.setValidation(refuse: .documentIDs(["e"]))
    let resolving = StoreAction.resolve(id: "e", leaves: ["2-b", "2-c"], keep: "2-b")
    func violates(_ kind: Kind) -> Bool {
      let error = Outcome.error(DatastoreError(kind))
      return violation(of: [(rejecting, .ok(.done)), (resolving, error)]) != nil
    }
    for kind in [Kind.conflict, .forbidden] { #expect(!violates(kind), "\(kind)") }
    for kind in [Kind.badRevision, .badID, .badRequest(path: "keep")] {
      #expect(violates(kind), "\(kind)")
    }
  }

  @Test func eachRecordHasErrorsOfItsOwn() {
    func violates(_ first: Kind?, _ second: Kind?, _ third: Kind?) -> Bool {
      let records = [
        RevisionRecord(id: "_", path: ["2-b", "2-a"], body: ["n": 1], attachments: [Self.absent]),
        RevisionRecord(id: "e", path: ["1-a"], body: ["n": 1], attachments: [Self.stub]),
        // Already stored: neither validated nor compared with the stored content.
        RevisionRecord(id: "d", path: ["2-b"], body: ["n": 1], attachments: [Self.absent]),
      ]
      let errors = [first, second, third].map { kind in kind.map { DatastoreError($0) } }
      return violation(of: [(.insertRevisions(records), .ok(.inserted(errors)))]) != nil
    }
    for first in [Kind.badID, .badRevision, .forbidden, .missingStub] {
      for second in [Kind.forbidden, .missingStub] {
        #expect(!violates(first, second, nil))
        #expect(violates(first, second, second))
      }
      #expect(violates(first, nil, nil))
      #expect(violates(first, .badRevision, nil))
    }
    #expect(violates(.conflict, .forbidden, nil))
    #expect(violates(nil, .forbidden, nil))
  }

  @Test func eachWriteOfABatchHasErrorsOfItsOwn() {
    let writes: [StoreAction] = [
      .create(id: "d", body: []), .create(id: "e", body: [:]),
      // For the document of a failed write, only errors in the arguments are certain.
      .update(id: "d", rev: "1-a", body: ["_n": 1]),
      .delete(id: "y", rev: "1-a"), .create(id: "e", body: [:]),
    ]
    func violates(_ kind: Kind, _ write: Int64?) -> Bool {
      let error = DatastoreError(kind, write: write)
      return violation(of: [(.batch(writes), .error(error))]) != nil
    }
    for (kind, write): (Kind, Int64) in [
      (.badBody, 0), (.conflict, 0), (.badBody, 2), (.notFound(.missing), 3), (.conflict, 3),
      (.conflict, 4),
    ] {
      #expect(!violates(kind, write), "\(kind) \(write)")
      #expect(violates(kind, nil))
    }
    for (kind, write): (Kind, Int64) in [
      (.conflict, 1), (.conflict, 2), (.badBody, 1), (.badBody, 3), (.badBody, 4),
    ] {
      #expect(violates(kind, write), "\(kind) \(write)")
    }
  }
}
