internal import Datastore
internal import JSON

/// Which ids documents and local documents can have.
enum DocumentIDRule {
  /// Fails with `badID`, or `tooLarge` when only the length is wrong.
  ///
  /// - Parameter isLocal: whether it is the id of a local document, which may begin with `_`.
  static func check(_ id: DocumentID, isLocal: Bool = false) throws(DatastoreError) {
    guard let fault = id.text.withBytes({ fault(in: $0, isLocal) }) else { return }
    switch fault {
    case .empty: throw DatastoreError(.badID, "an id is not empty")
    case .hasNUL: throw DatastoreError(.badID, "an id holds no NUL")
    case .reserved:
      throw DatastoreError(.badID, "'\(id)' begins with '_' and names no design document")
    case .tooLong(let count):
      throw DatastoreError(.tooLarge(limit: Int64(Limits.idBytesMax)), "an id of \(count) bytes")
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

/// The sizes up to which this store answers.
enum Limits {
  static let bodyBytesMax = 8_000_000
  static let idBytesMax = 4096
  static let depthMax = 256
  /// The longest content that stands in a call or an answer.
  static let inlineBytesMax = 1_048_576
  /// The longest content of all: 16 GiB.
  static let attachmentBytesMax: Int64 = 17_179_869_184
}
