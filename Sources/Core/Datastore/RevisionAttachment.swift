public import JSON

/// Named bytes beside the body of a revision, or what a caller says of them.
///
/// A revision has its complete set: whoever writes one names all that it shall have, new content with
/// its bytes and content that stays as a stub. An answer gives every member that applies.
public struct RevisionAttachment: Hashable, Sendable {
  /// Unique among the attachments of a revision.
  public var name: JSONString
  /// The media type, such as `image/png`.
  public var type: JSONString?
  /// `sha256-` and the base64 of the SHA-256 of the bytes as they are stored and travel.
  public var digest: JSONString?
  /// The number of bytes, decoded where there is an encoding.
  public var length: Int64?
  /// The generation of the revision that brought the content.
  public var revpos: Int64?
  /// How the bytes are encoded as they are stored and travel: `gzip`, or nil for not at all.
  public var encoding: JSONString?
  /// The number of bytes as they are stored and travel, where there is an encoding.
  public var encodedLength: Int64?
  /// The digest that the product itself uses, such as `md5-…`: shown, never compared.
  public var ownDigest: JSONString?
  public var content: Content

  /// Where the bytes are.
  public enum Content: Hashable, Sendable {
    /// Here, in base64 that is not validated yet.
    case data(JSONString)
    /// Where the attachment of this name of the nearest ancestor has them.
    case stub
    /// In a file that both sides can reach.
    case file(JSONString)
    /// In the store that is written to, under the digest; in an answer, to be read piece by piece.
    case chunks
  }

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

/// Some bytes of an attachment in a row.
public struct AttachmentPiece: Hashable, Sendable {
  /// The attachment as a stub.
  public var attachment: RevisionAttachment
  /// How many bytes, as they are stored, lie before these.
  public var offset: Int64
  /// The bytes in base64; none at the end of the content.
  public var bytes: JSONString

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

  /// A live child of a leaf with the attachments that it shall have.
  public static func update(
    id: DocumentID, rev: RevisionID, body: JSONValue, attachments: [RevisionAttachment]
  ) -> StoreAction {
    .attaching(attachments, to: .update(id: id, rev: rev, body: body))
  }

  /// A settled conflict, the child with other attachments than the kept leaf's.
  public static func resolve(
    id: DocumentID, leaves: [RevisionID], keep: RevisionID, body: JSONValue,
    attachments: [RevisionAttachment]
  ) -> StoreAction {
    .attaching(attachments, to: .resolve(id: id, leaves: leaves, keep: keep, body: body))
  }
}
