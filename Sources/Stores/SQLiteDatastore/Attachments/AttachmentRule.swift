internal import Compression
internal import Datastore
internal import JSON

/// An attachment of a call after validation: its syntax and its own bytes have been checked.
struct AttachmentRequest {
  enum Content {
    /// The bytes to store.
    case bytes([UInt8], ContentFacts)
    /// The content that the store has under the digest.
    case held(BlobDigest)
    /// The content of a file of the host.
    case file(path: String)
    /// The content of the same attachment of the nearest ancestor.
    case stub
  }

  /// The attachment as described by the caller, without the content.
  let said: RevisionAttachment
  let content: Content

  var name: JSONString { said.name }

  /// The facts about content; throws `badAttachment` if they contradict the caller's description.
  func checked(
    _ result: Result<ContentFacts, GzipError>
  ) throws(DatastoreError) -> ContentFacts {
    let facts: ContentFacts
    do throws(GzipError) { facts = try result.get() } catch {
      throw AttachmentRule.fault(name, "\(error)")
    }
    if let claim = said.digest, BlobDigest(claim) != facts.digest {
      throw AttachmentRule.fault(name, "its bytes have a different digest")
    }
    if let length = said.encodedLength, length != facts.size {
      throw AttachmentRule.fault(name, "it has \(facts.size) encoded bytes")
    }
    if let length = said.length, length != facts.length {
      throw AttachmentRule.fault(name, "it has \(facts.length) bytes")
    }
    return facts
  }

  /// The row for content that has been checked.
  func row(_ facts: ContentFacts, revpos: Int64) -> AttachmentRow {
    AttachmentRow(
      name: name, type: said.type ?? AttachmentRule.defaultType, digest: facts.digest,
      length: facts.length, revpos: revpos, encoding: said.encoding, size: facts.size,
      md5: facts.md5)
  }

  /// Whether every property that the caller states of a stub is correct; a revpos of 0 counts as
  /// absent.
  func matches(_ row: AttachmentRow) -> Bool {
    let held = row.stub
    if let digest = said.digest, digest != held.digest { return false }
    if let length = said.length, length != held.length { return false }
    if let type = said.type, type != held.type { return false }
    if let encoding = said.encoding, encoding != held.encoding { return false }
    if let length = said.encodedLength, length != held.encodedLength { return false }
    if let revpos = said.revpos, revpos != 0, revpos != held.revpos { return false }
    return true
  }
}

/// The validation of the attachments of a call.
struct AttachmentRule {
  /// The maximum length of content inside an operation, in bytes.
  let inlineBytesMax: Int
  /// Whether an attachment may name a file of the host.
  var readsFiles = false

  /// The rule for records, which come from other replicas and must not name files of this host.
  var ofRecords: AttachmentRule { AttachmentRule(inlineBytesMax: inlineBytesMax) }

  /// The type of an attachment without a type.
  static let defaultType: JSONString = "application/octet-stream"

  /// Throws `badAttachment`, or `tooLarge` if only a length is invalid.
  func check(
    _ attachments: [RevisionAttachment]
  ) throws(DatastoreError) -> [AttachmentRequest] {
    var requests: [AttachmentRequest] = []
    requests.reserveCapacity(attachments.count)
    var names: Set<JSONString> = []
    for attachment in attachments {
      if attachments.count > 1, !names.insert(attachment.name).inserted {
        throw Self.fault(attachment.name, "its name occurs twice")
      }
      requests.append(try check(attachment))
    }
    return requests
  }

  static func fault(_ name: JSONString, _ reason: String) -> DatastoreError {
    DatastoreError(.badAttachment, "attachment '\(name)': \(reason)")
  }

  /// The digest that a text encodes; throws `badAttachment` if it is not valid.
  static func digest(_ text: JSONString) throws(DatastoreError) -> BlobDigest {
    guard let digest = BlobDigest(text) else {
      throw DatastoreError(.badAttachment, "'\(text)' is not 'sha256-' and the base64 of 32 bytes")
    }
    return digest
  }

  /// The bytes of base64 that is within the limit of a call.
  func bytes(_ text: JSONString) throws(DatastoreError) -> [UInt8] {
    guard let bytes = Base64.decode(text) else {
      throw DatastoreError(.badAttachment, "its bytes are not valid base64")
    }
    guard bytes.count <= inlineBytesMax else {
      throw DatastoreError(
        .tooLarge(limit: Int64(inlineBytesMax)), "\(bytes.count) bytes in one call")
    }
    return bytes
  }

  private func check(
    _ attachment: RevisionAttachment
  ) throws(DatastoreError) -> AttachmentRequest {
    try Self.checkName(attachment.name)
    let digest = try attachment.digest.map { (text) throws(DatastoreError) in
      try Self.digest(text)
    }
    try Self.checkNumbers(attachment)
    var said = attachment
    said.content = .stub
    switch attachment.content {
    case .stub: return AttachmentRequest(said: said, content: .stub)
    case .data(let text):
      let bytes = try bytes(text)
      let request = AttachmentRequest(said: said, content: .stub)
      // A store that needs the MD5 computes it later.
      let facts = try request.checked(
        ContentWitness.facts(of: bytes, ContentQuestion(attachment, profile: .own)))
      return AttachmentRequest(said: said, content: .bytes(bytes, facts))
    case .chunks:
      guard let digest else {
        throw Self.fault(attachment.name, "stored content must be referenced by its digest")
      }
      return AttachmentRequest(said: said, content: .held(digest))
    case .file(let path):
      guard readsFiles else {
        throw DatastoreError(
          .unsupported(what: "file"),
          "attachment '\(attachment.name)' names a file, but reading files is disabled")
      }
      guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
        throw Self.fault(attachment.name, "'\(path)' is not an absolute path")
      }
      return AttachmentRequest(said: said, content: .file(path: path.string))
    }
  }

  private static func checkName(_ name: JSONString) throws(DatastoreError) {
    guard let first = name.utf8.first, first != UInt8(ascii: "_"), !name.utf8.contains(0) else {
      throw fault(name, "the name is empty, begins with '_' or contains NUL")
    }
    if name.utf8.count > Limits.idBytesMax {
      throw DatastoreError(
        .tooLarge(limit: Int64(Limits.idBytesMax)),
        "the name of the attachment has \(name.utf8.count) bytes")
    }
  }

  private static func checkNumbers(_ attachment: RevisionAttachment) throws(DatastoreError) {
    for number in [attachment.length, attachment.encodedLength, attachment.revpos] {
      if let number, number < 0 { throw fault(attachment.name, "\(number) is negative") }
    }
    if let encoding = attachment.encoding {
      if encoding != "gzip" { throw fault(attachment.name, "unknown encoding '\(encoding)'") }
    } else if attachment.encodedLength != nil {
      throw fault(attachment.name, "it has an encoded length but no encoding")
    }
  }
}
