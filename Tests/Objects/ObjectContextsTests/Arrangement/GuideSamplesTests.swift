import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import ReferenceDatastore
import Testing

/// The samples of the guide of DataStore, over its `DSTPerson`.
struct GuideSamplesTests {
  /// "Singleton Object": one global instance of an application.
  @MainActor final class CoreDataManager {
    static let sharedManager = try? CoreDataManager()

    let dataStore: ThreeContextStack

    private init() throws {
      let bundle: [JSONString: ManagedObjectModel] = ["People.momd": try Fixtures.people()]
      guard let model = ThreeContextStack.modelForResource("People", bundle: bundle) else {
        throw Fixtures.Missing()
      }
      dataStore = try ThreeContextStack(
        model: model, storePath: "file:///documents/people",
        host: ObjectHost(ReferenceDatastore(), RunEnvironment(seed: 3)))
    }
  }

  @MainActor @Test func theSharedInstance() throws {
    let manager = try #require(CoreDataManager.sharedManager)
    #expect(manager === CoreDataManager.sharedManager)
    #expect(manager.dataStore.persistentStoreURL == "file:///documents/people")
    #expect(!manager.dataStore.hasChanges)
  }

  @Test func insertingOnTheBackgroundQueue() throws {
    for dataStore in try Fixtures.stacks() {
      let entityName = try #require(
        dataStore.entityNameForObjectClass(DSTPerson.self, withClassPrefix: "DST"))
      try dataStore.performBackgroundClosureWaitAndSave { context in
        try context.insertObject(entityName: entityName) { object in
          let instance = DSTPerson(object)
          try instance.setName("Jad", "Osseiran")
          try object.set(["dateOfBirth": .attribute(.date(662_688_000))])
          try context.insertObject(entityName: "Phone") { phone in
            try phone.set(["owner": .toOne(object.id)])
          }
        }
      }
      #expect(!dataStore.hasChanges)
      try dataStore.performClosureAndWait { context in
        let results = try context.findAll(entityName: entityName).map { DSTPerson($0) }
        #expect(results.count == 1)
        #expect(try results.first?.firstName() == "Jad")
        #expect(try results.first?.lastName() == "Osseiran")
        #expect(try results.first?.dateOfBirth() == 662_688_000)
        #expect(try results.first?.phones().count == 1)
      }
    }
  }

  @Test func fetchingOnTheMainQueue() throws {
    for dataStore in try Fixtures.stacks() {
      try dataStore.performClosureWaitAndSave { context in
        for name: JSONString in ["Ann", "Cid", "Bob"] { try context.insertPerson(name, "Osseiran") }
        try context.insertPerson("Dora", "Other")
      }
      var names: [JSONString?] = []
      try dataStore.performClosureAndWait { context in
        let predicate = FetchPredicate.comparison(
          PredicateComparison(.path(["lastName"]), .equal, operand: .value(.text("Osseiran"))))
        let results = try context.findEntities(
          entityName: "Person", predicate: predicate,
          sortDescriptors: [FetchSortDescriptor("firstName", ascending: false)])
        names = try results.map { try DSTPerson($0).firstName() }
      }
      #expect(names == ["Cid", "Bob", "Ann"])
    }
  }

  @Test func insertionIfEmptyFetchResult() throws {
    for dataStore in try Fixtures.stacks() {
      var ends: [ContextError?] = []
      for _ in 1...2 {
        dataStore.performBackgroundClosureAndSave({ context in
          try context.findOrInsertEntities(
            entityName: "Person", whereKey: "firstName", equalsValue: .text("Jad")
          ) { insertedObject in
            try DSTPerson(insertedObject).setName("Jad", "Osseiran")
          }
        }) { context, error in
          #expect(context.queue == .background)
          ends.append(error)
        }
        try dataStore.run()
      }
      #expect(ends == [nil, nil])
      #expect(try dataStore.names() == (["Jad"], ["Jad"]))
      #expect(dataStore.warnings.isEmpty)
    }
  }

  @Test func fetchingAllEntitiesOnTheBackgroundQueue() throws {
    for dataStore in try Fixtures.stacks() {
      try dataStore.performClosureWaitAndSave { try $0.insertPerson("Ann", "One") }
      var count = 0
      dataStore.performBackgroundClosure { context in
        count = try context.findAll(entityName: "Person").count
      }
      #expect(count == 0)
      try dataStore.run()
      #expect(count == 1)
    }
  }

  /// "A Word of Caution": one of the possible schedules, with a group that is notified.
  @Test func aWordOfCaution() throws {
    let dataStore = try Fixtures.stack()
    var group = 2
    var found = 0
    func leave() throws {
      group -= 1
      guard group == 0 else { return }
      try dataStore.performClosureAndWait { context in
        let predicate = FetchPredicate.comparison(
          PredicateComparison(.path(["lastName"]), .equal, operand: .value(.text("Osseiran"))))
        found = try context.findEntities(entityName: "Person", predicate: predicate).count
      }
    }
    func findOrInsert(_ context: QueuedContext) throws {
      try context.findOrInsertEntities(
        entityName: "Person", whereKey: "firstName", equalsValue: .text("Jad")
      ) { try DSTPerson($0).setName("Jad", "Osseiran") }
    }
    dataStore.performClosureAndSave(findOrInsert) { _, _ in
      #expect(throws: Never.self) { try leave() }
    }
    dataStore.performBackgroundClosureAndSave(findOrInsert) { _, _ in
      #expect(throws: Never.self) { try leave() }
    }
    // Both search before either one saves.
    dataStore.step(.background)
    try dataStore.run()
    #expect(found == 2)
    #expect(
      dataStore.warnings
        == [.sameData(.value(entity: "Person", key: "firstName", .text("Jad")))])
  }
}
