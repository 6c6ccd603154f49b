import Datastore
import JSON
import ReferenceDatastore
import Testing

struct OutcomeCheckerTests {
  /// Checks a complete history; returns the index of the first outcome that is not admitted.
  private func firstViolation(
    _ history: [(StoreAction, Outcome)], profiles: Set<Profile> = [],
    strictness: OutcomeChecker.Strictness = .contract
  ) -> Int? {
    var checker = OutcomeChecker(profiles: profiles, strictness: strictness)
    return ([(.open(), .ok(.done))] + history).firstIndex { action, outcome in
      checker.admit(StoreOperation("a", action), outcome) != .admitted
    }.map { $0 - 1 }
  }

  private func record(_ path: String, deleted: Bool = false) -> RevisionRecord {
    RevisionRecord(
      id: "d", path: path.split(separator: " ").map { RevisionID(JSONString(String($0))) },
      deleted: deleted, body: [:])
  }

  private func insert(_ paths: String...) -> (StoreAction, Outcome) {
    let records = paths.map { path in
      let deleted = path.hasPrefix("x")
      return record(deleted ? String(path.dropFirst()) : path, deleted: deleted)
    }
    return (.insertRevisions(records), .ok(.inserted(records.map { _ in nil })))
  }

  private func leaves(_ ids: String) -> (StoreAction, Outcome) {
    let leaves = ids.split(separator: " ").map { id in
      let deleted = id.hasPrefix("x")
      return Leaf(
        rev: RevisionID(JSONString(String(deleted ? id.dropFirst() : id))), deleted: deleted)
    }
    return (.leaves(id: "d"), .ok(.leaves(leaves)))
  }

  private func error(_ kind: DatastoreError.Kind) -> Outcome { .error(DatastoreError(kind)) }

  @Test func namesAreTakenOver() {
    let history: [(StoreAction, Outcome)] = [
      (.create(id: "d", body: [:]), .ok(.written(id: "d", rev: "1-foreign"))),
      (.update(id: "d", rev: "1-foreign", body: [:]), .ok(.written(id: "d", rev: "2-x"))),
      leaves("2-x"),
      (.create(id: nil, body: [:]), .ok(.written(id: "made", rev: "1-y"))),
      (.read(id: "made"), .ok(.document(DocumentRevision(id: "made", rev: "1-y", body: [:])))),
    ]
    #expect(firstViolation(history) == nil)
    #expect(firstViolation(history, strictness: .model) == 0)
  }

  @Test(arguments: ["1-x", "3-x", "x", "2-"])
  func namesMustFit(rev: String) {
    let history: [(StoreAction, Outcome)] = [
      (.create(id: "d", body: [:]), .ok(.written(id: "d", rev: "1-a"))),
      (
        .update(id: "d", rev: "1-a", body: [:]),
        .ok(.written(id: "d", rev: RevisionID(JSONString(rev))))
      ),
    ]
    #expect(firstViolation(history) == 1)
  }

  /// The accepted alternatives, each admitted and then binding.
  @Test(
    arguments: [
      (["2-b 1-a"], "9-z", DatastoreError.Kind.conflict, true),
      (["2-b 1-a"], "9-z", .notFound(.deleted), false),
      (["x2-b 1-a"], "1-a", .conflict, true), (["x2-b 1-a"], "1-a", .notFound(.deleted), true),
      (["x2-b 1-a"], "2-b", .conflict, true), (["x2-b 1-a"], "2-b", .notFound(.deleted), true),
      (["x2-b 1-a"], "2-b", .notFound(.missing), false), (["2-b 1-a"], "2-b", .conflict, false),
      ([], "2-b", .notFound(.missing), true), ([], "2-b", .conflict, true),
      ([], "2-b", .notFound(.deleted), false),
    ] as [([String], String, DatastoreError.Kind, Bool)])
  func alternatives(
    paths: [String], rev: String, kind: DatastoreError.Kind, isAccepted: Bool
  ) {
    let rev = RevisionID(JSONString(rev))
    let history =
      paths.map { insert($0) } + [(.update(id: "d", rev: rev, body: [:]), error(kind))]
    #expect((firstViolation(history) == nil) == isAccepted)
    let unchanged = paths.isEmpty ? [] : [leaves(paths[0].split(separator: " ")[0] + "")]
    if isAccepted { #expect(firstViolation(history + unchanged) == nil) }
  }

  /// Two errors in one call: a store may return either one, and no other.
  @Test(arguments: [
    (StoreAction.create(id: "d", body: []), DatastoreError.Kind.conflict, true),
    (.create(id: "d", body: []), .badBody, true), (.create(id: "e", body: []), .conflict, false),
    (.create(id: "d", body: []), .badID, false),
    (.update(id: "e", rev: "x", body: [:]), .notFound(.missing), true),
    (.update(id: "e", rev: "x", body: [:]), .badRevision, true),
    (.update(id: "d", rev: "x", body: [:]), .conflict, false),
    (.update(id: "d", rev: "1-a", body: []), .conflict, true),
    (.update(id: "d", rev: "2-b", body: []), .conflict, false),
    (.resolve(id: "d", leaves: ["x"], keep: "x"), .conflict, true),
    (.resolve(id: "d", leaves: ["2-b"], keep: "1-a"), .conflict, false),
  ])
  func eitherOfTwoFaults(action: StoreAction, kind: DatastoreError.Kind, isAccepted: Bool) {
    let history = [insert("2-b 1-a"), (action, error(kind))]
    #expect((firstViolation(history) == nil) == isAccepted)
    #expect(
      firstViolation(history, strictness: .model)
        == (kind == .badBody || kind == .badRevision ? nil : 1))
  }

  /// A rejected creation returns no id, so a filter on ids may have rejected any id. A filter that
  /// reads no id, and a success, leave no doubt.
  @Test(arguments: [
    (#"{"_id": {"$gt": "~"}}"#, DatastoreError.Kind.forbidden, true),
    (#"{"_id": {"$gt": "~"}}"#, .conflict, false), (#"{"n": 1}"#, .forbidden, false),
  ])
  func aRejectedCreationWithoutAnID(
    selector: String, kind: DatastoreError.Kind, isAccepted: Bool
  ) throws {
    let filter = Filter.selector(try FindSelector(.parse(selector)))
    let history: [(StoreAction, Outcome)] = [
      (.setValidation(refuse: filter), .ok(.done)),
      (.create(id: nil, body: ["m": 2]), error(kind)),
    ]
    #expect(firstViolation(history) == (isAccepted ? nil : 1))
  }

  @Test func lateBodiesMayBeIgnoredButNotForgotten() {
    let start = [insert("2-b 1-a"), insert("1-a")]
    let filled: (StoreAction, Outcome) = (
      .read(id: "d", rev: "1-a"), .ok(.document(DocumentRevision(id: "d", rev: "1-a", body: [:])))
    )
    let ignored: (StoreAction, Outcome) = (
      .read(id: "d", rev: "1-a"), error(.notFound(.bodyMissing))
    )
    #expect(firstViolation(start + [filled, filled]) == nil)
    #expect(firstViolation(start + [ignored, ignored]) == nil)
    #expect(firstViolation(start + [ignored, filled]) == 3)
    #expect(firstViolation(start + [ignored], strictness: .model) == 2)
  }

  @Test func winnerComesFirstAndTheRestInAnyOrder() {
    let start = [insert("2-b 1-a", "1-x", "3-z", "x4-q")]
    #expect(firstViolation(start + [leaves("3-z 1-x x4-q 2-b")]) == nil)
    #expect(firstViolation(start + [leaves("2-b 3-z 1-x x4-q")]) == 1)
    #expect(firstViolation(start + [leaves("3-z 2-b 1-x")]) == 1)
    #expect(firstViolation(start + [leaves("3-z 2-b 1-x x4-q 1-x")]) == 1)
  }

  /// A lost response: the edit may have happened, and once its revision was observed it has.
  @Test func unknownOutcomesAreDecidedByWhatIsSeen() {
    let start: [(StoreAction, Outcome)] = [
      insert("1-a"), (.update(id: "d", rev: "1-a", body: ["n": 1]), .unknown),
    ]
    let edited = DocumentRevision(id: "d", rev: "2-new", body: ["n": 1])
    let seen: (StoreAction, Outcome) = (.read(id: "d"), .ok(.document(edited)))
    #expect(firstViolation(start + [leaves("1-a"), leaves("1-a")]) == nil)
    #expect(firstViolation(start + [leaves("2-new"), seen, leaves("2-new")]) == nil)
    #expect(firstViolation(start + [leaves("2-new"), leaves("1-a")]) == 3)
    #expect(firstViolation(start + [leaves("2-new"), leaves("2-other")]) == 3)
    #expect(firstViolation(start + [leaves("3-new")]) == 2)
  }

  @Test func unknownCreationsGetTheirNames() {
    let page = ChangesPage(
      rows: [
        ChangesRow(seq: .integer(7), id: "made", deleted: false, leaves: [Leaf(rev: "1-made")])
      ], last: .integer(7), more: false)
    let history: [(StoreAction, Outcome)] = [
      (.create(id: nil, body: ["n": 1]), .unknown), (.changes(), .ok(.changes(page))),
      (
        .read(id: "made"),
        .ok(.document(DocumentRevision(id: "made", rev: "1-made", body: ["n": 1])))
      ),
    ]
    #expect(firstViolation(history) == nil)
  }

  @Test func unknownRecordsCountOneByOne() {
    let records = [record("1-a"), record("1-b"), record("1-c")]
    let start: [(StoreAction, Outcome)] = [(.insertRevisions(records), .unknown)]
    #expect(firstViolation(start + [leaves("1-c 1-a")]) == nil)
    #expect(firstViolation(start + [leaves("1-b")]) == nil)
    #expect(firstViolation(start + [leaves("1-d")]) == 1)
    #expect(firstViolation(start + [leaves("1-c 1-a"), leaves("1-c")]) == 2)
  }

  @Test func manyUnknownRecordsAreInconclusiveAndNeverAPass() {
    var checker = OutcomeChecker(profiles: [], statesMax: 4)
    _ = checker.admit(StoreOperation("a", .open()), .ok(.done))
    let records = (0..<4).map {
      RevisionRecord(id: "d", path: [RevisionID(JSONString("1-\($0)"))], body: [:])
    }
    let verdict = checker.admit(StoreOperation("a", .insertRevisions(records)), .unknown)
    guard case .inconclusive = verdict else {
      Issue.record("\(verdict)")
      return
    }
  }

  /// The limit is checked before the alternatives are enumerated: there are millions of them.
  @Test func tooManyWaysAreInconclusiveBeforeTheyAreTried() {
    var checker = OutcomeChecker(profiles: [])
    func admit(_ action: StoreAction, _ outcome: Outcome) -> OutcomeChecker.Verdict {
      checker.admit(StoreOperation("a", action), outcome)
    }
    let isInconclusive = { (verdict: OutcomeChecker.Verdict) in
      if case .inconclusive = verdict { true } else { false }
    }
    let history = record((1...30).reversed().map { "\($0)-a" }.joined(separator: " "))
    let late = (1...29).map { record("\($0)-a") }
    #expect(admit(.open(), .ok(.done)) == .admitted)
    #expect(admit(.insertRevisions([history]), .ok(.inserted([nil]))) == .admitted)
    #expect(isInconclusive(admit(.insertRevisions(late), .ok(.inserted(late.map { _ in nil })))))
    #expect(isInconclusive(admit(.insertRevisions(late), .unknown)))
  }

  /// An id that the store generates must be valid.
  @Test(arguments: ["", "_x", "a\u{0}"])
  func madeIDsMustBeIDs(id: String) {
    let made = Outcome.ok(.written(id: DocumentID(JSONString(id)), rev: "1-a"))
    #expect(firstViolation([(.create(id: nil, body: [:]), made)]) == 0)
  }

  /// Only the same edit may return the name of an existing revision.
  @Test func aNameInUseIsTheSameEditOrAViolation() {
    let edit = StoreAction.update(id: "d", rev: "1-x", body: ["v": 1])
    let answered = (edit, Outcome.ok(.written(id: "d", rev: "2-c")))
    func there(_ path: String, _ body: JSONValue) -> [(StoreAction, Outcome)] {
      let records = [
        RevisionRecord(
          id: "d", path: path.split(separator: " ").map { RevisionID(JSONString(String($0))) },
          body: body),
        record("1-x"),
      ]
      return [(.insertRevisions(records), .ok(.inserted([nil, nil])))]
    }
    #expect(firstViolation(there("2-c", ["v": 1]) + [answered, leaves("2-c")]) == nil)
    #expect(firstViolation(there("2-c", ["v": 2]) + [answered]) == 1)
    #expect(firstViolation(there("2-c 1-b", ["v": 1]) + [answered]) == 1)
    #expect(firstViolation(there("2-c", ["v": 1]) + [(edit, error(.conflict))]) == nil)
    #expect(firstViolation(there("2-c 1-b", ["v": 1]) + [(edit, error(.conflict))]) == 1)
  }

  @Test func aWrongNameIsShownBesideAnAnswerOfTheModel() {
    var checker = OutcomeChecker(profiles: [])
    _ = checker.admit(StoreOperation("a", .open()), .ok(.done))
    let verdict = checker.admit(
      StoreOperation("a", .create(id: "d", body: [:])), .ok(.written(id: "d", rev: "7-a")))
    guard case .violation(let violation) = verdict,
      case .ok(.written(let id, let rev))? = violation.accepted.first
    else {
      Issue.record("\(verdict)")
      return
    }
    #expect(id == "d" && rev.text.string.hasPrefix("1-"))
  }

  @Test func crashClosesAllStores() {
    var checker = OutcomeChecker(profiles: [])
    #expect(checker.admit(StoreOperation("a", .open()), .ok(.done)) == .admitted)
    checker.crashed()
    #expect(checker.admit(StoreOperation("a", .info), error(.noSuchStore)) == .admitted)
  }
}
