internal import Compression
internal import Datastore
internal import JSON

/// An attachment of a call that is well spelled; the bytes that came with it are what it says.
struct AttachmentRequest {
  enum Content {
    /// These bytes as they are to be stored.
    case bytes([UInt8], ContentFacts)
    /// What the store has under the digest.
    case held(BlobDigest)
    /// What is in a file of the host.
    case file(path: String)
    /// What the nearest ancestor has under the name.
    case stub
  }

  /// What the caller says of it, without the content.
  let said: RevisionAttachment
  let content: Content

  var name: JSONString { said.name }

  /// The facts about content, or `badAttachment` when the caller says something else.
  func checked(
    _ result: Result<ContentFacts, GzipError>
  ) throws(DatastoreError) -> ContentFacts {
    let facts: ContentFacts
    do throws(GzipError) { facts = try result.get() } catch {
      throw AttachmentRule.fault(name, "\(error)")
    }
    if let claim = said.digest, BlobDigest(claim) != facts.digest {
      throw AttachmentRule.fault(name, "its bytes have another digest")
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

  /// Whether all that the caller says of a stub is so; a revpos of 0 says nothing.
  func stands(for row: AttachmentRow) -> Bool {
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

/// Which attachments a call may name.
struct AttachmentRule {
  /// The longest content that stands in an operation.
  let inlineBytesMax: Int
  /// Whether an attachment may name a file of the host.
  var readsFiles = false

  /// The rule for records, which come from other replicas: none may name a file of this host.
  var ofRecords: AttachmentRule { AttachmentRule(inlineBytesMax: inlineBytesMax) }

  /// The type of what comes without one.
  static let defaultType: JSONString = "application/octet-stream"

  /// Fails with `badAttachment`, or `tooLarge` when only a length is wrong.
  func check(
    _ attachments: [RevisionAttachment]
  ) throws(DatastoreError) -> [AttachmentRequest] {
    var requests: [AttachmentRequest] = []
    requests.reserveCapacity(attachments.count)
    var names: Set<JSONString> = []
    for attachment in attachments {
      if attachments.count > 1, !names.insert(attachment.name).inserted {
        throw Self.fault(attachment.name, "its name comes twice")
      }
      requests.append(try check(attachment))
    }
    return requests
  }

  static func fault(_ name: JSONString, _ reason: String) -> DatastoreError {
    DatastoreError(.badAttachment, "attachment '\(name)': \(reason)")
  }

  /// The digest that a text spells, or `badAttachment`.
  static func digest(_ text: JSONString) throws(DatastoreError) -> BlobDigest {
    guard let digest = BlobDigest(text) else {
      throw DatastoreError(.badAttachment, "'\(text)' is no sha256- with the base64 of 32 bytes")
    }
    return digest
  }

  /// The bytes of a base64 that is not too long to stand in a call.
  func bytes(_ text: JSONString) throws(DatastoreError) -> [UInt8] {
    guard let bytes = Base64.decode(text) else {
      throw DatastoreError(.badAttachment, "its bytes are no base64")
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
      // The MD5 follows in a store that wants it.
      let facts = try request.checked(
        ContentWitness.facts(of: bytes, ContentQuestion(attachment, profile: .own)))
      return AttachmentRequest(said: said, content: .bytes(bytes, facts))
    case .chunks:
      guard let digest else {
        throw Self.fault(attachment.name, "content that is here is named by its digest")
      }
      return AttachmentRequest(said: said, content: .held(digest))
    case .file(let path):
      guard readsFiles else {
        throw DatastoreError(
          .unsupported(what: "file"),
          "attachment '\(attachment.name)' names a file, and reading files is not allowed here")
      }
      guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
        throw Self.fault(attachment.name, "'\(path)' is no absolute path")
      }
      return AttachmentRequest(said: said, content: .file(path: path.string))
    }
  }

  private static func checkName(_ name: JSONString) throws(DatastoreError) {
    guard let first = name.utf8.first, first != UInt8(ascii: "_"), !name.utf8.contains(0) else {
      throw fault(name, "a name is not empty, does not begin with '_' and holds no NUL")
    }
    if name.utf8.count > Limits.idBytesMax {
      throw DatastoreError(
        .tooLarge(limit: Int64(Limits.idBytesMax)),
        "the name of an attachment of \(name.utf8.count) bytes")
    }
  }

  private static func checkNumbers(_ attachment: RevisionAttachment) throws(DatastoreError) {
    for number in [attachment.length, attachment.encodedLength, attachment.revpos] {
      if let number, number < 0 { throw fault(attachment.name, "\(number) is negative") }
    }
    if let encoding = attachment.encoding {
      if encoding != "gzip" { throw fault(attachment.name, "'\(encoding)' is no encoding known") }
    } else if attachment.encodedLength != nil {
      throw fault(attachment.name, "it has an encoded length and no encoding")
    }
  }
}
