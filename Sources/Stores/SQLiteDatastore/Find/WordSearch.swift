internal import JSON

/// The words of a search, split as by the FTS5 tokenizer `ascii`.
struct WordSearch {
  /// The distinct words, with ASCII letters in lower case.
  let words: [[UInt8]]

  init(_ text: JSONString) {
    var words: [[UInt8]] = []
    Self.eachWord(of: text) { word in
      if !words.contains(word) { words.append(word) }
    }
    self.words = words
  }

  /// Marks the words that occur in a text.
  func mark(_ text: JSONString, in found: inout [Bool]) {
    Self.eachWord(of: text) { word in
      if let place = words.firstIndex(of: word) { found[place] = true }
    }
  }

  private static func eachWord(of text: JSONString, _ body: ([UInt8]) -> Void) {
    text.withBytes { bytes in
      var word: [UInt8] = []
      for byte in bytes {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
          word.append(byte)
        default:
          if !word.isEmpty { body(word) }
          word.removeAll(keepingCapacity: true)
        }
      }
      if !word.isEmpty { body(word) }
    }
  }
}
