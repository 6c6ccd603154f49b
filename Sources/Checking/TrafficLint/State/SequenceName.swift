internal import JSON

/// An update sequence, compared as text: sequences are opaque, and `since` has no types.
struct SequenceName: Hashable {
  let text: JSONString

  /// The sequence of a JSON value; nil for null.
  init?(_ value: JSONValue) {
    switch value {
    case .null: return nil
    case .string(let text): self.text = text
    default: text = JSONString(value.serialized())
    }
  }

  /// The sequence of `since`; arrays and texts in quotation marks are JSON.
  init(query: JSONString) {
    let isJSON = query.utf8.first.map { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "\"") }
    let value = isJSON == true ? try? JSONValue.parse(query.utf8) : nil
    text = value.flatMap { SequenceName($0)?.text } ?? query
  }

  static let zero = SequenceName(query: "0")

  /// A short form for sets of all sequences of a transcript: FNV-1a with 64 bits.
  var digest: UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// The number before the first hyphen; nil if the sequence has none.
  var number: Int? {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "-") }
    guard (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// The sequence for a sentence, at most 24 bytes.
  var words: String {
    text.utf8.count <= 24
      ? text.string : String(decoding: text.utf8.prefix(20), as: UTF8.self) + "…"
  }
}
