internal import Datastore
internal import JSON
internal import Oracles

extension CrashScenario {
  /// Contents in separate files, with their revisions.
  static let attachments: [CrashScenario] = [
    CrashScenario(
      "attachments", "a document arrives with two attachments, and changes one",
      steps: [
        .perform(
          .create(
            id: "d", body: noted(1),
            attachments: [
              data("one", content(11, count: 1200)), data("two", content(12, count: 300)),
            ])),
        .edit("d", noted(2), [stub("one"), data("two", content(13, count: 700))]),
      ]),
    CrashScenario(
      "large-attachment", "contents of many pieces arrive at once",
      steps: [
        .perform(
          .create(
            id: "d", body: noted(1), attachments: [data("big", content(14, count: 150_000))])),
        .perform(
          .insertRevisions([
            record(
              "e", ["2-b", "1-a"], number: 2, attachments: [data("big", content(15, count: 90_000))]
            )
          ])),
      ]),
    CrashScenario(
      "shared-content", "documents share content, and one after the other drops it",
      preparation: [
        .perform(
          .create(id: "d", body: [:], attachments: [data("x", content(16, count: 2000))]))
      ],
      steps: [
        .perform(
          .create(id: "e", body: [:], attachments: [data("y", content(16, count: 2000))])),
        .edit("d", noted(2)), .perform(.compact), .edit("e", noted(3)), .perform(.compact),
      ]),
    CrashScenario(
      "attachments-dropped", "contents that no revision has are removed",
      preparation: [
        .perform(
          .insertRevisions([
            record("p", ["1-a"], number: 1, attachments: [data("x", content(17, count: 5000))]),
            record("q", ["1-a"], number: 2, attachments: [data("x", content(18, count: 600))]),
          ]))
      ],
      steps: [.perform(.purge(id: "p", revs: ["1-a"])), .remove("q"), .perform(.compact)]),
    CrashScenario(
      "resolve-attachments", "a conflict between attachments is resolved",
      preparation: [
        .perform(
          .insertRevisions([
            record("t", ["1-a"], number: 1, attachments: [data("x", content(19, count: 900))]),
            record("t", ["1-b"], number: 2, attachments: [data("x", content(20, count: 900))]),
          ]))
      ],
      steps: [
        .perform(
          .resolve(
            id: "t", leaves: ["1-a", "1-b"], keep: "1-a", body: noted(3),
            attachments: [stub("x"), data("y", content(21, count: 1500))]))
      ]),
  ]

  private static let brought = content(22, count: 9000)
  private static let wrong = content(23, count: 9000)

  /// Contents uploaded in pieces before their revision.
  static let uploads: [CrashScenario] = [
    CrashScenario(
      "upload", "content arrives in three pieces, and then its revision",
      steps: [
        put(brought, 0..<4000), put(brought, 4000..<8000), put(brought, 8000..<9000),
        .perform(
          .insertRevisions([record("u", ["1-a"], number: 1, attachments: [held("up", brought)])])),
      ]),
    CrashScenario(
      "upload-replaced", "a wrong piece is replaced, after a crash, too",
      preparation: [
        .perform(
          .putBlob(
            digest: brought.digest, offset: 0, bytes: wrong.base64(0..<6000)))
      ],
      steps: [
        put(brought, 0..<4000), .kill, put(brought, 4000..<9000),
        .perform(
          .create(id: "u", body: noted(1), attachments: [held("up", brought)])),
      ]),
    CrashScenario(
      "upload-abandoned", "content without a revision is dropped",
      preparation: [put(brought, 0..<4000)],
      steps: [put(brought, 4000..<6000), .perform(.compact), put(brought, 0..<1000)]),
  ]
}
