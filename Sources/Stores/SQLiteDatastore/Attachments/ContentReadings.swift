internal import Digest

/// The digests of contents that are read piece by piece, each up to where its reader is.
///
/// A reader that takes the pieces in their order pays for the digest, and for no second reading of the
/// file. The digest is of the bytes that were handed out, so it also covers a file that changes meanwhile.
final class ContentReadings {
  /// How many readers at a time are remembered; the one that was idle longest is dropped first. A reader
  /// that was dropped is no loss: the file is read once more at its end.
  static let countMax = 16

  private struct Place {
    let digest: BlobDigest
    /// How many bytes the reader has, which is where its next piece begins.
    var offset: Int64
    let reading: ContentReading
  }

  /// The one that was used last comes last.
  private var places: [Place] = []

  /// Takes in a piece of content; answers the digest of all pieces when this one is the last and the others
  /// came before it in their order.
  func update(
    _ digest: BlobDigest, _ piece: [UInt8], at offset: Int64, isEnd: Bool
  ) -> [UInt8]? {
    var place: Place
    if offset == 0 {
      place = Place(digest: digest, offset: 0, reading: ContentReading())
    } else {
      let index = places.lastIndex { $0.offset == offset && $0.digest == digest }
      guard let index else { return nil }
      place = places.remove(at: index)
    }
    piece.withUnsafeBytes { place.reading.update($0) }
    if isEnd { return place.reading.finish() }
    place.offset += Int64(piece.count)
    // Two readers at one place have the same bytes, unless the file changed between them: the later
    // one counts.
    places.removeAll { $0.offset == place.offset && $0.digest == digest }
    if places.count == Self.countMax { places.removeFirst() }
    places.append(place)
    return nil
  }
}

/// The SHA-256 of what one reader has.
final class ContentReading {
  private var stream: DigestStream? = DigestStream(.sha256)

  func update(_ piece: UnsafeRawBufferPointer) {
    stream?.update(piece.assumingMemoryBound(to: UInt8.self))
  }

  /// The digest; asked for once, at the end.
  func finish() -> [UInt8] { stream.take()?.finish() ?? [] }
}
