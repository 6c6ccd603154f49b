/// A text that is identified by its UTF-8 bytes: compared and hashed byte by byte.
///
/// Swift's `String` compares by canonical equivalence, so the composed and the decomposed `"é"`
/// would be one document, one member name, one revision. Here they differ. The type defines no
/// order, because the order is a rule of each store.
public struct JSONString: Sendable {
  /// The same text as a Swift string, for messages and for building other text.
  public let string: String

  /// The text of a Swift string with unchanged UTF-8 bytes.
  public init(_ string: String) {
    var string = string
    string.makeContiguousUTF8()
    self.string = string
  }

  /// The text of the given bytes, or nil if they are not valid UTF-8.
  public init?(validating bytes: some Collection<UInt8>) {
    let text = bytes.withContiguousStorageIfAvailable { Self.validated($0) }
    guard let string = text ?? String(validating: bytes, as: UTF8.self) else { return nil }
    self.init(string)
  }

  /// The text of bytes in memory, or nil if they are not valid UTF-8.
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
    // The storage of a text is always contiguous, so a result always exists.
    let result = string.utf8.withContiguousStorageIfAvailable {
      bytes -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result!.get()
  }
}

// These two functions do not use `withBytes`: an unoptimized build would spend a third of the time
// of all tests in the metadata of its generic result.

extension JSONString: Equatable {
  public static func == (left: JSONString, right: JSONString) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    // The storage of a text is always contiguous, so a result always exists.
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
