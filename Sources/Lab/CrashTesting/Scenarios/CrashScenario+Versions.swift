internal import Datastore
internal import JSON

extension CrashScenario {
  /// Stores written by an earlier version of the program.
  static let versions: [CrashScenario] = [
    CrashScenario(
      "upgrade", "a store of the previous schema version is opened and used",
      origin: .olderStore(.version5),
      steps: [
        .push, .pull, .edit("p", noted(9), [data("new", content(51, count: 900)), stub("z")]),
        .edit("l", long(1500)), .perform(.compact), .edit("m", noted(8)), .push,
      ]),
    CrashScenario(
      "upgrade-log-left", "the same, from the log of a killed process",
      origin: .olderStore(.version5.withLogLeft), steps: [.edit("a", noted(30)), .pull, .push]),
    CrashScenario(
      "upgrade-torn", "power is lost during the upgrade, and is lost again",
      origin: .olderStore(.version5), preparation: [.losePower(in: .open(), afterChanges: 3)],
      steps: [.edit("p", noted(33), [stub("a")]), .push]),
    CrashScenario(
      "upgrade-of-four", "a store from before the table of long bodies is upgraded",
      origin: .olderStore(.version4),
      steps: [.push, .pull, .edit("l", long(1500)), .perform(.compact), .edit("m", noted(8))]),
    CrashScenario(
      "upgrade-of-four-torn", "power is lost during that upgrade, and is lost again",
      origin: .olderStore(.version4), preparation: [.losePower(in: .open(), afterChanges: 8)],
      steps: [.edit("a", noted(33)), .push]),
    CrashScenario(
      "upgrade-of-three", "a store from before indexes is upgraded, and gets an index",
      origin: .olderStore(.version3),
      steps: [
        .push, .pull, .edit("d", noted(8)),
        .perform(.finding(.createIndex(IndexDefinition("by-number", fields: ["n"])))), .reopen,
        .edit("b", noted(31)),
      ]),
    CrashScenario(
      "upgrade-of-two", "a store from before attachments is upgraded, and gets some",
      origin: .olderStore(.version2.withLogLeft),
      steps: [
        .edit("b", noted(32), [data("new", content(41, count: 800))]), .push, .pull,
        .remove("t"),
      ]),
  ]
}
