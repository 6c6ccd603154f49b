internal import Datastore
internal import JSON

extension CrashScenario {
  /// Removing data, and settings of a store.
  static let upkeep: [CrashScenario] = [
    CrashScenario(
      "compact", "bodies of old revisions are dropped",
      preparation: notes("a", 3) + [
        .edit("a1", long(20_000)), .edit("a1", noted(2)), .edit("a2", noted(3)), .remove("a3"),
      ],
      steps: [.perform(.compact), .edit("a1", noted(4)), .perform(.compact)]),
    CrashScenario(
      "purge", "leaves are removed without a trace",
      preparation: [
        .perform(
          .insertRevisions([
            record("t", ["3-b", "2-b", "1-a"], number: 1), record("t", ["2-c", "1-a"], number: 2),
            record("u", ["1-a"], number: 3),
          ]))
      ],
      steps: [.perform(.purge(id: "t", revs: ["3-b"])), .perform(.purge(id: "u", revs: ["1-a"]))]),
    CrashScenario(
      "history-limit", "long histories are cut",
      preparation: [
        .perform(
          .insertRevisions([
            record("h", (1...30).reversed().map { RevisionID(JSONString("\($0)-a")) }, number: 1)
          ]))
      ],
      steps: [.perform(.historyLimit(5)), .edit("h", noted(2)), .edit("h", noted(3))]),
    CrashScenario(
      "long-bodies", "bodies stored outside the tree are created, changed and deleted",
      preparation: [
        .perform(.create(id: "a", body: long(1000))), .edit("a", long(2000)),
        .perform(.create(id: "b", body: long(900))), .edit("b", noted(1)), .edit("b", long(5000)),
        .perform(.create(id: "c", body: long(1200))),
      ],
      steps: [
        .perform(.compact), .edit("a", noted(2)), .perform(.historyLimit(1)), .edit("b", long(801)),
        .perform(.purge(id: "c", revs: ["1-none"])), .remove("c"), .pull, .perform(.compact),
      ]),
    CrashScenario(
      "validation", "a store gets a validation", preparation: notes("a", 1),
      steps: [
        .perform(.setValidation(refuse: .bodyFieldEquals(field: "kind", value: "secret"))),
        .perform(.create(id: "s", body: ["kind": "secret"])),
        .perform(.setValidation(refuse: nil)),
        .perform(.create(id: "s", body: ["kind": "secret"])),
      ]),
  ]

  /// Stores that are opened, closed, abandoned and removed.
  static let openings: [CrashScenario] = [
    CrashScenario("open-existing", "a store is opened", preparation: notes("a", 1), steps: []),
    CrashScenario(
      "close", "the log is checkpointed", preparation: notes("a", 3),
      steps: notes("b", 4) + [.perform(.close)]),
    CrashScenario(
      "close-after-much", "a long log is checkpointed",
      steps: [
        .perform(
          .batch((1...24).map { .create(id: DocumentID(JSONString("c\($0)")), body: long(3000)) })),
        .perform(.close),
      ]),
    CrashScenario(
      "log-left-behind", "the next process opens the log of a killed one",
      preparation: notes("a", 3) + [.kill], steps: notes("b", 1)),
    CrashScenario(
      "lives", "processes are killed and started, one after the other", preparation: notes("a", 1),
      steps: [
        .edit("a1", noted(2)), .kill, .edit("a1", noted(3)), .reopen, .edit("a1", noted(4)), .kill,
        .perform(note("b", 1)),
      ]),
    CrashScenario(
      "destroy", "a store with everything in it is removed",
      preparation: notes("a", 3) + [
        .perform(.writeLocal(id: "l", body: ["n": 1])),
        .perform(
          .create(id: "f", body: [:], attachments: [data("own", content(2, count: 3000))])),
      ],
      steps: [.perform(.destroy)]),
    CrashScenario(
      "destroy-and-make", "a store is removed and another one created under its name",
      preparation: notes("a", 2),
      steps: [.perform(.destroy), .perform(.open()), .perform(note("b", 1)), .perform(.close)]),
  ]

  /// Indexes of values and of words.
  static let indexes: [CrashScenario] = [
    CrashScenario(
      "index-building", "an index is created over existing documents",
      preparation: notes("a", 12) + [.remove("a4")],
      steps: [
        .perform(
          .finding(.createIndex(IndexDefinition("by-number", fields: ["n"])))),
        .perform(note("b", 99)),
      ]),
    CrashScenario(
      "index-of-words", "an index of words is created, filled and dropped",
      preparation: notes("a", 6),
      steps: [
        .perform(
          .finding(.createIndex(IndexDefinition("words", .text, fields: ["text"])))),
        .edit("a1", ["kind": "note", "n": 1, "text": "no gold at all"]),
        .perform(.finding(.dropIndex(name: "words"))),
      ]),
    CrashScenario(
      "index-upkeep", "documents change under two indexes",
      preparation: notes("a", 4) + [
        .perform(
          .finding(.createIndex(IndexDefinition("by-number", fields: ["n", "kind"])))),
        .perform(
          .finding(.createIndex(IndexDefinition("words", .text, fields: ["text"])))),
      ],
      steps: [
        .edit("a1", noted(50)), .remove("a2"),
        .perform(
          .insertRevisions([
            record("a3", ["2-z", "1-z"], number: 8), record("x", ["1-a"], number: 9),
          ])),
        .perform(.finding(.dropIndex(name: "by-number"))),
      ]),
  ]
}
