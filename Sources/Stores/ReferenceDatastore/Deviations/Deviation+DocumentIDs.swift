internal import Datastore
internal import JSON

// Deviations in the ids of documents that a store accepts.

extension Deviation {
  static let documentIDs: [Deviation] = [
    Deviation(
      "nul-in-ids-accepted", "The store accepts ids of documents that contain NUL.",
      breaks: ["ID-003"], of: [.couchDB],
      effect: .response { $0.acceptNUL() }),
    Deviation(
      "nul-in-local-ids-accepted", "The store accepts ids of local documents that contain NUL.",
      breaks: ["LOCAL-007"], of: [.couchDB],
      effect: .response { performance in
        guard performance.outcome.errorKind == .badID, performance.storeBefore != nil else {
          return
        }
        switch performance.operation.action {
        case .writeLocal(let id, let body) where id.text.utf8.contains(0):
          performance.perform { store, _ in
            store.locals[id] = body
            return .done
          }
        case .readLocal(let id) where id.text.utf8.contains(0):
          guard let body = performance.storeBefore?.locals[id] else {
            performance.fail(.notFound(.missing))
            return
          }
          performance.perform { _, _ in .local(body: body) }
        default: break
        }
      }),
    Deviation(
      "ids-in-questions-unchecked",
      "`revsDiff` treats an invalid id as that of an unknown document, and `read` and `delete` do so "
        + "with `_design/`.",
      breaks: ["ID-001", "ID-002"], of: [.couchDB],
      effect: .response { $0.answerInvalidIDs() }),
  ]
}

extension Performance {
  /// Answers questions about invalid ids as about ids that no document has.
  fileprivate mutating func answerInvalidIDs() {
    guard outcome.errorKind == .badID, let store = storeBefore else { return }
    switch operation.action {
    case .delete("_design/", _, nil):
      fail(.notFound(.missing))
      return
    case .read("_design/", _), .revsDiff: break
    default: return
    }
    // The model rejects the ids, so an unused one stands for each during the operation.
    var standIns: [DocumentID: DocumentID] = [:]
    for id in operation.action.documentArguments
    where (try? Syntax.check(id)) == nil && standIns[id] == nil {
      var text = "\u{1}\(standIns.count)"
      while store.documents[DocumentID(JSONString(text))] != nil { text += "\u{1}" }
      standIns[id] = DocumentID(JSONString(text))
    }
    let originals = Dictionary(uniqueKeysWithValues: standIns.map { ($0.value, $0.key) })
    let action = operation.action.mapping(documents: { standIns[$0] ?? $0 })
    var (state, decisions) = (before, start)
    decisions.takeFirstAlternatives()
    let result = state.performByRules(StoreOperation(operation.store, action), &decisions)
    self.decisions = decisions
    if case .ok(let result) = result {
      outcome = .ok(result.mappingDocuments { originals[$0] ?? $0 })
    } else {
      outcome = result
    }
  }

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
