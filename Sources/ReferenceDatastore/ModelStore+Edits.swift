internal import Datastore
internal import JSON
internal import RevisionTree

// Interactive edits: what an application does through its own replica.

extension ModelStore {
  /// A new document, or a new life of one that is deleted, which continues the winning tombstone.
  mutating func create(
    _ id: DocumentID?, _ body: JSONValue, _ attachments: [RevisionAttachment],
    _ decisions: inout Decisions
  ) throws(DatastoreError) -> OperationResult {
    if let id { try Spelling.check(id) }
    var drafts: [AttachmentDraft] = []
    let allowsEmptyName = decisions.allowsEmptyName(attachments)
    let fault = try decisions.postponedFault { () throws(DatastoreError) in
      try Spelling.check(body: body)
      drafts = try Spelling.drafts(
        attachments, inlineBytesMax, allowsEmptyName: allowsEmptyName)
    }
    let id = id ?? decisions.documentID()
    let document = documents[id]
    if let document, !document.tree.isWinnerDeleted {
      throw DatastoreError(.conflict, "\(id) exists")
    }
    if let fault { throw fault }
    return try write(
      id, after: document?.tree.winner, deleted: false, body, drafts, &decisions)
  }

  /// A child of a leaf, be it a winner or not: an update, or with `deleted` a tombstone.
  mutating func edit(
    _ id: DocumentID, _ rev: RevisionID, deleted: Bool, _ body: JSONValue,
    _ attachments: [RevisionAttachment], _ decisions: inout Decisions
  ) throws(DatastoreError) -> OperationResult {
    try Spelling.check(id)
    var drafts: [AttachmentDraft] = []
    let allowsEmptyName = decisions.allowsEmptyName(attachments)
    let fault = try decisions.postponedFault { () throws(DatastoreError) in
      _ = try Spelling.revision(rev, collation)
      try Spelling.check(body: body)
      drafts = try Spelling.drafts(
        attachments, inlineBytesMax, allowsEmptyName: allowsEmptyName)
    }
    guard let tree = documents[id]?.tree else {
      switch decisions.alternatives.choose(.unknownDocument, of: 2) {
      case 0: throw DatastoreError(.notFound(.missing), "\(id) is unknown")
      default: throw DatastoreError(.conflict, "\(id) is unknown")
      }
    }
    let parent = try Spelling.revision(rev, collation)
    let conflict = DatastoreError(.conflict, "\(rev) is not a leaf of \(id)")
    let isGone = DatastoreError(.notFound(.deleted), "\(id) is deleted")
    if !tree.isLeaf(parent) {
      guard tree.isWinnerDeleted else { throw conflict }
      throw decisions.alternatives.choose(.staleRevision, of: 2) == 0 ? conflict : isGone
    }
    if tree.isDeleted(parent) == true {
      switch decisions.alternatives.choose(.tombstoneEdit, of: 3) {
      case 0: break
      case 1: throw conflict
      default: throw isGone
      }
    }
    if let fault { throw fault }
    return try write(id, after: parent, deleted: deleted, body, drafts, &decisions)
  }

  private mutating func write(
    _ id: DocumentID, after parent: Revision?, deleted: Bool, _ body: JSONValue,
    _ drafts: [AttachmentDraft], _ decisions: inout Decisions
  ) throws(DatastoreError) -> OperationResult {
    let attachments: AttachmentSet
    do {
      attachments = try settled(drafts, ofEdit: id, after: parent, &decisions)
    } catch {
      if decisions.alternatives.choose(.faultOrder, of: 2) == 1 {
        try checkValidation(id, deleted: deleted, body)
      }
      throw error
    }
    let edit = try prepare(
      id, after: parent, deleted: deleted, body, attachments, &decisions)
    apply([edit], to: id)
    return .written(id: id, rev: edit.revision.id)
  }

  /// Settles a conflict: one live leaf stays or gets a child, the others get tombstones.
  ///
  /// The child has the attachments of its parent unless others are given; without a child there is
  /// nothing to give them to.
  mutating func resolve(
    _ id: DocumentID, leaves: [RevisionID], keep: RevisionID, _ body: JSONValue?,
    _ attachments: [RevisionAttachment]?, _ decisions: inout Decisions
  ) throws(DatastoreError) -> OperationResult {
    try Spelling.check(id)
    var drafts: [AttachmentDraft]?
    let allowsEmptyName = decisions.allowsEmptyName(attachments ?? [])
    let fault = try decisions.postponedFault { () throws(DatastoreError) in
      let expected = try Spelling.revisions(leaves, collation)
      guard expected.contains(try Spelling.revision(keep, collation)) else {
        throw DatastoreError(.badRequest(path: "keep"), "\(keep) is not among the leaves")
      }
      if let body { try Spelling.check(body: body) }
      if let attachments {
        guard body != nil else {
          throw DatastoreError(
            .badRequest(path: "attachments"), "without a body there is no new revision")
        }
        drafts = try Spelling.drafts(
          attachments, inlineBytesMax, allowsEmptyName: allowsEmptyName)
      }
    }
    let live = documents[id]?.tree.liveLeaves ?? []
    guard !live.isEmpty, Set(leaves.map { collation.revision($0) }) == Set(live) else {
      throw DatastoreError(.conflict, "the live leaves of \(id) are other ones")
    }
    if let fault { throw fault }
    let kept = try Spelling.revision(keep, collation)
    var edits: [Edit] = []
    if let body {
      let set =
        if let drafts { try settled(drafts, ofEdit: id, after: kept, &decisions) } else {
          AttachmentSet(attachments: documents[id]?.attachments[kept] ?? [])
        }
      edits.append(try prepare(id, after: kept, deleted: false, body, set, &decisions))
    }
    let result = edits.first?.revision ?? kept
    for leaf in live where leaf != kept {
      edits.append(
        try prepare(id, after: leaf, deleted: true, [:], AttachmentSet(), &decisions))
    }
    apply(edits, to: id)
    let tombstones = edits.filter { $0.deleted }.map { $0.revision.id }
    return .resolved(rev: result.id, tombstones: tombstones)
  }

  /// Several writes, all or none; each sees what those before it did.
  mutating func batch(
    _ writes: [Action], _ decisions: inout Decisions
  ) throws(DatastoreError) -> OperationResult {
    for (index, write) in writes.enumerated() {
      switch write {
      case .create, .update, .delete, .resolve, .writeLocal, .attaching: continue
      default:
        throw DatastoreError(
          .badRequest(path: "writes[\(index)].op"), "\(write.name) cannot stand in a batch")
      }
    }
    var store = self
    var results: [OperationResult] = []
    for (index, write) in writes.enumerated() {
      do {
        results.append(try store.perform(write, &decisions))
      } catch {
        throw DatastoreError(error.kind, error.message, write: Int64(index))
      }
      decisions.nextWrite()
    }
    self = store
    return .batch(results)
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

  /// Names a new revision and asks whether it may be written.
  private func prepare(
    _ id: DocumentID, after parent: Revision?, deleted: Bool, _ body: JSONValue,
    _ set: AttachmentSet, _ decisions: inout Decisions
  ) throws(DatastoreError) -> Edit {
    let revision = try decisions.revision(
      of: id, after: parent, deleted: deleted, body: body, set, in: self)
    // An edit that was made before brings no body, so there is nothing to validate.
    let document = documents[id]
    if document?.bodies[revision] == nil {
      try checkValidation(id, deleted: deleted, body)
    }
    // Under a name that nobody has seen, it may be any edit that fits.
    let mayBeHeld =
      document?.tree.contains(revision) == true
      || decisions.isOpaque(self)
        && document?.tree.roots.contains {
          $0.generation == revision.generation
            && document?.mayBeEdit($0, deleted: deleted, body, set.attachments) == true
        } == true
    if mayBeHeld, decisions.alternatives.choose(.heldEdit, of: 2) == 1 {
      throw DatastoreError(.conflict, "\(id) holds \(revision) already")
    }
    return Edit(
      revision: revision, parent: parent, deleted: deleted, body: body, attachments: set)
  }

  /// Writes edits of one document as one change.
  private mutating func apply(_ edits: [Edit], to id: DocumentID) {
    let before = documents[id]
    var document = before ?? ModelDocument(collation: collation)
    for edit in edits {
      guard let path = RevisionPath([edit.revision] + (edit.parent.map { [$0] } ?? [])) else {
        continue
      }
      document.merge(path, deleted: edit.deleted, edit.body, edit.attachments.attachments)
      keep(edit.attachments)
    }
    settle(id, document, before)
  }
}
