import Datastore
import JSON
import SQLiteDatastore
import Storage

/// Operations that are independent of each other: the expected state after the failure of some of
/// them is the state without them.
struct Script: CustomStringConvertible {
  let description: String
  let operations: [StoreAction]
  /// The reads that return the complete state of a store.
  let questions: [StoreAction]

  /// Whether contents are in separate files.
  var usesBlobs: Bool { operations.contains { $0.name == "putBlob" } }

  static let all = [documents, attachments]

  static let documents = Script(
    description: "documents",
    operations: [
      .open(),
      .create(id: "a", body: ["n": 1]),
      .insertRevisions([
        RevisionRecord(id: "b", path: ["2-b", "1-a"], body: ["n": 2]),
        RevisionRecord(id: "b", path: ["2-x", "1-a"], body: ["n": 3]),
        RevisionRecord(
          id: "big", path: ["1-a"], body: ["x": .text(String(repeating: "x", count: 9000))]),
      ]),
      .writeLocal(id: "l", body: ["seen": 3]),
      .close,
      .open(),
      .purge(id: "b", revs: ["2-x"]),
      .batch([.create(id: "c", body: ["n": 4]), .create(id: "e", body: ["n": 5])]),
      .insertRevisions([
        RevisionRecord(id: "b", path: ["3-c", "2-b", "1-a"], deleted: true, body: [:])
      ]),
      .compact,
      .destroy,
      .open(),
      .create(id: "f", body: ["n": 6]),
      .writeLocal(id: "l", body: ["seen": 9]),
    ],
    questions: [
      .info, .list(), .changes(), .readLocal(id: "l"),
      .getRevisions(
        ["a", "b", "big", "c", "e", "f"].map { id in
          RevisionQuery(id: id, revs: ["1-a", "2-b", "2-x", "3-c"], latest: true)
        }),
    ])

  /// Contents that are shared, uploaded in chunks, uploaded again, dropped and restarted.
  static let attachments = Script(
    description: "attachments",
    operations: [
      .open(),
      record("a", ["1-a"], [data("large", large), data("shared", "shared")]),
      .putBlob(digest: digest(brought), offset: 0, bytes: base64(brought.prefix(70_000))),
      .putBlob(digest: digest(brought), offset: 70_000, bytes: base64(brought.dropFirst(70_000))),
      .putBlob(digest: digest("right"), offset: 0, bytes: base64("wrong")),
      .putBlob(digest: digest("right"), offset: 1, bytes: base64("igh")),
      record(
        "b", ["1-a"],
        [
          RevisionAttachment("up", .chunks, digest: digest(brought)), data("shared", "shared"),
          data("own", "own"),
        ]),
      .close,
      .open(),
      record("a", ["2-b", "1-a"], [RevisionAttachment("shared", .stub, digest: digest("shared"))]),
      .batch([
        .create(id: "c", body: [:], attachments: [data("x", "x"), data("y", "y")]),
        .create(id: "e", body: [:], attachments: [data("own", "own")]),
      ]),
      .compact,
      .purge(id: "b", revs: ["1-a"]),
      .compact,
      .destroy,
      .open(),
      .putBlob(digest: digest("right"), offset: 0, bytes: base64("rig")),
      record("f", ["1-a"], [data("shared", "shared")]),
    ],
    questions: [
      .info,
      .getRevisions(
        ["a", "b", "c", "e", "f"].flatMap { id in
          [true, false].map { latest in
            RevisionQuery(id: id, revs: ["1-a", "2-b"], latest: latest, attachmentsSince: [])
          }
        }),
      .readAttachment(id: "a", rev: "1-a", name: "large", offset: 65_000),
      .readAttachment(id: "b", name: "up", offset: 69_999, limit: 2),
      .readAttachment(id: "c", name: "y"),
      .putBlob(digest: digest(brought), offset: 0, bytes: ""),
      .putBlob(digest: digest("right"), offset: 0, bytes: ""),
      .putBlob(digest: digest(large), offset: 0, bytes: ""),
      .putBlob(digest: digest("own"), offset: 0, bytes: ""),
    ])

  private static let large = String(repeating: "large", count: 14_001)
  private static let brought = String(repeating: "brought", count: 12_001)

  private static func base64(_ content: some StringProtocol) -> JSONString {
    guard case .data(let text) = data("", String(content)).content else { return "" }
    return text
  }

  private static func record(
    _ id: DocumentID, _ path: [RevisionID], _ attachments: [RevisionAttachment]
  ) -> StoreAction {
    .insertRevisions([RevisionRecord(id: id, path: path, body: [:], attachments: attachments)])
  }

  /// Performs one of the operations; every created store has the same incarnation.
  @discardableResult
  func perform(_ index: Int, on bench: Bench) -> Outcome {
    bench.environment = RunEnvironment(seed: 1)
    let outcome = bench.perform(operations[index])
    // The result of the single record is the result of the operation.
    guard case .ok(.inserted(let results)) = outcome, let error = results.compactMap({ $0 }).first
    else { return outcome }
    return .error(error)
  }

  /// The state of a store, opened if necessary.
  func observe(_ bench: Bench) -> [Outcome] {
    bench.environment = RunEnvironment(seed: 1)
    bench.perform(.open())
    return questions.map { bench.perform($0) }
  }

  /// The state of a store in a storage after a restart of the process.
  func observe(_ storage: MemoryStorage) -> [Outcome] {
    let bench = Bench(storage: storage, opens: false)
    defer { try? bench.datastore.crash(.kill) }
    return observe(bench)
  }
}

/// The expected state of a store after some operations of a script, without faults.
struct Expectations {
  let script: Script
  private var known: [Set<Int>: [Outcome]] = [:]

  init(_ script: Script) { self.script = script }

  mutating func state(_ done: Set<Int>) -> [Outcome] {
    if let state = known[done] { return state }
    let bench = Bench(storage: MemoryStorage(), opens: false)
    for index in done.sorted() { script.perform(index, on: bench) }
    let state = script.observe(bench)
    known[done] = state
    return state
  }
}

/// The kinds of power loss that the tests enumerate.
enum Loss: CaseIterable {
  case kill, dropped, kept, halves, tails, mixed, otherwiseMixed

  /// Ends the process, with or without a power loss.
  func strike(_ storage: MemoryStorage) { storage.restart(after: powerLoss(storage)) }

  private func powerLoss(_ storage: MemoryStorage) -> PowerLoss? {
    switch self {
    case .kill: return nil
    case .dropped: return PowerLoss(others: .dropped)
    case .kept: return PowerLoss(others: .kept)
    case .halves: return PowerLoss(others: .torn(sectors: 0xf0f0_f0f0_f0f0_f00f))
    case .tails: return PowerLoss(others: .torn(sectors: ~1))
    case .mixed, .otherwiseMixed:
      var outcomes: [Int: PowerLoss.Outcome] = [:]
      for change in storage.unsyncedChanges {
        var random = SplitMix(state: UInt64(change.number) &+ (self == .mixed ? 0 : 1 << 40))
        let bits = random.next()
        outcomes[change.number] = [.dropped, .kept, .torn(sectors: random.next())][Int(bits % 3)]
      }
      return PowerLoss(outcomes: outcomes)
    }
  }
}
