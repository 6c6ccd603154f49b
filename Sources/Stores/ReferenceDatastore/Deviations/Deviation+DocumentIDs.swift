internal import Datastore
internal import JSON

// Deviations in the ids of documents that a store accepts.

extension Deviation {
  static let documentIDs: [Deviation] = [
    Deviation(
      "nul-in-ids-accepted", "The store accepts ids of documents that contain NUL.",
      breaks: ["ID-003"], of: [.couchDB],
      effect: .response { $0.acceptNUL() })
  ]
}

extension Performance {
  /// Performs an operation on documents whose ids contain NUL as on documents with valid ids.
  ///
  /// The model rejects NUL, so another byte that no id contains stands for it during the operation.
  fileprivate mutating func acceptNUL() {
    guard let store = storeBefore else { return }
    let named = operation.action.documentArguments
    guard named.contains(where: { $0.text.utf8.contains(0) }) else { return }
    let used = Set((named + store.documents.keys).flatMap { Array($0.text.utf8) })
    guard let standIn = (UInt8(1)..<32).first(where: { !used.contains($0) }) else { return }
    var (state, decisions) = (before, start)
    decisions.takeFirstAlternatives()
    state.stores[operation.store]?.renameDocuments { $0.replacing(0, by: standIn) }
    let action = operation.action.mapping(documents: { $0.replacing(0, by: standIn) })
    let result = state.performByRules(StoreOperation(operation.store, action), &decisions)
    state.stores[operation.store]?.renameDocuments { $0.replacing(standIn, by: 0) }
    after = state
    self.decisions = decisions
    if case .ok(let result) = result {
      outcome = .ok(result.mappingDocuments { $0.replacing(standIn, by: 0) })
    } else {
      outcome = result
    }
  }
}

extension ModelStore {
  fileprivate mutating func renameDocuments(_ map: (DocumentID) -> DocumentID) {
    documents = Dictionary(uniqueKeysWithValues: documents.map { (map($0.key), $0.value) })
  }
}

extension DocumentID {
  /// The id with one ASCII byte in place of another one.
  fileprivate func replacing(_ old: UInt8, by new: UInt8) -> DocumentID {
    guard text.utf8.contains(old) else { return self }
    let bytes = text.utf8.map { $0 == old ? new : $0 }
    return JSONString(validating: bytes).map { DocumentID($0) } ?? self
  }
}
