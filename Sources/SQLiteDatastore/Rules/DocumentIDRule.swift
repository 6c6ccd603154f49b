internal import Datastore
internal import JSON

/// Which ids documents and local documents can have.
enum DocumentIDRule {
  /// Fails with `badID`, or `tooLarge` when only the length is wrong.
  static func check(_ id: DocumentID) throws(DatastoreError) {
    let bytes = id.text.utf8
    guard let first = bytes.first else { throw DatastoreError(.badID, "an id is not empty") }
    if bytes.contains(0) { throw DatastoreError(.badID, "an id holds no NUL") }
    if first == UInt8(ascii: "_") {
      let prefix = "_design/".utf8
      guard bytes.starts(with: prefix), bytes.count > prefix.count else {
        throw DatastoreError(.badID, "'\(id)' begins with '_' and names no design document")
      }
    }
    if bytes.count > Limits.idBytesMax {
      throw DatastoreError(
        .tooLarge(limit: Int64(Limits.idBytesMax)), "an id of \(bytes.count) bytes")
    }
  }
}

/// The sizes up to which this store answers.
enum Limits {
  static let bodyBytesMax = 8_000_000
  static let idBytesMax = 4096
  static let depthMax = 256
}
