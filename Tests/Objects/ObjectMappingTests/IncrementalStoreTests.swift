import Datastore
import JSON
import ObjectMapping
import ReferenceDatastore
import SQLiteDatastore
import Storage
import Testing

/// The object store over both bundled datastores.
@Suite struct IncrementalStoreTests {
  enum Kind: CaseIterable, Sendable {
    case model
    case sqlite

    func make() -> any ImplementationUnderTest {
      switch self {
      case .model: ReferenceDatastore()
      case .sqlite: SQLiteDatastore(storage: MemoryStorage())
      }
    }
  }

  static func host(_ kind: Kind) -> ObjectHost {
    ObjectHost(kind.make(), RunEnvironment(seed: 1))
  }

  static func recipes() throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription(
        "Recipe",
        attributes: [
          AttributeDescription("title", .utf8), AttributeDescription("stars", .double),
          AttributeDescription("image", .binary),
        ],
        relationships: [
          RelationshipDescription(
            "ingredients", to: "Ingredient", inverse: "recipe", isToMany: true,
            deleteRule: .cascade)
        ]),
      EntityDescription(
        "Ingredient", attributes: [AttributeDescription("name", .utf8)],
        relationships: [
          RelationshipDescription("recipe", to: "Recipe", inverse: "ingredients")
        ]),
    ])
  }

  static func open(
    _ host: ObjectHost, _ model: ManagedObjectModel, _ url: JSONString = "file:///db/recipes",
    _ options: IncrementalStoreOptions? = nil
  ) throws -> IncrementalStore {
    let coordinator = StoreCoordinator(
      model, types: StoreTypeRegistry(registersAutomatically: true), host: host)
    let store = try coordinator.addStore(type: IncrementalStore.type, url: url, options: options)
    return try #require(store as? IncrementalStore)
  }

  static func read(_ host: ObjectHost, _ id: DocumentID) throws -> JSONObject {
    let outcome = try host.datastore.perform(
      StoreOperation("recipes", .read(id: id)), host.environment)
    guard case .ok(.document(let document)) = outcome else { throw Unexpected(outcome: outcome) }
    return try #require(document.body.objectValue)
  }

  struct Unexpected: Error {
    let outcome: Outcome
  }

  // MARK: Opening

  @Test func anUnregisteredTypeIsRefused() throws {
    let host = Self.host(.model)
    let coordinator = StoreCoordinator(
      try Self.recipes(), types: StoreTypeRegistry(), host: host)
    #expect(throws: StoreError.self) {
      try coordinator.addStore(type: IncrementalStore.type, url: "file:///db/recipes")
    }
    #expect(coordinator.stores.isEmpty)
    // Explicit and repeated registration.
    for _ in 0..<3 { coordinator.types.registerIncrementalStore() }
    #expect(coordinator.types.names == ["CDTIncrementalStore"])
    _ = try coordinator.addStore(type: "CDTIncrementalStore", url: "file:///db/recipes")
    #expect(coordinator.stores.map { $0.url } == ["file:///db/recipes"])
  }

  @Test func storesAreListedAndFound() throws {
    final class Other: PersistentStore {
      let type: JSONString = "Other"
      let url: JSONString
      init(_ url: JSONString) { self.url = url }
    }
    let coordinator = StoreCoordinator(
      try Self.recipes(), types: StoreTypeRegistry(registersAutomatically: true),
      host: Self.host(.model))
    coordinator.types.register("Other") { request in Other(request.url) }
    #expect(IncrementalStore.stores(of: coordinator).isEmpty)
    #expect(IncrementalStore.store(of: coordinator, at: "file:///a") == nil)
    for (type, url) in [
      (IncrementalStore.type, "file:///b"), ("Other", "file:///o"),
      (IncrementalStore.type, "https://example.org/a"),
    ] as [(JSONString, JSONString)] {
      _ = try coordinator.addStore(type: type, url: url)
    }
    #expect(
      IncrementalStore.stores(of: coordinator).map { $0.url }
        == ["file:///b", "https://example.org/a"])
    let found = IncrementalStore.store(of: coordinator, at: "https://example.org/a")
    #expect(found?.remote == "https://example.org/a")
    #expect(found?.name == "a")
    #expect(IncrementalStore.store(of: coordinator, at: "file:///o") == nil)
    #expect(IncrementalStore.store(of: coordinator, at: "file:///b")?.remote == nil)
  }

  @Test(arguments: Kind.allCases) func oneMetadataDocumentForEver(kind: Kind) throws {
    let host = Self.host(kind)
    let model = try Self.recipes()
    let first = try Self.open(host, model)
    let before = try Self.read(host, "CDTISMetaData")
    let second = try Self.open(host, model)
    #expect(second.identifier == first.identifier)
    #expect(try Self.read(host, "CDTISMetaData") == before)
    let outcome = try host.datastore.perform(StoreOperation("recipes", .info), host.environment)
    guard case .ok(.info(let info)) = outcome else { throw Unexpected(outcome: outcome) }
    #expect(info.documents == 1)
    // The description of the model in the document is complete.
    let metadata = try MetadataDocument(before)
    #expect(metadata.entities.map { $0.name } == ["Recipe", "Ingredient"])
    #expect(JSONValue.object(metadata.body).isSameValue(as: .object(before)))
  }

  // MARK: Saving

  @Test(arguments: Kind.allCases) func objectsComeBack(kind: Kind) throws {
    let host = Self.host(kind)
    for form in DocumentMapping.Form.allCases {
      let store = try Self.open(
        host, try Self.recipes(), "file:///recipes",
        IncrementalStoreOptions(form: form, migratesAutomatically: true))
      let ids = ["Recipe", "Ingredient"].map { ObjectID.new(of: $0, host.environment) }
      var recipe = ManagedObject(
        ids[0], of: "Recipe",
        [
          "title": .attribute(.text("Cake")), "stars": .attribute(.double(4.5)),
          "image": .attribute(.bytes([1, 2, 3])), "ingredients": .toMany([ids[1]]),
        ])
      let flour = ManagedObject(
        ids[1], of: "Ingredient",
        ["name": .attribute(.text("flour")), "recipe": .toOne(ids[0])])
      try store.save(SaveRequest(inserted: [recipe, flour]))
      let again = try Self.open(
        host, try Self.recipes(), "file:///recipes", IncrementalStoreOptions(form: form))
      var read = try again.object(ids[0])
      #expect(read.properties == recipe.properties)
      #expect(read.version == 1)
      let uri = try #require(read.identifier)
      #expect(try again.object(at: uri) == read)
      #expect(try again.object(ids[1]).properties == flour.properties)

      // An update keeps unchanged members.
      recipe = read
      recipe.properties["title"] = .attribute(.text("Pie"))
      recipe.properties["stars"] = nil
      try again.save(
        SaveRequest(updated: [SaveRequest.Update(recipe, changed: ["title", "stars"])]))
      read = try again.object(ids[0])
      #expect(read.version == 2)
      #expect(read.identifier == uri)
      #expect(read.properties["image"] == .attribute(.bytes([1, 2, 3])))
      #expect(read.properties["stars"] == nil)
      let body = try Self.read(host, ids[0])
      #expect(body["stars"] == nil && body["CDTISMeta_stars"] == nil)

      try again.save(SaveRequest(deleted: [ids[0]]))
      #expect(throws: StoreError.self) { try again.object(ids[0]) }
      #expect(try again.objects(of: "Ingredient").contains { $0.id == ids[1] })
      #expect(try again.check().isEmpty)
    }
  }

  /// A document of another client is read, and keeps its identifier and its unknown members.
  @Test(arguments: Kind.allCases) func documentsOfOthers(kind: Kind) throws {
    let host = Self.host(kind)
    let store = try Self.open(host, try Self.recipes())
    for (id, body) in [
      ("r", #"{"CDTISEntityName":"Recipe","title":"Soup","stars":3,"x":{"y":[1]}}"#),
      ("n", #"{"note":"no object"}"#), ("u", #"{"CDTISEntityName":"Unknown"}"#),
    ] as [(DocumentID, String)] {
      _ = try host.datastore.perform(
        StoreOperation("recipes", .create(id: id, body: try JSONValue.parse(body))),
        host.environment)
    }
    var soup = try store.object("r")
    #expect(soup.properties["stars"] == .attribute(.double(3)))
    #expect(soup.version == 1)
    let identifier = try #require(soup.identifier)
    #expect(try store.object("r").identifier == identifier)
    soup.properties["title"] = .attribute(.text("Broth"))
    try store.save(SaveRequest(updated: [SaveRequest.Update(soup, changed: ["title"])]))
    let body = try Self.read(host, "r")
    #expect(body["x"] == ["y": [1]])
    #expect(body["stars"] == 3)
    #expect(body["CDTISIdentifier"] == .string(identifier))
    #expect(body["CDTISObjectVersion"] == "2")
    #expect(try store.objects(of: "Recipe").map { $0.id } == ["r"])
    #expect(try store.check().map { $0.id } == ["n", "u"])
  }

  /// Atomic if the datastore supports it.
  @Test(arguments: Kind.allCases) func aSaveIsAtomic(kind: Kind) throws {
    let host = Self.host(kind)
    let store = try Self.open(host, try Self.recipes())
    #expect(store.isAtomic)
    let objects = ["a", "b", "a"].map { ManagedObject(ObjectID($0), of: "Recipe") }
    do {
      try store.save(SaveRequest(inserted: objects))
      Issue.record("two objects with one id were saved")
    } catch {
      #expect(error.written.isEmpty)
      guard case .datastore(let id, let refusal) = error.reason else { throw error }
      #expect(id == "a" && refusal.kind == .conflict)
    }
    #expect(try store.objects(of: "Recipe").isEmpty)
  }

  /// Unknown members of the metadata document are kept, also after a new description.
  @Test(arguments: Kind.allCases) func metadataOfOthersStays(kind: Kind) throws {
    let host = Self.host(kind)
    for action in [
      StoreAction.open(),
      .create(
        id: "CDTISMetaData",
        body: [
          "metaData": ["NSStoreUUID": "U", "own": [1]], "objectModel": [:], "run": "3",
          "more": true,
        ]),
    ] {
      _ = try host.datastore.perform(StoreOperation("recipes", action), host.environment)
    }
    let store = try Self.open(
      host, try Self.recipes(), "file:///db/recipes",
      IncrementalStoreOptions(migratesAutomatically: true))
    #expect(store.identifier == "U")
    let body = try Self.read(host, "CDTISMetaData")
    #expect(body["metaData"]?.objectValue?["own"] == [1])
    #expect(body["run"] == "3" && body["more"] == true)
    #expect(body["objectModel"]?.objectValue?.count == 2)
  }

  @Test(arguments: Kind.allCases) func aLaterModel(kind: Kind) throws {
    let host = Self.host(kind)
    let store = try Self.open(host, try Self.recipes())
    try store.save(
      SaveRequest(inserted: [
        ManagedObject(
          "a", of: "Recipe",
          ["title": .attribute(.text("Cake")), "stars": .attribute(.double(-0.0))])
      ]))
    let later = try ManagedObjectModel([
      EntityDescription(
        "Dish",
        attributes: [
          AttributeDescription("name", .utf8, renamedFrom: "title"),
          AttributeDescription("rating", .double, renamedFrom: "stars"),
          AttributeDescription("servings", .int16, defaultValue: .integer(4)),
        ], renamedFrom: "Recipe")
    ])
    #expect(throws: StoreError.self) { try Self.open(host, later) }
    let migrated = try Self.open(
      host, later, "file:///db/recipes", IncrementalStoreOptions(migratesAutomatically: true))
    #expect(migrated.identifier == store.identifier)
    let dish = try migrated.object("a")
    #expect(
      dish.properties == [
        "name": .attribute(.text("Cake")), "rating": .attribute(.double(-0.0)),
        "servings": .attribute(.integer(4)),
      ])
    // A second migration changes nothing.
    let before = try Self.read(host, "CDTISMetaData")
    _ = try Self.open(host, later)
    #expect(try Self.read(host, "CDTISMetaData") == before)
  }
}
