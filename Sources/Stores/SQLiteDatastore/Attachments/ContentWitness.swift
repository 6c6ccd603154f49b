internal import Compression
internal import Datastore
internal import Digest
internal import JSON

/// The facts about content that are needed in addition to its digest and size.
struct ContentQuestion {
  /// The encoding of the content as stored.
  let encoding: JSONString?
  let type: JSONString
  /// The maximum decoded length in bytes.
  let lengthMax: Int64
  /// Whether revision ids are computed as in CouchDB.
  let wantsMD5: Bool

  init(_ attachment: RevisionAttachment, profile: RevisionIDProfile) {
    encoding = attachment.encoding
    type = attachment.type ?? AttachmentRule.defaultType
    lengthMax = attachment.length ?? Limits.attachmentBytesMax
    wantsMD5 = profile == .couchdb
  }

  /// Whether digest and size are sufficient.
  var isTrivial: Bool { encoding == nil && !wantsMD5 }

  /// Whether CouchDB compresses content of the type before it stores it: `text/*` and three others.
  fileprivate var isPacked: Bool {
    guard encoding == nil else { return false }
    let end = type.utf8.firstIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: " ") }
    let name = type.utf8[..<(end ?? type.utf8.endIndex)].map {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0
    }
    return name.starts(with: "text/".utf8) || Self.packedTypes.contains(name)
  }

  private static let packedTypes: Set<[UInt8]> = Set(
    ["application/javascript", "application/json", "application/xml"].map { Array($0.utf8) })

  /// CouchDB's default compression level.
  fileprivate static let packingLevel = 8
}

/// The facts about content that has been read.
struct ContentFacts {
  let digest: BlobDigest
  /// The number of bytes as stored.
  let size: Int64
  /// The number of bytes, decoded if there is an encoding.
  let length: Int64
  /// The MD5 of the content as CouchDB would store it; empty if not requested.
  let md5: [UInt8]
}

/// Computes the facts about content from its chunks.
struct ContentWitness: ~Copyable {
  private var sha256 = DigestStream(.sha256)
  private var md5: DigestStream?
  private var packer: GzipStream?
  private var decoder: GzipLength?
  private(set) var size: Int64 = 0

  init(_ question: ContentQuestion) {
    if question.wantsMD5 { md5 = DigestStream(.md5) }
    if question.wantsMD5, question.isPacked {
      packer = GzipStream(level: ContentQuestion.packingLevel)
    }
    if question.encoding != nil { decoder = GzipLength(limit: question.lengthMax) }
  }

  mutating func see(_ piece: UnsafeRawBufferPointer) {
    let bytes = piece.assumingMemoryBound(to: UInt8.self)
    size += Int64(bytes.count)
    sha256.update(bytes)
    decoder?.update(bytes)
    guard var hash = md5.take() else { return }
    if packer == nil { hash.update(bytes) } else { packer?.update(bytes) { hash.update($0) } }
    md5 = consume hash
  }

  /// The digest of all bytes, and the facts or the decoding error.
  consuming func finish() -> (digest: BlobDigest, facts: Result<ContentFacts, GzipError>) {
    let size = size
    var length = size
    let digest = BlobDigest(bytes: sha256.finish())
    if let decoder = decoder.take() {
      do throws(GzipError) { length = try decoder.finish() } catch {
        return (digest, .failure(error))
      }
    }
    var sum: [UInt8] = []
    if var hash = md5.take() {
      if let packer = packer.take() { packer.finish { hash.update($0) } }
      sum = hash.finish()
    }
    return (digest, .success(ContentFacts(digest: digest, size: size, length: length, md5: sum)))
  }

  /// The facts about bytes in memory.
  static func facts(
    of bytes: [UInt8], _ question: ContentQuestion
  ) -> Result<ContentFacts, GzipError> {
    var witness = ContentWitness(question)
    bytes.withUnsafeBytes { witness.see($0) }
    return witness.finish().facts
  }
}
