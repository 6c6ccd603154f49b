import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import ReferenceDatastore
import Testing

/// Two devices that decide one conflict in favor of each other's version.
struct OppositeResolutionTests {
  /// Both replicas have the same conflict, each with its own version first.
  private func conflict(_ options: ContextOptions) throws -> [(Replica, ManagedObjectContext)] {
    let (here, there) = try Replica.pair()
    let replicas = [here, there].map { replica in
      (
        replica,
        ManagedObjectContext(.coordinator(replica.cache), policy: .error, options: options)
      )
    }
    for (number, (_, context)) in replicas.enumerated() {
      try context.set("a", Int64(number) + 2, of: "t")
      try context.save()
    }
    try replicate(here, there)
    return replicas
  }

  private func replicate(_ here: Replica, _ there: Replica) throws {
    try here.pull(from: there)
    try there.pull(from: here)
  }

  private func resolve(
    _ replicas: [(Replica, ManagedObjectContext)], by policies: [MergePolicy]
  ) throws {
    for ((_, context), policy) in zip(replicas, policies) {
      let conflicts = try context.processConflicts()
      #expect(conflicts.count == 1)
      try context.resolve(conflicts, by: policy)
      try context.save()
    }
    try replicate(replicas[0].0, replicas[1].0)
  }

  /// The behavior of the product: the object is gone on both devices, and both are warned.
  @Test func deletesAnObjectThatNoUserDeleted() throws {
    let replicas = try conflict(ContextOptions())
    try resolve(replicas, by: [.storeTrump, .storeTrump])
    for (replica, _) in replicas {
      #expect(try replica.live("t") == 0)
      #expect(
        try ReplicationAdvisory.warnings(afterPullInto: replica.cache)
          == [.deletedInAllBranches(["t"])])
    }
  }

  @Test func aUsersDeletionIsNoWarningThere() throws {
    let (here, there) = try Replica.pair()
    try there.context.delete("t")
    try there.context.save()
    try here.pull(from: there)
    #expect(try ReplicationAdvisory.warnings(afterPullInto: there.cache).isEmpty)
    #expect(try ReplicationAdvisory.warnings(afterPullInto: here.cache).isEmpty)
  }

  /// With `keepsWinner` an object remains whatever the two devices decide, and further rounds end.
  @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback])
  func keepsAnObject(policy: MergePolicy) throws {
    for other in [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback] {
      let replicas = try conflict(ContextOptions(keepsWinner: true))
      try resolve(replicas, by: [policy, other])
      let (here, there) = (replicas[0].0, replicas[1].0)
      #expect(try here.live("t") >= 1, "\(policy), \(other)")
      #expect(
        try ReplicationAdvisory.warnings(afterPullInto: here.cache)
          .allSatisfy { if case .deletedInAllBranches = $0 { false } else { true } })
      // One device decides what is left.
      let rest = try replicas[0].1.processConflicts()
      try replicas[0].1.resolve(rest, by: .storeTrump)
      try replicas[0].1.save()
      try replicate(here, there)
      #expect(try here.live("t") == 1 && there.live("t") == 1)
      #expect(try here.stored("t") == there.stored("t"))
    }
  }

  /// The values are those of the policy, whichever leaf wins.
  @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback])
  func theValuesAreThoseOfThePolicy(policy: MergePolicy) throws {
    for place in 0...1 {
      let replicas = try conflict(ContextOptions(keepsWinner: true))
      let (replica, context) = replicas[place]
      let conflicts = try context.processConflicts()
      try context.resolve(conflicts, by: policy)
      try context.save()
      let own = Int64(place) + 2
      let theirs = Int64(1 - place) + 2
      let expected = policy == .objectTrump || policy == .overwrite ? own : theirs
      #expect(try replica.stored("t") == [expected, 1])
      #expect(try replica.live("t") == 1)
      #expect(try context.processConflicts().isEmpty)
    }
  }

  /// A deletion that is not saved yet meets a conflict.
  @Test func anUnsavedDeletionComesBackWithThePulledValues() throws {
    for place in 0...1 {
      let replicas = try conflict(ContextOptions(keepsWinner: true))
      let (replica, context) = replicas[place]
      let conflicts = try context.processConflicts()
      try context.delete("t")
      try context.resolve(conflicts, by: .storeTrump)
      try context.save()
      #expect(try replica.stored("t") == [Int64(1 - place) + 2, 1])
      #expect(try replica.live("t") == 1)
    }
  }
}
