internal import Digest

/// The digests of contents that are being read in chunks, each up to the position of its reader.
///
/// For a reader that requests the chunks in order, the digest needs no second pass over the file.
/// The digest covers the bytes that were returned, so it also detects a file that changes
/// meanwhile.
final class ContentReadings {
  /// The maximum number of readers; the one that was idle longest is dropped first. For a dropped
  /// reader the file is read again at its end.
  static let countMax = 16

  private struct Place {
    let digest: BlobDigest
    /// The number of bytes that the reader has received, which is the offset of its next chunk.
    var offset: Int64
    let reading: ContentReading
  }

  /// The readers, ordered by last use.
  private var places: [Place] = []

  /// Processes a chunk of content. Returns the digest of all chunks if this is the last one and the
  /// others preceded it in order.
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
    // Two readers at one position have the same bytes, unless the file changed between them: the
    // later one is kept.
    places.removeAll { $0.offset == place.offset && $0.digest == digest }
    if places.count == Self.countMax { places.removeFirst() }
    places.append(place)
    return nil
  }
}

/// The SHA-256 of the bytes that one reader has received.
final class ContentReading {
  private var stream: DigestStream? = DigestStream(.sha256)

  func update(_ piece: UnsafeRawBufferPointer) {
    stream?.update(piece.assumingMemoryBound(to: UInt8.self))
  }

  /// Returns the digest; called once, at the end.
  func finish() -> [UInt8] { stream.take()?.finish() ?? [] }
}
