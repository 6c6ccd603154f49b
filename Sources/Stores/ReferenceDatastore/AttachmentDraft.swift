internal import Compression
internal import Datastore
internal import JSON

/// An attachment of a call after parsing and validation of its own bytes.
struct AttachmentDraft {
  enum Content {
    /// The bytes to store, and their decoded length.
    case bytes([UInt8], length: Int64)
    /// The content that the store has under the digest.
    case held
    /// The content of the same attachment of the nearest ancestor.
    case stub
  }

  /// The attachment as described by the caller.
  let claim: RevisionAttachment
  let content: Content

  /// Performs all checks that do not need the state of the store, except its size limit.
  init(
    _ attachment: RevisionAttachment, _ inlineBytesMax: Int, allowsEmptyName: Bool
  ) throws(Faults) {
    claim = attachment
    var faults = Self.faults(of: attachment, allowsEmptyName: allowsEmptyName)
    let content: Content? =
      switch attachment.content {
      case .data(let text):
        faults.collect { () throws(Faults) in
          try Self.content(text, of: attachment, inlineBytesMax)
        }
      case .chunks: .held
      case .stub: .stub
      case .file: nil
      }
    if attachment.content == .chunks {
      faults.require(
        attachment.digest != nil,
        Self.bad(attachment, "stored content must be referenced by its digest"))
    }
    if case .file = attachment.content {
      faults.add(DatastoreError(.unsupported(what: "file"), "the model does not read files"))
    }
    guard let content, faults.isEmpty else { throw faults }
    self.content = content
  }

  /// The content that is contained in the call.
  private static func content(
    _ text: JSONString, of attachment: RevisionAttachment, _ inlineBytesMax: Int
  ) throws(Faults) -> Content {
    guard let bytes = Base64.decode(text) else {
      throw Faults(bad(attachment, "its data is not valid base64"))
    }
    var faults = Faults()
    faults.require(
      bytes.count <= inlineBytesMax,
      DatastoreError(
        .tooLarge(limit: Int64(inlineBytesMax)),
        "attachment '\(attachment.name)' has \(bytes.count) bytes"))
    let measured = faults.collect { () throws(Faults) in
      try Self.length(of: bytes, for: attachment)
    }
    guard let length = measured, faults.isEmpty else { throw faults }
    return .bytes(bytes, length: length)
  }

  /// The errors of the name and the numbers.
  private static func faults(of attachment: RevisionAttachment, allowsEmptyName: Bool) -> Faults {
    var faults = Faults()
    let name = attachment.name.utf8
    faults.require(
      !name.isEmpty || allowsEmptyName, bad(attachment, "its name is empty"))
    faults.require(
      name.first != UInt8(ascii: "_") && !name.contains(0),
      bad(attachment, "its name begins with '_' or contains NUL"))
    faults.require(
      name.count <= Syntax.limits.idBytesMax,
      DatastoreError(
        .tooLarge(limit: Int64(Syntax.limits.idBytesMax)), "the name has \(name.count) bytes"))
    if let digest = attachment.digest {
      faults.require(
        ContentDigest.bytes(digest) != nil,
        bad(attachment, "'\(digest)' is not 'sha256-' and the base64 of 32 bytes"))
    }
    let numbers = [attachment.length, attachment.encodedLength, attachment.revpos]
    faults.require(
      numbers.allSatisfy { $0 ?? 0 >= 0 }, bad(attachment, "a number is negative"))
    faults.require(
      attachment.encoding ?? "gzip" == "gzip", bad(attachment, "gzip is the only encoding"))
    faults.require(
      attachment.encoding != nil || attachment.encodedLength == nil,
      bad(attachment, "it has an encoded length but no encoding"))
    return faults
  }

  /// The decoded length of bytes, after a check that they match the caller's description.
  static func length(
    of bytes: [UInt8], for claim: RevisionAttachment
  ) throws(Faults) -> Int64 {
    let count = Int64(bytes.count)
    guard claim.digest ?? "" == "" || claim.digest == ContentDigest.of(bytes) else {
      throw Faults(bad(claim, "its bytes have a different digest"))
    }
    var length = count
    if claim.encoding != nil {
      guard claim.encodedLength ?? count == count else {
        throw Faults(bad(claim, "it has \(count) bytes"))
      }
      do {
        length = try GzipLength.of(
          bytes, limit: claim.length ?? Int64(Syntax.limits.attachmentBytesMax))
      } catch {
        throw Faults(bad(claim, error.description))
      }
    }
    guard claim.length ?? length == length else {
      throw Faults(bad(claim, "its decoded length is \(length) bytes"))
    }
    return length
  }

  /// The attachment for content that is new to the document.
  func attachment(of bytes: [UInt8], length: Int64, revpos: Int64) -> RevisionAttachment {
    RevisionAttachment(
      claim.name, .stub, type: claim.type ?? "application/octet-stream",
      digest: ContentDigest.of(bytes), length: length, revpos: revpos, encoding: claim.encoding,
      encodedLength: claim.encoding == nil ? nil : Int64(bytes.count))
  }

  /// Whether this stub matches a stored attachment: every property that the caller states is equal.
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

extension Faults {
  /// Parses the attachments of a call, records their errors, and returns the valid ones.
  mutating func drafts(
    of attachments: [RevisionAttachment], _ inlineBytesMax: Int, allowsEmptyName: Bool
  ) -> [AttachmentDraft] {
    var drafts: [AttachmentDraft] = []
    var names: Set<JSONString> = []
    for attachment in attachments {
      require(
        names.insert(attachment.name).inserted,
        AttachmentDraft.bad(attachment, "its name occurs twice"))
      let draft = collect { () throws(Faults) in
        try AttachmentDraft(attachment, inlineBytesMax, allowsEmptyName: allowsEmptyName)
      }
      if let draft { drafts.append(draft) }
    }
    return drafts
  }
}
