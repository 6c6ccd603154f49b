internal import Datastore
internal import JSON

/// The attachments of each acknowledged revision, derived from the requests of clients.
struct AttachmentLedger {
  /// The digest under each name; no entry for a revision with unknown attachments.
  private(set) var attachments: [RevisionKey: [JSONString: JSONString]] = [:]
  /// All content in requests of clients, acknowledged or not.
  private(set) var spoken: Set<JSONString> = [Self.nothing]
  /// The bytes, as far as clients have written them.
  private(set) var contents: [JSONString: [UInt8]] = [Self.nothing: []]
  /// The state of content that is being written in pieces.
  private var beginnings: [JSONString: [UInt8]] = [:]
  /// The verified pieces, so that each is checked once.
  private var read: [JSONString: Content] = [:]

  private static let nothing = Content([]).digest

  /// Records a request before its outcome is known.
  mutating func hear(_ action: StoreAction) {
    switch action {
    case .attaching(let attachments, _):
      for attachment in attachments {
        if let digest = digest(of: attachment) { spoken.insert(digest) }
      }
    case .insertRevisions(let records):
      for record in records {
        for attachment in record.attachments {
          if let digest = digest(of: attachment) { spoken.insert(digest) }
        }
      }
    case .putBlob(let digest, let offset, let bytes): hear(digest, offset, text: bytes)
    default: break
    }
  }

  private mutating func hear(_ digest: JSONString, _ offset: Int64, text: JSONString) {
    guard contents[digest] == nil, let bytes = Content.bytes(text),
      0 <= offset, offset <= beginnings[digest]?.count ?? 0
    else { return }
    let whole = (beginnings[digest] ?? []).prefix(Int(offset)) + bytes
    beginnings[digest] = Array(whole)
    guard Content(Array(whole)).digest == digest else { return }
    contents[digest] = Array(whole)
    beginnings[digest] = nil
  }

  /// Records an acknowledged revision with the attachments in its request; nil means that it keeps
  /// those of its parent.
  mutating func note(
    _ key: RevisionKey, after parent: RevisionID?, _ said: [RevisionAttachment]?
  ) {
    let inherited = parent.flatMap { attachments[RevisionKey(id: key.id, rev: $0)] }
    guard let said else {
      attachments[key] = inherited
      return
    }
    var all: [JSONString: JSONString] = [:]
    for attachment in said {
      let digest =
        attachment.content == .stub ? inherited?[attachment.name] : digest(of: attachment)
      guard let digest else {
        attachments[key] = nil
        return
      }
      all[attachment.name] = digest
    }
    attachments[key] = all
  }

  /// The digest of content that a request in `hear` has written or named; nil for a stub.
  func knownDigest(of attachment: RevisionAttachment) -> JSONString? {
    switch attachment.content {
    case .stub, .file: nil
    case .chunks: attachment.digest
    case .data(let text): read[text]?.digest
    }
  }

  /// The digest of bytes that a store returned; computed only if they are not the known content of
  /// the digest that the store named.
  func digest(of bytes: [UInt8], named digest: JSONString?) -> JSONString {
    if let digest, contents[digest] == bytes { return digest }
    return Content(bytes).digest
  }

  /// Returns the digest of content that a client writes or names.
  private mutating func digest(of attachment: RevisionAttachment) -> JSONString? {
    switch attachment.content {
    case .stub, .file: return nil
    case .chunks: return attachment.digest
    case .data(let text):
      if let known = read[text] { return known.digest }
      guard let content = Content.bytes(text).map({ Content($0) }) else { return nil }
      read[text] = content
      contents[content.digest] = content.bytes
      return content.digest
    }
  }
}
