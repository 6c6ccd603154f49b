internal import Datastore
internal import JSON

// Mutants with attachments in replication, and with content in pieces.

extension Defect {
  static let attachmentRecords: [Defect] = [
    attaching(
      "revpos-of-records-forgotten", "ATT-020",
      sentence: "All attachments of a record get its generation as revpos."
    ) {
      attachment, writing in
      writing.isEdit || attachment.content == .stub ? attachment : attachment.with(\.revpos, nil)
    },
    remembering(
      "revpos-above-generation", "ATT-020",
      sentence: "A revpos above the generation of its record is kept.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.insertRevisions(let records), .ok):
          for record in records {
            guard let tip = record.path.first, let generation = tip.generation else { continue }
            for attachment in record.attachments where attachment.revpos ?? 0 > generation {
              memory.counts[operation.key(record.id.text, tip.text, attachment.name)] =
                attachment.revpos
            }
          }
        case (.read(let id, _), .ok(let result)):
          let counts = memory.counts
          return .ok(
            result.mapAttachments { attachments, rev in
              for place in attachments.indices {
                let key = operation.key(id.text, rev?.text ?? "", attachments[place].name)
                attachments[place].revpos = counts[key] ?? attachments[place].revpos
              }
            })
        default: break
        }
        return outcome
      }),
    stubbing(
      "stubs-of-deepest-ancestor",
      "A stub stands for the attachment of the deepest stored ancestor."
    ) {
      writing, store, name throws(HarnessError) in
      try store.held(name, writing).last?.attachments
    },
    stubbing("stubs-of-parent-alone", "A stub of a record is resolved only against the parent.") {
      writing, store, name throws(HarnessError) in
      let held = try store.held(name, writing)
      return held.isEmpty
        ? nil : held.first { $0.rev == writing.ancestors.first }?.attachments ?? []
    },
    stubbing("stubs-of-winner", "A stub of a record stands for the attachment of the winner.") {
      writing, store, name throws(HarnessError) in
      guard let id = writing.document else { return nil }
      return try store.document(name, id)?.attachments
    },
    answering(
      "missing-stub-fails-all", "ATT-022",
      sentence: "One stub without an attachment fails the whole call."
    ) {
      operation, result, _ in
      guard case .inserted(let results) = result, results.count > 1,
        results.contains(where: { $0?.kind == .missingStub })
      else { return .ok(result) }
      return .error(DatastoreError(.missingStub))
    },
    answering(
      "branches-share-attachments", "ATT-023",
      sentence: "All live leaves show the attachments of the winner."
    ) { operation, result, store throws(HarnessError) in
      guard case .document(var document) = result,
        case let leaves = try store.leaves(operation.store, document.id),
        leaves.contains(where: { $0.rev == document.rev && !$0.deleted }),
        let winner = try store.document(operation.store, document.id)
      else { return .ok(result) }
      document.attachments = winner.attachments
      return .ok(.document(document))
    },
    remembering(
      "held-revision-loses", "ATT-024",
      sentence: "A known revision that arrives again without attachments loses its attachments.",
      hear: { operation, store, memory throws(HarnessError) in
        guard case .insertRevisions(let records) = operation.action else { return operation }
        for record in records where record.attachments.isEmpty && !record.deleted {
          guard let tip = record.path.first,
            try store.document(operation.store, record.id, rev: tip) != nil
          else { continue }
          memory.marks.insert(operation.key(record.id.text, tip.text))
        }
        return operation
      },
      answer: { operation, outcome, _, memory in
        guard case .read(let id, _) = operation.action,
          case .ok(.document(var document)) = outcome,
          memory.marks.contains(operation.key(id.text, document.rev.text))
        else { return outcome }
        document.attachments = []
        return .ok(.document(document))
      }),
    answering(
      "tombstones-show-attachments", "ATT-025",
      sentence: "A tombstone shows the attachments of its parent."
    ) { operation, result, store throws(HarnessError) in
      guard case .document(var document) = result, document.deleted,
        case let path = try store.path(operation.store, document.id, rev: document.rev),
        path.count > 1, let parent = try store.document(operation.store, document.id, rev: path[1])
      else { return .ok(result) }
      document.attachments = parent.attachments
      return .ok(.document(document))
    },
    asking("fetches-stubs-only", "ATT-026", sentence: "`attachmentsSince` returns only stubs.") {
      since, _ in
      since == nil ? nil : .some(nil)
    },
    asking(
      "fetches-by-generation", "ATT-026",
      sentence: "`attachmentsSince` uses the highest generation, even of another branch."
    ) { since, path in
      since.map { $0.map { rev in path.first { $0.generation == rev.generation } ?? rev } }
    },
    asking(
      "fetches-all-bytes", "ATT-027",
      sentence: "`attachmentsSince` returns all content with its bytes."
    ) {
      since, _ in
      since == nil ? nil : []
    },
    asking(
      "fetches-bytes-unasked", "ATT-028",
      sentence: "Records contain attachment bytes without `attachmentsSince`."
    ) {
      since, _ in since ?? []
    },
  ]

  /// Replaces stubs of records by attachments of some revision; nil leaves them unchanged.
  private static func stubbing(
    _ name: String, _ sentence: String,
    find:
      @escaping @Sendable (Writing, Honest, StoreName) throws(HarnessError) -> [RevisionAttachment]?
  ) -> Defect {
    mishearing(name, "ATT-021", sentence: sentence) { operation, store throws(HarnessError) in
      try operation.mapAttachments { attachments, writing throws(HarnessError) in
        guard case .record(let record) = writing, !record.deleted,
          let held = try find(writing, store, operation.store)
        else { return }
        attachments = attachments.map { stub in
          guard stub.content == .stub else { return stub }
          guard let held = held.first(where: { $0.name == stub.name }),
            stub.digest ?? held.digest == held.digest
          else { return stub.named.with(\.digest, RevisionAttachment.nobodysDigest) }
          return held.named
        }
      }
    }
  }

  /// Changes the ancestors in a request for revisions; nil leaves the request unchanged.
  private static func asking(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable ([RevisionID]?, [RevisionID]) -> [RevisionID]??
  ) -> Defect {
    mishearing(name, clause, sentence: sentence) { operation, store throws(HarnessError) in
      guard case .getRevisions(var queries) = operation.action else { return operation }
      for place in queries.indices {
        guard let rev = queries[place].revs.first else { continue }
        let path = try store.path(operation.store, queries[place].id, rev: rev)
        if let since = change(queries[place].attachmentsSince, path) {
          queries[place].attachmentsSince = since
        }
      }
      return StoreOperation(operation.store, .getRevisions(queries))
    }
  }

  static let attachmentContents: [Defect] = [
    reading("small-pieces", "ATT-010", sentence: "readAttachment returns at most 4,096 bytes.") {
      _, _, limit in
      limit = min(limit ?? .max, 4096)
    },
    reading(
      "limit-is-an-end", "ATT-030",
      sentence: "The limit of readAttachment is taken as the end offset."
    ) {
      _, offset, limit in
      guard let start = offset, let end = limit, start >= 0, end >= 0 else { return }
      limit = max(0, end - start)
    },
    answering(
      "end-is-missing", "ATT-030",
      sentence: "readAttachment at the end of content is notFound."
    ) {
      operation, result, _ in
      guard case .readAttachment(_, _, _, let offset?, _) = operation.action, offset > 0,
        case .attachment(let piece) = result, piece.bytes == ""
      else { return .ok(result) }
      return .error(DatastoreError(.notFound(.missing)))
    },
    excusing(
      "unknown-name-is-bad", "ATT-034",
      sentence: "readAttachment of an unknown name is badRequest."
    ) {
      operation, kind, store throws(HarnessError) in
      guard case .readAttachment(let id, let rev, _, _, _) = operation.action,
        kind == .notFound(.missing),
        let document = try store.document(operation.store, id, rev: rev),
        !document.deleted, !document.attachments.isEmpty
      else { return nil }
      return .error(DatastoreError(.badRequest(path: "name")))
    },
    reading("negative-offset-is-0", "ATT-035", sentence: "A negative offset is treated as 0.") {
      _, offset, _ in
      offset = offset.map { max(0, $0) }
    },
    mishearing(
      "gaps-closed", "ATT-035",
      sentence: "A piece beyond the uploaded bytes is appended to them."
    ) {
      operation, store throws(HarnessError) in
      guard case .putBlob(let digest, let offset, let bytes) = operation.action, bytes != "",
        case .ok(.held(let held)) = try store.ask(
          operation.store, .putBlob(digest: digest, offset: 0, bytes: ""))
      else { return operation }
      return StoreOperation(
        operation.store, .putBlob(digest: digest, offset: min(offset, held), bytes: bytes))
    },
    mishearing(
      "pieces-appended", "ATT-031", sentence: "Every piece is appended to the earlier ones."
    ) {
      operation, store throws(HarnessError) in
      guard case .putBlob(let digest, let offset, let bytes) = operation.action, bytes != "",
        case .ok(.held(let held)) = try store.ask(
          operation.store, .putBlob(digest: digest, offset: 0, bytes: "")), offset >= 0,
        offset < held
      else { return operation }
      return StoreOperation(operation.store, .putBlob(digest: digest, offset: held, bytes: bytes))
    },
    excusing(
      "wrong-content-is-missing", "ATT-031",
      sentence: "Uploaded content that does not match its digest is missingStub."
    ) {
      operation, kind, _ in
      guard case .attaching(let attachments, _) = operation.action, kind == .badAttachment,
        attachments.contains(where: { $0.content == .chunks })
      else { return nil }
      return .error(DatastoreError(.missingStub))
    },
    remembering(
      "nothing-has-to-be-brought", "ATT-032",
      sentence: "Content of 0 bytes must be uploaded before it is named.",
      hear: { operation, _, memory in
        if case .putBlob(let digest, _, _) = operation.action {
          memory.marks.insert(operation.key(digest))
        }
        return operation.mapEachAttachment { attachment, _ in
          guard attachment.content == .chunks, attachment.digest == RevisionAttachment.emptyDigest,
            !memory.marks.contains(operation.key(RevisionAttachment.emptyDigest))
          else { return attachment }
          return attachment.with(\.digest, RevisionAttachment.nobodysDigest)
        }
      }),
    remembering(
      "closing-drops-pieces", "ATT-033",
      sentence: "Closing the store drops partly uploaded content.",
      hear: { operation, _, memory in
        switch operation.action {
        case .putBlob(let digest, _, _): memory.paths[[operation.store.text, digest]] = []
        case .close:
          for key in memory.paths.keys where key[0] == operation.store.text {
            memory.marks.insert(key)
          }
        default: break
        }
        return operation
      },
      answer: { operation, outcome, _, memory in
        guard case .putBlob(let digest, 0, "") = operation.action, case .ok = outcome,
          memory.marks.contains(operation.key(digest))
        else { return outcome }
        return .ok(.held(0))
      }),
    remembering(
      "held-content-not-counted", "ATT-036",
      sentence: "putBlob ignores content that the store already has.",
      answer: { operation, outcome, _, memory in
        guard case .putBlob(let digest, let offset, let bytes) = operation.action,
          case .ok(.held(let held)) = outcome
        else { return outcome }
        let before = memory.counts[operation.key(digest)] ?? 0
        let padding = bytes.utf8.suffix(2).count { $0 == UInt8(ascii: "=") }
        let count = Int64(bytes.utf8.count / 4 * 3 - padding)
        let now = count == 0 ? before : offset + count
        memory.counts[operation.key(digest)] = now
        return .ok(.held(min(now, held)))
      }),
    mishearing(
      "copies-need-bytes", "ATT-011",
      sentence: "Content that another revision has must be uploaded again."
    ) {
      operation, store throws(HarnessError) in
      try operation.mapAttachments { attachments, writing throws(HarnessError) in
        for (place, attachment) in attachments.enumerated() where attachment.content == .chunks {
          guard let digest = attachment.digest, digest != RevisionAttachment.emptyDigest,
            try store.shows(operation.store, digest)
          else { continue }
          attachments[place].digest = RevisionAttachment.nobodysDigest
        }
      }
    },
    excusing(
      "unknown-copies-left-out", "ATT-011",
      sentence: "An edit drops attachments whose content the store does not have."
    ) {
      operation, kind, store throws(HarnessError) in
      guard case .attaching(let attachments, let write) = operation.action, kind == .missingStub,
        case let rest = attachments.filter({ $0.content != .chunks }),
        rest.count < attachments.count
      else { return nil }
      return try store.ask(operation.store, .attaching(rest, to: write))
    },
    showing(
      "encoding-not-shown", "ATT-012", sentence: "Encoded content is shown as not encoded."
    ) {
      $0.encoding = nil
      $0.encodedLength = nil
    },
  ]

  /// Loses content that other revisions still have, when an operation removes some.
  private static func losing(
    _ name: String, _ clause: String, sentence: String,
    takes:
      @escaping @Sendable (StoreOperation, Honest) throws(HarnessError) -> [(
        DocumentID, RevisionID
      )]
  ) -> Defect {
    remembering(
      name, clause, sentence: sentence,
      hear: { operation, store, memory throws(HarnessError) in
        for (id, rev) in try takes(operation, store) {
          for attachment in try store.document(operation.store, id, rev: rev)?.attachments ?? [] {
            memory.marks.insert(operation.key(attachment.digest ?? ""))
          }
        }
        return operation
      },
      answer: { operation, outcome, _, memory in
        guard case .ok(.attachment(let piece)) = outcome,
          memory.marks.contains(operation.key(piece.attachment.digest ?? ""))
        else { return outcome }
        return .error(DatastoreError(.notFound(.missing)))
      })
  }

  static let attachmentKeeping: [Defect] = [
    losing(
      "compaction-takes-shared-content", "ATT-040",
      sentence: "Compaction drops content of removed bodies that a leaf has as well."
    ) { operation, store throws(HarnessError) in
      guard case .compact = operation.action else { return [] }
      var taken: [(DocumentID, RevisionID)] = []
      for row in try store.feed(operation.store) {
        for leaf in row.leaves {
          let path = try store.path(operation.store, row.id, rev: leaf.rev)
          taken += path.dropFirst().map { (row.id, $0) }
        }
      }
      return taken
    },
    losing(
      "compaction-takes-losers", "ATT-040",
      sentence: "Compaction drops the attachments of losing leaves."
    ) { operation, store throws(HarnessError) in
      guard case .compact = operation.action else { return [] }
      return try store.feed(operation.store).flatMap { row in
        row.leaves.dropFirst().map { (row.id, $0.rev) }
      }
    },
    losing(
      "purge-takes-content", "ATT-042",
      sentence: "A purge removes content that other revisions have."
    ) {
      operation, _ in
      guard case .purge(let id, let revs) = operation.action else { return [] }
      return revs.map { (id, $0) }
    },
    losing(
      "delete-takes-content", "ATT-042",
      sentence: "A delete removes content that other revisions have."
    ) {
      operation, _ in
      guard case .delete(let id, let rev, _) = operation.action else { return [] }
      return [(id, rev)]
    },
  ]
}

extension Honest {
  /// The ancestors in a write whose bodies are stored, the newest first.
  fileprivate func held(
    _ name: StoreName, _ writing: Writing
  ) throws(HarnessError) -> [DocumentRevision] {
    guard let id = writing.document else { return [] }
    var held: [DocumentRevision] = []
    for rev in writing.ancestors {
      if let document = try document(name, id, rev: rev) { held.append(document) }
    }
    return held
  }

  /// True if some stored revision has content with the digest.
  fileprivate func shows(_ name: StoreName, _ digest: JSONString) throws(HarnessError) -> Bool {
    for row in try feed(name) {
      for leaf in row.leaves {
        for rev in try path(name, row.id, rev: leaf.rev) {
          let document = try document(name, row.id, rev: rev)
          if document?.attachments.contains(where: { $0.digest == digest }) == true { return true }
        }
      }
    }
    return false
  }
}
