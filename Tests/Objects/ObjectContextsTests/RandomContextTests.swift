import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import TestSeeds
import Testing

/// Random edits of two contexts over one store, with random policies.
struct RandomContextTests {
  /// People in departments, with tags, partners, and a boss with a cascading delete rule.
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription(
        "Emp", attributes: [AttributeDescription("age", .int64)],
        relationships: [
          RelationshipDescription("dept", to: "Dept", inverse: "emps"),
          RelationshipDescription("partner", to: "Emp", inverse: "partner"),
          RelationshipDescription("tags", to: "Tag", inverse: "emps", isToMany: true),
        ]),
      EntityDescription(
        "Dept", attributes: [AttributeDescription("age", .int64)],
        relationships: [
          RelationshipDescription("emps", to: "Emp", inverse: "dept", isToMany: true)
        ]),
      EntityDescription(
        "Tag", attributes: [AttributeDescription("age", .int64)],
        relationships: [
          RelationshipDescription("emps", to: "Emp", inverse: "tags", isToMany: true)
        ]),
    ])
  }

  struct Random {
    var environment: RunEnvironment
    mutating func below(_ count: Int) -> Int { Int(environment.nextRandom() % UInt64(count)) }
    mutating func pick<Element>(_ list: [Element]) -> Element? {
      list.isEmpty ? nil : list[below(list.count)]
    }
  }

  static let entities: [JSONString] = ["Emp", "Dept", "Tag"]

  private func ids(_ context: ManagedObjectContext, _ entity: JSONString) throws -> [ObjectID] {
    try context.fetch(ObjectFetchRequest(entity)).map { $0.id }
  }

  /// One random change.
  func edit(
    _ context: ManagedObjectContext, _ random: inout Random, _ count: inout Int
  ) throws {
    let entity = random.pick(Self.entities) ?? "Emp"
    count += 1
    let known = try ids(context, entity)
    switch random.below(10) {
    case 0, 1:
      try context.insert(entity, id: ObjectID(JSONString("\(entity)-\(count)")))
    case 2:
      if let id = random.pick(known) { try context.delete(id) }
    case 3, 4:
      if let id = random.pick(known) { try context.set("age", Int64(random.below(5)), of: id) }
    case 5:
      // Dropping the changes of only one end of a relationship makes it inconsistent.
      guard let id = random.pick(known) else { return }
      let isClean = context.registered(id)?.changedNames.isEmpty ?? true
      // It may have been deleted below what this context has read.
      _ = context.failure { try context.refresh(id, merging: !isClean || random.below(2) == 0) }
    default:
      let emps = try ids(context, "Emp")
      guard let emp = random.pick(emps) else { return }
      switch random.below(4) {
      case 0:
        let dept = random.pick(try ids(context, "Dept"))
        try context.set(["dept": dept.map { .toOne($0) } ?? .none], of: emp)
      case 1:
        let partner = random.pick(emps)
        try context.set(["partner": partner.map { .toOne($0) } ?? .none], of: emp)
      case 2:
        let tags = try ids(context, "Tag").filter { _ in random.below(2) == 0 }
        try context.set(["tags": .toMany(tags)], of: emp)
      default:
        guard let dept = random.pick(try ids(context, "Dept")) else { return }
        try context.set(["emps": .toMany(emps.filter { _ in random.below(2) == 0 })], of: dept)
      }
    }
  }

  /// Inconsistent relationships: one-sided ones and dangling references.
  static func faults(_ rows: [ObjectID: RowSnapshot], _ model: ManagedObjectModel) -> [String] {
    var faults: [String] = []
    for (id, row) in rows {
      for relationship in model[row.entity]?.relationships ?? [] {
        let targets: [ObjectID] =
          switch row[relationship.name] {
          case .toOne(let id): [id]
          case .toMany(let ids): ids
          default: []
          }
        for target in targets {
          guard let other = rows[target], let inverse = relationship.inverse else {
            faults.append("\(id).\(relationship.name) leads to \(target), which is not there")
            continue
          }
          let leadsBack =
            switch other[inverse] {
            case .toOne(id): true
            case .toMany(let ids): ids.contains(id)
            default: false
            }
          if !leadsBack { faults.append("\(id).\(relationship.name) \(target) does not lead back") }
        }
      }
    }
    return faults.sorted()
  }

  private func rows(_ cache: StoreCoordinatorCache) throws -> [ObjectID: RowSnapshot] {
    var rows: [ObjectID: RowSnapshot] = [:]
    for entity in Self.entities {
      for row in try cache.store.rows(of: entity) { rows[row.id] = RowSnapshot(row) }
    }
    return rows
  }

  /// Runs the edits of a seed.
  ///
  /// - Parameter isShared: whether both contexts use one cache.
  private func run(_ seed: UInt64, isShared: Bool, _ first: StoreCoordinatorCache) throws {
    var random = Random(environment: RunEnvironment(seed: seed))
    let second = isShared ? first : StoreCoordinatorCache(first.store)
    let policies: [MergePolicy] = [.storeTrump, .objectTrump, .overwrite, .rollback]
    let contexts = [first, second].map { $0.context() }
    var count = 0
    for _ in 0..<40 {
      let context = contexts[random.below(2)]
      if random.below(5) > 0 {
        try edit(context, &random, &count)
        continue
      }
      context.policy = random.pick(policies) ?? .storeTrump
      try context.save()
      #expect(!context.hasChanges)
      let faults = Self.faults(try rows(first), first.model)
      #expect(faults.isEmpty, "seed \(seed), \(context.policy): \(faults.joined(separator: "; "))")
      guard faults.isEmpty else { return }
      // After a save, the saving context has the stored versions of the saved objects.
      if random.below(2) == 0, let notification = context.state.lastNotification {
        try contexts[context === contexts[0] ? 1 : 0].merge(notification)
      }
    }
  }

  @Test(arguments: [false, true])
  func relationshipsHoldBothWays(isShared: Bool) throws {
    for seed in RotatingSeeds.next(60) {
      try run(seed, isShared: isShared, Fixtures.memory(try Self.model()))
    }
  }

  @Test func relationshipsHoldInDocuments() throws {
    for seed in RotatingSeeds.next(6) {
      try run(seed, isShared: false, try Fixtures.stored(try Self.model()))
    }
  }
}
