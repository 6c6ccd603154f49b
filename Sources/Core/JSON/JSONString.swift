/// A piece of text that *is* its UTF-8 bytes: compared and hashed byte by byte.
///
/// Swift's `String` compares by canonical equivalence, so `"é"` composed and decomposed are equal
/// and would be one document, one member name, one revision. Here they are two. There is no order:
/// which order a store keeps is a rule of the store, never of the value.
public struct JSONString: Sendable {
  /// The same text as a Swift string, for messages and for building other text.
  public let string: String

  /// The text of a Swift string, its UTF-8 bytes unchanged.
  public init(_ string: String) {
    var string = string
    string.makeContiguousUTF8()
    self.string = string
  }

  /// The text of the given bytes, or nil when they are not valid UTF-8.
  public init?(validating bytes: some Collection<UInt8>) {
    let text = bytes.withContiguousStorageIfAvailable { Self.validated($0) }
    guard let string = text ?? String(validating: bytes, as: UTF8.self) else { return nil }
    self.init(string)
  }

  /// The text of bytes in memory, or nil when they are not valid UTF-8.
  public init?(validating bytes: UnsafeBufferPointer<UInt8>) {
    guard let string = Self.validated(bytes) else { return nil }
    self.string = string
  }

  private static func validated(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    // Most text is ASCII, which needs no validation, and decoding alone is several times as fast.
    bytes.isASCII
      ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
  }

  /// The bytes of the text.
  public var utf8: String.UTF8View { string.utf8 }

  /// Whether the text has no bytes.
  public var isEmpty: Bool { string.utf8.isEmpty }

  /// Calls `body` with the text's bytes in contiguous memory, valid during the call only.
  @inlinable
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Every text is contiguous, so there always is a result.
    let result = string.utf8.withContiguousStorageIfAvailable {
      bytes -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result!.get()
  }
}

// These two do not go by `withBytes`: a build without optimization would spend a third of all tests in the
// metadata of its generic result.

extension JSONString: Equatable {
  public static func == (left: JSONString, right: JSONString) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    // Every text is contiguous, so there always is a result.
    let isSame = left.utf8.withContiguousStorageIfAvailable { leftBytes in
      right.utf8.withContiguousStorageIfAvailable { rightBytes in
        leftBytes.hasSameBytes(as: rightBytes)
      }!
    }
    return isSame!
  }
}

extension JSONString: Hashable {
  public func hash(into hasher: inout Hasher) {
    utf8.withContiguousStorageIfAvailable { bytes in
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }!
  }
}

extension JSONString: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }
}

extension JSONString: CustomStringConvertible {
  public var description: String { string }
}
