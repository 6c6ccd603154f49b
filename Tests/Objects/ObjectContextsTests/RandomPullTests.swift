import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import TestSeeds
import Testing

/// Random edits of two replicas, and pulls whose conflicts one of them resolves with a random
/// policy.
struct RandomPullTests {
  private func rows(_ replica: Replica) throws -> [ObjectID: RowSnapshot] {
    var rows: [ObjectID: RowSnapshot] = [:]
    for entity in RandomContextTests.entities {
      for row in try replica.cache.store.rows(of: entity) { rows[row.id] = RowSnapshot(row) }
    }
    return rows
  }

  private func edit(
    _ replica: Replica, _ random: inout RandomContextTests.Random, _ count: inout Int
  ) throws {
    // No other client saves in the meantime, so no conflict is possible.
    replica.context.reset()
    for _ in 0..<6 {
      try RandomContextTests().edit(replica.context, &random, &count)
    }
    try replica.context.save()
  }

  private func run(_ seed: UInt64) throws {
    var random = RandomContextTests.Random(environment: RunEnvironment(seed: seed))
    let model = try RandomContextTests.model()
    let there = try Replica(model, seed: 1)
    var (hereCount, thereCount) = (0, 1000)
    try edit(there, &random, &thereCount)
    try edit(there, &random, &thereCount)
    let here = try Replica(model, seed: 2, from: there)
    let policies: [MergePolicy] = [.storeTrump, .objectTrump, .overwrite, .rollback]
    for _ in 0..<4 {
      try edit(here, &random, &hereCount)
      try edit(there, &random, &thereCount)
      try here.pull(from: there)
      let policy = random.pick(policies) ?? .storeTrump
      here.context.policy = policy
      try here.context.resolve(try here.context.processConflicts(), by: policy)
      try here.context.save()
      #expect(try here.context.processConflicts() == [], "seed \(seed)")
      #expect(try here.cache.conflictedObjects() == [], "seed \(seed)")
      let mine = try rows(here)
      let faults = RandomContextTests.faults(mine, model)
      #expect(faults.isEmpty, "seed \(seed), \(policy): \(faults.joined(separator: "; "))")
      try there.pull(from: here)
      #expect(try rows(there) == mine, "seed \(seed)")
      guard faults.isEmpty else { return }
    }
  }

  @Test func replicasConverge() throws {
    for seed in RotatingSeeds.next(40) { try run(seed) }
  }
}
