internal import Datastore
internal import JSON

/// The encoding of positions in the feed: `17-0f3a9c21`, a number and the start of the incarnation.
///
/// The second part distinguishes positions of other stores, and those of this store before it was
/// destroyed and created again.
struct SequenceRule {
  private let ending: [UInt8]

  init(incarnation: JSONString) {
    ending = [UInt8(ascii: "-")] + incarnation.utf8.prefix(8)
  }

  func sequence(_ number: Int64) -> UpdateSequence {
    // A damaged file can contain any number.
    guard number >= 0 else {
      return .text(JSONString(number.description + String(decoding: ending, as: UTF8.self)))
    }
    // Pages have thousands of positions: the digits are written once, from the last to the first.
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { bytes in
      var start = bytes.count - ending.count
      for place in ending.indices { bytes[start + place] = ending[place] }
      var rest = number
      repeat {
        start -= 1
        bytes[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[start...]), as: UTF8.self)
    }
    return .text(JSONString(text))
  }

  /// The number of a position; throws `badSequence` if it is not a position of this store up to
  /// `last`.
  func number(_ sequence: UpdateSequence, last: Int64) throws(DatastoreError) -> Int64 {
    guard case .text(let text) = sequence, let number = Self.leadingNumber(text), number <= last,
      sequence == self.sequence(number)
    else {
      throw DatastoreError(.badSequence, "\(sequence) is not a position of this store")
    }
    return number
  }

  private static func leadingNumber(_ text: JSONString) -> Int64? {
    Int64(String(decoding: text.utf8.prefix { decimalValue($0) != nil }, as: UTF8.self))
  }
}
