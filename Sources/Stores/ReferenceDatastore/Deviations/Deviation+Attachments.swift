internal import Datastore
internal import JSON
internal import RevisionTree

// Deviations in attachments.

extension Deviation {
  static let attachments: [Deviation] = [
    Deviation(
      "attachment-claims-unchecked",
      "The store ignores the claimed length of content and a negative revpos, and accepts base64 with "
        + "white space and with superfluous bits.",
      breaks: ["ATT-009"], of: [.couchDB],
      effect: .request { operation, _ in
        let action = operation.action.mappingAttachments { attachment in
          var attachment = attachment.withoutClaims
          if case .data(let text) = attachment.content {
            attachment.content = .data(text.lenientBase64)
          }
          return attachment
        }
        return StoreOperation(operation.store, action)
      }),
    Deviation(
      "attachment-lengths-unchecked",
      "The store ignores the claimed length of content and a negative revpos.",
      breaks: ["ATT-009"], of: [.pouchDB],
      effect: .request { operation, _ in
        StoreOperation(operation.store, operation.action.mappingAttachments(\.withoutClaims))
      }),
    Deviation(
      "nul-in-attachment-names-accepted",
      "The store accepts names of attachments that contain NUL. What is returned for the document is "
        + "then not predicted.",
      breaks: ["ATT-009"], of: [.couchDB, .pouchDB],
      effect: .response { $0.acceptNULInAttachments() }),
    Deviation(
      "unstored-stub-fails-all-records",
      "A stub whose content is not in the store before the call fails the whole `insertRevisions` with "
        + "`missingStub`.",
      breaks: ["ATT-021", "ATT-022"], of: [.pouchDB],
      effect: .response { performance in
        if performance.sentErrors != nil, performance.hasUnstoredStub {
          performance.failRecords(.missingStub)
        }
      }),
    Deviation(
      "invalid-attachment-fails-all-records",
      "A record with an invalid attachment fails the whole `insertRevisions` with `badAttachment`, "
        + "unless another error fails it. If its revision is known, it is accepted. A name that begins "
        + "with an underscore is invalid in each record, also in a tombstone.",
      breaks: ["REC-005", "ATT-009"], of: [.pouchDB],
      effect: .response { performance in
        guard !performance.hasReservedName else {
          performance.failRecords(.badAttachment)
          return
        }
        performance.acceptKnownRecords()
        guard let errors = performance.sentErrors, !errors.contains(.missingStub) else { return }
        if errors.contains(.badAttachment) {
          performance.failRecords(.badAttachment)
        }
      }),
    Deviation(
      "revpos-of-records-kept",
      "The revpos of new content in a record is stored as sent, and as 0 if it is absent.",
      breaks: ["ATT-020"], of: [.couchDB],
      effect: .response { $0.setRevpos { sent, _ in sent ?? 0 } }),
    Deviation(
      "revpos-of-records-ignored",
      "The revpos of new content in a record is the generation of the record.",
      breaks: ["ATT-020"], of: [.pouchDB],
      effect: .response { $0.setRevpos { _, generation in generation } }),
    Deviation(
      "tombstones-keep-attachments",
      "A tombstone that arrives with attachments keeps them. What is returned for its document is then "
        + "not predicted.",
      breaks: ["ATT-025"], of: [.couchDB],
      effect: .response { performance in
        guard case .insertRevisions(let records) = performance.operation.action else { return }
        let kept = records.filter { $0.deleted && !$0.attachments.isEmpty }
        // A stub that cannot be resolved is an error of the whole call.
        let hasStub = kept.contains { $0.attachments.contains { $0.content == .stub } }
        performance.leaveUnpredictable(
          (hasStub ? records : kept).map(\.id), because: "tombstones-keep-attachments")
      }),
    Deviation(
      "repeated-record-with-attachments-replaces",
      "If a call has a revision twice, once with attachments, it is not predicted which of the two is "
        + "stored.",
      breaks: ["TREE-006"], of: [.couchDB],
      effect: .response { performance in
        guard case .insertRevisions(let records) = performance.operation.action,
          records.contains(where: { !$0.attachments.isEmpty })
        else { return }
        let repeated = records.filter { record in
          records.count { $0.id == record.id && $0.path.first == record.path.first } > 1
        }
        performance.leaveUnpredictable(
          repeated.map(\.id), because: "repeated-record-with-attachments-replaces")
      }),
    Deviation(
      "recreation-with-attachments-named-otherwise",
      "A deleted document that is created again with attachments gets a revision id by another rule, "
        + "which is not predicted, and the other side of a session may keep older attachments.",
      breaks: ["REV-020"], of: [.couchDB], contentFlaw: .attachmentsOfRecreations,
      effect: .response { performance in
        guard case .attaching(let attachments, .create(let id?, _)) = performance.operation.action,
          !attachments.isEmpty,
          performance.storeBefore?.documents[id]?.tree.isWinnerDeleted == true
        else { return }
        performance.leaveUnpredictable([id], because: "recreation-with-attachments-named-otherwise")
      }),
  ]
}

extension [RevisionAttachment] {
  /// Whether a name contains NUL.
  fileprivate var hasNUL: Bool { contains { $0.name.utf8.contains(0) } }
}

extension RevisionAttachment {
  /// The attachment without a claimed length of content and without a negative revpos.
  fileprivate var withoutClaims: RevisionAttachment {
    var attachment = self
    if content != .stub { attachment.length = nil }
    if revpos ?? 0 < 0 { attachment.revpos = nil }
    return attachment
  }
}

extension Performance {
  /// Whether a record that reaches the product has an attachment whose name begins with an underscore.
  fileprivate var hasReservedName: Bool {
    guard case .insertRevisions(let records) = operation.action else { return false }
    return records.contains { record in
      record.isSendable && record.attachments.contains { $0.name.utf8.first == UInt8(ascii: "_") }
    }
  }

  /// Accepts records of known revisions with invalid attachments.
  fileprivate mutating func acceptKnownRecords() {
    guard case .insertRevisions(let records) = operation.action, let storeBefore,
      case .inserted(let results)? = result
    else { return }
    result = .inserted(
      zip(records, results).map { record, error in
        guard record.isSendable, error?.kind == .badAttachment,
          let tip = record.path.first.flatMap({ storeBefore.collation.revision($0) }),
          storeBefore.documents[record.id]?.tree.contains(tip) == true
        else { return error }
        return nil
      })
  }

  /// The errors of the records that reach the product; nil if it reports an invalid id or body before,
  /// and for other operations.
  fileprivate var sentErrors: Set<DatastoreError.Kind>? {
    guard case .insertRevisions(let records) = operation.action,
      case .inserted(let results)? = result
    else { return nil }
    let kinds = zip(records, results).compactMap { record, error in
      record.isSendable && !record.attachments.hasNUL ? error?.kind : nil
    }
    return kinds.contains(.badID) || kinds.contains(.badBody) ? nil : Set(kinds)
  }

  /// Whether a record that reaches the product has a stub whose content was not stored before.
  fileprivate var hasUnstoredStub: Bool {
    guard case .insertRevisions(let records) = operation.action, let store, let storeBefore,
      case .inserted(let results)? = result
    else { return false }
    var stored: Set<JSONString> = []
    for document in storeBefore.documents.values {
      for attachments in document.attachments.values {
        stored.formUnion(attachments.compactMap(\.digest))
      }
    }
    return zip(records, results).contains { record, error in
      guard record.isSendable, record.attachments.contains(where: { $0.content == .stub }) else {
        return false
      }
      if error?.kind == .missingStub { return true }
      // The model keeps no attachments of tombstones.
      guard !record.deleted, error == nil else { return false }
      let tip = record.path.first.flatMap { store.collation.revision($0) }
      let held = tip.flatMap { store.documents[record.id]?.attachments[$0] } ?? []
      return record.attachments.contains { attachment in
        guard attachment.content == .stub else { return false }
        let digest = held.first { $0.name == attachment.name }?.digest
        return digest.map { !stored.contains($0) } ?? true
      }
    }
  }

  fileprivate mutating func acceptNULInAttachments() {
    var ids: [DocumentID]
    switch operation.action {
    case .insertRevisions(let records): ids = records.filter(\.attachments.hasNUL).map(\.id)
    case .attaching(let attachments, let write):
      guard attachments.hasNUL else { return }
      ids = write.documentArguments
      if ids.isEmpty, let answer = start.answer, case .ok(.written(let id, _)) = answer {
        ids = [id]
        outcome = answer
      }
    default: return
    }
    leaveUnpredictable(ids, because: "nul-in-attachment-names-accepted")
  }

  /// Stores another revpos of new content in records.
  ///
  /// - Parameter revpos: returns it, from the one that was sent and the generation of the record.
  fileprivate mutating func setRevpos(_ revpos: (Int64?, Int64) -> Int64) {
    guard case .insertRevisions(let records) = operation.action,
      case .inserted(let results)? = result, var store
    else { return }
    for (record, error) in zip(records, results) where error == nil {
      guard let tip = record.path.first.flatMap({ store.collation.revision($0) }),
        storeBefore?.documents[record.id]?.bodies[tip] == nil,
        var stored = store.documents[record.id]?.attachments[tip]
      else { continue }
      for place in stored.indices {
        let sent = record.attachments.first { $0.name == stored[place].name }
        if let sent, sent.content != .stub {
          stored[place].revpos = revpos(sent.revpos, tip.generation)
        }
      }
      store.documents[record.id]?.attachments[tip] = stored
    }
    self.store = store
  }
}

extension StoreAction {
  /// This action with other attachments.
  fileprivate func mappingAttachments(
    _ map: (RevisionAttachment) -> RevisionAttachment
  ) -> StoreAction {
    switch self {
    case .attaching(let attachments, let write):
      return .attaching(attachments.map(map), to: write)
    case .insertRevisions(let records):
      return .insertRevisions(
        records.map { record in
          var record = record
          record.attachments = record.attachments.map(map)
          return record
        })
    default: return self
    }
  }
}

extension JSONString {
  /// Base64 as the rules write it, if the text is base64 in a wider sense.
  fileprivate var lenientBase64: JSONString {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var characters = utf8.filter { ![9, 10, 13, 32].contains($0) }
    let paddings = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let last = characters.count - paddings - 1
    if (1...2).contains(paddings), last >= 0, let value = alphabet.firstIndex(of: characters[last])
    {
      // The bits below the last byte.
      characters[last] = alphabet[value & (paddings == 1 ? ~3 : ~15)]
    }
    return JSONString(validating: characters) ?? self
  }
}
