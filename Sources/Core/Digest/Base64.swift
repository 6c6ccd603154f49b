import CCrypto

/// Base64 with padding and without any other characters (RFC 4648, section 4).
public enum Base64 {
  /// The encoded text of bytes.
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    return String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4 + 1) { text in
      Int(EVP_EncodeBlock(text.baseAddress, bytes, Int32(bytes.count)))
    }
  }

  /// The bytes that a text encodes; nil if the text is not exactly the output of `encode` for them.
  public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let text = Array(text)
    guard text.count % 4 == 0, text.count <= Int(Int32.max) else { return nil }
    var count: Int32 = 0
    var bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { bytes, length in
      count = EVP_DecodeBlock(bytes.baseAddress, text, Int32(text.count))
      length = Int(max(count, 0))
    }
    guard count >= 0 else { return nil }
    let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    guard padding <= bytes.count else { return nil }
    bytes.removeLast(padding)
    // libcrypto accepts spaces and non-zero unused bits.
    return encode(bytes).utf8.elementsEqual(text) ? bytes : nil
  }
}
