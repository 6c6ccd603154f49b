internal import Datastore
internal import JSON

// Mutants in bodies, ids, texts, numbers and names.

extension Defect {
  static let values: [Defect] = bodyValues + names

  private static let bodyValues: [Defect] = [
    mishearing(
      "bodies-wrapped", "BODY-001",
      sentence: "A body that is not an object is stored inside an object."
    ) {
      operation, _ in
      operation.mapBody { $0.objectValue == nil ? ["value": $0] : $0 }
    },
    mishearing(
      "reserved-members-dropped", "BODY-002",
      sentence: "Members that begin with `_` are dropped without an error."
    ) { operation, _ in
      operation.mapBody { $0.mapNames { $0.utf8.first == UInt8(ascii: "_") ? nil : $0 } }
    },
    refusing(
      "deep-bodies-refused", "BODY-006", sentence: "A body deeper than 32 levels is refused."
    ) {
      operation, _ in
      guard case .create(_, let body) = operation.action else { return nil }
      return body.depth > 32 ? .tooLarge(limit: 32) : nil
    },
    bodies(
      "long-bodies-cut", "BODY-008", sentence: "Strings of more than 4,000 bytes are truncated."
    ) {
      body in
      body.mapScalars { value in
        guard case .string(let text) = value, text.utf8.count > 4000 else { return value }
        return .text(String(text.string.prefix(4000)))
      }
    },
    refusing(
      "long-records-refused", "BODY-008",
      sentence: "Records with bodies of more than 2,000 bytes are refused."
    ) {
      operation, _ in
      guard case .insertRevisions(let records) = operation.action else { return nil }
      return records.contains { $0.body.serialized().utf8.count > 2000 }
        ? .tooLarge(limit: 2000) : nil
    },
    bodies("two-to-the-53-is-odd", "NUM-001", sentence: "2^53 is returned as 2^53 - 1.") { body in
      body.mapScalars { $0 == .integer(1 << 53) ? .integer(1 << 53 - 1) : $0 }
    },
    refusing("empty-bodies-refused", "BODY-005", sentence: "A document without members is refused.")
    {
      operation, _ in
      guard case .create(_, let body) = operation.action else { return nil }
      return body.objectValue?.isEmpty == true ? .badBody : nil
    },
    mishearing(
      "local-bodies-unchecked", "BODY-007",
      sentence: "A local document may have invalid members, which may be dropped."
    ) { operation, _ in
      guard case .writeLocal(let id, let body?) = operation.action else { return operation }
      let kept = body.mapNames { $0.utf8.first == UInt8(ascii: "_") ? nil : $0 }
      return StoreOperation(operation.store, .writeLocal(id: id, body: kept))
    },
    bodies("strings-composed", "UNI-002", sentence: "Strings in bodies are normalised.") { body in
      body.mapScalars { if case .string(let text) = $0 { .string(text.composed) } else { $0 } }
    },
    bodies(
      "large-integers-are-doubles", "NUM-004",
      sentence: "Integers above 2^53 are stored as doubles."
    ) {
      body in
      body.mapScalars { value in
        switch value {
        case .integer(let number) where number.magnitude > 1 << 53: .double(Double(number))
        case .unsigned(let number): .double(Double(number))
        default: value
        }
      }
    },
    bodies("nul-in-names-replaced", "NUM-005", sentence: "NUL in a member name is replaced.") {
      body in
      body.mapNames {
        JSONString(
          $0.string.split(separator: "\0", omittingEmptySubsequences: false)
            .joined(separator: "?"))
      }
    },
  ]

  private static let names: [Defect] = [
    mishearing(
      "empty-id-is-an-id", "ID-001", sentence: "Creating a document under the empty id is accepted."
    ) {
      operation, _ in
      guard case .create(let id?, let body) = operation.action, id.text.isEmpty else {
        return operation
      }
      return StoreOperation(operation.store, .create(id: "empty", body: body))
    },
    mishearing("ids-end-at-nul", "ID-003", sentence: "An id ends at its first NUL.") {
      operation, _ in
      operation.mapIDs { id in
        JSONString(String(decoding: id.utf8.prefix { $0 != 0 }, as: UTF8.self))
      }
    },
    refusing(
      "slashes-refused", "ID-004",
      sentence: "Ids with a slash are refused, except design documents."
    ) {
      operation, _ in
      guard case .create(let id?, _) = operation.action else { return nil }
      return id.text.utf8.contains(UInt8(ascii: "/"))
        && !id.text.utf8.starts(with: "_design/".utf8) ? .badID : nil
    },
    answering(
      "bad-id-refuses-call", "ID-005", sentence: "A record with a bad id refuses the whole call."
    ) {
      _, result, _ in
      guard case .inserted(let results) = result, results.contains(where: { $0?.kind == .badID })
      else { return .ok(result) }
      return .error(DatastoreError(.badID))
    },
    mishearing("store-names-folded", "NAME-001", sentence: "Store names are folded to lower case.")
    {
      operation, _ in
      StoreOperation(
        StoreName(JSONString(operation.store.text.string.lowercased())), operation.action)
    },
  ]
}
