internal import Compression
internal import Datastore
internal import JSON

/// An attachment as a call brings it, its spelling understood and its own bytes checked.
struct AttachmentDraft {
  enum Content {
    /// These bytes, as they are to be stored, which are so many when they are decoded.
    case bytes([UInt8], length: Int64)
    /// What the store has under the digest.
    case held
    /// What the nearest ancestor has under the name.
    case stub
  }

  /// What the caller says of it.
  let claim: RevisionAttachment
  let content: Content

  /// Checks all that can be checked without the store but its limit.
  init(
    _ attachment: RevisionAttachment, _ inlineBytesMax: Int, allowsEmptyName: Bool
  ) throws(DatastoreError) {
    claim = attachment
    try Self.check(attachment, allowsEmptyName: allowsEmptyName)
    switch attachment.content {
    case .data(let text):
      guard let bytes = Base64.decode(text) else {
        throw Self.bad(attachment, "its data are not base64")
      }
      guard bytes.count <= inlineBytesMax else {
        throw DatastoreError(
          .tooLarge(limit: Int64(inlineBytesMax)),
          "attachment '\(attachment.name)' has \(bytes.count) bytes")
      }
      content = .bytes(bytes, length: try Self.length(of: bytes, for: attachment))
    case .chunks:
      guard attachment.digest != nil else {
        throw Self.bad(attachment, "content that is here already is named by its digest")
      }
      content = .held
    case .stub: content = .stub
    case .file: throw DatastoreError(.unsupported(what: "file"), "the model reads no files")
    }
  }

  /// Checks names and numbers.
  private static func check(
    _ attachment: RevisionAttachment, allowsEmptyName: Bool
  ) throws(DatastoreError) {
    let name = attachment.name.utf8
    guard !name.isEmpty || allowsEmptyName, name.first != UInt8(ascii: "_"), !name.contains(0)
    else {
      throw bad(attachment, "its name is empty, begins with _ or holds NUL")
    }
    guard name.count <= Spelling.limits.idBytesMax else {
      throw DatastoreError(
        .tooLarge(limit: Int64(Spelling.limits.idBytesMax)), "a name of \(name.count) bytes")
    }
    if let digest = attachment.digest, ContentDigest.bytes(digest) == nil {
      throw bad(attachment, "'\(digest)' is not sha256- and the base64 of 32 bytes")
    }
    let numbers = [attachment.length, attachment.encodedLength, attachment.revpos]
    guard numbers.allSatisfy({ $0 ?? 0 >= 0 }) else {
      throw bad(attachment, "a number is negative")
    }
    guard attachment.encoding ?? "gzip" == "gzip" else {
      throw bad(attachment, "gzip is the only encoding")
    }
    guard attachment.encoding != nil || attachment.encodedLength == nil else {
      throw bad(attachment, "it has an encoded length and no encoding")
    }
  }

  /// The decoded length of bytes that are what the caller says of them.
  static func length(
    of bytes: [UInt8], for claim: RevisionAttachment
  ) throws(DatastoreError) -> Int64 {
    let count = Int64(bytes.count)
    guard claim.digest ?? "" == "" || claim.digest == ContentDigest.of(bytes) else {
      throw bad(claim, "its bytes have another digest")
    }
    var length = count
    if claim.encoding != nil {
      guard claim.encodedLength ?? count == count else { throw bad(claim, "it has \(count) bytes") }
      do {
        length = try GzipLength.of(
          bytes, limit: claim.length ?? Int64(Spelling.limits.attachmentBytesMax))
      } catch {
        throw bad(claim, error.description)
      }
    }
    guard claim.length ?? length == length else {
      throw bad(claim, "it has \(length) bytes when they are decoded")
    }
    return length
  }

  /// The attachment of content that is new to the document.
  func attachment(of bytes: [UInt8], length: Int64, revpos: Int64) -> RevisionAttachment {
    RevisionAttachment(
      claim.name, .stub, type: claim.type ?? "application/octet-stream",
      digest: ContentDigest.of(bytes), length: length, revpos: revpos, encoding: claim.encoding,
      encodedLength: claim.encoding == nil ? nil : Int64(bytes.count))
  }

  /// Whether a held attachment is the one that this stub stands for: all that the caller says of it
  /// is so.
  func isStub(of held: RevisionAttachment) -> Bool {
    func agree<Value: Equatable>(_ said: Value?, _ value: Value?) -> Bool {
      said == nil || said == value
    }
    return agree(claim.digest, held.digest) && agree(claim.length, held.length)
      && agree(claim.type, held.type) && agree(claim.encoding, held.encoding)
      && agree(claim.encodedLength, held.encodedLength)
      && (claim.revpos == 0 || agree(claim.revpos, held.revpos))
  }

  static func bad(_ attachment: RevisionAttachment, _ reason: String) -> DatastoreError {
    DatastoreError(.badAttachment, "attachment '\(attachment.name)': \(reason)")
  }
}

extension Spelling {
  /// The attachments of a call: names that are unique, and what each says of itself.
  static func drafts(
    _ attachments: [RevisionAttachment], _ inlineBytesMax: Int, allowsEmptyName: Bool
  ) throws(DatastoreError) -> [AttachmentDraft] {
    var drafts: [AttachmentDraft] = []
    var names: Set<Text> = []
    for attachment in attachments {
      guard names.insert(attachment.name).inserted else {
        throw AttachmentDraft.bad(attachment, "its name occurs twice")
      }
      drafts.append(
        try AttachmentDraft(attachment, inlineBytesMax, allowsEmptyName: allowsEmptyName))
    }
    return drafts
  }
}
