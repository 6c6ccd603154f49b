import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import ReferenceDatastore

extension Fixtures {
  /// The model of the guide: persons and their phones.
  static func people(unique: [[JSONString]] = []) throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription(
        "Person",
        attributes: [
          AttributeDescription("dateOfBirth", .date1970), AttributeDescription("firstName", .utf8),
          AttributeDescription(
            "lastName", .utf8, validation: AttributeValidation(maximumLength: 20)),
        ],
        relationships: [
          RelationshipDescription("phones", to: "Phone", inverse: "owner", isToMany: true)
        ],
        uniquenessConstraints: unique),
      EntityDescription(
        "Phone", attributes: [AttributeDescription("number", .utf8)],
        relationships: [RelationshipDescription("owner", to: "Person", inverse: "phones")]),
    ])
  }

  /// An arrangement over rows in memory.
  static func stack(
    _ options: StackOptions = StackOptions(), unique: [[JSONString]] = [],
    policy: MergePolicy = .error
  ) throws -> ThreeContextStack {
    ThreeContextStack(
      over: memory(try people(unique: unique)), policy: policy, options: options,
      RunEnvironment(seed: 1))
  }

  /// Arrangements over rows in memory and over an incremental store.
  static func stacks() throws -> [ThreeContextStack] {
    let host = ObjectHost(ReferenceDatastore(), RunEnvironment(seed: 7))
    return [
      try stack(),
      try ThreeContextStack(
        model: try people(), storePath: "file:///documents/people", host: host),
    ]
  }
}

/// The class of the guide, over an object of a context.
struct DSTPerson: ManagedObjectClass {
  static let className: JSONString = "DSTPerson"

  let object: LiveObject

  init(_ object: LiveObject) { self.object = object }

  func dateOfBirth() throws -> Double? {
    guard case .attribute(.date(let date)) = try object.value("dateOfBirth") else { return nil }
    return date
  }

  func firstName() throws -> JSONString? { try text("firstName") }
  func lastName() throws -> JSONString? { try text("lastName") }

  func phones() throws -> Set<ObjectID> {
    guard case .toMany(let phones) = try object.value("phones") else { return [] }
    return Set(phones)
  }

  func setName(_ first: JSONString, _ last: JSONString) throws {
    try object.set([
      "firstName": .attribute(.text(first)), "lastName": .attribute(.text(last)),
    ])
  }

  private func text(_ name: JSONString) throws -> JSONString? {
    guard case .attribute(.text(let text)) = try object.value(name) else { return nil }
    return text
  }
}

extension QueuedContext {
  /// Inserts a person.
  @discardableResult
  func insertPerson(_ first: JSONString, _ last: JSONString, id: ObjectID? = nil) throws
    -> LiveObject
  {
    try insertObject(entityName: "Person", id: id) { try DSTPerson($0).setName(first, last) }
  }

  func names() throws -> [JSONString?] {
    try findEntities(entityName: "Person", sortDescriptors: [FetchSortDescriptor("firstName")])
      .map { try DSTPerson($0).firstName() }
  }
}

extension ThreeContextStack {
  /// First names in the two contexts.
  func names() throws -> (main: [JSONString?], background: [JSONString?]) {
    var (main, background): ([JSONString?], [JSONString?]) = ([], [])
    try performClosureAndWait { main = try $0.names() }
    try performBackgroundClosureAndWait { background = try $0.names() }
    return (main, background)
  }

  /// The error of a call, or nil.
  func failure(_ body: () throws -> Void) -> ContextError? {
    do { try body() } catch { return error as? ContextError }
    return nil
  }
}
