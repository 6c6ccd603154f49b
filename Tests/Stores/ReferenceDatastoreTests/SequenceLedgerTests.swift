import Datastore
import JSON
import ReferenceDatastore
import Testing

/// The permitted results of `changes`: sequences are opaque, but completeness is checked.
struct SequenceLedgerTests {
  private var history: [(StoreAction, Outcome)] = [(.open(), .ok(.done))]

  private mutating func write(_ ids: DocumentID...) {
    let records = ids.map { RevisionRecord(id: $0, path: ["1-a"], body: [:]) }
    history.append((.insertRevisions(records), .ok(.inserted(ids.map { _ in nil }))))
  }

  private func page(
    _ rows: [(String, DocumentID)], last: String, more: Bool = false
  ) -> Outcome {
    .ok(
      .changes(
        ChangesPage(
          rows: rows.map {
            ChangesRow(
              seq: .text(JSONString($0.0)), id: $0.1, deleted: false, leaves: [Leaf(rev: "1-a")])
          }, last: .text(JSONString(last)), more: more)))
  }

  private func isAdmitted(
    _ more: [(StoreAction, Outcome)], profiles: Set<Profile> = []
  ) -> Bool {
    var checker = OutcomeChecker(profiles: profiles)
    return (history + more).allSatisfy {
      checker.admit(StoreOperation("a", $0.0), $0.1) == .admitted
    }
  }

  @Test mutating func everyLaterChangeMustCome() {
    write("d")
    write("e")
    #expect(isAdmitted([(.changes(), page([("x", "d"), ("y", "e")], last: "y"))]))
    #expect(!isAdmitted([(.changes(), page([("x", "d")], last: "y"))]))
    #expect(!isAdmitted([(.changes(), page([("x", "d"), ("y", "d")], last: "y"))]))
    #expect(!isAdmitted([(.changes(), page([("x", "d"), ("y", "f")], last: "y"))]))
  }

  /// A store without the profile `dense-changes` may repeat changes, in any order.
  @Test mutating func onlyDenseStoresMustNotRepeat() {
    write("d")
    write("e")
    let all = (StoreAction.changes(), page([("x", "d"), ("y", "e")], last: "z"))
    let again = (StoreAction.changes(since: .text("z")), page([("x", "d")], last: "z"))
    let swapped = (StoreAction.changes(), page([("y", "e"), ("x", "d")], last: "z"))
    #expect(isAdmitted([all, again]))
    #expect(isAdmitted([swapped]))
    #expect(!isAdmitted([all, again], profiles: [.denseChanges]))
    #expect(!isAdmitted([swapped], profiles: [.denseChanges]))
  }

  /// The changes of one operation have no order, not even in a dense store.
  @Test mutating func oneOperationHasNoOrder() {
    write("d", "e")
    let swapped = (StoreAction.changes(), page([("y", "e"), ("x", "d")], last: "z"))
    #expect(isAdmitted([swapped], profiles: [.denseChanges]))
  }

  @Test mutating func pagesTogetherAreComplete() {
    write("d")
    write("e")
    let first = (StoreAction.changes(limit: 1), page([("x", "d")], last: "x", more: true))
    let second = (
      StoreAction.changes(since: .text("x"), limit: 1), page([("y", "e")], last: "y")
    )
    let nothing = (StoreAction.changes(since: .text("x"), limit: 1), page([], last: "y"))
    #expect(isAdmitted([first, second], profiles: [.denseChanges]))
    #expect(!isAdmitted([first, nothing]))
    #expect(!isAdmitted([(.changes(limit: 1), page([("x", "d"), ("y", "e")], last: "y"))]))
    #expect(!isAdmitted([(.changes(limit: 1), page([("x", "d")], last: "y", more: true))]))
  }

  /// The sequence of a page without rows may differ from `since`, but covers no more.
  @Test mutating func anEmptyPageMayNameItsPlaceInAnotherWay() {
    write("d")
    write("e")
    let first = (StoreAction.changes(limit: 1), page([("x", "d")], last: "x", more: true))
    let empty = (
      StoreAction.changes(since: .text("x"), limit: 0), page([], last: "z", more: true)
    )
    let rest = (StoreAction.changes(since: .text("z")), page([("y", "e")], last: "y"))
    let nothing = (StoreAction.changes(since: .text("z")), page([], last: "z"))
    #expect(isAdmitted([first, empty, rest]))
    #expect(!isAdmitted([first, empty, nothing]))
    #expect(!isAdmitted([first, empty], profiles: [.denseChanges]))
  }

  /// A client may stop after any row and continue from its sequence.
  @Test mutating func aSequenceOfTwoRowsCoversTheFirstOnly() {
    write("d")
    write("e")
    let shared = (StoreAction.changes(), page([("x", "d"), ("x", "e")], last: "x"))
    let lost = (StoreAction.changes(since: .text("x")), page([], last: "x"))
    let repeated = (StoreAction.changes(since: .text("x")), page([("x", "e")], last: "x"))
    #expect(!isAdmitted([shared, lost]))
    #expect(isAdmitted([shared, repeated]))
    // Rows may come in any order: after "y" nothing changed, and after "x" the other document did.
    let swapped = (StoreAction.changes(), page([("y", "e"), ("x", "d")], last: "y"))
    let nothing = (StoreAction.changes(since: .text("y")), page([], last: "y"))
    #expect(isAdmitted([swapped, nothing, repeated]))
  }

  @Test mutating func aShownSequenceIsLegalForever() {
    write("d")
    let all = (StoreAction.changes(), page([("x", "d")], last: "x"))
    let refused = Outcome.error(DatastoreError(.badSequence))
    #expect(!isAdmitted([all, (.changes(since: .text("x")), refused)]))
    #expect(isAdmitted([all, (.changes(since: .text("never")), refused)]))
  }

  /// A constant sequence while documents change would lose changes: a client that has reached it
  /// has not received later changes.
  @Test mutating func aSequenceCoversNothingThatCameLater() {
    history.append((.changes(), page([], last: "s")))
    write("d")
    let stuck = (StoreAction.changes(), page([("s", "d")], last: "s"))
    let lost = (StoreAction.changes(since: .text("s")), page([], last: "s"))
    let told = (StoreAction.changes(since: .text("s")), page([("s", "d")], last: "s"))
    #expect(isAdmitted([stuck, told]))
    #expect(!isAdmitted([stuck, lost]))
    #expect(!isAdmitted([lost]))
  }

  /// A sequence of the previous incarnation yields the complete feed or an error; an unknown
  /// sequence may yield anything.
  @Test mutating func foreignSequencesMeanTheWholeFeed() {
    write("d")
    history.append((.changes(), page([("x", "d")], last: "x")))
    history += [(.destroy, .ok(.done)), (.open(), .ok(.done))]
    write("e")
    let whole = (StoreAction.changes(since: .text("x")), page([("y", "e")], last: "y"))
    let part = (StoreAction.changes(since: .text("x")), page([], last: "y"))
    let refused = (
      StoreAction.changes(since: .text("x")), Outcome.error(DatastoreError(.badSequence))
    )
    let guessed = (StoreAction.changes(since: .text("never")), page([], last: "y"))
    let profiles: Set<Profile> = [.incarnationSequences, .denseChanges]
    #expect(isAdmitted([whole], profiles: profiles))
    #expect(isAdmitted([refused], profiles: profiles))
    #expect(!isAdmitted([part], profiles: profiles))
    #expect(isAdmitted([part], profiles: []))
    #expect(isAdmitted([guessed], profiles: profiles))
  }

  @Test mutating func incarnationsDiffer() {
    func info(_ incarnation: JSONString) -> (StoreAction, Outcome) {
      (
        .info,
        .ok(
          .info(
            StoreInfo(
              documents: 0, deletedDocuments: 0, last: .integer(0), incarnation: incarnation)))
      )
    }
    let recreated: [(StoreAction, Outcome)] = [(.destroy, .ok(.done)), (.open(), .ok(.done))]
    #expect(isAdmitted([info("i"), info("i")] + recreated + [info("j")]))
    #expect(!isAdmitted([info("i"), info("j")]))
    #expect(!isAdmitted([info("i")] + recreated + [info("i")]))
  }
}
