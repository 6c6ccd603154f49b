import Datastore
import JSON
import SQLiteDatastore
import Storage

/// Operations of which each does its own part whether or not the others were done, so that what is
/// to be expected after any of them failed is found by leaving these out.
enum Script {
  static let operations: [Action] = [
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
  ]

  /// Everything that a store shows.
  static let questions: [Action] = [
    .info, .list(), .changes(), .readLocal(id: "l"),
    .getRevisions(
      ["a", "b", "big", "c", "e", "f"].map { id in
        RevisionQuery(id: id, revs: ["1-a", "2-b", "2-x", "3-c"], latest: true)
      }),
  ]

  /// Performs one of the operations; every store that is made has the same incarnation.
  @discardableResult
  static func perform(_ index: Int, on bench: Bench) -> Outcome {
    bench.environment = Environment(seed: 1)
    return bench.perform(operations[index])
  }

  /// What a store shows, opened if it is not.
  static func observe(_ bench: Bench) -> [Outcome] {
    bench.environment = Environment(seed: 1)
    bench.perform(.open())
    return questions.map { bench.perform($0) }
  }

  /// What a store in a storage shows after the process began anew.
  static func observe(_ storage: MemoryStorage) -> [Outcome] {
    let bench = Bench(storage: storage, opens: false)
    defer { try? bench.datastore.crash(.kill) }
    return observe(bench)
  }
}

/// What a store shows when some operations of the script were done and nothing went wrong.
struct Expectations {
  private var known: [Set<Int>: [Outcome]] = [:]

  mutating func state(_ done: Set<Int>) -> [Outcome] {
    if let state = known[done] { return state }
    let bench = Bench(storage: MemoryStorage(), opens: false)
    for index in done.sorted() { Script.perform(index, on: bench) }
    let state = Script.observe(bench)
    known[done] = state
    return state
  }
}

/// The decisions about a power loss that the tests go through.
enum Loss: CaseIterable {
  case kill, dropped, kept, halves, tails, mixed, otherwiseMixed

  /// Ends the life of a process, and the power with it.
  func strike(_ storage: MemoryStorage) { storage.restart(after: powerLoss(storage)) }

  private func powerLoss(_ storage: MemoryStorage) -> PowerLoss? {
    switch self {
    case .kill: return nil
    case .dropped: return PowerLoss(others: .dropped)
    case .kept: return PowerLoss(others: .kept)
    case .halves: return PowerLoss(others: .torn(sectors: 0xf0f0_f0f0_f0f0_f00f))
    case .tails: return PowerLoss(others: .torn(sectors: ~1))
    case .mixed, .otherwiseMixed:
      var fates: [Int: PowerLoss.Fate] = [:]
      for change in storage.unsyncedChanges {
        var random = SplitMix(state: UInt64(change.number) &+ (self == .mixed ? 0 : 1 << 40))
        let bits = random.next()
        fates[change.number] = [.dropped, .kept, .torn(sectors: random.next())][Int(bits % 3)]
      }
      return PowerLoss(fates: fates)
    }
  }
}
