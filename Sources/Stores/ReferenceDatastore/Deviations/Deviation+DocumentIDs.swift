internal import Datastore
internal import JSON

// Deviations in the ids of documents that a store accepts.

extension Deviation {
  static let documentIDs: [Deviation] = [
    Deviation(
      "nul-in-ids-accepted", "The store accepts ids of documents that contain NUL.",
      breaks: ["ID-003"], of: [.couchDB, .pouchDB],
      effect: .response { $0.acceptNUL() }),
    Deviation(
      "nul-in-local-ids-accepted", "The store accepts ids of local documents that contain NUL.",
      breaks: ["LOCAL-007"], of: [.couchDB, .pouchDB],
      effect: .response { $0.acceptLocal(because: "nul-in-local-ids-accepted") }),
    Deviation(
      "empty-local-ids-accepted", "The store accepts an empty id of a local document.",
      breaks: ["LOCAL-007"], of: [.pouchDB],
      effect: .response { $0.acceptLocal(because: "empty-local-ids-accepted") }),
    Deviation(
      "local-bodies-unchecked",
      "The store stores the special members of a local document, apart from `_id`, `_rev`, "
        + "`_revisions`, `_deleted` and `_attachments`, instead of rejecting the body.",
      breaks: ["BODY-002", "BODY-007"], of: [.pouchDB],
      effect: .response { $0.acceptLocal(because: "local-bodies-unchecked") }),
    Deviation(
      "design-prefixes-accepted",
      "The store accepts `_design/` and any other id that begins with `_design`, or with `_local` and "
        + "another byte than a slash.",
      breaks: ["ID-002"], of: [.pouchDB],
      effect: .response { $0.acceptDesignPrefixes() }),
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

extension Performance {
  /// Performs an operation on a local document that the rules reject, if declared deviations permit
  /// all that is invalid in it.
  fileprivate mutating func acceptLocal(because deviation: Deviation.ID) {
    guard outcome.errorKind != nil, let store = storeBefore else { return }
    var needed: Set<Deviation.ID> = []
    var (name, content): (DocumentID, JSONValue?) = ("", nil)
    switch operation.action {
    case .readLocal(let id): name = id
    case .writeLocal(let id, let body):
      (name, content) = (id, body)
      let names = body?.objectValue?.members.map(\.name) ?? []
      if names.contains(where: { $0.utf8.first == UInt8(ascii: "_") }) {
        needed.insert("local-bodies-unchecked")
      }
    default: return
    }
    if name.text.isEmpty { needed.insert("empty-local-ids-accepted") }
    if name.text.utf8.contains(0) { needed.insert("nul-in-local-ids-accepted") }
    // The other faults of a body remain faults.
    if let content {
      guard let object = content.objectValue, content.isDocument,
        (try? Syntax.check(
          body: .object(
            JSONObject(
              object.members.filter { $0.name.utf8.first != UInt8(ascii: "_") }
                .map { ($0.name, $0.value) })))) != nil
      else { return }
    }
    guard needed.contains(deviation), needed.isSubset(of: start.deviations.map(\.id)) else {
      return
    }
    if case .writeLocal = operation.action {
      perform { store, _ in
        store.locals[name] = content
        return .done
      }
    } else if let body = store.locals[name] {
      perform { _, _ in .local(body: body) }
    } else {
      fail(.notFound(.missing))
    }
  }

  /// Performs an operation on documents whose ids begin like those of design documents as on
  /// documents with valid ids.
  fileprivate mutating func acceptDesignPrefixes() {
    guard outcome.errorKind != .noSuchStore, let store = storeBefore else { return }
    let named = operation.action.documentArguments
    guard named.contains(where: \.hasDesignPrefixOnly) else { return }
    var standIns: [DocumentID: DocumentID] = [:]
    let used = Set(named + store.documents.keys)
    for id in used where id.hasDesignPrefixOnly {
      var text = "\u{1}\(standIns.count)"
      while used.contains(DocumentID(JSONString(text))) { text += "\u{1}" }
      standIns[id] = DocumentID(JSONString(text))
    }
    let originals = Dictionary(uniqueKeysWithValues: standIns.map { ($0.value, $0.key) })
    var (state, decisions) = (before, start)
    // Records beside such a document have the same alternatives as by the rules.
    if case .insertRevisions = operation.action {} else { decisions.takeFirstAlternatives() }
    state.stores[operation.store]?.renameDocuments { standIns[$0] ?? $0 }
    let action = operation.action.mapping(documents: { standIns[$0] ?? $0 })
    let result = state.performByRules(StoreOperation(operation.store, action), &decisions)
    state.stores[operation.store]?.renameDocuments { originals[$0] ?? $0 }
    after = state
    self.decisions = decisions
    if case .ok(let result) = result {
      outcome = .ok(result.mappingDocuments { originals[$0] ?? $0 })
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
  /// Whether the id begins like that of a design document and is invalid for this reason only.
  fileprivate var hasDesignPrefixOnly: Bool {
    let bytes = text.utf8
    guard bytes.starts(with: "_design".utf8) || bytes.starts(with: "_local".utf8),
      !bytes.starts(with: "_local/".utf8), !bytes.contains(0)
    else { return false }
    return (try? Syntax.check(self)) == nil
  }

  /// The id with one ASCII byte in place of another one.
  fileprivate func replacing(_ old: UInt8, by new: UInt8) -> DocumentID {
    guard text.utf8.contains(old) else { return self }
    let bytes = text.utf8.map { $0 == old ? new : $0 }
    return JSONString(validating: bytes).map { DocumentID($0) } ?? self
  }
}
