public import JSON

/// Named bytes that belong to a revision, as stored or as described by a client.
///
/// A revision has its complete set of attachments: a write names all of them, new content with its
/// bytes and unchanged content as a stub. A response contains every member that applies.
public struct RevisionAttachment: Hashable, Sendable {
  /// Unique among the attachments of a revision.
  public var name: JSONString
  /// The media type, such as `image/png`.
  public var type: JSONString?
  /// `sha256-` and the base64 of the SHA-256 of the bytes as stored and transferred.
  public var digest: JSONString?
  /// The number of bytes, decoded if there is an encoding.
  public var length: Int64?
  /// The generation of the revision that added the content.
  public var revpos: Int64?
  /// The encoding of the bytes as stored and transferred: `gzip`, or nil for no encoding.
  public var encoding: JSONString?
  /// The number of bytes as stored and transferred, if there is an encoding.
  public var encodedLength: Int64?
  /// The product's own digest, such as `md5-…`: displayed, never compared.
  public var ownDigest: JSONString?
  /// The bytes, or where they are.
  public var content: Content

  /// The location of the bytes.
  public enum Content: Hashable, Sendable {
    /// Inline, in base64 that is not validated yet.
    case data(JSONString)
    /// In the attachment of the same name of the nearest ancestor.
    case stub
    /// In a file accessible to both sides.
    case file(JSONString)
    /// In the target store under the digest (in a write); to be read in chunks (in a response).
    case chunks
  }

  /// Creates an attachment; a member that is nil is absent.
  public init(
    _ name: JSONString, _ content: Content, type: JSONString? = nil, digest: JSONString? = nil,
    length: Int64? = nil,
    revpos: Int64? = nil, encoding: JSONString? = nil, encodedLength: Int64? = nil,
    ownDigest: JSONString? = nil
  ) {
    self.name = name
    self.type = type
    self.digest = digest
    self.length = length
    self.revpos = revpos
    self.encoding = encoding
    self.encodedLength = encodedLength
    self.ownDigest = ownDigest
    self.content = content
  }
}

extension [RevisionAttachment] {
  /// The capabilities that the attachments of a write or of a record need.
  package var capabilities: Set<Capability> {
    reduce(into: isEmpty ? [] : [.attachment]) { needed, attachment in
      if attachment.encoding != nil || attachment.encodedLength != nil {
        needed.insert(.attachmentEncoding)
      }
      if attachment.content == .chunks { needed.insert(.attachmentPieces) }
    }
  }
}

/// Consecutive bytes of an attachment.
public struct AttachmentPiece: Hashable, Sendable {
  /// The attachment as a stub.
  public var attachment: RevisionAttachment
  /// The offset of the bytes in the stored content.
  public var offset: Int64
  /// The bytes in base64; empty at the end of the content.
  public var bytes: JSONString

  /// Creates a piece of an attachment.
  public init(of attachment: RevisionAttachment, offset: Int64, bytes: JSONString) {
    self.attachment = attachment
    self.offset = offset
    self.bytes = bytes
  }
}

extension StoreAction {
  /// A new document with attachments.
  public static func create(
    id: DocumentID?, body: JSONValue, attachments: [RevisionAttachment]
  ) -> StoreAction {
    .attaching(attachments, to: .create(id: id, body: body))
  }

  /// A live child of a leaf with the complete set of its attachments.
  public static func update(
    id: DocumentID, rev: RevisionID, body: JSONValue, attachments: [RevisionAttachment]
  ) -> StoreAction {
    .attaching(attachments, to: .update(id: id, rev: rev, body: body))
  }

  /// A conflict resolution whose child has other attachments than the kept leaf.
  public static func resolve(
    id: DocumentID, leaves: [RevisionID], keep: RevisionID, body: JSONValue,
    attachments: [RevisionAttachment]
  ) -> StoreAction {
    .attaching(attachments, to: .resolve(id: id, leaves: leaves, keep: keep, body: body))
  }
}
