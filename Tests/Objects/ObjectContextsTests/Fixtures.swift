import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import ReferenceDatastore

/// Departments with their people, and things with two numbers.
enum Fixtures {
  static func model(
    employees: DeleteRule = .nullify, department: Bool = true, unique: [[JSONString]] = []
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription(
        "Thing",
        attributes: [
          AttributeDescription("a", .int64), AttributeDescription("b", .int64),
          AttributeDescription("name", .utf8),
        ],
        uniquenessConstraints: unique),
      EntityDescription(
        "Dept", attributes: [AttributeDescription("name", .utf8)],
        relationships: [
          RelationshipDescription(
            "emps", to: "Emp", inverse: "dept", isToMany: true, deleteRule: employees)
        ]),
      EntityDescription(
        "Emp",
        attributes: [
          AttributeDescription("name", .utf8), AttributeDescription("age", .int64),
        ],
        relationships: [
          RelationshipDescription("dept", to: "Dept", inverse: "emps", isOptional: department)
        ]),
    ])
  }

  /// A cache over rows in memory.
  static func memory(_ model: ManagedObjectModel) -> StoreCoordinatorCache {
    StoreCoordinatorCache(MemoryRows(model))
  }

  /// A cache over an incremental store over the model of a datastore.
  static func stored(_ model: ManagedObjectModel) throws -> StoreCoordinatorCache {
    let datastore = ReferenceDatastore()
    let host = ObjectHost(datastore, RunEnvironment(seed: 7))
    let coordinator = StoreCoordinator(
      model, types: StoreTypeRegistry(registersAutomatically: true), host: host)
    let store = try coordinator.addStore(type: IncrementalStore.type, url: "file:///objects")
    guard let store = store as? IncrementalStore else { throw Missing() }
    return StoreCoordinatorCache(store)
  }

  /// Over both kinds of stores of rows.
  static func both(_ model: ManagedObjectModel) throws -> [StoreCoordinatorCache] {
    [memory(model), try stored(model)]
  }

  struct Missing: Error {}

  static func numbers(_ a: Int64, _ b: Int64) -> [JSONString: PropertyValue] {
    ["a": .attribute(.integer(a)), "b": .attribute(.integer(b))]
  }
}

extension ManagedObjectContext {
  func number(_ name: JSONString, of id: ObjectID) throws -> Int64? {
    guard case .attribute(.integer(let number))? = try object(id).properties[name] else {
      return nil
    }
    return number
  }

  func numbers(_ id: ObjectID) throws -> [Int64?] {
    [try number("a", of: id), try number("b", of: id)]
  }

  func set(_ name: JSONString, _ number: Int64, of id: ObjectID) throws {
    try set([name: .attribute(.integer(number))], of: id)
  }

  /// The error of a call, or nil.
  func failure(_ body: () throws -> Void) -> ContextError? {
    do { try body() } catch { return error as? ContextError }
    return nil
  }
}

extension StoreCoordinatorCache {
  /// A context on the cache.
  func context(
    _ policy: MergePolicy = .error, _ options: ContextOptions = ContextOptions()
  ) -> ManagedObjectContext {
    ManagedObjectContext(.coordinator(self), policy: policy, options: options)
  }
}

extension ManagedObjectContext {
  /// A child context.
  func child(
    _ policy: MergePolicy = .error, _ options: ContextOptions = ContextOptions()
  ) -> ManagedObjectContext {
    ManagedObjectContext(.context(self), policy: policy, options: options)
  }
}
