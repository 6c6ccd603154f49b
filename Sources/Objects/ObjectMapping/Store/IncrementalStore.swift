public import Datastore
public import JSON

/// The options of an incremental store.
public struct IncrementalStoreOptions: Hashable, Sendable {
  /// The form in which documents are written.
  public var form: DocumentMapping.Form
  /// Whether objects of an earlier model are migrated to the current one.
  public var migratesAutomatically: Bool
  /// True if an invalid name of a database in a URL is repaired as in the released versions.
  public var mendsNames: Bool
  /// True if a number takes precedence over an image that may have been converted to a double.
  public var trustsNumbers: Bool

  /// Creates options.
  public init(
    form: DocumentMapping.Form = .documented, migratesAutomatically: Bool = false,
    mendsNames: Bool = false, trustsNumbers: Bool = false
  ) {
    self.form = form
    self.migratesAutomatically = migratesAutomatically
    self.mendsNames = mendsNames
    self.trustsNumbers = trustsNumbers
  }
}

/// The objects of a model as documents of any datastore.
public final class IncrementalStore: PersistentStore {
  /// The name of the store type in coordinators.
  public static let type: JSONString = "CDTIncrementalStore"

  /// The name of the store type in coordinators.
  public var type: JSONString { Self.type }
  public let url: JSONString
  /// The name of the store in the datastore.
  public let name: StoreName
  /// The default remote of pushes and pulls; may be set at any time.
  public var remote: JSONString?
  /// The permanent identifier of the store.
  public private(set) var identifier: JSONString = ""
  /// The model of the objects.
  public let model: ManagedObjectModel
  /// The transformers of the application.
  public var transformers = TransformerRegistry()
  /// The warnings about documents that were read, until the caller removes them.
  public var warnings: [(object: ObjectID, warning: MappingWarning)] = []

  let options: IncrementalStoreOptions
  /// The datastore with the documents, and its environment.
  public let host: ObjectHost

  /// Opens the store of a request, and creates it if it is missing.
  convenience init(_ request: StoreRequest) throws(StoreError) {
    let url = try StoreURL(request.url, mendsNames: request.options.mendsNames)
    self.init(
      name: url.name, request.model, request.host, options: request.options, url: url.text)
    remote = url.remote
    _ = try perform(.open())
    try settleMetadata()
  }

  /// Creates an object store in an open store of a datastore.
  ///
  /// - Parameter url: the URL of the store; nil for `file:///` and the name.
  public convenience init(
    _ name: StoreName, _ model: ManagedObjectModel, host: ObjectHost,
    options: IncrementalStoreOptions, url: JSONString? = nil
  ) throws(StoreError) {
    self.init(
      name: name, model, host, options: options, url: url ?? JSONString("file:///\(name)"))
    try settleMetadata()
  }

  private init(
    name: StoreName, _ model: ManagedObjectModel, _ host: ObjectHost,
    options: IncrementalStoreOptions, url: JSONString
  ) {
    self.url = url
    self.name = name
    self.model = model
    self.options = options
    self.host = host
  }

  /// Whether a save is atomic.
  public var isAtomic: Bool {
    host.datastore.description.capabilities.contains(.atomicBatch)
  }

  /// The remote of a push, a pull or a sync: the given one, or the default of the store.
  ///
  /// Throws `noRemote` if neither exists; all local operations still work.
  public func target(_ remote: JSONString? = nil) throws(StoreError) -> JSONString {
    guard let remote = remote ?? self.remote else {
      throw StoreError(.noRemote, "no remote: '\(url)' has no host, and no other remote was given")
    }
    return remote
  }

  var mapping: DocumentMapping {
    DocumentMapping(
      model, form: options.form, trustsNumbers: options.trustsNumbers, transformers: transformers)
  }

  // MARK: The datastore

  func perform(_ action: StoreAction, for object: ObjectID? = nil) throws(StoreError)
    -> OperationResult
  {
    let outcome: Outcome
    do throws(HarnessError) {
      outcome = try host.datastore.perform(StoreOperation(name, action), host.environment)
    } catch {
      throw StoreError(.harness(error), "the datastore failed: \(error)")
    }
    switch outcome {
    case .ok(let result): return result
    case .error(let error):
      throw StoreError(.datastore(object, error), "\(action.name) was rejected: \(error)")
    case .unknown:
      throw StoreError(.unanswered, "the outcome of \(action.name) is unknown")
    }
  }

  /// The document of an object, or nil if it does not exist or is deleted.
  public func document(_ id: ObjectID) throws(StoreError) -> DocumentRevision? {
    do throws(StoreError) {
      if case .document(let document) = try perform(.read(id: id), for: id) { return document }
      return nil
    } catch {
      if case .datastore(_, let refusal) = error.reason, case .notFound = refusal.kind {
        return nil
      }
      throw error
    }
  }

  // MARK: Metadata

  /// Reads the metadata document, or creates it.
  private func settleMetadata() throws(StoreError) {
    guard let document = try document(MetadataDocument.id) else {
      let uuid = UUIDText.new(host.environment)
      let metadata = MetadataDocument(
        model, storeIdentifier: JSONString("CDTIS-NSStore-\(uuid)"), storeType: Self.type)
      identifier = metadata.storeIdentifier ?? ""
      _ = try perform(
        .create(id: MetadataDocument.id, body: .object(metadata.body)), for: MetadataDocument.id)
      return
    }
    var metadata = try self.metadata(document)
    var isChanged = false
    if let known = metadata.storeIdentifier {
      identifier = known
    } else {
      identifier = JSONString("CDTIS-NSStore-\(UUIDText.new(host.environment))")
      metadata.metadata[MetadataDocument.storeIdentifier] = .string(identifier)
      isChanged = true
    }
    let described = Set(metadata.entities.map { [$0.name, $0.versionHash] })
    guard described != Set(model.entities.map { [$0.name, $0.versionHash] }) else {
      if isChanged { try write(metadata, after: document) }
      return
    }
    guard options.migratesAutomatically else {
      throw StoreError(.modelMismatch, "the objects of '\(name)' belong to another model")
    }
    try migrate(from: metadata, document)
  }

  private func write(_ metadata: MetadataDocument, after document: DocumentRevision)
    throws(StoreError)
  {
    _ = try perform(
      .update(id: MetadataDocument.id, rev: document.rev, body: .object(metadata.body)),
      for: MetadataDocument.id)
  }

  func metadata(_ document: DocumentRevision) throws(StoreError) -> MetadataDocument {
    do throws(MappingError) {
      return try MetadataDocument(document.body.objectValue ?? JSONObject())
    } catch {
      throw StoreError(.mapping(document.id, error), "the metadata document is not valid: \(error)")
    }
  }
}
