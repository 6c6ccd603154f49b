public import Datastore
internal import JSON
internal import Selectors

/// Objects in memory that override those of a store.
///
/// A request is evaluated as if the objects were stored: the predicate is compiled to the same
/// selector, and each object is encoded as the same document.
public struct ObjectOverlay: Sendable {
  /// Objects in memory; they hide the stored objects with their ids.
  public var objects: [ObjectID: ManagedObject]
  /// Ids of objects that are stored but deleted in memory.
  public var gone: Set<ObjectID>

  /// Creates an overlay; by default an empty one.
  public init(_ objects: [ObjectID: ManagedObject] = [:], gone: Set<ObjectID> = []) {
    self.objects = objects
    self.gone = gone
  }

  /// Applies another overlay on top of this one.
  public mutating func cover(with other: ObjectOverlay) {
    objects.merge(other.objects) { _, covering in covering }
    gone.formUnion(other.gone)
    gone.subtract(other.objects.keys)
    for id in other.gone { objects[id] = nil }
  }

  /// The objects among the candidates that a request selects; order, offset and limit are ignored.
  ///
  /// Throws as a fetch does.
  ///
  /// - Parameter stored: returns the documents of a store's objects that a selector selects,
  ///   reduced to one member.
  func members(
    _ request: ObjectFetchRequest, among candidates: [ObjectID], _ mapping: DocumentMapping,
    readsDigits: Bool,
    stored:
      @escaping (EntityDescription, FindSelector, JSONString) throws(StoreError) -> [FoundDocument]
  ) throws(StoreError) -> [ObjectID] {
    let model = mapping.model
    let documents = OverlaidDocuments(self, mapping)
    let compiler = SelectorCompiler(model: model, readsDigits: readsDigits) {
      (entity, selector, member) throws(StoreError) in
      var found = try stored(entity, selector, member)
        .filter { self.objects[$0.id] == nil && !self.gone.contains($0.id) }
      for document in try documents.all(of: entity.name)
      where try document.isSelected(by: selector) {
        let member: [(JSONString, JSONValue)] =
          document.value.objectValue?[member].map {
            [(member, $0)]
          } ?? []
        found.append(
          FoundDocument(
            id: DocumentID(document.id), rev: RevisionID(""), body: .object(JSONObject(member))))
      }
      return found
    }
    guard let entity = model[request.entity] else {
      throw StoreError(
        .unknownEntity(request.entity), "the model has no entity '\(request.entity)'")
    }
    let selector = try compiler.selecting(entity, request.predicate)
    var members: [ObjectID] = []
    for id in candidates {
      guard let object = objects[id], object.entity == request.entity else { continue }
      if try documents.document(object).isSelected(by: selector) { members.append(id) }
    }
    return members
  }
}

extension Subject {
  /// Whether the selector selects the document; throws `tooLarge` if `find` would.
  fileprivate func isSelected(by selector: FindSelector) throws(StoreError) -> Bool {
    do throws(DatastoreError) { try checkWork(of: selector) } catch {
      throw StoreError(.datastore(ObjectID(id), error), error.description)
    }
    return matches(selector)
  }
}

/// The documents of the objects of an overlay, encoded on demand.
private final class OverlaidDocuments {
  private let overlay: ObjectOverlay
  private let mapping: DocumentMapping
  private var made: [JSONString: [Subject]] = [:]

  init(_ overlay: ObjectOverlay, _ mapping: DocumentMapping) {
    self.overlay = overlay
    self.mapping = mapping
  }

  func all(of entity: JSONString) throws(StoreError) -> [Subject] {
    if let documents = made[entity] { return documents }
    let objects = overlay.objects.values.filter { $0.entity == entity }
      .sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
    var documents: [Subject] = []
    for object in objects { documents.append(try document(object)) }
    made[entity] = documents
    return documents
  }

  func document(_ object: ManagedObject) throws(StoreError) -> Subject {
    do throws(MappingError) {
      return Subject(.object(try mapping.encode(object).body), id: object.id.text, rev: nil)
    } catch {
      throw StoreError(.mapping(object.id, error), "'\(object.id)' cannot be encoded: \(error)")
    }
  }
}

extension IncrementalStore {
  /// The objects among the candidates that a request selects, with the stored objects below them.
  public func members(
    _ request: ObjectFetchRequest, among candidates: [ObjectID], of overlay: ObjectOverlay
  ) throws(StoreError) -> [ObjectID] {
    try overlay.members(
      request, among: candidates, mapping, readsDigits: compiler.readsDigits,
      stored: compiler.find)
  }
}

extension ManagedObjectModel {
  /// The objects in memory that a request selects, without stored objects.
  public func members(
    _ request: ObjectFetchRequest, of overlay: ObjectOverlay
  ) throws(StoreError) -> [ObjectID] {
    try overlay.members(
      request, among: Array(overlay.objects.keys), DocumentMapping(self), readsDigits: true
    ) { _, _, _ in [] }
  }
}
