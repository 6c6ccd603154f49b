internal import Datastore
internal import JSON

/// How positions in the feed are spelled: `17-0f3a9c21`, a number and the start of the incarnation.
///
/// The second part tells positions of other stores apart, and those of this store before it was
/// destroyed and made again.
struct SequenceRule {
  private let ending: String

  init(incarnation: Text) {
    ending = "-" + String(decoding: incarnation.utf8.prefix(8), as: UTF8.self)
  }

  func sequence(_ number: Int64) -> UpdateSequence { .text(Text(number.description + ending)) }

  /// The number of a position, or `badSequence` when it is none of this store up to `last`.
  func number(_ sequence: UpdateSequence, last: Int64) throws(DatastoreError) -> Int64 {
    guard case .text(let text) = sequence, let number = Self.leadingNumber(text), number <= last,
      sequence == self.sequence(number)
    else {
      throw DatastoreError(.badSequence, "\(sequence) is no position of this store")
    }
    return number
  }

  private static func leadingNumber(_ text: Text) -> Int64? {
    Int64(String(decoding: text.utf8.prefix { decimalValue($0) != nil }, as: UTF8.self))
  }
}
