internal import Datastore
internal import JSON

// Helpers that extract attachments from operations and results, and replace them.

/// A write of a revision with attachments.
enum Writing {
  case edit(StoreAction)
  case record(RevisionRecord)

  /// The document; nil if the store chooses its id.
  var document: DocumentID? {
    switch self {
    case .edit(.create(let id, _)): id
    case .edit(.update(let id, _, _)), .edit(.resolve(let id, _, _, _)): id
    case .edit: nil
    case .record(let record): record.id
    }
  }

  /// The ancestors in the write, the newest first.
  var ancestors: [RevisionID] {
    switch self {
    case .edit(.update(_, let rev, _)): [rev]
    case .edit(.resolve(_, _, let keep, _)): [keep]
    case .edit: []
    case .record(let record): Array(record.path.dropFirst())
    }
  }

  var isEdit: Bool { if case .edit = self { true } else { false } }
}

extension StoreOperation {
  /// The operation with other attachments, if it writes a revision that can have some.
  func mapAttachments<Failure: Error>(
    _ change: (inout [RevisionAttachment], Writing) throws(Failure) -> Void
  ) throws(Failure) -> StoreOperation {
    switch action {
    case .attaching(var attachments, let write):
      try change(&attachments, .edit(write))
      return StoreOperation(store, .attaching(attachments, to: write))
    case .batch(let writes):
      var mapped: [StoreAction] = []
      for write in writes {
        mapped.append(try StoreOperation(store, write).mapAttachments(change).action)
      }
      return StoreOperation(store, .batch(mapped))
    default:
      return try mapRecords { record throws(Failure) in
        guard !record.attachments.isEmpty else { return }
        try change(&record.attachments, .record(record))
      }
    }
  }

  /// The operation with each of its attachments changed or dropped.
  func mapEachAttachment(
    _ change: (RevisionAttachment, Writing) -> RevisionAttachment?
  ) -> StoreOperation {
    mapAttachments { attachments, writing in
      attachments = attachments.compactMap { change($0, writing) }
    }
  }
}

extension OperationResult {
  /// The result with the attachments of each of its revisions changed.
  func mapAttachments(_ change: (inout [RevisionAttachment], RevisionID?) -> Void)
    -> OperationResult
  {
    switch self {
    case .document(var document):
      change(&document.attachments, document.rev)
      return .document(document)
    case .attachment(var piece):
      var one = [piece.attachment]
      change(&one, nil)
      if let first = one.first { piece.attachment = first }
      return .attachment(piece)
    default: return mapRecords { change(&$0.attachments, $0.path.first) }
    }
  }
}

extension RevisionAttachment {
  /// A digest without content.
  static let nobodysDigest: JSONString = "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
  /// The digest of empty content.
  static let emptyDigest: JSONString = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  /// The attachment, named by the digest of stored content.
  var named: RevisionAttachment {
    var named = self
    named.content = .chunks
    return named
  }

  /// The attachment with one of its members changed.
  func with<Value>(
    _ member: WritableKeyPath<RevisionAttachment, Value>, _ value: Value
  ) -> RevisionAttachment {
    var changed = self
    changed[keyPath: member] = value
    return changed
  }
}

extension Defect {
  /// Replaces the attachments of writes.
  static func attaching(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (RevisionAttachment, Writing) -> RevisionAttachment?
  ) -> Defect {
    mishearing(name, clause, sentence: sentence) { operation, _ in
      operation.mapEachAttachment(change)
    }
  }

  /// Replaces the attachments in results.
  static func showing(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout RevisionAttachment) -> Void
  ) -> Defect {
    answering(name, clause, sentence: sentence) { _, result, _ in
      .ok(
        result.mapAttachments { attachments, _ in
          for place in attachments.indices { change(&attachments[place]) }
        })
    }
  }

  /// Reads pieces of contents differently.
  static func reading(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout JSONString, inout Int64?, inout Int64?) -> Void
  ) -> Defect {
    mishearing(name, clause, sentence: sentence) { operation, _ in
      guard
        case .readAttachment(let id, let rev, var name, var offset, var limit) = operation.action
      else { return operation }
      change(&name, &offset, &limit)
      return StoreOperation(
        operation.store,
        .readAttachment(id: id, rev: rev, name: name, offset: offset, limit: limit))
    }
  }
}
