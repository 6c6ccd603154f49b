import TouchstoneSQLite

/// "Singleton Object": an application wraps one stack, here without a global variable.
private final class CoreDataManager {
  let dataStore: ThreeContextStack

  init(_ folder: String) throws {
    let model = try ManagedObjectModel([
      EntityDescription(
        "Person",
        attributes: [
          AttributeDescription("firstName", .utf8), AttributeDescription("lastName", .utf8),
        ])
    ])
    dataStore = try ThreeContextStack(model: model, storePath: folder + "/People.sqlite3")
  }
}

private final class DSTPerson: ManagedObjectClass {}

private func named(_ name: JSONString) -> FetchPredicate {
  .comparison(PredicateComparison(.path(["lastName"]), .equal, operand: .value(.text(name))))
}

private func insertIfMissing(_ context: QueuedContext) throws {
  try context.findOrInsertEntities(
    entityName: "Person", whereKey: "firstName", equalsValue: .text("Jad")
  ) { try $0.set(["firstName": text("Jad"), "lastName": text("Osseiran")]) }
}

private func count(_ dataStore: ThreeContextStack) throws -> Int {
  var count = 0
  try dataStore.performClosureAndWait { context in
    count = try context.findEntities(entityName: "Person", predicate: named("Osseiran")).count
  }
  return count
}

/// The guide of DataStore.
let dataStoreGuide = [
  Sample("DataStore: insert on the background queue, fetch on the main queue") { folder in
    let dataStore = try CoreDataManager(folder).dataStore
    let entityName = dataStore.entityNameForObjectClass(DSTPerson.self, withClassPrefix: "DST")
    try expect(entityName, "Person")
    try dataStore.performBackgroundClosureWaitAndSave { context in
      for name in ["Ann", "Cid", "Bob"] as [JSONString] {
        try context.insertObject(entityName: "Person") {
          try $0.set(["firstName": text(name), "lastName": text("Osseiran")])
        }
      }
    }
    var names: [PropertyValue?] = []
    try dataStore.performClosureAndWait { context in
      let results = try context.findEntities(
        entityName: "Person", predicate: named("Osseiran"),
        sortDescriptors: [FetchSortDescriptor("firstName")])
      names = try results.map { try $0.value("firstName") }
    }
    try expect(names, [text("Ann"), text("Bob"), text("Cid")])
  },
  Sample("DataStore: insertion if the fetch is empty, with a completion") { folder in
    let dataStore = try CoreDataManager(folder).dataStore
    var completions = 0
    for _ in 1...2 {
      dataStore.performBackgroundClosureAndSave(insertIfMissing) { _, error in
        completions += error == nil ? 1 : 0
      }
      try dataStore.run()
    }
    try expect(completions, 2)
    try expect(try count(dataStore), 1)
  },
  Sample("DataStore: fetch all entities on the background queue") { folder in
    let dataStore = try CoreDataManager(folder).dataStore
    try dataStore.performClosureWaitAndSave { try $0.insertObject(entityName: "Person") }
    var found = 0
    dataStore.performBackgroundClosure { found = try $0.findAll(entityName: "Person").count }
    try dataStore.run()
    try expect(found, 1)
  },
  Sample("DataStore: a word of caution with asynchronous contexts") { folder in
    let dataStore = try CoreDataManager(folder).dataStore
    dataStore.performClosureAndSave(insertIfMissing)
    dataStore.performBackgroundClosureAndSave(insertIfMissing)
    // Both look before either one saves.
    dataStore.step(.main)
    dataStore.step(.background)
    try dataStore.run()
    try expect(try count(dataStore), 2)
    try expect(dataStore.warnings.isEmpty, false)
  },
  Sample("DataStore: the concurrency example: both states reach the file") { folder in
    let manager = try CoreDataManager(folder)
    for (name, isMain) in [("A", true), ("B", false)] as [(JSONString, Bool)] {
      let insert: (QueuedContext) throws -> Void = { context in
        try context.insertObject(entityName: "Person") { try $0.set(["lastName": text(name)]) }
      }
      if isMain {
        try manager.dataStore.performClosureWaitAndSave(insert)
      } else {
        try manager.dataStore.performBackgroundClosureWaitAndSave(insert)
      }
    }
    try expect(manager.dataStore.hasChanges, false)
    // Another stack on the same file.
    let again = try CoreDataManager(folder).dataStore
    var found = 0
    try again.performClosureAndWait { found = try $0.findAll(entityName: "Person").count }
    try expect(found, 2)
  },
]
