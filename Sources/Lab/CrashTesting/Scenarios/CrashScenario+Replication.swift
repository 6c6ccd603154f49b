internal import Datastore
internal import JSON
internal import Oracles

extension CrashScenario {
  /// Sessions with another store, run by the process.
  static let replication: [CrashScenario] = [
    CrashScenario(
      "pull", "five documents are pulled", preparation: elsewhere("x", 5), steps: [.pull]),
    CrashScenario(
      "push", "five documents are pushed", preparation: notes("a", 5), steps: [.push]),
    CrashScenario(
      "pull-again", "a session continues from a checkpoint",
      preparation: elsewhere("x", 4) + [.pull] + elsewhere("y", 4), steps: [.pull]),
    CrashScenario(
      "push-again", "a session continues from a checkpoint",
      preparation: notes("a", 4) + [.push, .edit("a1", noted(5))] + notes("b", 3), steps: [.push]),
    CrashScenario(
      "both-ways", "both sides changed the same documents",
      preparation: [
        .perform(
          .insertRevisions([
            record("t", ["2-b", "1-a"], number: 1), record("u", ["1-a"], number: 2),
          ])),
        .elsewhere(
          .insertRevisions([
            record("t", ["2-c", "1-a"], number: 3), record("u", ["1-b"], number: 4),
          ])),
      ], steps: [.pull, .push]),
    CrashScenario(
      "pull-deletions", "tombstones and branches are pulled",
      preparation: notes("a", 3) + [
        .push,
        .elsewhere(
          .insertRevisions([
            record("t", ["3-c", "2-b", "1-a"], deleted: true),
            record("t", ["2-d", "1-a"], number: 2),
          ])),
      ], steps: [.remove("a1"), .push, .pull]),
    CrashScenario(
      "checkpoints", "alternating sessions write many checkpoints",
      preparation: notes("a", 1),
      steps: [.push, .perform(note("b", 1)), .push, .pull, .edit("b", noted(2)), .push]),
    CrashScenario(
      "edits-between", "clients write between sessions, and processes are killed",
      preparation: elsewhere("x", 3),
      steps: [.pull, .edit("x1", noted(9)), .kill, .push, .remove("x2"), .pull, .push]),
  ]

  /// Sessions that transfer contents.
  static let replicatedContents: [CrashScenario] = [
    CrashScenario(
      "pull-attachments", "small contents arrive with their revisions",
      preparation: [
        .elsewhere(
          .create(
            id: "d", body: noted(1), attachments: [data("one", content(31, count: 900))])),
        .elsewhere(
          .create(
            id: "e", body: noted(2), attachments: [data("two", content(32, count: 500))])),
      ], steps: [.pull]),
    CrashScenario(
      "pull-in-pieces", "large contents arrive in pieces before their revisions",
      settings: CrashStoreSettings(inlineBytesMax: 1024), preparation: elsewhereInPieces,
      steps: [.pull]),
    CrashScenario(
      "push-in-pieces", "large contents are sent in pieces",
      settings: CrashStoreSettings(inlineBytesMax: 1024),
      preparation: hereInPieces, steps: [.push]),
  ]

  private static func elsewhere(_ prefix: String, _ count: Int64) -> [CrashStep] {
    (1...count).map { .elsewhere(note(DocumentID(JSONString("\(prefix)\($0)")), $0)) }
  }

  private static let large = content(33, count: 3500)

  private static let pieces: [StoreAction] =
    stride(from: 0, to: 3500, by: 1000).map { start in
      .putBlob(
        digest: large.digest, offset: Int64(start),
        bytes: large.base64(start..<min(start + 1000, 3500)))
    } + [.create(id: "d", body: noted(1), attachments: [held("big", large)])]

  private static let elsewhereInPieces: [CrashStep] = pieces.map { .elsewhere($0) }
  private static let hereInPieces: [CrashStep] = pieces.map { .perform($0) }
}
