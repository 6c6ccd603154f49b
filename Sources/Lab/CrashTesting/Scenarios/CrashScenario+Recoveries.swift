internal import Datastore
internal import JSON

extension CrashScenario {
  /// Logs that begin anew, and recoveries that are cut off.
  static let recoveries: [CrashScenario] = [
    CrashScenario(
      "log-begins-anew", "a log is moved and overwritten, time and again",
      settings: CrashStoreSettings(checkpointPages: 8), preparation: notes("a", 2),
      steps: notes("b", 3) + [.edit("a1", noted(5)), .edit("a1", noted(6)), .perform(.close)]),
    CrashScenario(
      "log-grows-and-shrinks", "a long commit is moved while short ones follow",
      settings: CrashStoreSettings(checkpointPages: 8),
      steps: [.perform(.create(id: "big", body: long(50_000)))] + notes("b", 3) + [.remove("big")]),
    CrashScenario(
      "torn-log", "the power went in a commit, and goes again while the log is read",
      preparation: notes("a", 3) + [
        .losePower(
          in: .batch((1...9).map { note(DocumentID(JSONString("b\($0)")), $0) }), afterChanges: 9)
      ], steps: notes("c", 1)),
    CrashScenario(
      "torn-checkpoint", "the power went while the log was moved, and goes again",
      preparation: notes("a", 8) + [.losePower(in: .close, afterChanges: 6)], steps: notes("c", 1)),
    CrashScenario(
      "torn-content", "the power went while content was written, and goes again",
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
      "torn-removal", "the power went while a store was removed, and goes again",
      preparation: notes("a", 2) + [.losePower(in: .destroy, afterChanges: 3)], steps: notes("c", 1)
    ),
    CrashScenario(
      "torn-making", "the power went while a store was made, and goes again",
      preparation: [.losePower(in: .open(), afterChanges: 25)], steps: notes("c", 1)),
  ]
}
