internal import Compression
internal import Datastore
internal import JSON
internal import Oracles

// Mutants whose revision ids do not cover all of an edit.

extension ReplicationDefect {
  static let identities: [ReplicationDefect] = [
    ReplicationDefect(
      "ids-of-low-bytes", breaks: "EDIT-018",
      "The revision id of an edit covers each code point modulo 256.",
      boundary: ids { body in
        body.mapTexts { text in text.mapScalars { [Unicode.Scalar(UInt8($0.value & 0xff))] } }
      }),
    ReplicationDefect(
      "ids-of-composed-texts", breaks: "EDIT-018",
      "The revision id of an edit covers texts after their normalisation.",
      boundary: ids { $0.mapTexts(\.composed) }),
    ReplicationDefect(
      "ids-without-case", breaks: "EDIT-018",
      "The revision id of an edit does not cover the case of letters.",
      boundary: ids { body in
        body.mapTexts { text in
          text.mapScalars { Array($0.properties.lowercaseMapping.unicodeScalars) }
        }
      }),
    ReplicationDefect(
      "ids-with-truth-as-number", breaks: "EDIT-018",
      "The revision id of an edit covers true as 1 and false as 0.",
      boundary: ids { body in
        body.mapScalars { if case .bool(let truth) = $0 { .integer(truth ? 1 : 0) } else { $0 } }
      }),
    ReplicationDefect(
      "ids-of-doubles", breaks: "EDIT-018",
      "The revision id of an edit covers integers as doubles.",
      boundary: ids { body in
        body.mapScalars { value in
          switch value {
          case .integer(let number): .double(Double(number))
          case .unsigned(let number): .double(Double(number))
          default: value
          }
        }
      }),
    ReplicationDefect(
      "ids-of-floats", breaks: "EDIT-018",
      "The revision id of an edit covers numbers with 24 bits.",
      boundary: ids { body in
        body.mapScalars { value in
          switch value {
          case .integer(let number): .double(Double(Float(number)))
          case .double(let number): .double(Double(Float(number)))
          default: value
          }
        }
      }),
    ReplicationDefect(
      "ids-without-nulls", breaks: "EDIT-018",
      "The revision id of an edit does not cover members with null.",
      boundary: ids { body in
        .object(
          JSONObject(
            (body.objectValue ?? [:]).members.filter { $0.value != .null }.map {
              ($0.name, $0.value)
            }))
      }),
    ReplicationDefect(
      "ids-without-types", breaks: "ATT-014",
      "The revision id of an edit does not cover the types of its attachments.",
      boundary: ids(attachment: { $0.type = nil })),
    ReplicationDefect(
      "ids-without-encodings", breaks: "ATT-014",
      "The revision id of an edit does not cover the encodings of its attachments.",
      boundary: ids(attachment: {
        $0.encoding = nil
        $0.encodedLength = nil
        $0.length = nil
      })),
    ReplicationDefect(
      "ids-of-lower-case-types", breaks: "ATT-014",
      "The revision id of an edit covers the types of its attachments in lower case.",
      boundary: ids(attachment: { attachment in
        attachment.type = attachment.type?.mapScalars {
          Array($0.properties.lowercaseMapping.unicodeScalars)
        }
      })),
    ReplicationDefect(
      "ids-without-parameters", breaks: "ATT-014",
      "The revision id of an edit does not cover the parameters of the types of its attachments.",
      boundary: ids(attachment: { attachment in
        attachment.type = attachment.type.map { type in
          JSONString(String(type.string.prefix { $0 != ";" }))
        }
      })),
    ReplicationDefect(
      "ids-of-composed-names", breaks: "ATT-014",
      "The revision id of an edit covers the names of its attachments after their normalisation.",
      boundary: ids(attachment: { $0.name = $0.name.composed })),
    ReplicationDefect(
      "ids-of-lengths", breaks: "ATT-014",
      "The revision id of an edit covers the lengths of its attachments and not their bytes.",
      boundary: ids(attachment: { attachment in
        attachment.replaceBytes { Array(repeating: 0, count: $0.count) }
      })),
    ReplicationDefect(
      "ids-of-short-digests", breaks: "ATT-014",
      "The revision id of an edit covers the first 6 characters of the digests of its attachments.",
      boundary: ids(attachment: { attachment in
        attachment.replaceBytes { Array(Content($0).digest.utf8.prefix("sha256-".utf8.count + 6)) }
      })),
    ReplicationDefect(
      "ids-of-compressed-contents", breaks: "ATT-014",
      "The revision id of an edit covers attachments as if all of them were sent as gzip.",
      boundary: ids(attachment: { attachment in
        let isEncoded = attachment.encoding != nil
        // The header states the operating system.
        attachment.replaceBytes {
          Array((isEncoded ? $0 : GzipEncoding.encode($0, level: 6)).dropFirst(10))
        }
        attachment.encoding = nil
        attachment.encodedLength = nil
        attachment.length = nil
      })),
  ]

  private static func ids(
    attachment: @escaping @Sendable (inout RevisionAttachment) -> Void = { _ in },
    body: @escaping @Sendable (JSONValue) -> JSONValue = { $0 }
  ) -> Boundary {
    .store { PartlyCovering(attachment: attachment, body: body) }
  }

  private static func ids(_ body: @escaping @Sendable (JSONValue) -> JSONValue) -> Boundary {
    ids(body: body)
  }
}

/// Stores an edit under the id of a similar edit.
///
/// A second store, which is removed afterwards, makes the similar edit of the same parent and so
/// provides the id.
private struct PartlyCovering: Misbehaviour {
  let attachment: @Sendable (inout RevisionAttachment) -> Void
  let body: @Sendable (JSONValue) -> JSONValue

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    guard let edit = Edit(operation.action),
      let parents = try parents(of: edit, in: operation.store, store: store),
      let similar = similar(to: edit),
      try revision(of: edit, on: parents, beside: operation.store, store: store) != nil,
      let rev = try revision(of: similar, on: parents, beside: operation.store, store: store)
    else { return try store.perform(operation, environment) }
    let record = RevisionRecord(
      id: edit.id, path: [rev] + parents, body: edit.body, attachments: edit.attachments)
    let outcome = try store.perform(
      StoreOperation(operation.store, .insertRevisions([record])), environment)
    guard case .ok(.inserted(let errors)) = outcome else { return outcome }
    if case .some(.some(let error)) = errors.first { return .error(error) }
    return .ok(.written(id: edit.id, rev: rev))
  }

  /// The edit whose id is used; nil for the edit itself.
  private func similar(to edit: Edit) -> Edit? {
    var similar = edit
    similar.body = body(edit.body)
    for place in similar.attachments.indices { attachment(&similar.attachments[place]) }
    return similar.action == edit.action ? nil : similar
  }

  /// The path of the parent, empty for a new document; nil if the store does not accept the edit.
  private func parents(
    of edit: Edit, in name: StoreName, store: Honest
  ) throws(HarnessError) -> [RevisionID]? {
    let leaves = try store.leaves(name, edit.id)
    guard let parent = edit.parent else {
      guard leaves.isEmpty, try store.isOpen(name) else { return nil }
      return []
    }
    guard leaves.contains(where: { $0.rev == parent && !$0.deleted }) else { return nil }
    return try store.path(name, edit.id, rev: parent)
  }

  /// The id of an edit of a revision; nil if the edit is invalid.
  private func revision(
    of edit: Edit, on parents: [RevisionID], beside name: StoreName, store: Honest
  ) throws(HarnessError) -> RevisionID? {
    let other = StoreName(JSONString("\(name.text)-similar"))
    _ = try store.ask(other, .open())
    if !parents.isEmpty {
      _ = try store.ask(
        other, .insertRevisions([RevisionRecord(id: edit.id, path: parents, body: [:])]))
    }
    let outcome = try store.ask(other, edit.action)
    _ = try store.ask(other, .destroy)
    guard case .ok(.written(_, let rev)) = outcome else { return nil }
    return rev
  }
}

/// A creation or an update.
private struct Edit {
  var id: DocumentID
  /// Nil for a creation.
  var parent: RevisionID?
  var body: JSONValue
  var attachments: [RevisionAttachment]

  init(
    _ id: DocumentID, _ parent: RevisionID?, body: JSONValue, attachments: [RevisionAttachment]
  ) {
    (self.id, self.parent, self.body, self.attachments) = (id, parent, body, attachments)
  }

  init?(_ action: StoreAction) {
    switch action {
    case .create(let id?, let body): self.init(id, nil, body: body, attachments: [])
    case .update(let id, let parent, let body): self.init(id, parent, body: body, attachments: [])
    case .attaching(let attachments, let write):
      self.init(write)
      self.attachments = attachments
    default: return nil
    }
  }

  var action: StoreAction {
    let write: StoreAction =
      parent.map { .update(id: id, rev: $0, body: body) } ?? .create(id: id, body: body)
    return attachments.isEmpty ? write : .attaching(attachments, to: write)
  }
}

extension JSONValue {
  /// The value with all its strings and names of members replaced.
  fileprivate func mapTexts(_ change: (JSONString) -> JSONString) -> JSONValue {
    switch self {
    case .string(let text): .string(change(text))
    case .array(let elements): .array(elements.map { $0.mapTexts(change) })
    case .object(let object):
      .object(
        JSONObject(object.members.map { (change($0.name), $0.value.mapTexts(change)) }))
    default: self
    }
  }
}

extension JSONString {
  fileprivate func mapScalars(_ change: (Unicode.Scalar) -> [Unicode.Scalar]) -> JSONString {
    // A view of scalars would copy the whole text for each scalar.
    var bytes: [UInt8] = []
    for scalar in string.unicodeScalars {
      for changed in change(scalar) { bytes += Array(UTF8.encode(changed) ?? UTF8.EncodedScalar()) }
    }
    return JSONString(String(decoding: bytes, as: UTF8.self))
  }
}

extension RevisionAttachment {
  /// Replaces content in the request; content elsewhere stays.
  fileprivate mutating func replaceBytes(_ change: ([UInt8]) -> [UInt8]) {
    guard case .data(let text) = content, let changed = replaced(text, change) else { return }
    content = .data(changed)
    digest = nil
    length = nil
  }
}

/// Returns base64 with other bytes; nil for an invalid text.
private func replaced(_ base64: JSONString, _ change: ([UInt8]) -> [UInt8]) -> JSONString? {
  guard let bytes = Content.bytes(base64) else { return nil }
  let changed = Content(change(bytes))
  return changed.base64(changed.bytes.indices)
}
