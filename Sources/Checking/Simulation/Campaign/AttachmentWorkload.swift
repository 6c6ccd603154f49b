internal import Datastore
internal import JSON
internal import Oracles
internal import Scenarios

/// The attachments that clients of a run write: few names and few contents, so that branches use
/// the same names and documents share content.
///
/// It uses its own random source, so that runs without attachments do not change.
struct AttachmentWorkload {
  private var random: KeyedRandom
  private let contents: [Content]
  /// One of this number of writes has attachments.
  private let rarity: Int
  /// Whether most new content is large.
  private let isHeavy: Bool
  /// Whether content is read and uploaded in pieces; otherwise all content is small and inline.
  private let hasPieces: Bool

  private static let names: [JSONString] = ["a", "b", "ü/c d"]
  /// Every store accepts this many bytes in one operation.
  private static let pieceBytesMax = ModelReplica.inlineBytesMax

  /// The workload of a seed; nil for a run without attachments.
  ///
  /// - Parameter hasPieces: whether the stores offer `attachmentPieces`.
  init?(seed: UInt64, hasPieces: Bool) {
    self.hasPieces = hasPieces
    var random = KeyedRandom(seed: seed, key: 2)
    guard random.chance(1, in: 2) else { return nil }
    rarity = 1 + random.below(4)
    isHeavy = random.chance(1, in: 4)
    var sizes = [0]
    for _ in 0...random.below(4) { sizes.append(1 + random.below(60)) }
    // Many different contents, or a few repeated ones.
    for _ in 0...random.below(isHeavy ? 30 : 3) { sizes.append(600 + random.below(3500)) }
    var contents: [Content] = []
    for size in sizes {
      contents.append(Content((0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
    }
    self.contents = contents
    self.random = random
  }

  /// Draws the number of damaged messages per 1000.
  mutating func damageRate() -> Int64 { [0, 0, 5, 20, 80][random.below(5)] }

  /// The operations that replace an operation: uploads, then the operation with attachments.
  mutating func operations(for operation: ClientOperation) -> [ClientOperation] {
    switch operation.action {
    case .read(let id, _):
      guard random.chance(1, in: 2) else { return [operation] }
      let offset = random.chance(1, in: 2) ? nil : Int64(random.below(700))
      return [
        ClientOperation(
          .readAttachment(
            id: id, name: name(), offset: hasPieces ? offset : nil, limit: nil),
          leaf: operation.leaf)
      ]
    case .create: return attach(to: operation, keeps: false)
    case .update, .resolve(_, _, _, .some): return attach(to: operation, keeps: true)
    default: return [operation]
    }
  }

  /// - Parameter keeps: whether attachments of the parent may be kept.
  private mutating func attach(
    to operation: ClientOperation, keeps: Bool
  ) -> [ClientOperation] {
    guard random.chance(1, in: rarity) else { return [operation] }
    var brought: [ClientOperation] = []
    var attachments: [RevisionAttachment] = []
    for name in Self.names where random.chance(1, in: 2) {
      if keeps, random.chance(2, in: 3) {
        attachments.append(RevisionAttachment(name, .stub))
        continue
      }
      let type: JSONString? = random.chance(1, in: 2) ? "text/plain" : nil
      let content = content()
      let isShared = random.chance(1, in: 6) && hasPieces
      guard isShared || content.bytes.count > Self.pieceBytesMax else {
        attachments.append(
          RevisionAttachment(
            name, .data(content.base64(content.bytes.indices)), type: type))
        continue
      }
      // Shared content is referenced without an upload: the store may have it.
      if !isShared { brought += pieces(of: content) }
      attachments.append(RevisionAttachment(name, .chunks, type: type, digest: content.digest))
    }
    let write = ClientOperation(
      .attaching(attachments, to: operation.action), leaf: operation.leaf)
    return brought + [write]
  }

  /// The uploads of content, piece by piece; sometimes the last piece is omitted.
  private mutating func pieces(of content: Content) -> [ClientOperation] {
    let count = Self.pieceBytesMax - random.below(200)
    var pieces: [ClientOperation] = []
    for start in stride(from: 0, to: content.bytes.count, by: count) {
      let end = min(start + count, content.bytes.count)
      pieces.append(
        ClientOperation(
          .putBlob(
            digest: content.digest, offset: Int64(start), bytes: content.base64(start..<end))))
    }
    if random.chance(1, in: 20) { pieces.removeLast() }
    return pieces
  }

  private mutating func name() -> JSONString { random.pick(Self.names) ?? "a" }

  private mutating func content() -> Content {
    let isLarge = random.chance(isHeavy ? 2 : 1, in: isHeavy ? 3 : 8) && hasPieces
    let fitting = contents.filter { ($0.bytes.count > Self.pieceBytesMax) == isLarge }
    return random.pick(fitting) ?? Content([])
  }
}
