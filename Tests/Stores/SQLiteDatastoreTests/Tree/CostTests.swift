import Datastore
import JSON
import Storage
import Testing

@testable import SQLiteDatastore

/// The work of an operation, according to SQLite's own counters, and its growth.
@Suite struct CostTests {
  private static let rule = AttachmentRule(inlineBytesMax: 65_536)

  /// A store with one document of a linear history, and a connection with counters at 0.
  private func store(
    revisionCount: Int, collation: CollationName = .bytes
  ) throws -> (store: Store, tip: Int) {
    let storage = MemoryStorage()
    let store = try #require(
      try Store.open(
        "s.sqlite", in: storage, Store.Wishes(revisionIDs: nil, collation: collation),
        settings: Store.Settings(busyMilliseconds: 0), incarnation: { "00" }))
    let path = (1...revisionCount).reversed().map { name($0) }
    try insert(path, into: store)
    // Statements are prepared and pages cached before the work is counted.
    try insert([name(revisionCount + 1), path[0]], into: store)
    _ = store.connection.takeWork()
    return (store, revisionCount + 1)
  }

  /// The name of a revision, as long as names with a digest.
  private func name(_ generation: Int) -> RevisionID {
    let digits = String(generation, radix: 16)
    return RevisionID(
      JSONString("\(generation)-\(String(repeating: "0", count: 32 - digits.count))\(digits)"))
  }

  private func insert(_ path: [RevisionID], into store: Store) throws {
    let environment = RunEnvironment(seed: 1)
    let record = RevisionRecord(id: "d", path: path, body: ["n": 1])
    let request = try Request(
      .insertRevisions([record]), collation: store.identity.collation, Self.rule,
      environment: environment)
    let result = try store.perform(request)
    #expect(result == .inserted([nil]))
  }

  private func work(_ store: Store, _ body: () throws -> Void) rethrows -> Work {
    try body()
    return store.connection.takeWork()
  }

  /// The work of merging a path of one new revision and its known parent.
  private func mergeWork(revisionCount: Int) throws -> Work {
    let (store, tip) = try store(revisionCount: revisionCount)
    return try work(store) {
      try insert(
        [name(tip + 1), name(tip)], into: store)
    }
  }

  @Test func aMergeCostsTheNewPartOfThePath() throws {
    let small = try mergeWork(revisionCount: 100)
    let large = try mergeWork(revisionCount: 10_000)
    #expect(small.machineSteps > 50)
    #expect(Double(large.machineSteps) <= 1.3 * Double(small.machineSteps), "\(small) \(large)")
    #expect(Double(large.pages) <= 1.3 * Double(small.pages), "\(small) \(large)")
  }

  @Test func aKnownHistoryInThePathCostsNothing() throws {
    let (store, tip) = try store(revisionCount: 2_000)
    let short = try work(store) {
      try insert(
        [name(tip + 1), name(tip)], into: store)
    }
    let long = try work(store) {
      try insert((1...tip + 2).reversed().map { name($0) }, into: store)
    }
    #expect(Double(long.machineSteps) <= 1.1 * Double(short.machineSteps), "\(short) \(long)")
  }

  @Test func aHistoryLimitCostsWhatItCuts() throws {
    func editWork(_ limit: Int64) throws -> Work {
      let (store, tip) = try store(revisionCount: Int(limit) + 20)
      let environment = RunEnvironment(seed: 1)
      _ = try store.perform(
        Request(
          .historyLimit(limit), collation: .bytes, Self.rule,
          environment: environment))
      var parent = tip
      func edit() throws {
        try insert(
          [name(parent + 1), name(parent)],
          into: store)
        parent += 1
      }
      try edit()
      _ = store.connection.takeWork()
      return try work(store, edit)
    }
    let (small, large) = (try editWork(200), try editWork(10_000))
    #expect(Double(large.machineSteps) <= 1.3 * Double(small.machineSteps), "\(small) \(large)")
    // One page more for each statement that descends a tree with one more level.
    #expect(large.pages <= small.pages + 8, "\(small) \(large)")
  }

  /// A path is read along its neighbours, and not among thousands of rows of other branches.
  @Test(arguments: [1, 40, 2_000])
  func aPathCostsItsLength(branchCount: Int) throws {
    let (store, tip) = try store(revisionCount: 100)
    for number in 1..<branchCount {
      try insert([RevisionID(JSONString("60-x\(number)")), name(59)], into: store)
    }
    let environment = RunEnvironment(seed: 1)
    let query = RevisionQuery(id: "d", revs: [name(tip)])
    let request = try Request(
      .getRevisions([query]), collation: .bytes, Self.rule, environment: environment)
    _ = try store.perform(request)
    _ = store.connection.takeWork()
    let work = try work(store) {
      guard case .revisions(let answers)? = try store.perform(request),
        case .records(let records) = answers[0].found
      else {
        Issue.record("no record")
        return
      }
      #expect(records.map(\.path) == [(1...tip).reversed().map { name($0) }])
    }
    #expect((100...(branchCount == 1 ? 1_000 : 2_500)).contains(work.machineSteps), "\(work)")
  }

  @Test func branchesCostNothingToTheOthers() throws {
    func branchWork(branchCount: Int) throws -> Work {
      let (store, _) = try store(revisionCount: 2)
      for number in 1...branchCount {
        try insert([RevisionID(JSONString("2-x\(number)")), name(1)], into: store)
      }
      let environment = RunEnvironment(seed: 1)
      let purge = try Request(
        .purge(id: "d", revs: ["2-x7"]), collation: .bytes, Self.rule,
        environment: environment)
      try insert(["2-y", name(1)], into: store)
      _ = try store.perform(purge)
      _ = store.connection.takeWork()
      return try work(store) {
        try insert(["3-x5", "2-x5"], into: store)
        try insert(["2-x7", name(1)], into: store)
        _ = try store.perform(purge)
      }
    }
    let (small, large) = (try branchWork(branchCount: 20), try branchWork(branchCount: 600))
    #expect(Double(large.machineSteps) <= 1.3 * Double(small.machineSteps), "\(small) \(large)")
    #expect(large.pages <= small.pages + 24, "\(small) \(large)")
  }
}
