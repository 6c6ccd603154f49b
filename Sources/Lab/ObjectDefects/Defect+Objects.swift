internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mutants with stored objects.

extension Defect {
  static let objects: [Defect] = objectStores + objectValues + objectSaves + objectReads

  /// Changes the arguments of a save.
  private static func saving(
    _ name: String, _ clause: String, sentence: String,
    excuse:
      @escaping @Sendable (SavedObjects, DatastoreError.Kind, StoreName, Honest)
      throws(HarnessError) -> Bool
  ) -> Defect {
    excusing(name, clause, sentence: sentence) { operation, kind, store throws(HarnessError) in
      guard case .save(let inserted, let updated, let deleted)? = operation.action.objects
      else { return nil }
      let saved = SavedObjects(inserted: inserted, updated: updated, deleted: deleted)
      return try excuse(saved, kind, operation.store, store)
        ? .ok(.objects(.saved(saved.answer))) : nil
    }
  }

  private struct SavedObjects {
    let inserted: [JSONValue]
    let updated: [JSONValue]
    let deleted: [DocumentID]

    var answer: [SavedObject] {
      (inserted + updated).map {
        SavedObject(id: DocumentID($0.objectValue?["id"]?.textValue ?? ""), version: 1)
      }
    }

    var isOneInsertion: Bool { inserted.count == 1 && updated.isEmpty && deleted.isEmpty }
  }

  private static let objectSaves: [Defect] = [
    meddling(
      "saves-leave-journals", "CDTIS-012",
      sentence: "A save of several objects writes an additional document."
    ) {
      operation, _, _ in
      guard case .save(let inserted, _, _)? = operation.action.objects, inserted.count > 1 else {
        return []
      }
      return [.create(id: "journal", body: [:])]
    },
    rewriting("versions-of-one-digit", "CDTIS-042", sentence: "The version after 9 is 9.") {
      action, changes in
      guard case .save(_, let updated, _) = action else { return }
      for id in updated.compactMap({ $0.objectValue?["id"]?.textValue }) {
        changes.append(
          (
            DocumentID(id),
            { body in
              let version = body["CDTISObjectVersion"]?.textValue?.string ?? ""
              if version.utf8.count > 1 { body["CDTISObjectVersion"] = "9" }
            }
          ))
      }
    },
    rewriting(
      "updates-drop-objects", "CDTIS-056", sentence: "An update drops members that are objects."
    ) {
      action, changes in
      guard case .save(_, let updated, _) = action else { return }
      for id in updated.compactMap({ $0.objectValue?["id"]?.textValue }) {
        changes.append(
          (
            DocumentID(id),
            { body in
              for member in body.members
              where member.value.objectValue != nil
                && body[JSONString("CDTISMeta_\(member.name)")] == nil
                && !member.name.utf8.starts(with: "CDTISMeta_".utf8)
              {
                body[member.name] = nil
              }
            }
          ))
      }
    },
    rewriting(
      "updates-bring-uris", "CDTIS-141", sentence: "An update may change the URI of an object."
    ) {
      action, changes in
      guard case .save(_, let updated, _) = action else { return }
      for update in updated {
        guard let id = update.objectValue?["id"]?.textValue,
          let uri = update.objectValue?["identifier"]
        else { continue }
        changes.append((DocumentID(id), { $0["CDTISIdentifier"] = uri }))
      }
    },
    hearing("nil-changes-nothing", "CDTIS-118", sentence: "An update to nil is ignored.") {
      action in
      guard case .save(let inserted, let updated, let deleted) = action else { return action }
      let kept = updated.map { update -> JSONValue in
        guard var object = update.objectValue, let values = object["values"]?.objectValue else {
          return update
        }
        object["values"] = .object(
          JSONObject(
            values.members.filter { $0.value != .null }.map { ($0.name, $0.value) }))
        return .object(object)
      }
      return .save(inserted: inserted, updated: kept, deleted: deleted)
    },
    saving(
      "saves-keep-half", "CDTIS-125",
      sentence: "A failing save keeps the writes before the failure."
    ) {
      saved, _, name, store throws(HarnessError) in
      let half = Array(saved.inserted.dropLast())
      guard saved.inserted.count > 2, !half.isEmpty else { return false }
      _ = try store.ask(name, .objects(.save(inserted: half, updated: [], deleted: [])))
      return false
    },
    saving(
      "strangers-deleted", "CDTIS-139",
      sentence: "Documents that are not objects can be deleted as objects."
    ) {
      saved, kind, _, _ in kind.what == "noEntity" && !saved.deleted.isEmpty
    },
    saving(
      "missing-objects-deleted", "CDTIS-150",
      sentence: "Deleting an object that does not exist is ok."
    ) {
      saved, kind, _, _ in
      guard case .notFound = kind else { return false }
      return saved.inserted.isEmpty && saved.updated.isEmpty && saved.deleted != [metadata]
    },
    saving(
      "insertions-replace", "CDTIS-157", sentence: "Inserting an object that exists replaces it."
    ) {
      saved, kind, _, _ in
      guard case .conflict = kind, saved.isOneInsertion else { return false }
      return saved.answer[0].id != metadata
    },
    saving(
      "entities-change", "CDTIS-158",
      sentence: "An update may change the entity of an object."
    ) {
      saved, kind, _, _ in kind.what == "unknownEntity" && !saved.updated.isEmpty
    },
    saving(
      "good-ones-written", "CDTIS-160",
      sentence: "A save with an object that cannot be encoded writes the others."
    ) {
      saved, kind, name, store throws(HarnessError) in
      guard kind.what == "outOfRange", saved.inserted.count > 1 else { return false }
      for object in saved.inserted {
        _ = try store.ask(name, .objects(.save(inserted: [object], updated: [], deleted: [])))
      }
      return false
    },
    answering(
      "saved-in-another-order", "CDTIS-159",
      sentence: "Saved objects are returned in another order."
    ) {
      _, result, _ in
      guard case .saved(let saved)? = result.objects else { return .ok(result) }
      return .ok(.objects(.saved(saved.reversed())))
    },
  ]

  private static let objectReads: [Defect] = [
    answering("objects-not-listed", "CDTIS-010", sentence: "Documents of objects are not listed.") {
      _, result, _ in
      guard case .list(let rows) = result else { return .ok(result) }
      return .ok(.list(rows.filter { !$0.id.text.utf8.starts(with: "CDTIS-".utf8) }))
    },
    remembering(
      "uris-made-anew", "CDTIS-041",
      sentence: "An object without a URI gets a different one at each reading.",
      answer: { operation, outcome, store, memory throws(HarnessError) in
        guard case .load(.id(let id))? = operation.action.objects,
          case .object(let object, let warnings, let value)? = outcome.objects,
          try store.document(operation.store, id)?.body.objectValue?["CDTISIdentifier"] == nil,
          var json = object.objectValue, let uri = json["identifier"]?.textValue
        else { return outcome }
        memory.counts[[], default: 0] += 1
        json["identifier"] = .text("\(uri)\(memory.counts[[]] ?? 0)")
        return .ok(.objects(.object(.object(json), warnings: warnings, value: value)))
      }),
    rewriting("reading-writes-uris", "CDTIS-041", sentence: "Reading an object writes its URI.") {
      action, changes in
      guard case .load(.id(let id)) = action else { return }
      changes.append(
        (id, { $0["CDTISIdentifier"] = $0["CDTISIdentifier"] ?? "rewritten" }))
    },
    excusing(
      "unknown-entities-are-empty", "CDTIS-102", sentence: "A list of an unknown entity is empty."
    ) {
      operation, kind, _ in
      guard case .list? = operation.action.objects, kind.what == "unknownEntity" else {
        return nil
      }
      return .ok(.objects(.objects([])))
    },
    remembering(
      "doubles-forgotten", "CDTIS-122",
      sentence: "Doubles cannot be read after the store was closed and opened.",
      answer: { operation, outcome, _, memory in
        if case .close = operation.action { memory.marks.insert(operation.key()) }
        guard memory.marks.contains(operation.key()),
          case .object(let object, let warnings, let value)? = outcome.objects,
          var json = object.objectValue, let values = json["values"]?.objectValue
        else { return outcome }
        json["values"] = .object(
          JSONObject(
            values.members.filter {
              if case .double = $0.value { return false }
              return $0.value.objectValue == nil
            }.map { ($0.name, $0.value) }))
        return .ok(.objects(.object(.object(json), warnings: warnings, value: value)))
      }),
    answering(
      "id-attributes-stay-nil", "CDTIS-170",
      sentence: "An attribute of type id does not get the URI of its object."
    ) {
      operation, result, _ in
      guard case .object(let object, let warnings, let value)? = result.objects,
        case .load? = operation.action.objects, var json = object.objectValue,
        let values = json["values"]?.objectValue, let identifier = json["identifier"]
      else { return .ok(result) }
      json["values"] = .object(
        JSONObject(
          values.members.filter { $0.value != identifier }.map { ($0.name, $0.value) }))
      return .ok(.objects(.object(.object(json), warnings: warnings, value: value)))
    },
    answering(
      "dangling-owners-missing", "CDTIS-123",
      sentence: "An object with a dangling reference is not found."
    ) {
      operation, result, store throws(HarnessError) in
      guard case .object(let object, _, _)? = result.objects,
        case .load? = operation.action.objects,
        let values = object.objectValue?["values"]?.objectValue
      else { return .ok(result) }
      for id in values.members.flatMap({ $0.value.arrayValue ?? [] }).compactMap({ $0.textValue })
      where try store.document(operation.store, DocumentID(id)) == nil {
        return .error(DatastoreError(.notFound(.missing)))
      }
      return .ok(result)
    },
    remembering(
      "uris-of-one-store", "CDTIS-124", sentence: "A URI created by another store is not found.",
      answer: {
        operation, outcome, _, memory in
        if case .object(let object, _, _)? = outcome.objects,
          case .load(.id)? = operation.action.objects,
          let uri = object.objectValue?["identifier"]?.textValue
        {
          memory.marks.insert(operation.key(uri))
        }
        guard case .load(.identifier(let uri))? = operation.action.objects,
          !memory.marks.contains(operation.key(uri))
        else { return outcome }
        return .error(DatastoreError(.notFound(.missing)))
      }),
    answering(
      "faults-not-told", "CDTIS-138", sentence: "checkObjects always returns an empty list."
    ) {
      _, result, _ in
      guard case .checked? = result.objects else { return .ok(result) }
      return .ok(.objects(.checked([])))
    },
    answering(
      "objects-in-another-order", "CDTIS-149", sentence: "Objects are listed in another order."
    ) {
      _, result, _ in
      guard case .objects(let objects)? = result.objects else { return .ok(result) }
      return .ok(.objects(.objects(objects.reversed())))
    },
    excusing(
      "opened-as-needed", "CDTIS-167", sentence: "Operations on objects work without openObjects."
    ) {
      operation, kind, _ in
      guard case .load? = operation.action.objects, case .noSuchStore = kind else { return nil }
      return .error(DatastoreError(.notFound(.missing)))
    },
  ]
}
