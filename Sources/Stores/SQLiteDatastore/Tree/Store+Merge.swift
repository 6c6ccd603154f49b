internal import Datastore
internal import JSON

// Every revision, replicated or made here, enters the tree by a merge.
//
// A path names a revision and its ancestors, newest first. The part from its newest end to the
// first known revision is new, and becomes a branch there. Below that revision the tree takes
// precedence, with one exception: a *root* of the tree is a revision whose parent was never known,
// or was removed. If the path contains the root, it supplies the parent.
//
//     the tree              3-c ─ 4-d              1-a
//     the path        5-e ─ 4-d ─ 3-c ─ 2-b ─ 1-a
//     afterwards      1-a ─ 2-b ─ 3-c ─ 4-d ─ 5-e       two roots joined, one leaf fewer
//
// So a merge costs a look-up for each new revision and one for the first known one, and the roots
// with a generation above the path's end: never the rest of the path, never the rest of the tree.

/// The relation of a path to the tree before anything is written.
struct MergePlan {
  /// The path, newest first.
  let path: [RevisionName]
  /// The number of new revisions at the newest end of the path.
  let newCount: Int
  /// The first known revision of the path, or nil if all are new.
  let known: RevisionRow?

  /// Whether the merge stores the body of the newest revision of the path.
  var storesBody: Bool {
    newCount > 0 || known?.hasBody == false
  }
}

/// The content of the newest revision of a path.
struct RevisionContent {
  let deleted: Bool
  let body: CheckedBody
  var attachments = AttachmentSet()
}

/// The location of the body of a revision.
private enum BodyPlace {
  /// In the row of the revision.
  case inRow
  /// In the row of this number in `long_body`.
  case ofItsOwn(Int64)
}

extension Statement {
  /// Binds both columns of a body.
  fileprivate func body(_ body: CheckedBody, at place: BodyPlace) -> Statement {
    switch place {
    case .inRow: utf8(body.json).null()
    case .ofItsOwn(let number): null().integer(number)
    }
  }
}

extension Store {
  /// Compares a path with a document; nil is a document without known revisions.
  func planMerge(
    of path: [RevisionName], into document: Int64?
  ) throws(DatastoreError) -> MergePlan {
    if let document {
      for (index, name) in path.enumerated() {
        if let known = try revision(name, of: document) {
          return MergePlan(path: path, newCount: index, known: known)
        }
      }
    }
    return MergePlan(path: path, newCount: path.count, known: nil)
  }

  /// A document that may change.
  ///
  /// A new document changes in any case, and no other document changes before it is settled. So its
  /// position in the feed is known, and permanently becomes its number.
  func changing(_ id: DocumentID, _ existing: DocumentRow?) -> ChangingDocument {
    ChangingDocument(id, existing, newNumber: row.lastSequence + 1)
  }

  /// Inserts the new revisions of the plan.
  func merge(
    _ plan: MergePlan, _ content: RevisionContent, into target: inout ChangingDocument
  ) throws(DatastoreError) {
    if plan.newCount > 0 {
      target.inserted.reserveCapacity(target.inserted.count + plan.newCount)
      var parent = plan.known?.name
      if let known = plan.known { try demote(known, in: &target) }
      for name in plan.path[1..<plan.newCount].reversed() {
        try insert(name, parent: parent, into: &target)
        parent = name
      }
      try insertLeaf(plan.path[0], parent: parent, content, into: &target)
    } else if let known = plan.known, plan.storesBody {
      let place = try place(of: content.body)
      try prepare(.setContent).key(known.name, of: target.number).flag(content.deleted)
        .body(content.body, at: place).run()
      try insert(content.attachments.rows, of: known.name, in: target.number)
      target.added.append(known.name)
    }
    if let known = plan.known { try lengthen(plan.path, below: known.name.generation, &target) }
  }

  /// Assigns parents to the roots that the path contains, the highest root first.
  private func lengthen(
    _ path: [RevisionName], below generation: Int64, _ target: inout ChangingDocument
  ) throws(DatastoreError) {
    guard let tip = path.first, let last = path.last, last.generation < generation else { return }
    for root in try roots(of: target.number, from: last.generation + 1, through: generation) {
      let place = Int(tip.generation - root.generation)
      guard path.indices.contains(place), path[place] == root else { continue }
      try extend(root, with: path[(place + 1)...], &target)
    }
  }

  /// Inserts ancestors below a root, down to the first one that the tree already contains.
  private func extend(
    _ root: RevisionName, with ancestors: ArraySlice<RevisionName>,
    _ target: inout ChangingDocument
  ) throws(DatastoreError) {
    var child = root
    for name in ancestors {
      if let known = try revision(name, of: target.number) {
        try demote(known, in: &target)
        try setParent(of: child, name, in: target.number)
        // A parent is recorded only for revisions that existed before.
        if child == root { target.added.append(known.name) }
        return
      }
      try insert(name, parent: nil, into: &target)
      try setParent(of: child, name, in: target.number)
      child = name
    }
  }

  private func setParent(
    of child: RevisionName, _ parent: RevisionName, in document: Int64
  ) throws(DatastoreError) {
    try prepare(.setParent).key(child, of: document).bytes(parent.text).run()
  }

  /// Removes a revision that gets a child from the leaves.
  private func demote(
    _ revision: RevisionRow, in target: inout ChangingDocument
  ) throws(DatastoreError) {
    guard revision.isLeaf else { return }
    try prepare(.setInner).key(revision.name, of: target.number).run()
    if !target.isBranched { target.leaves = .none }
  }

  /// Inserts a stub revision.
  private func insert(
    _ name: RevisionName, parent: RevisionName?, into target: inout ChangingDocument
  ) throws(DatastoreError) {
    try prepare(.insertRevision).key(name, of: target.number).bytes(parent?.text)
      .flag(false).null().null().null().null().run()
    target.inserted.append(name)
  }

  /// Inserts a leaf; the second leaf makes a document branched.
  private func insertLeaf(
    _ name: RevisionName, parent: RevisionName?, _ content: RevisionContent,
    into target: inout ChangingDocument
  ) throws(DatastoreError) {
    let leaf = LeafRow(name: name, isDeleted: content.deleted)
    switch target.leaves {
    case .none: target.leaves = .only(leaf)
    case .only(let other):
      try prepare(.setRank).key(other.name, of: target.number).blob(rank(other)).run()
      target.leaves = .ranked
    case .ranked: break
    }
    let rank = target.isBranched ? rank(leaf) : nil
    let place = try place(of: content.body)
    try prepare(.insertRevision).key(name, of: target.number).bytes(parent?.text).flag(true).blob(
      rank
    )
    .flag(content.deleted).body(content.body, at: place).run()
    try insert(content.attachments.rows, of: name, in: target.number)
    target.inserted.append(name)
  }

  /// Determines the location of the body of a new revision, and stores a long one.
  private func place(of body: CheckedBody) throws(DatastoreError) -> BodyPlace {
    guard body.json.count > Schema.inlineBodyMax else { return .inRow }
    var rows = try prepare(.insertLongBody).utf8(body.json).rows()
    guard try rows.next() else { throw corrupt("did not store a body") }
    return .ofItsOwn(rows.integer(0))
  }

  private func rank(_ leaf: LeafRow) -> [UInt8] {
    Rank.bytes(leaf.name, deleted: leaf.isDeleted, collation: identity.collation)
  }

  private func roots(
    of document: Int64, from lowest: Int64, through highest: Int64
  ) throws(DatastoreError) -> [RevisionName] {
    var rows = try prepare(.roots).integer(document).integer(lowest).integer(highest).rows()
    return try rows.revisionNames()
  }
}
