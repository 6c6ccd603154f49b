internal import Datastore
internal import JSON

extension CrashScenario {
  /// Writes to documents, one or many at a time.
  static let documents: [CrashScenario] = [
    CrashScenario("open-new", "a store is created", steps: []),
    CrashScenario("create", "documents are created", steps: notes("a", 2)),
    CrashScenario(
      "update", "a document is changed three times", preparation: notes("a", 2),
      steps: (2...4).map { .edit("a1", noted($0)) }),
    CrashScenario(
      "delete", "documents are deleted", preparation: notes("a", 3),
      steps: [.remove("a1"), .remove("a3")]),
    CrashScenario(
      "create-again", "a deleted document is created again",
      preparation: notes("a", 1) + [.remove("a1")], steps: [.perform(note("a1", 9))]),
    CrashScenario(
      "large-body", "bodies of many pages are created and changed",
      steps: [.perform(.create(id: "big", body: long(40_000))), .edit("big", long(60_000))]),
    CrashScenario(
      "many-documents", "40 documents arrive in one call",
      steps: [
        .perform(
          .insertRevisions(
            (1...6).map { record(DocumentID(JSONString("m\($0)")), ["1-a"], number: $0) })),
        .perform(
          .batch((1...40).map { note(DocumentID(JSONString("b\($0)")), $0) })),
      ]),
    CrashScenario(
      "batch", "several kinds of writes, all or nothing", preparation: notes("a", 2),
      steps: [
        .perform(
          .batch([
            note("b", 1), .create(id: "c", body: long(9000)),
            .writeLocal(id: "seen", body: ["at": 3]), note("d", 2),
          ])),
        .perform(
          .batch([
            .writeLocal(id: "seen", body: nil), note("e", 3),
            .create(
              id: "f", body: [:], attachments: [data("own", content(1, count: 900))]),
          ])),
      ]),
    CrashScenario(
      "batch-refused", "a batch fails at its last write", preparation: notes("a", 2),
      steps: [
        .perform(.batch([note("b", 1), .writeLocal(id: "l", body: [:]), note("a1", 2)])),
        .perform(note("c", 3)),
      ]),
    CrashScenario(
      "local-documents", "local documents are created, changed and deleted",
      preparation: notes("a", 1),
      steps: [
        .perform(.writeLocal(id: "l", body: ["n": 1])),
        .perform(.writeLocal(id: "l", body: ["n": 2])),
        .perform(.writeLocal(id: "m", body: long(9000))),
        .perform(.writeLocal(id: "l", body: nil)),
      ]),
    CrashScenario(
      "couchdb-names", "a store with revision ids of CouchDB",
      preparation: [.perform(.open(revisionIDs: .couchdb, collation: .couchdb))] + notes("a", 2),
      steps: [.edit("a1", noted(5)), .remove("a2"), .perform(note("c", 1))]),
  ]

  /// Trees with more than one branch.
  static let conflicts: [CrashScenario] = [
    CrashScenario(
      "conflicts", "branches arrive, grow and end",
      preparation: [.perform(.insertRevisions([record("t", ["2-b", "1-a"], number: 2)]))],
      steps: [
        .perform(
          .insertRevisions([
            record("t", ["2-c", "1-a"], number: 3), record("u", ["1-a"], number: 4),
            record("u", ["1-b"], number: 5),
          ])),
        .perform(.insertRevisions([record("t", ["3-d", "2-c", "1-a"], deleted: true)])),
        .perform(.insertRevisions([record("t", ["4-e", "3-e", "2-b", "1-a"], number: 6)])),
      ]),
    CrashScenario(
      "long-history", "a revision arrives with 200 ancestors",
      steps: [
        .perform(
          .insertRevisions([
            record("h", (1...200).reversed().map { RevisionID(JSONString("\($0)-a")) }, number: 1)
          ])),
        .edit("h", noted(2)),
      ]),
    CrashScenario(
      "resolve", "conflicts are resolved, with a new body and without",
      preparation: [
        .perform(
          .insertRevisions([
            record("t", ["2-b", "1-a"], number: 1), record("t", ["2-c", "1-a"], number: 2),
            record("t", ["2-d", "1-a"], number: 3), record("u", ["1-a"], number: 4),
            record("u", ["1-b"], number: 5),
          ]))
      ],
      steps: [
        .perform(
          .resolve(id: "t", leaves: ["2-b", "2-c", "2-d"], keep: "2-c", body: noted(9))),
        .perform(.resolve(id: "u", leaves: ["1-a", "1-b"], keep: "1-a")),
      ]),
    CrashScenario(
      "resolve-refused", "a resolution fails at a tombstone, alone and in a batch",
      preparation: [
        .perform(
          .insertRevisions([
            record("t", ["1-a"], number: 1), record("t", ["1-b"], number: 2),
            record("t", [largest], number: 3), record("u", ["1-a"], number: 4),
            record("u", ["1-b"], number: 5),
          ]))
      ],
      steps: [
        .perform(refused),
        .perform(.batch([note("b", 1), refused])),
        .perform(.batch([.resolve(id: "u", leaves: ["1-a", "1-b"], keep: "1-a"), refused])),
        .perform(note("c", 2)),
      ]),
  ]

  /// A revision of the largest generation has no child.
  private static let largest: RevisionID = "9007199254740991-c"

  private static let refused = StoreAction.resolve(
    id: "t", leaves: ["1-a", "1-b", largest], keep: "1-a", body: noted(9))
}
