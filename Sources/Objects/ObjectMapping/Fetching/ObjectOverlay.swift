public import Datastore
internal import JSON
internal import Selectors

/// Objects in memory that stand before those of a store.
///
/// A request is asked of them as the store would be asked if they were written: the predicate becomes
/// the same selector, and an object the same document.
public struct ObjectOverlay: Sendable {
  /// Objects as they are in memory; they hide what is stored under their ids.
  public var objects: [ObjectID: ManagedObject]
  /// Objects that are stored and gone in memory.
  public var gone: Set<ObjectID>

  public init(_ objects: [ObjectID: ManagedObject] = [:], gone: Set<ObjectID> = []) {
    self.objects = objects
    self.gone = gone
  }

  /// Puts another overlay before this one.
  public mutating func cover(with other: ObjectOverlay) {
    objects.merge(other.objects) { _, covering in covering }
    gone.formUnion(other.gone)
    gone.subtract(other.objects.keys)
    for id in other.gone { objects[id] = nil }
  }

  /// Which of some objects in memory a request asks for; order, offset and limit don't count.
  ///
  /// Throws as a fetch does.
  ///
  /// - Parameter stored: the documents of a store's objects that a selector selects, with one member.
  func members(
    _ request: FetchRequest, among candidates: [ObjectID], _ mapping: DocumentMapping,
    readsDigits: Bool,
    stored:
      @escaping (EntityDescription, Selector, JSONString) throws(StoreError) -> [FoundDocument]
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
  /// Whether the selector selects it; `tooLarge` where `find` would answer that of the document.
  fileprivate func isSelected(by selector: Selector) throws(StoreError) -> Bool {
    do throws(DatastoreError) { try checkWork(of: selector) } catch {
      throw StoreError(.datastore(ObjectID(id), error), error.description)
    }
    return matches(selector)
  }
}

/// The documents that objects of an overlay would be, made when they are asked for.
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
      throw StoreError(.mapping(object.id, error), "\(object.id) cannot be asked: \(error)")
    }
  }
}

extension IncrementalStore {
  /// Which of some objects in memory a request asks for, with the stored ones behind them.
  public func members(
    _ request: FetchRequest, among candidates: [ObjectID], of overlay: ObjectOverlay
  ) throws(StoreError) -> [ObjectID] {
    try overlay.members(
      request, among: candidates, mapping, readsDigits: compiler.readsDigits,
      stored: compiler.find)
  }
}

extension ManagedObjectModel {
  /// Which of all objects in memory a request asks for, with nothing behind them.
  public func members(
    _ request: FetchRequest, of overlay: ObjectOverlay
  ) throws(StoreError) -> [ObjectID] {
    try overlay.members(
      request, among: Array(overlay.objects.keys), DocumentMapping(self), readsDigits: true
    ) { _, _, _ in [] }
  }
}
