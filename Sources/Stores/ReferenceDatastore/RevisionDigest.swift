internal import Compression
internal import Datastore
internal import Digest
internal import JSON
internal import RevisionTree

/// The names of the model's own revisions: digests of the edits.
///
/// Equal edits of equal parents have equal names on every replica, so two devices that make the
/// same edit have no conflict. The document's id is not part of the digest.
enum RevisionDigest {
  /// The revision of an edit of `parent`.
  ///
  /// Throws `badRevision` under the conditions of `checkParent`.
  static func revision(
    after parent: Revision?, deleted: Bool, body: JSONValue, attachments: [RevisionAttachment],
    _ profile: RevisionIDProfile, content: (_ digest: JSONString) -> [UInt8]
  ) throws(Faults) -> Revision {
    try checkParent(parent, profile)
    let generation = try nextGeneration(after: parent)
    let input =
      switch profile {
      case .cdtDigest: cdt(after: parent, deleted: deleted, body: body)
      case .own, .cdtDigest2:
        cdt(after: parent, deleted: deleted, body: body) + encoded(attachments)
      case .couchdb:
        couchdb(after: parent, deleted: deleted, body: body, attachments, content)
      }
    let digest = DigestAlgorithm.md5.digest(of: input)
    return Revision(generation: generation, suffix: JSONString(digest.hexadecimal))
  }

  /// The generation of an edit of `parent`; the maximum generation has no successor.
  static func nextGeneration(after parent: Revision?) throws(Faults) -> Int64 {
    let generation = (parent?.generation ?? 0) + 1
    guard generation <= Revision.generationMax else {
      throw Faults(DatastoreError(.badRevision, "\(generation - 1) is the maximum generation"))
    }
    return generation
  }

  /// Checks that a revision can be edited.
  ///
  /// Throws `badRevision` if the parent has the maximum generation, or an id too long for the
  /// digest of the profile.
  static func checkParent(_ parent: Revision?, _ profile: RevisionIDProfile) throws(Faults) {
    _ = try nextGeneration(after: parent)
    guard let parent, profile != .couchdb else { return }
    let count = parent.id.text.utf8.count
    guard count <= UInt8.max else {
      throw Faults(
        DatastoreError(
          .badRevision, "the id of the parent has \(count) bytes; the maximum is 255"),
        .state)
    }
  }

  /// CDTDatastore's input: the parent's id with its length as a prefix, the deleted flag, and the
  /// canonical body unless it is empty.
  private static func cdt(after parent: Revision?, deleted: Bool, body: JSONValue) -> [UInt8] {
    let parentID = parent.map { Array($0.id.text.utf8) } ?? []
    var input = [UInt8(clamping: parentID.count)] + parentID + [deleted ? 1 : 0]
    if body.objectValue?.isEmpty == false { CanonicalJSON.append(body, to: &input) }
    return input
  }

  /// The extension of CDTDatastore's input, which does not include attachments: for each attachment
  /// in byte order of the names, its name, type and encoding with their lengths as prefixes, and
  /// its digest.
  private static func encoded(_ attachments: [RevisionAttachment]) -> [UInt8] {
    let ordered = attachments.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return ordered.flatMap { attachment -> [UInt8] in
      let texts = [attachment.name, attachment.type ?? "", attachment.encoding ?? ""]
      return texts.flatMap { text -> [UInt8] in
        let length = UInt32(truncatingIfNeeded: text.utf8.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + Array(text.utf8)
      } + (attachment.digest.flatMap { ContentDigest.bytes($0) } ?? [])
    }
  }

  /// CouchDB's input: the term `[Deleted, ParentGeneration, ParentSuffix, Body, Attachments]`. Each
  /// attachment is a name, a type and the MD5 of the content as that server would store it; the
  /// last one comes first.
  private static func couchdb(
    after parent: Revision?, deleted: Bool, body: JSONValue, _ attachments: [RevisionAttachment],
    _ content: (_ digest: JSONString) -> [UInt8]
  ) -> [UInt8] {
    var term: [UInt8] = [131, 108, 0, 0, 0, 5]
    ErlangTerm.append(atom: deleted ? "true" : "false", to: &term)
    ErlangTerm.append(UInt64(parent?.generation ?? 0), isNegative: false, to: &term)
    if let parent {
      let suffix = Array(parent.suffix.utf8)
      ErlangTerm.append(binary: bytes(ofHexadecimal: suffix) ?? suffix, to: &term)
    } else {
      ErlangTerm.append(0, isNegative: false, to: &term)
    }
    ErlangTerm.append(body, to: &term)
    if !attachments.isEmpty {
      term.append(108)
      term += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: attachments.count >> $0) }
      for attachment in attachments.reversed() {
        let bytes = content(attachment.digest ?? "")
        term += [104, 3]
        ErlangTerm.append(binary: Array(attachment.name.utf8), to: &term)
        ErlangTerm.append(binary: Array((attachment.type ?? "").utf8), to: &term)
        let isPacked = attachment.encoding == nil && isPackedByCouchDB(attachment.type ?? "")
        let stored = isPacked ? GzipEncoding.encode(bytes, level: 8) : bytes
        ErlangTerm.append(binary: DigestAlgorithm.md5.digest(of: stored), to: &term)
      }
    }
    // The end of the attachments, and of the list.
    return term + [106, 106]
  }

  /// Whether CouchDB's default configuration compresses content of a type before it stores it.
  private static func isPackedByCouchDB(_ type: JSONString) -> Bool {
    let name = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    let lower = name.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    let packed = ["application/javascript", "application/json", "application/xml"]
    return lower.starts(with: "text/".utf8) || packed.contains { lower.elementsEqual($0.utf8) }
  }

  /// The 16 bytes that 32 hexadecimal digits encode, or nil.
  private static func bytes(ofHexadecimal digits: [UInt8]) -> [UInt8]? {
    guard digits.count == 32 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: 32, by: 2) {
      guard let high = hexadecimalValue(digits[place]),
        let low = hexadecimalValue(digits[place + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
