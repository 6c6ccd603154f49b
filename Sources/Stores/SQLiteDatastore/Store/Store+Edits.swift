internal import Datastore
internal import JSON

// Writes that name their own revisions. Each is the merge of a path of two: the new revision and
// the leaf that it replaces.

extension Store {
  func create(
    _ id: DocumentID, _ body: CheckedBody, attachments: [AttachmentRequest]
  ) throws(DatastoreError) -> OperationResult {
    let existing = try document(id)
    var parent: RevisionName?
    if let existing {
      guard existing.isDeleted else {
        throw DatastoreError(.conflict, "'\(id)' exists")
      }
      parent = existing.winner.name
    }
    let set = try find(attachments, ofEdit: existing, after: parent)
    let edit = try planEdit(
      of: id, existing, parent,
      content: RevisionContent(deleted: false, body: body, attachments: set))
    try apply([edit], to: id, existing)
    return .written(id: id, rev: edit.name.id)
  }

  /// Adds a child to a leaf: an update or a deletion.
  func edit(
    _ id: DocumentID, _ rev: RevisionName, deleted: Bool, body: CheckedBody,
    attachments: [AttachmentRequest]
  ) throws(DatastoreError) -> OperationResult {
    guard let existing = try document(id) else {
      throw DatastoreError(.notFound(.missing), "no document '\(id)'")
    }
    guard try revision(rev, of: existing.number)?.isLeaf == true else {
      throw DatastoreError(.conflict, "\(rev.text) is not a leaf of '\(id)'")
    }
    let set = try find(attachments, ofEdit: existing, after: rev)
    let edit = try planEdit(
      of: id, existing, rev,
      content: RevisionContent(deleted: deleted, body: body, attachments: set))
    try apply([edit], to: id, existing)
    return .written(id: id, rev: edit.name.id)
  }

  /// Keeps one live leaf, unchanged or with a child; the others get tombstones.
  func resolve(
    _ id: DocumentID, _ named: [RevisionName], keep: RevisionName, body: CheckedBody?,
    attachments: [AttachmentRequest]?
  ) throws(DatastoreError) -> OperationResult {
    guard let existing = try document(id) else {
      throw DatastoreError(.conflict, "no document '\(id)'")
    }
    let live = try leaves(of: id, existing)
      .filter { !$0.isDeleted }.map { $0.name }
    guard Set(live) == Set(named) else {
      throw DatastoreError(.conflict, "'\(id)' has other live leaves")
    }
    var rev = keep
    var edits: [Edit] = []
    if let body {
      let set =
        if let attachments {
          try find(attachments, ofEdit: existing, after: keep)
        } else {
          AttachmentSet(rows: try self.attachments(of: keep, in: existing.number))
        }
      let edit = try planEdit(
        of: id, existing, keep,
        content: RevisionContent(deleted: false, body: body, attachments: set))
      rev = edit.name
      edits.append(edit)
    }
    var tombstones: [RevisionID] = []
    for leaf in live where leaf != keep {
      let edit = try planEdit(
        of: id, existing, leaf, content: RevisionContent(deleted: true, body: .empty))
      tombstones.append(edit.name.id)
      edits.append(edit)
    }
    try apply(edits, to: id, existing)
    return .resolved(rev: rev.id, tombstones: tombstones)
  }

  // MARK: Planning and applying

  /// A planned revision.
  private struct Edit {
    let name: RevisionName
    let content: RevisionContent
    let plan: MergePlan
  }

  /// Names the revision and performs the last checks; writes nothing.
  private func planEdit(
    of id: DocumentID, _ existing: DocumentRow?, _ parent: RevisionName?,
    content: RevisionContent
  ) throws(DatastoreError) -> Edit {
    let name = try RevisionDigest.name(
      parent: parent, deleted: content.deleted, body: content.body.value,
      attachments: content.attachments.rows, profile: identity.revisionIDs)
    let path = parent.map { [name, $0] } ?? [name]
    let plan = try planMerge(of: path, into: existing?.number)
    if plan.storesBody { try validate(id, content) }
    return Edit(name: name, content: content, plan: plan)
  }

  /// Merges the planned revisions as one change of the document.
  private func apply(
    _ edits: [Edit], to id: DocumentID, _ existing: DocumentRow?
  ) throws(DatastoreError) {
    var target = changing(id, existing)
    for edit in edits {
      try keep(edit.content.attachments)
      try merge(edit.plan, edit.content, into: &target)
    }
    try settle(target)
  }
}
