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
  let body: JSONValue
}

extension Store {
  /// Looks up how far a path is new to a document; nil is a document of which nothing is known.
  func planMerge(
    of path: [RevisionName], into document: Int64?
  ) throws(DatastoreError) -> MergePlan {
    if let document {
      for (index, name) in path.enumerated() {
        if let known = try revision(named: name, of: document) {
          return MergePlan(path: path, newCount: index, known: known)
        }
      }
    }
    return MergePlan(path: path, newCount: path.count, known: nil)
  }

  /// Brings into the tree what the plan found new.
  func merge(
    _ plan: MergePlan, _ content: RevisionContent, into target: inout ChangingDocument
  ) throws(DatastoreError) {
    let isFirst = target.document == nil
    let document = try number(of: &target, deleted: content.deleted)
    target.onlyLeaf = nil
    if plan.newCount > 0 {
      var parent = plan.known?.revision
      if let known = plan.known { try demote(known) }
      for name in plan.path[1..<plan.newCount].reversed() {
        let inserted = try insert(name, of: document, parent: parent, content: nil)
        target.inserted.append(inserted)
        parent = inserted
      }
      let tip = try insert(plan.path[0], of: document, parent: parent, content: content)
      target.inserted.append(tip)
      if isFirst {
        target.onlyLeaf = LeafRow(
          revision: tip, name: plan.path[0], isDeleted: content.deleted)
      }
    } else if let known = plan.known, plan.storesBody {
      let body = try encode(content.body)
      try run(
        .setContent,
        [
          .integer(known.revision), .flag(content.deleted), .flag(body.isEscaped),
          .text(body.json),
        ])
      target.added.append(known.revision)
    }
    if let known = plan.known {
      try lengthen(plan.path, below: known.name.generation, of: document, &target)
    }
  }

  /// The number of a document's row, which is made when there is none.
  ///
  /// A new document changes in any case, and nothing else changes before it is settled: so its place
  /// in the feed is known. Its winner is mostly what comes first.
  private func number(
    of target: inout ChangingDocument, deleted: Bool
  ) throws(DatastoreError) -> Int64 {
    if let document = target.document { return document }
    let document = try insert(
      .insertDocument, [.text(target.id.text), .integer(row.lastSequence + 1), .flag(deleted)])
    target.document = document
    target.enteredAsDeleted = deleted
    return document
  }

  /// Gives parents to the roots that the path goes through, the highest root first.
  private func lengthen(
    _ path: [RevisionName], below generation: Int64, of document: Int64,
    _ target: inout ChangingDocument
  ) throws(DatastoreError) {
    guard let tip = path.first, let last = path.last, last.generation < generation else { return }
    for root in try roots(of: document, from: last.generation + 1, through: generation) {
      let place = Int(tip.generation - root.name.generation)
      guard path.indices.contains(place), path[place] == root.name else { continue }
      try extend(root.revision, with: path[(place + 1)...], of: document, &target)
    }
  }

  /// Puts ancestors below a root, down to the first one that the tree has already.
  private func extend(
    _ root: Int64, with ancestors: ArraySlice<RevisionName>, of document: Int64,
    _ target: inout ChangingDocument
  ) throws(DatastoreError) {
    var child = root
    for name in ancestors {
      if let known = try revision(named: name, of: document) {
        try demote(known)
        try run(.setParent, [.integer(child), .integer(known.revision)])
        // To a revision that is new itself, its parent is no news of its own.
        if child == root { target.added.append(known.revision) }
        return
      }
      let inserted = try insert(name, of: document, parent: nil, content: nil)
      target.inserted.append(inserted)
      try run(.setParent, [.integer(child), .integer(inserted)])
      child = inserted
    }
  }

  /// Takes a revision that gets a child out of the leaves.
  private func demote(_ revision: RevisionRow) throws(DatastoreError) {
    if revision.isLeaf { try run(.setRank, [.integer(revision.revision), .null]) }
  }

  /// Inserts a revision: with content as a leaf, without by name only.
  private func insert(
    _ name: RevisionName, of document: Int64, parent: Int64?, content: RevisionContent?
  ) throws(DatastoreError) -> Int64 {
    var values: [Parameter] = [
      .integer(document), .integer(name.generation), .bytes(name.text), .optional(parent),
    ]
    if let content {
      let body = try encode(content.body)
      let rank = Rank.bytes(name, deleted: content.deleted, collation: identity.collation)
      values += [
        .blob(rank), .flag(content.deleted), .flag(body.isEscaped), .text(body.json),
      ]
    } else {
      values += [.null, .null, .flag(false), .null]
    }
    return try insert(.insertRevision, values)
  }

  /// The text of a body that has passed its checks.
  func encode(_ body: JSONValue) throws(DatastoreError) -> StoredBody {
    guard let stored = BodyCodec.encode(body) else {
      throw DatastoreError(.storage(.io), "there is no memory for the text of a body")
    }
    return stored
  }

  private func roots(
    of document: Int64, from lowest: Int64, through highest: Int64
  ) throws(DatastoreError) -> [(revision: Int64, name: RevisionName)] {
    var rows = try rows(.roots, [.integer(document), .integer(lowest), .integer(highest)])
    var roots: [(revision: Int64, name: RevisionName)] = []
    while try rows.next() { roots.append((rows.integer(0), try rows.revisionName(2))) }
    return roots
  }
}
