internal import Datastore
internal import JSON

extension CrashScenario {
  /// Stores that an earlier version of the program has left.
  static let versions: [CrashScenario] = [
    CrashScenario(
      "upgrade", "a store of the schema before the last change is opened and goes on",
      origin: .olderStore(.version3), [.push, .pull, .edit("d", noted(8))]),
    CrashScenario(
      "upgrade-log-left", "the same, from the log of a process that died",
      origin: .olderStore(.version3.withLogLeft), [.edit("a", noted(30)), .pull, .push]),
    CrashScenario(
      "upgrade-and-index", "the same, and what only the new version has",
      origin: .olderStore(.version3),
      [
        .perform(.finding(.createIndex(IndexDefinition("by-number", fields: ["n"])))), .reopen,
        .edit("b", noted(31)),
      ]),
    CrashScenario(
      "upgrade-torn", "the power went during the upgrade, and goes again",
      origin: .olderStore(.version3), preparation: [.losePower(in: .open(), afterChanges: 12)],
      [.edit("a", noted(33)), .push]),
    CrashScenario(
      "upgrade-of-two", "a store from before there were attachments goes on, and has some",
      origin: .olderStore(.version2.withLogLeft),
      [
        .edit("b", noted(32), [data("new", content(41, count: 800))]), .push, .pull,
        .remove("t"),
      ]),
  ]
}
