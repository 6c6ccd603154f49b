internal import Datastore
internal import JSON
internal import RevisionTree

// Interactive edits: the writes of an application to its own replica.

extension ModelStore {
  /// A new document, or a new revision of a deleted document on top of the winning tombstone.
  mutating func create(
    _ id: DocumentID?, _ body: JSONValue, attachments: [RevisionAttachment],
    decisions: inout Decisions
  ) throws(Faults) -> OperationResult {
    var faults = Faults()
    if let id { faults.collect { () throws(Faults) in try Syntax.check(id) } }
    let existing = faults.isEmpty ? id.flatMap { documents[$0] } : nil
    faults.collect { () throws(Faults) in try Syntax.check(body: body) }
    let allowsEmptyName = decisions.allowsEmptyName(attachments)
    let drafts = faults.drafts(
      of: attachments, inlineBytesMax, allowsEmptyName: allowsEmptyName)
    // A live document has no parent role here: nothing is inherited from it.
    let parent = existing?.tree.isWinnerDeleted == true ? existing?.tree.winner : nil
    if let existing {
      faults.require(
        existing.tree.isWinnerDeleted,
        inState: DatastoreError(.conflict, "\(id ?? "") exists"))
    }
    faults.collect { () throws(Faults) in try decisions.checkParent(parent, in: self) }
    let inherited = parent.map { inheritance(from: $0, in: existing) } ?? []
    let set = faults.collect { () throws(Faults) in
      try settled(drafts, ofEdit: parent, inheriting: inherited, &decisions)
    }
    guard let set, faults.isEmpty else {
      var aside = decisions
      faults.collect { () throws(Faults) in
        try checkValidation(id ?? aside.documentID(), deleted: false, body)
      }
      throw faults
    }
    // A rejected creation returns no id, so a filter may have rejected any.
    if id == nil, decisions.isRefusal, refused?.readsID == true {
      throw Faults(DatastoreError(.forbidden, "the validation rejects the new document"), .state)
    }
    let id = id ?? decisions.documentID()
    return try write(
      id, after: parent, deleted: false, body, attachments: set, decisions: &decisions)
  }

  /// A child of a leaf, whether or not it is the winner: an update, or a tombstone if `deleted`.
  mutating func edit(
    _ id: DocumentID, _ rev: RevisionID, deleted: Bool, body: JSONValue,
    attachments: [RevisionAttachment], decisions: inout Decisions
  ) throws(Faults) -> OperationResult {
    var faults = Faults()
    faults.collect { () throws(Faults) in try Syntax.check(id) }
    let isNamed = faults.isEmpty
    let parent = faults.collect { () throws(Faults) in try Syntax.revision(rev, collation) }
    faults.collect { () throws(Faults) in try Syntax.check(body: body) }
    let allowsEmptyName = decisions.allowsEmptyName(attachments)
    let drafts = faults.drafts(
      of: attachments, inlineBytesMax, allowsEmptyName: allowsEmptyName)
    if let parent {
      faults.collect { () throws(Faults) in try decisions.checkParent(parent, in: self) }
    }

    let document = isNamed ? documents[id] : nil
    let conflict = DatastoreError(.conflict, "\(rev) is not a leaf of \(id)")
    let isGone = DatastoreError(.notFound(.deleted), "\(id) is deleted")
    var isTombstone = false
    if let document {
      let isLeaf = parent.map { document.tree.isLeaf($0) }
      isTombstone = isLeaf == true && parent.flatMap { document.tree.isDeleted($0) } == true
      faults.require(isLeaf != false, inState: conflict)
      faults.require(isLeaf == true || !document.tree.isWinnerDeleted, inState: isGone)
    } else if isNamed {
      faults.add(DatastoreError(.notFound(.missing), "\(id) is unknown"), .state)
      faults.add(DatastoreError(.conflict, "\(id) is unknown"), .state)
    }
    let inherited = isNamed ? parent.map { inheritance(from: $0, in: document) } : nil
    let set = faults.collect { () throws(Faults) in
      try settled(drafts, ofEdit: parent, inheriting: inherited, &decisions)
    }
    guard let parent, let set, faults.isEmpty else {
      if isTombstone {
        faults.add(conflict, .state)
        faults.add(isGone, .state)
      }
      faults.collect { () throws(Faults) in
        try checkValidation(id, deleted: deleted, body)
      }
      throw faults
    }
    if isTombstone {
      switch decisions.alternatives.choose(.tombstoneEdit, of: 3) {
      case 0: break
      case 1: throw Faults(conflict, .state)
      default: throw Faults(isGone, .state)
      }
    }
    return try write(
      id, after: parent, deleted: deleted, body, attachments: set, decisions: &decisions)
  }

  private mutating func write(
    _ id: DocumentID, after parent: Revision?, deleted: Bool, _ body: JSONValue,
    attachments: AttachmentSet, decisions: inout Decisions
  ) throws(Faults) -> OperationResult {
    let edit = try prepare(
      id, after: parent, deleted: deleted, body, set: attachments, decisions: &decisions)
    apply([edit], to: id)
    return .written(id: id, rev: edit.revision.id)
  }

  /// Resolves a conflict: one live leaf is kept or gets a child, the others get tombstones.
  ///
  /// The child has the attachments of its parent unless others are given; attachments without a
  /// body are an error.
  mutating func resolve(
    _ id: DocumentID, leaves: [RevisionID], keep: RevisionID, _ body: JSONValue?,
    attachments: [RevisionAttachment]?, decisions: inout Decisions
  ) throws(Faults) -> OperationResult {
    var faults = Faults()
    faults.collect { () throws(Faults) in try Syntax.check(id) }
    let isNamed = faults.isEmpty
    let expected = leaves.compactMap { leaf in
      faults.collect { () throws(Faults) in try Syntax.revision(leaf, collation) }
    }
    let kept = faults.collect { () throws(Faults) in try Syntax.revision(keep, collation) }
    if let kept {
      faults.require(
        expected.contains(kept),
        DatastoreError(.badRequest(path: "keep"), "\(keep) is not among the leaves"))
    }
    if let body { faults.collect { () throws(Faults) in try Syntax.check(body: body) } }
    faults.require(
      attachments == nil || body != nil,
      DatastoreError(
        .badRequest(path: "attachments"), "attachments need a body"))
    let allowsEmptyName = decisions.allowsEmptyName(attachments ?? [])
    let drafts = attachments.map {
      faults.drafts(of: $0, inlineBytesMax, allowsEmptyName: allowsEmptyName)
    }

    let document = isNamed ? documents[id] : nil
    let live = document?.tree.liveLeaves ?? []
    if isNamed {
      faults.require(
        !live.isEmpty && Set(expected) == Set(live),
        inState: DatastoreError(.conflict, "\(id) has other live leaves"))
    }
    let losers = kept == nil ? [] : expected.filter { $0 != kept }
    for parent in losers + (body == nil ? [] : [kept].compactMap { $0 }) {
      faults.collect { () throws(Faults) in try decisions.checkParent(parent, in: self) }
    }
    let inherited = isNamed ? kept.map { inheritance(from: $0, in: document) } : nil
    let set = faults.collect { () throws(Faults) -> AttachmentSet in
      guard let drafts else { return AttachmentSet(attachments: inherited ?? []) }
      return try settled(drafts, ofEdit: kept, inheriting: inherited, &decisions)
    }
    guard let kept, let set, faults.isEmpty else {
      if let body {
        faults.collect { () throws(Faults) in try checkValidation(id, deleted: false, body) }
      }
      if !losers.isEmpty {
        faults.collect { () throws(Faults) in try checkValidation(id, deleted: true, [:]) }
      }
      throw faults
    }
    var edits: [Edit] = []
    if let body {
      faults.collect { () throws(Faults) in
        edits.append(
          try prepare(id, after: kept, deleted: false, body, set: set, decisions: &decisions))
      }
    }
    for leaf in live where leaf != kept {
      faults.collect { () throws(Faults) in
        edits.append(
          try prepare(
            id, after: leaf, deleted: true, [:], set: AttachmentSet(), decisions: &decisions))
      }
    }
    try faults.refuse()
    let result = body == nil ? kept : edits[0].revision
    apply(edits, to: id)
    let tombstones = edits.filter { $0.deleted }.map { $0.revision.id }
    return .resolved(rev: result.id, tombstones: tombstones)
  }

  /// Performs several writes atomically; each write is applied to the result of those before it.
  ///
  /// After a failed write, later writes can have errors of their own: those of their arguments, and
  /// those of the state that no failed write could have prevented.
  mutating func batch(
    _ writes: [StoreAction], _ decisions: inout Decisions
  ) throws(Faults) -> OperationResult {
    var faults = Faults()
    for (index, write) in writes.enumerated() where !write.standsInBatch {
      faults.add(
        DatastoreError(
          .badRequest(path: "writes[\(index)].op"), "\(write.name) is not permitted in a batch"))
    }
    var store = self
    var results: [OperationResult] = []
    var failed = FailedWrites()
    var random = decisions.random
    for (index, write) in writes.enumerated() where write.standsInBatch {
      let isFirst = faults.isEmpty
      do throws(Faults) {
        results.append(try store.perform(write, &decisions))
      } catch {
        faults.add(failed.independent(error, of: write).ofWrite(index))
        failed.record(write)
      }
      // A write after the failed one does not consume randomness.
      if isFirst { random = decisions.random }
      decisions.nextWrite()
    }
    decisions.random = random
    try faults.refuse()
    self = store
    return .batch(results)
  }
}

/// The failed writes of a batch, on which the errors of later ones may depend.
private struct FailedWrites {
  private var documents: Set<DocumentID> = []
  private var bringContent = false

  mutating func record(_ write: StoreAction) {
    if let id = write.writtenDocument { documents.insert(id) }
    if case .attaching = write { bringContent = true }
  }

  /// The errors of a later write that do not depend on the failed writes.
  func independent(_ faults: Faults, of write: StoreAction) -> Faults {
    if let id = write.writtenDocument, documents.contains(id) { return faults.ofArguments }
    return bringContent ? faults.without(.missingStub) : faults
  }
}

extension StoreAction {
  /// Whether the action is a write that a batch may contain.
  fileprivate var standsInBatch: Bool {
    switch self {
    case .create, .update, .delete, .resolve, .writeLocal, .attaching: true
    default: false
    }
  }

  /// The document that a write names; nil if it names none, and for local documents, whose writes
  /// fail only because of their arguments.
  fileprivate var writtenDocument: DocumentID? {
    switch self {
    case .create(let id, _): id
    case .update(let id, _, _), .delete(let id, _, _), .resolve(let id, _, _, _): id
    case .attaching(_, let write): write.writtenDocument
    default: nil
    }
  }
}

extension ModelStore {
  /// A new revision that may be written.
  private struct Edit {
    var revision: Revision
    var parent: Revision?
    var deleted: Bool
    var body: JSONValue
    var attachments: AttachmentSet
  }

  /// Names a new revision and checks that it may be written.
  private func prepare(
    _ id: DocumentID, after parent: Revision?, deleted: Bool, _ body: JSONValue,
    set: AttachmentSet, decisions: inout Decisions
  ) throws(Faults) -> Edit {
    let revision = try decisions.revision(
      of: id, after: parent, deleted: deleted, body: body, set, in: self)
    var faults = Faults()
    // A repetition of an earlier edit adds no body, so there is nothing to validate.
    let document = documents[id]
    if document?.bodies[revision] == nil {
      faults.collect { () throws(Faults) in try checkValidation(id, deleted: deleted, body) }
    }
    // A revision whose name was not observed may be any matching edit.
    let mayBeHeld =
      document?.tree.contains(revision) == true
      || decisions.isOpaque(self)
        && document?.tree.roots.contains {
          $0.generation == revision.generation
            && document?.mayBeEdit($0, deleted: deleted, body, attachments: set.attachments) == true
        } == true
    if mayBeHeld, decisions.alternatives.choose(.heldEdit, of: 2) == 1 {
      faults.add(DatastoreError(.conflict, "\(id) already contains \(revision)"), .state)
    }
    try faults.refuse()
    return Edit(
      revision: revision, parent: parent, deleted: deleted, body: body, attachments: set)
  }

  /// Applies edits of one document as one change.
  private mutating func apply(_ edits: [Edit], to id: DocumentID) {
    let before = documents[id]
    var document = before ?? ModelDocument(collation: collation)
    for edit in edits {
      guard let path = RevisionPath([edit.revision] + (edit.parent.map { [$0] } ?? [])) else {
        continue
      }
      document.merge(
        path, deleted: edit.deleted, edit.body, attachments: edit.attachments.attachments)
      keep(edit.attachments)
    }
    settle(id, document, before: before)
  }
}
