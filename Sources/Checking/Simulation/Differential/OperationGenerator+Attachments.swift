internal import Datastore
internal import JSON

// Attachments: few names and few contents, so that equal ones are frequent, and sometimes an
// invalid attachment.

extension OperationGenerator {
  /// Content with its description. Lengths are multiples of 3, so that the base64 of a piece is a
  /// piece of the base64.
  struct Content {
    let base64: JSONString
    let digest: JSONString
    let size: Int64
    /// The decoded length of gzip.
    var length: Int64?
  }

  /// The first two have a common prefix.
  private static let contents = [
    Content(
      base64: "YWJjZGVm", digest: "sha256-vvV+x/U6bUC+tkCngKY5yDvCmsipgW8fxsXG3Nk8RyE=", size: 6),
    Content(
      base64: "YWJjeHl6", digest: "sha256-8xJ5XjIsh0YabzxJ4JiXxZyg1aNiRdKgDwjLxm7ul20=", size: 6),
    Content(
      base64: "aGVsbG8gaGVsbG8gaGVsbG8g",
      digest: "sha256-7xolJLvgeh8dtW6In2ovYZI7jqur+IALxQReFgMa9iw=", size: 18),
    Content(base64: "", digest: "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", size: 0),
    Content(
      base64: "H4sIAAAAAAAAA8tIzcnJV0ivyiwAABlq0t8KAAAA",
      digest: "sha256-8oQJogWh+8Kz09pFaI0N9sSMZXmPfG8KbVk78vEmrPI=", size: 30, length: 10),
  ]
  private static let names: [JSONString] = ["n", "m", "é", "e\u{301}", "x/y"]
  private static let types: [JSONString?] = [nil, "text/plain", "image/png", ""]

  private mutating func content() -> Content { random.pick(Self.contents) ?? Self.contents[0] }

  private mutating func attachmentName() -> JSONString {
    random.chance(1, in: 2) ? Self.names[0] : random.pick(Self.names) ?? Self.names[0]
  }

  /// The write; in a run with attachments, half of the writes get some.
  mutating func attaching(_ write: StoreAction, in store: StoreName) -> StoreAction {
    if let set = nearEqualSet(for: write, in: store) {
      return set.isEmpty ? write : .attaching(set, to: write)
    }
    guard workload.attaches, random.chance(1, in: 2) else { return write }
    switch write {
    case .create, .update, .resolve: return .attaching(attachments(), to: write)
    default: return write
    }
  }

  /// One of the near-equal sets of the document of a write, mostly another one in each store; nil in
  /// other runs.
  private mutating func nearEqualSet(
    for write: StoreAction, in store: StoreName
  ) -> [RevisionAttachment]? {
    guard !workload.nearEqualSets.isEmpty else { return nil }
    switch write {
    case .create(let id?, _), .update(let id, _, _), .resolve(let id, _, _, _?):
      // An upgrade also writes documents of the recorded version, which have no sets.
      guard let place = workload.documents.firstIndex(of: id),
        workload.nearEqualSets.indices.contains(place),
        let number = workload.stores.firstIndex(of: store)
      else { return nil }
      let sets = workload.nearEqualSets[place]
      return random.chance(1, in: 8) ? random.pick(sets) : sets[number % sets.count]
    default: return nil
    }
  }

  /// The attachments of a record, with the revpos of another replica.
  mutating func recordAttachments() -> [RevisionAttachment] {
    guard workload.attaches, random.chance(1, in: 2) else { return [] }
    return attachments().map { attachment in
      var attachment = attachment
      attachment.revpos = random.pick([nil, nil, 0, 1, 2, 3, 42]) ?? nil
      return attachment
    }
  }

  /// The revisions whose attachments the client claims to have; nil in most cases.
  mutating func attachmentsSince(_ id: DocumentID, _ store: StoreName) -> [RevisionID]? {
    guard workload.attaches, random.chance(1, in: 2) else { return nil }
    return (0..<random.below(3)).map { _ in revision(id, store) }
  }

  private mutating func attachments() -> [RevisionAttachment] {
    var attachments: [RevisionAttachment] = []
    for _ in 0..<random.below(4) {
      let name = attachmentName()
      if attachments.contains(where: { $0.name == name }) { continue }
      attachments.append(offered(attachment(name)))
    }
    return attachments
  }

  /// The attachment without the parts that the store does not offer: inline content instead of a
  /// reference, and no encoding.
  private func offered(_ drawn: RevisionAttachment) -> RevisionAttachment {
    var attachment = drawn
    if !workload.encodes, attachment.encoding != nil || attachment.encodedLength != nil {
      attachment.encoding = nil
      attachment.encodedLength = nil
      attachment.length = nil
    }
    if !workload.hasPieces, attachment.content == .chunks {
      let content = Self.contents.first { $0.digest == attachment.digest } ?? Self.contents[0]
      attachment.content = .data(content.base64)
    }
    return attachment
  }

  private mutating func attachment(_ name: JSONString) -> RevisionAttachment {
    let content = content()
    switch random.below(20) {
    case 0..<7:
      return RevisionAttachment(
        name, .data(content.base64), type: random.pick(Self.types) ?? nil,
        digest: random.chance(1, in: 4) ? content.digest : nil,
        length: random.chance(1, in: 4) ? content.size : nil,
        revpos: random.chance(1, in: 6) ? Int64(1 + random.below(3)) : nil)
    case 7..<11: return RevisionAttachment(name, .stub)
    case 11:
      return RevisionAttachment(
        name, .stub, type: random.pick(Self.types) ?? nil,
        digest: random.chance(1, in: 2) ? content.digest : nil,
        length: random.chance(1, in: 4) ? content.size : nil,
        revpos: random.chance(1, in: 2) ? Int64(random.below(3)) : nil)
    case 12..<16:
      return RevisionAttachment(
        name, .chunks, type: random.pick(Self.types) ?? nil, digest: content.digest,
        length: random.chance(1, in: 4) ? content.size : nil)
    case 16..<18: return encoded(name)
    default: return wrong(name)
    }
  }

  /// Content declared as gzip, mostly correctly.
  private mutating func encoded(_ name: JSONString) -> RevisionAttachment {
    let gzip = Self.contents[Self.contents.count - 1]
    let content = random.chance(3, in: 4) ? gzip : content()
    let isHeld = random.chance(1, in: 3)
    return RevisionAttachment(
      name, isHeld ? .chunks : .data(content.base64),
      digest: isHeld || random.chance(1, in: 4) ? content.digest : nil,
      length: random.pick([nil, content.length, content.size]) ?? nil, encoding: "gzip",
      encodedLength: random.pick([nil, content.size, content.length]) ?? nil)
  }

  /// An attachment with one error.
  private mutating func wrong(_ name: JSONString) -> RevisionAttachment {
    let content = content()
    var attachment = RevisionAttachment(name, .data(content.base64))
    switch random.below(10) {
    case 0: attachment.name = random.pick(["", "_n", "n\u{0}"]) ?? ""
    case 1: attachment.content = .data(random.pick(["YQ", "YR==", "YQ==\n", "?"]) ?? "?")
    case 2: attachment.digest = self.content().digest
    case 3: attachment.digest = random.pick(["", "md5-AAAA", "sha256-AAAA"]) ?? ""
    case 4: attachment.length = content.size + 1
    case 5: attachment.length = -1
    case 6: attachment.revpos = -1
    case 7: attachment.encoding = "br"
    case 8: attachment.encodedLength = content.size
    default: attachment.content = .chunks
    }
    return attachment
  }

  /// Reads or uploads a piece of an attachment.
  mutating func attachmentPiece(_ store: StoreName) -> StoreAction {
    guard workload.hasPieces else {
      let id = document(store)
      return .readAttachment(
        id: id, rev: random.chance(1, in: 2) ? revision(id, store) : nil, name: attachmentName())
    }
    guard random.chance(1, in: 2) else { return upload() }
    let id = document(store)
    return .readAttachment(
      id: id, rev: random.chance(1, in: 2) ? revision(id, store) : nil, name: attachmentName(),
      offset: random.pick([nil, nil, 0, 1, 5, 99, -1]) ?? nil,
      limit: random.pick([nil, nil, 0, 1, 4, -1]) ?? nil)
  }

  /// A piece, mostly valid: 3 bytes are 4 characters.
  private mutating func upload() -> StoreAction {
    let content = content()
    let source = random.chance(7, in: 8) ? content : self.content()
    let tripleCount = source.base64.utf8.count / 4
    let start = random.chance(1, in: 2) ? 0 : random.below(tripleCount + 1)
    let count = random.below(tripleCount - start + 1)
    let bytes = source.base64.string.dropFirst(4 * start).prefix(4 * count)
    switch random.below(16) {
    case 0: return .putBlob(digest: "sha256-AAAA", offset: 0, bytes: content.base64)
    case 1: return .putBlob(digest: content.digest, offset: 0, bytes: "YQ=")
    case 2: return .putBlob(digest: content.digest, offset: -1, bytes: content.base64)
    case 3..<6: return .putBlob(digest: content.digest, offset: 0, bytes: content.base64)
    default:
      return .putBlob(
        digest: content.digest, offset: Int64(3 * start), bytes: JSONString(String(bytes)))
    }
  }
}
