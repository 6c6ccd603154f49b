internal import Datastore
internal import JSON
internal import Replication

// Messages with damaged bytes of attachments.

extension PeerRequest {
  /// The request with damaged bytes; nil if it contains no bytes of attachments.
  func damaged(draw: UInt64) -> PeerRequest? {
    switch self {
    case .putBlob(let digest, let offset, let bytes):
      return bytes.damagedBase64(draw: draw).map {
        .putBlob(digest: digest, offset: offset, bytes: $0)
      }
    case .insertRevisions(let records):
      return records.damaged(draw: draw).map { .insertRevisions($0) }
    default: return nil
    }
  }
}

extension PeerResponse {
  /// The response with damaged bytes; nil if it contains no bytes of attachments.
  func damaged(draw: UInt64) -> PeerResponse? {
    switch self {
    case .ok(.attachment(var piece)):
      guard let bytes = piece.bytes.damagedBase64(draw: draw) else { return nil }
      piece.bytes = bytes
      return .ok(.attachment(piece))
    case .ok(.revisions(var answers)):
      for place in answers.indices {
        guard case .records(let records) = answers[place].found,
          let damaged = records.damaged(draw: draw)
        else { continue }
        answers[place].found = .records(damaged)
        return .ok(.revisions(answers))
      }
      return nil
    default: return nil
    }
  }
}

extension [RevisionRecord] {
  /// The records with their first content damaged.
  fileprivate func damaged(draw: UInt64) -> [RevisionRecord]? {
    for (place, record) in enumerated() {
      for (number, attachment) in record.attachments.enumerated() {
        guard case .data(let text) = attachment.content,
          let damaged = text.damagedBase64(draw: draw)
        else { continue }
        var records = self
        records[place].attachments[number].content = .data(damaged)
        return records
      }
    }
    return nil
  }
}

extension JSONString {
  /// The text with one character replaced or without its last group; nil for an empty text.
  fileprivate func damagedBase64(draw: UInt64) -> JSONString? {
    var characters = Array(utf8)
    guard !characters.isEmpty else { return nil }
    if draw % 4 == 0, characters.count > 4 {
      characters.removeLast(4)
    } else {
      // Not in the last group, which may have padding, unless it is the only one.
      let place = Int(draw >> 3) % Swift.max(1, characters.count - 4)
      characters[place] =
        characters[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    }
    return JSONString(validating: characters)
  }
}
