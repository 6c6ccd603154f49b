internal import Datastore
internal import JSON

/// The validation of the ids of documents and local documents.
enum DocumentIDRule {
  /// Throws `badID`, or `tooLarge` if only the length is invalid.
  ///
  /// - Parameter isLocal: whether it is the id of a local document, which may begin with `_`.
  static func check(_ id: DocumentID, isLocal: Bool = false) throws(DatastoreError) {
    guard let fault = id.text.withBytes({ fault(in: $0, isLocal) }) else { return }
    switch fault {
    case .empty: throw DatastoreError(.badID, "the id is empty")
    case .hasNUL: throw DatastoreError(.badID, "the id contains NUL")
    case .reserved:
      throw DatastoreError(.badID, "'\(id)' begins with '_' but is not a design document")
    case .tooLong(let count):
      throw DatastoreError(.tooLarge(limit: Int64(Limits.idBytesMax)), "the id has \(count) bytes")
    }
  }

  private enum Fault {
    case empty, hasNUL, reserved
    case tooLong(Int)
  }

  private static func fault(in bytes: UnsafeBufferPointer<UInt8>, _ isLocal: Bool) -> Fault? {
    guard let first = bytes.first else { return .empty }
    if bytes.contains(0) { return .hasNUL }
    if first == UInt8(ascii: "_"), !isLocal {
      let prefix = "_design/".utf8
      guard bytes.starts(with: prefix), bytes.count > prefix.count else { return .reserved }
    }
    return bytes.count > Limits.idBytesMax ? .tooLong(bytes.count) : nil
  }
}

/// The size limits of this store.
enum Limits {
  static let bodyBytesMax = 8_000_000
  static let idBytesMax = 4096
  static let depthMax = 256
  /// The maximum length of content inside a call or a response, in bytes.
  static let inlineBytesMax = 1_048_576
  /// The maximum length of any content: 16 GiB.
  static let attachmentBytesMax: Int64 = 17_179_869_184
}
