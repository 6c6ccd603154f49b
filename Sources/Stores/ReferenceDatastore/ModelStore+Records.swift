internal import Datastore
internal import JSON
internal import RevisionTree

// Revisions that are received from and sent to other replicas, with existing names.

extension ModelStore {
  /// Inserts revisions with their histories, each independently: a rejected record does not affect
  /// the others.
  ///
  /// Several records of one document are merged one by one and make one change.
  mutating func insertRevisions(
    _ records: [RevisionRecord], _ decisions: inout Decisions
  ) -> OperationResult {
    let unknown = ModelDocument(collation: collation)
    var order: [DocumentID] = []
    var written: [DocumentID: ModelDocument] = [:]
    var results: [DatastoreError?] = []
    for (index, record) in records.enumerated() {
      if written[record.id] == nil {
        order.append(record.id)
        written[record.id] = documents[record.id] ?? unknown
      }
      do throws(Faults) {
        try merge(record, into: &written[record.id, default: unknown], &decisions)
        results.append(nil)
      } catch {
        results.append(decisions.error(of: error, record: index))
      }
    }
    for id in order {
      guard let document = written[id], !document.tree.isEmpty else { continue }
      settle(id, document, before: documents[id])
    }
    return .inserted(results)
  }

  /// Merges a record into a document; a rejected record changes nothing.
  private mutating func merge(
    _ record: RevisionRecord, into document: inout ModelDocument, _ decisions: inout Decisions
  ) throws(Faults) {
    var faults = Faults()
    faults.collect { () throws(Faults) in try Syntax.check(record.id) }
    let isNamed = faults.isEmpty
    let read = faults.collect { () throws(Faults) in try path(of: record) }
    faults.collect { () throws(Faults) in try Syntax.check(body: record.body) }
    // Other products keep attachments of tombstones; here tombstones have none.
    let attachments = record.deleted ? [] : record.attachments
    let allowsEmptyName = decisions.allowsEmptyName(attachments)
    let drafts = faults.drafts(
      of: attachments, inlineBytesMax, allowsEmptyName: allowsEmptyName)
    guard let path = read, faults.isEmpty else {
      // A record that is already stored is neither validated nor compared with the stored content.
      if !isNamed || read.map({ document.bodies[$0.tip] == nil }) ?? true {
        faults.collect { () throws(Faults) in
          try allowed(
            record, drafts, path: isNamed ? read : nil, in: document, decisions: &decisions)
        }
      }
      throw faults
    }
    guard document.tree.contains(path.tip) else {
      let set = try allowed(record, drafts, path: path, in: document, decisions: &decisions)
      document.merge(path, deleted: record.deleted, record.body, attachments: set.attachments)
      keep(set)
      return
    }

    // The tip is known. Existing data remains unchanged; missing data may be added.
    var lateArrival = RevisionTree.LateArrival()
    var set = AttachmentSet()
    if document.bodies[path.tip] == nil {
      lateArrival.fills = decisions.alternatives.choose(.lateBody, of: 2) == 0
      if lateArrival.fills {
        set = try allowed(record, drafts, path: path, in: document, decisions: &decisions)
      }
    }
    var tree = document.tree
    let adoption = RevisionTree.LateArrival(fills: false)
    if tree.merge(path, deleted: record.deleted, lateArrival: adoption) == .internalNode {
      lateArrival.adopts = decisions.alternatives.choose(.longerHistory, of: 2) == 0
    }
    document.merge(
      path, deleted: record.deleted, record.body, attachments: set.attachments,
      lateArrival: lateArrival)
    keep(set)
  }

  /// The path of a record: not empty, with generations that decrease by exactly one.
  private func path(of record: RevisionRecord) throws(Faults) -> RevisionPath {
    guard let path = RevisionPath(try Syntax.revisions(record.path, collation)) else {
      throw Faults(
        DatastoreError(
          .badRevision, "expected a non-empty path whose generations decrease by exactly one"))
    }
    return path
  }

  /// The attachments of a record that is new here and accepted by the validation.
  private func allowed(
    _ record: RevisionRecord, _ drafts: [AttachmentDraft], path: RevisionPath?,
    in document: ModelDocument, decisions: inout Decisions
  ) throws(Faults) -> AttachmentSet {
    var faults = Faults()
    faults.collect { () throws(Faults) in
      try checkValidation(record.id, deleted: record.deleted, record.body)
    }
    let set = faults.collect { () throws(Faults) in
      try settled(drafts, ofRecord: path, in: document, &decisions)
    }
    guard let set, faults.isEmpty else { throw faults }
    return set
  }

  /// Checks all names in some queries.
  private func check(_ queries: [RevisionQuery]) throws(Faults) {
    var faults = Faults()
    for query in queries {
      faults.collect { () throws(Faults) in try Syntax.check(query.id) }
      for rev in query.revs + (query.attachmentsSince ?? []) {
        faults.collect { () throws(Faults) in try Syntax.revision(rev, collation) }
      }
    }
    try faults.refuse()
  }

  /// The requested revisions that are not in this store, not even as stubs, document by document.
  func revsDiff(_ queries: [RevisionQuery]) throws(Faults) -> OperationResult {
    try check(queries)
    var differences: [Difference] = []
    for query in queries {
      let asked = try Syntax.revisions(query.revs, collation)
      let tree = documents[query.id]?.tree ?? RevisionTree(collation: collation)
      let difference = tree.difference(asked)
      guard !difference.missing.isEmpty else { continue }
      differences.append(
        Difference(
          id: query.id, missing: difference.missing.map { $0.id },
          possibleAncestors: difference.possibleAncestors.map { $0.id }))
    }
    return .revsDiff(differences)
  }

  /// The requested revisions with their histories, or with `latest` the leaves that descend from
  /// them.
  func getRevisions(_ queries: [RevisionQuery]) throws(Faults) -> OperationResult {
    try check(queries)
    var answers: [RevisionAnswer] = []
    var length = AnswerLength()
    // Equal paths are computed once and share their memory.
    var paths: [DocumentID: [Revision: [RevisionID]]] = [:]
    for query in queries {
      let document = documents[query.id]
      let asked = try Syntax.revisions(query.revs, collation)
      var since: [Revision]?
      if let held = query.attachmentsSince { since = try Syntax.revisions(held, collation) }
      for revision in asked {
        let wanted = query.latest ? document?.tree.leaves(under: revision) ?? [] : [revision]
        var records: [RevisionRecord] = []
        for revision in wanted {
          guard let document, let body = document.bodies[revision] else { continue }
          let path =
            paths[query.id]?[revision]
            ?? document.tree.ancestry(of: revision, limit: historyLimit).map { $0.id }
          paths[query.id, default: [:]][revision] = path
          let record = RevisionRecord(
            id: query.id, path: path, deleted: document.tree.isDeleted(revision) ?? false,
            body: body, attachments: attachments(of: revision, in: document, since: since))
          try length.add(record)
          records.append(record)
        }
        let isKnown = document?.tree.contains(revision) ?? false
        answers.append(
          RevisionAnswer(
            id: query.id, rev: revision.id,
            found: !records.isEmpty ? .records(records) : isKnown ? .bodyMissing : .missing))
      }
    }
    return .revisions(answers)
  }
}

/// The length of a response to `getRevisions` so far.
private struct AnswerLength {
  private var bytes = 0
  private var records = 0

  /// Adds a record; throws `tooLarge` if the response contains others and becomes too long.
  mutating func add(_ record: RevisionRecord) throws(Faults) {
    bytes += Self.bytes(of: record)
    records += 1
    guard bytes > RevisionAnswer.bytesMax, records > 1 else { return }
    let limit = RevisionAnswer.bytesMax
    throw Faults(
      DatastoreError(.tooLarge(limit: limit), "the response is longer than \(limit) bytes"), .state)
  }

  private static func bytes(of record: RevisionRecord) -> Int {
    var bytes = record.body.serializedBytes().count
    for rev in record.path { bytes += rev.text.utf8.count + 3 }
    for attachment in record.attachments {
      if case .data(let text) = attachment.content { bytes += text.utf8.count }
    }
    return bytes
  }
}
