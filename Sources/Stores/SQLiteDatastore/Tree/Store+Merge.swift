internal import Datastore
internal import JSON

// Merging is how every revision gets into the tree, whether it was replicated or made here.
//
// A path names a revision and its ancestors, newest first. Seen from its newest end it is new up to
// the first revision that is known; that part becomes a branch there. Below, the tree knows better,
// with one exception: a *root* of the tree is a revision whose parent was never heard of, or was
// cut off. If the path goes through it, the path says what its parent is.
//
//     the tree              3-c ─ 4-d              1-a
//     the path        5-e ─ 4-d ─ 3-c ─ 2-b ─ 1-a
//     afterwards      1-a ─ 2-b ─ 3-c ─ 4-d ─ 5-e       two roots joined, one leaf fewer
//
// So a merge costs a look-up for each new revision and one for the first known, and the roots with
// a generation above the path's end: never the rest of the path, never the rest of the tree.

/// What is known of a path before anything is written.
struct MergePlan {
  /// Newest first.
  let path: [RevisionName]
  /// How many revisions at the newest end of the path are new.
  let newCount: Int
  /// The first one that is not new, or nil when all are.
  let known: RevisionRow?

  /// Whether merging stores the body that came with the path's newest revision.
  var storesBody: Bool {
    newCount > 0 || known?.hasBody == false
  }
}

/// What the newest revision of a path carries.
struct RevisionContent {
  let deleted: Bool
  let body: CheckedBody
  var attachments = AttachmentSet()
}

/// Where the body of a revision lies.
private enum BodyPlace {
  /// With its names.
  case inRow
  /// Among the long ones, as the row of this number.
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
  /// Looks up how far a path is new to a document; nil is a document of which nothing is known.
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
  /// A new one changes in any case, and no other document does before it is settled: so its place in
  /// the feed is known, and is its number for ever.
  func changing(_ id: DocumentID, _ existing: DocumentRow?) -> ChangingDocument {
    ChangingDocument(id, existing, newNumber: row.lastSequence + 1)
  }

  /// Brings into the tree what the plan found new.
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
      try ask(.setContent).key(known.name, of: target.number).flag(content.deleted)
        .body(content.body, at: place).run()
      try insert(content.attachments.rows, of: known.name, in: target.number)
      target.added.append(known.name)
    }
    if let known = plan.known { try lengthen(plan.path, below: known.name.generation, &target) }
  }

  /// Gives parents to the roots that the path goes through, the highest root first.
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

  /// Puts ancestors below a root, down to the first one that the tree has already.
  private func extend(
    _ root: RevisionName, with ancestors: ArraySlice<RevisionName>,
    _ target: inout ChangingDocument
  ) throws(DatastoreError) {
    var child = root
    for name in ancestors {
      if let known = try revision(name, of: target.number) {
        try demote(known, in: &target)
        try setParent(of: child, name, in: target.number)
        // To a revision that is new itself, its parent is no news of its own.
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
    try ask(.setParent).key(child, of: document).bytes(parent.text).run()
  }

  /// Takes a revision that gets a child out of the leaves.
  private func demote(
    _ revision: RevisionRow, in target: inout ChangingDocument
  ) throws(DatastoreError) {
    guard revision.isLeaf else { return }
    try ask(.setInner).key(revision.name, of: target.number).run()
    if !target.isBranched { target.leaves = .none }
  }

  /// Inserts a revision that is known by name only.
  private func insert(
    _ name: RevisionName, parent: RevisionName?, into target: inout ChangingDocument
  ) throws(DatastoreError) {
    try ask(.insertRevision).key(name, of: target.number).bytes(parent?.text)
      .flag(false).null().null().null().null().run()
    target.inserted.append(name)
  }

  /// Inserts a leaf; a document that gets its second one is branched from then on.
  private func insertLeaf(
    _ name: RevisionName, parent: RevisionName?, _ content: RevisionContent,
    into target: inout ChangingDocument
  ) throws(DatastoreError) {
    let leaf = LeafRow(name: name, isDeleted: content.deleted)
    switch target.leaves {
    case .none: target.leaves = .only(leaf)
    case .only(let other):
      try ask(.setRank).key(other.name, of: target.number).blob(rank(other)).run()
      target.leaves = .ranked
    case .ranked: break
    }
    let rank = target.isBranched ? rank(leaf) : nil
    let place = try place(of: content.body)
    try ask(.insertRevision).key(name, of: target.number).bytes(parent?.text).flag(true).blob(rank)
      .flag(content.deleted).body(content.body, at: place).run()
    try insert(content.attachments.rows, of: name, in: target.number)
    target.inserted.append(name)
  }

  /// Where a body goes that a revision is about to get.
  private func place(of body: CheckedBody) throws(DatastoreError) -> BodyPlace {
    guard body.json.count > Schema.inlineBodyMax else { return .inRow }
    var rows = try ask(.insertLongBody).utf8(body.json).rows()
    guard try rows.next() else { throw corrupt("takes no body") }
    return .ofItsOwn(rows.integer(0))
  }

  private func rank(_ leaf: LeafRow) -> [UInt8] {
    Rank.bytes(leaf.name, deleted: leaf.isDeleted, collation: identity.collation)
  }

  private func roots(
    of document: Int64, from lowest: Int64, through highest: Int64
  ) throws(DatastoreError) -> [RevisionName] {
    var rows = try ask(.roots).integer(document).integer(lowest).integer(highest).rows()
    return try rows.revisionNames()
  }
}
