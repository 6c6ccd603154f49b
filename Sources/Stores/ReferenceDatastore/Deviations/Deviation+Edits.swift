internal import Datastore
internal import Digest
internal import JSON
internal import RevisionTree

// Deviations in the edits that a store accepts.

extension Deviation {
  static let edits: [Deviation] = [
    Deviation(
      "revision-ids-of-low-bytes",
      "The revision id of an edit depends only on the low byte of each UTF-16 code unit in the body.",
      breaks: ["EDIT-018"], of: [.pouchDB], contentFlaw: .highBytesOfTexts, effect: .content),
    Deviation(
      "edit-of-unknown-document-accepted",
      "The store accepts an update of an unknown document by a revision, and stores the revision "
        + "as a stub.",
      breaks: ["EDIT-009"], of: [.couchDB], isConditional: true,
      effect: .response { performance in
        guard
          case .update(let id, let rev, let body) = performance.operation.action.withoutAttachments,
          performance.storeBefore?.documents[id] == nil, performance.hasOnlyErrorsOfUnknown
        else { return }
        if performance.operation.action.hasAttachments {
          performance.leaveUnpredictable([id], because: "edit-of-unknown-document-accepted")
          return
        }
        performance.writeBelowUnknown(id, rev, deleted: false, body: body)
      }),
    Deviation(
      "edit-below-unknown-revision-accepted",
      "The store accepts an update of a deleted document by an unknown revision, and stores the "
        + "revision as a stub.",
      breaks: ["EDIT-011"], of: [.pouchDB],
      effect: .response { performance in
        guard
          case .update(let id, let rev, let body) = performance.operation.action.withoutAttachments,
          let document = performance.storeBefore?.documents[id], document.tree.isWinnerDeleted,
          let parent = document.tree.collation.revision(rev), !document.tree.contains(parent),
          performance.hasOnlyErrorsOfUnknown
        else { return }
        guard !performance.operation.action.hasAttachments else {
          performance.leaveUnpredictable([id], because: "edit-below-unknown-revision-accepted")
          return
        }
        performance.writeBelowUnknown(id, rev, deleted: false, body: body)
      }),
    Deviation(
      "limit-1-accepts-unknown-revisions",
      "With a history limit of 1, the store accepts an update, or a deletion with a body, of an unknown "
        + "document by a revision.",
      breaks: ["EDIT-009"], of: [.pouchDB],
      effect: .response { performance in
        guard performance.storeBefore?.historyLimit == 1, performance.hasOnlyErrorsOfUnknown else {
          return
        }
        switch performance.operation.action.withoutAttachments {
        case .update(let id, _, _)
        where performance.storeBefore?.documents[id] == nil
          && performance.operation.action.hasAttachments:
          performance.leaveUnpredictable([id], because: "limit-1-accepts-unknown-revisions")
        case .update(let id, let rev, let body)
        where performance.storeBefore?.documents[id] == nil:
          performance.writeBelowUnknown(id, rev, deleted: false, body: body)
        case .delete(let id, let rev, let body?)
        where performance.storeBefore?.documents[id] == nil:
          performance.writeBelowUnknown(id, rev, deleted: true, body: body)
        default: break
        }
      }),
    Deviation(
      "delete-of-unknown-document-is-deleted",
      "A deletion of an unknown document without a body fails as if the document were deleted.",
      breaks: ["EDIT-009"], of: [.pouchDB],
      effect: .response { performance in
        guard case .delete(let id, _, nil) = performance.operation.action,
          performance.storeBefore.map({ $0.documents[id] == nil }) == true,
          performance.hasOnlyErrorsOfUnknown
        else { return }
        performance.fail(.notFound(.deleted))
      }),
    Deviation(
      "largest-generation-editable",
      "The store accepts an edit of a revision of the largest generation. What it returns after a "
        + "resolution of such a revision is not predicted.",
      breaks: ["REV-004"], of: [.couchDB, .pouchDB],
      effect: .response { performance in
        guard performance.outcome.errorKind == .badRevision else { return }
        if case .resolve(let id, let leaves, _, _) = performance.operation.action.withoutAttachments,
          let collation = performance.storeBefore?.collation,
          leaves.contains(where: {
            collation.revision($0).map { $0.generation >= Revision.generationMax } ?? false
          })
        {
          performance.leaveUnpredictable([id], because: "largest-generation-editable")
          return
        }
        guard let parent = performance.parentOfEdit, parent.generation >= Revision.generationMax
        else { return }
        if case .update(let id, _, _) = performance.operation.action.withoutAttachments,
          performance.storeBefore?.documents[id] == nil
        {
          performance.leaveUnpredictable([id], because: "largest-generation-editable")
        }
        switch performance.operation.action {
        case .update(let id, _, let body):
          performance.writeAboveLargest(id, parent, deleted: false, body: body)
        case .delete(let id, _, let body):
          performance.writeAboveLargest(id, parent, deleted: true, body: body ?? [:])
        default: break
        }
      }),
    Deviation(
      "resolve-of-unknown-document-is-missing",
      "`resolve` of an unknown document fails with `notFound`.",
      breaks: ["CONF-008"], of: [.pouchDB],
      effect: .response { performance in
        guard case .resolve(let id, _, _, _) = performance.operation.action.withoutAttachments,
          performance.outcome.errorKind == .conflict,
          performance.storeBefore?.documents[id] == nil
        else { return }
        performance.fail(.notFound(.missing))
      }),
    Deviation(
      "resolve-without-conflict-ignored",
      "`resolve` of a document with fewer than two live leaves succeeds and changes nothing.",
      breaks: ["CONF-005", "CONF-008"], of: [.cdtDatastore],
      effect: .response { performance in
        guard
          case .resolve(let id, _, let keep, _) = performance.operation.action.withoutAttachments,
          let store = performance.storeBefore,
          store.documents[id]?.tree.liveLeaves.count ?? 0 < 2
        else { return }
        performance.perform { _, _ in .resolved(rev: keep, tombstones: []) }
      }),
    Deviation(
      "local-deletion-of-unknown-is-missing",
      "The deletion of an unknown local document fails with `notFound`.",
      breaks: ["LOCAL-003"], of: [.couchDB],
      effect: .response { performance in
        guard case .writeLocal(let id, nil) = performance.operation.action,
          performance.result != nil, performance.storeBefore?.locals[id] == nil
        else { return }
        performance.fail(.notFound(.missing))
      }),
    Deviation(
      "design-documents-not-validated",
      "The validation does not apply to edits of design documents.",
      breaks: ["VALID-001", "VALID-005"], of: [.couchDB],
      effect: .response { performance in
        guard performance.outcome.errorKind == .forbidden else { return }
        switch performance.operation.action.withoutAttachments {
        case .create(.some(let id), _), .update(let id, _, _), .delete(let id, _, _),
          .resolve(let id, _, _, _):
          guard id.text.utf8.starts(with: "_design/".utf8) else { return }
        default: return
        }
        let action = performance.operation.action
        performance.perform { store, decisions in
          let refused = store.refused
          store.refused = nil
          defer { store.refused = refused }
          return try? store.perform(action, &decisions)
        }
      }),
  ]
}

extension Performance {
  /// Whether the operation fails because its document or its revision is unknown, and for no other
  /// reason.
  fileprivate var hasOnlyErrorsOfUnknown: Bool {
    guard case .error = outcome, let errors = decisions.refusals.last else { return false }
    return errors.allSatisfy {
      [.conflict, .notFound(.missing), .notFound(.deleted)].contains($0.kind)
    }
  }

  /// The revision that the edit extends; nil if the operation is no edit of one revision.
  var parentOfEdit: Revision? {
    guard let store = storeBefore else { return nil }
    switch operation.action.withoutAttachments {
    case .update(_, let rev, _), .delete(_, let rev, _): return store.collation.revision(rev)
    case .create(let id?, _): return store.documents[id]?.tree.winner
    default: return nil
    }
  }

  /// Replaces the outcome by an error that changes nothing.
  mutating func fail(_ kind: DatastoreError.Kind) {
    after = before
    outcome = .error(DatastoreError(kind))
    let choices = decisions
    decisions = start
    decisions.continueChoices(of: choices)
  }

  /// Writes a revision below an unknown parent, which becomes a stub.
  fileprivate mutating func writeBelowUnknown(
    _ id: DocumentID, _ rev: RevisionID, deleted: Bool, body: JSONValue
  ) {
    perform { store, decisions in
      guard let parent = store.collation.revision(rev),
        let revision = try? decisions.revision(
          of: id, after: parent, deleted: deleted, body: body, AttachmentSet(), in: store),
        let path = RevisionPath([revision, parent])
      else { return nil }
      let before = store.documents[id]
      var document = before ?? ModelDocument(collation: store.collation)
      document.merge(path, deleted: deleted, body, attachments: [])
      store.settle(id, document, before: before)
      return .written(id: id, rev: revision.id)
    }
  }

  /// Writes a child of a leaf of the largest generation.
  fileprivate mutating func writeAboveLargest(
    _ id: DocumentID, _ parent: Revision, deleted: Bool, body: JSONValue
  ) {
    guard storeBefore?.documents[id]?.tree.isLeaf(parent) == true else { return }
    perform { store, decisions in
      let prefix = "\(parent.generation + 1)-"
      let suffix: JSONString
      if case .observed(let names) = decisions.naming {
        guard let text = names.firstRevision?.text.string, text.utf8.starts(with: prefix.utf8)
        else { return nil }
        suffix = JSONString(String(text.utf8.dropFirst(prefix.utf8.count)) ?? "")
      } else {
        suffix = JSONString(decisions.random.bytes(16).hexadecimal)
      }
      let revision = Revision(generation: parent.generation + 1, suffix: suffix)
      let before = store.documents[id]
      guard !suffix.isEmpty, let path = RevisionPath([revision, parent]), var document = before
      else { return nil }
      document.merge(path, deleted: deleted, body, attachments: [])
      store.settle(id, document, before: before)
      return .written(id: id, rev: revision.id)
    }
  }
}

extension JSONValue {
  /// This value with the low bytes of the UTF-16 code units of its texts, each as a character.
  var withLowBytes: JSONValue {
    func low(_ text: JSONString) -> JSONString {
      var scalars = String.UnicodeScalarView()
      for unit in text.string.utf16 {
        scalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: unit)))
      }
      return JSONString(String(scalars))
    }
    switch self {
    case .string(let text): return .string(low(text))
    case .array(let elements): return .array(elements.map(\.withLowBytes))
    case .object(let object):
      return .object(
        JSONObject(object.members.map { (low($0.name), $0.value.withLowBytes) }))
    default: return self
    }
  }
}
