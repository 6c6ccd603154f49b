internal import Datastore
internal import Digest
internal import JSON

/// The names of the store's own revisions: a digest of parent, deleted flag, body and attachments.
///
/// Two devices that make the same edit on the same parent give it the same name, so replication has
/// nothing to copy.
enum RevisionDigest {
  /// The name of the revision of this edit.
  ///
  /// Throws `badRevision` if the parent has the maximum generation, or a name too long for the
  /// digest.
  static func name(
    parent: RevisionName?, deleted: Bool, body: JSONValue, attachments: [AttachmentRow],
    profile: RevisionIDProfile
  ) throws(DatastoreError) -> RevisionName {
    let generation = try generation(after: parent)
    let input: [UInt8]
    switch profile {
    case .couchdb:
      input = couchDBInput(parent: parent, deleted: deleted, body: body, attachments)
    case .cdtDigest: input = try cdtInput(parent: parent, deleted: deleted, body: body)
    // `own` is `cdt-digest-2`, which differs from `cdt-digest` only for revisions with attachments.
    case .own, .cdtDigest2:
      input =
        try cdtInput(parent: parent, deleted: deleted, body: body) + attachmentInput(attachments)
    }
    return RevisionName(
      generation: generation, digest: DigestAlgorithm.md5.digest(of: input).hexadecimal)
  }

  /// The generation of a child; throws `badRevision` if the parent has the maximum generation.
  static func generation(after parent: RevisionName?) throws(DatastoreError) -> Int64 {
    guard let parent else { return 1 }
    guard parent.generation < RevisionName.generationMax else {
      throw DatastoreError(.badRevision, "\(parent.generation) is the maximum generation")
    }
    return parent.generation + 1
  }

  /// The length of the parent's name in one byte, the name, the deleted flag in one byte, and the
  /// canonical body, omitted if the body is empty.
  private static func cdtInput(
    parent: RevisionName?, deleted: Bool, body: JSONValue
  ) throws(DatastoreError) -> [UInt8] {
    var input: [UInt8] = []
    let parentName = parent?.text ?? ""
    guard let length = UInt8(exactly: parentName.utf8.count) else {
      throw DatastoreError(.badRevision, "the parent's name is longer than 255 bytes")
    }
    input.append(length)
    parentName.withBytes { input.append(contentsOf: $0) }
    input.append(deleted ? 1 : 0)
    if body.objectValue?.isEmpty == false { input += CanonicalJSON.bytes(of: body) }
    return input
  }

  /// For each attachment in byte order of the names: name, type and encoding, each preceded by its
  /// length in four bytes, and the SHA-256 of its content.
  private static func attachmentInput(_ attachments: [AttachmentRow]) -> [UInt8] {
    guard !attachments.isEmpty else { return [] }
    var input: [UInt8] = []
    let ordered = attachments.sorted { left, right in
      left.name.withBytes { left in
        right.name.withBytes { right in left.lexicographicallyPrecedes(right) }
      }
    }
    for attachment in ordered {
      for text in [attachment.name, attachment.type, attachment.encoding ?? ""] {
        text.withBytes { bytes in
          withUnsafeBytes(of: UInt32(truncatingIfNeeded: bytes.count).bigEndian) { input += $0 }
          input += bytes
        }
      }
      input += attachment.digest.bytes
    }
    return input
  }

  /// The term `[Deleted, ParentGeneration, ParentSuffix, Body, Attachments]`. Each attachment is a
  /// name, a type and the MD5 of the content as that server would store it, in the reverse order of
  /// the call.
  private static func couchDBInput(
    parent: RevisionName?, deleted: Bool, body: JSONValue, _ attachments: [AttachmentRow]
  ) -> [UInt8] {
    var term = ErlangTerm()
    term.beginList(count: 5)
    term.append(atom: deleted ? "true" : "false")
    term.append(integer: parent?.generation ?? 0)
    if let parent {
      if let decoded = parent.decodedSuffix {
        term.append(binary: decoded)
      } else {
        parent.withSuffix { term.append(binary: $0) }
      }
    } else {
      term.append(integer: 0)
    }
    term.append(body)
    if !attachments.isEmpty { term.beginList(count: attachments.count) }
    for attachment in attachments.reversed() {
      term.beginTuple(count: 3)
      attachment.name.withBytes { term.append(binary: $0) }
      attachment.type.withBytes { term.append(binary: $0) }
      term.append(binary: attachment.md5)
    }
    term.endList()
    term.endList()
    return term.bytes
  }
}
