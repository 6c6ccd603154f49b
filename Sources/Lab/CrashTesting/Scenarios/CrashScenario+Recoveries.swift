internal import Datastore
internal import JSON

extension CrashScenario {
  /// Logs that restart, and recoveries that are cut off.
  static let recoveries: [CrashScenario] = [
    CrashScenario(
      "log-begins-anew", "a log is checkpointed and overwritten repeatedly",
      settings: CrashStoreSettings(checkpointPages: 8), preparation: notes("a", 2),
      steps: notes("b", 3) + [.edit("a1", noted(5)), .edit("a1", noted(6)), .perform(.close)]),
    CrashScenario(
      "log-grows-and-shrinks", "a long commit is checkpointed while short ones follow",
      settings: CrashStoreSettings(checkpointPages: 8),
      steps: [.perform(.create(id: "big", body: long(50_000)))] + notes("b", 3) + [.remove("big")]),
    CrashScenario(
      "torn-log", "power loss in a commit, and again while the log is read",
      preparation: notes("a", 3) + [
        .losePower(
          in: .batch((1...9).map { note(DocumentID(JSONString("b\($0)")), $0) }), afterChanges: 9)
      ], steps: notes("c", 1)),
    CrashScenario(
      "torn-checkpoint", "power loss during a checkpoint, and again",
      preparation: notes("a", 8) + [.losePower(in: .close, afterChanges: 6)], steps: notes("c", 1)),
    CrashScenario(
      "torn-content", "power loss while content was written, and again",
      preparation: notes("a", 1) + [
        .losePower(
          in: .create(
            id: "d", body: noted(1),
            attachments: [
              data("one", content(51, count: 3000)), data("two", content(52, count: 3000)),
            ]), afterChanges: 5)
      ],
      steps: [
        .perform(
          .create(id: "d", body: noted(2), attachments: [data("one", content(51, count: 3000))]))
      ]),
    CrashScenario(
      "torn-removal", "power loss while a store was removed, and again",
      preparation: notes("a", 2) + [.losePower(in: .destroy, afterChanges: 3)], steps: notes("c", 1)
    ),
    CrashScenario(
      "torn-making", "power loss while a store was created, and again",
      preparation: [.losePower(in: .open(), afterChanges: 25)], steps: notes("c", 1)),
  ]
}
