internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Stores whose documents differ from the form that the layer above returns.

/// A layer that stores its data in documents.
enum StoringLayer: Hashable, Sendable {
  case objects
  case contexts
  case collections

  /// The layer whose documents an operation may write; nil for operations without such documents.
  init?(_ action: StoreAction) {
    if let action = action.objects {
      switch action {
      case .open, .save, .updateAll: self = .objects
      default: return nil
      }
    } else if let action = action.contexts {
      guard case .save = action.call else { return nil }
      self = .contexts
    } else if action.stacks != nil {
      self = .contexts
    } else if action.collections != nil {
      self = .collections
    } else {
      return nil
    }
  }
}

/// Performs all operations correctly, and returns other documents instead of those that a layer
/// wrote.
///
/// Only `read` returns the difference. The layer itself reads the documents that it wrote, like a
/// store that converts between its stored form and this one.
struct Storing: Misbehaviour {
  let layers: Set<StoringLayer>
  let change: @Sendable (inout EncodedObject, inout [RevisionAttachment]) -> Void
  /// The change of the bytes of contents.
  let bytes: @Sendable (JSONString) -> JSONString
  /// The revisions that the layers wrote, in all stores to which they were replicated.
  private var written: Set<[JSONString]> = []
  /// The model with which each store was opened, and the last one of all under an empty name.
  private var models: [JSONString: JSONValue] = [:]

  init(
    _ layers: Set<StoringLayer>,
    _ change:
      @escaping @Sendable (inout EncodedObject, inout [RevisionAttachment]) -> Void = { _, _ in },
    bytes: @escaping @Sendable (JSONString) -> JSONString = { $0 }
  ) {
    self.layers = layers
    self.change = change
    self.bytes = bytes
  }

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    if case .open(let model, _, _)? = operation.action.objects {
      models[operation.store.text] = model
      models[""] = model
    }
    guard let layer = StoringLayer(operation.action), layers.contains(layer) else {
      let outcome = try store.perform(operation, environment)
      switch (operation.action, outcome) {
      case (_, .ok(.document(let document))):
        return .ok(.document(shown(document, operation.store)))
      case (.readAttachment(let id, _, _, _, _), .ok(.attachment(var piece)))
      where written.contains { $0[0] == id.text }:
        piece.bytes = bytes(piece.bytes)
        return .ok(.attachment(piece))
      default: return outcome
      }
    }
    let before = try leaves(operation.store, store)
    let outcome = try store.perform(operation, environment)
    written.formUnion(try leaves(operation.store, store).subtracting(before))
    return outcome
  }

  private func leaves(_ name: StoreName, _ store: Honest) throws(HarnessError) -> Set<[JSONString]>
  {
    var leaves: Set<[JSONString]> = []
    for row in try store.feed(name) {
      for leaf in row.leaves { leaves.insert([row.id.text, leaf.rev.text]) }
    }
    return leaves
  }

  /// The document as such a store would have it.
  private func shown(_ document: DocumentRevision, _ name: StoreName) -> DocumentRevision {
    guard written.contains([document.id.text, document.rev.text]),
      let body = document.body.objectValue
    else { return document }
    var stored = EncodedObject(
      body: body, model: models[name.text] ?? models[""] ?? [:],
      object: ["id": document.id.json, "entity": body["CDTISEntityName"] ?? ""])
    var document = document
    change(&stored, &document.attachments)
    document.body = .object(stored.body)
    return document
  }
}

extension EncodedObject {
  /// True for the metadata document.
  var isMetadata: Bool { object.objectValue?["id"] == "CDTISMetaData" }

  /// Visits the relationships of one kind that have a member.
  mutating func eachRelationship(toMany: Bool, _ change: (inout JSONValue?) -> Void) {
    for (name, description) in model.properties("relationships", of: entity)
    where (description["many"] == true) == toMany {
      var value = body[name]
      change(&value)
      body[name] = value
    }
  }

  /// Removes a member of the metadata of values.
  mutating func dropMeta(_ name: JSONString) {
    for member in body.members where member.name.utf8.starts(with: "CDTISMeta_".utf8) {
      guard var meta = member.value.objectValue, meta[name] != nil else { continue }
      meta[name] = nil
      body[member.name] = meta.isEmpty ? nil : .object(meta)
    }
  }
}

extension Defect {
  /// Stores documents of objects in another form than `encodeObject` returns.
  static func storing(
    _ name: String, _ clause: String, sentence: String,
    in layers: Set<StoringLayer> = [.objects],
    change: @escaping @Sendable (inout EncodedObject) -> Void
  ) -> Defect {
    Defect(name, clause, sentence: sentence) {
      Storing(layers) { object, _ in
        if !object.isMetadata { change(&object) }
      }
    }
  }

  /// Stores the metadata document in another form than `describeModel` returns.
  static func describing(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout JSONObject) -> Void
  ) -> Defect {
    Defect(name, clause, sentence: sentence) {
      Storing([.objects]) { object, _ in
        if object.isMetadata { change(&object.body) }
      }
    }
  }

  /// Stores the attachments of objects in another form than `encodeObject` returns.
  static func storingContents(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout [RevisionAttachment]) -> Void
  ) -> Defect {
    Defect(name, clause, sentence: sentence) { Storing([.objects]) { change(&$1) } }
  }
}
