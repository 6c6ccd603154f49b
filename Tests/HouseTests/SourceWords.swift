import Foundation

/// The literals of a Swift source.
struct SourceWords {
  /// A mutant and the literals after its sentence, up to the next mutant.
  struct Mutant {
    var name = ""
    var sentenceNumbers: Set<Double> = []
    var texts: [String] = []
    var numbers: [String] = []
  }

  private(set) var texts: Set<String> = []
  private(set) var numbers: Set<Double> = []
  private(set) var byMutant: [Mutant] = [Mutant()]

  private enum Token {
    case text(String)
    case word(String)
  }

  init() {}

  init(_ source: String) {
    let tokens = Self.tokens(source)
    let literals = tokens.compactMap { token in
      if case .text(let text) = token { text } else { nil }
    }
    var place = 0
    var skipped = 0
    for token in tokens {
      switch token {
      case .word(let word):
        guard let value = Self.value(word) else { continue }
        numbers.insert(value)
        byMutant[byMutant.count - 1].numbers.append(word)
      case .text(let text):
        defer { place += 1 }
        texts.insert(text)
        if skipped > 0 {
          skipped -= 1
        } else if let (sentence, count) = Self.sentence(behind: place, in: literals) {
          let stated = Self.words(of: sentence.replacing(",", with: "")).compactMap(Self.value)
          byMutant.append(Mutant(name: text, sentenceNumbers: Set(stated)))
          skipped = count
        } else if !text.hasPrefix("https:") {
          byMutant[byMutant.count - 1].texts.append(text)
        }
      }
    }
  }

  /// Returns the vocabulary of the contract: literals, cases and numbers of all tested sources.
  static func vocabulary() throws -> SourceWords {
    var result = SourceWords()
    for folder in ["Core", "Stores", "Checking", "Objects"] {
      for file in try SourceTree.files(below: "Sources/\(folder)") {
        let words = SourceWords(file.lines.joined(separator: "\n"))
        result.texts.formUnion(words.texts)
        result.numbers.formUnion(words.numbers)
        for line in file.lines {
          let words = line.split { $0 == " " }
          guard let first = words.first, first == "case" || first == "indirect" else { continue }
          result.texts.formUnion(Self.words(of: String(line)))
        }
      }
    }
    return result
  }

  /// Returns true if a word is in the vocabulary; single letters never are.
  func has(_ text: String) -> Bool {
    texts.contains(text) && !(text.utf8.count == 1 && text.utf8.first.map(Self.isLetter) == true)
  }

  /// Returns the runs of letters, digits, `_`, `$` and `@` that contain a letter or a digit.
  static func words(of text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || "_$@".contains($0)) }.map { String($0) }
      .filter { $0.contains { $0.isLetter || $0.isNumber } }
  }

  /// Returns the value of a number literal; nil if the word is not a number.
  static func value(_ word: String) -> Double? {
    let digits = word.replacing("_", with: "")
    guard digits.first?.isNumber == true else { return nil }
    if digits.hasPrefix("0x") { return UInt64(digits.dropFirst(2), radix: 16).map { Double($0) } }
    return Double(digits)
  }

  /// Returns the sentence of the mutant whose name is at a place, and the number of literals of the
  /// sentence and clause; nil if the literal is not a name.
  private static func sentence(behind place: Int, in literals: [String]) -> (String, Int)? {
    let isName = literals[place].utf8.allSatisfy {
      isLetter($0 | 0x20) && $0 > 0x60 || $0 == 0x2d || (0x30...0x39).contains($0)
    }
    guard isName, literals[place] != "" else { return nil }
    let next = Array(literals[(place + 1)...].prefix(2))
    if let first = next.first, first.hasSuffix("."), first.contains(" ") { return (first, 1) }
    guard next.count == 2, next[1].hasSuffix("."),
      next[0].utf8.last.map({ (0x30...0x39).contains($0) }) == true, next[0].contains("-")
    else { return nil }
    return (next[1], 2)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x5f
  }

  // MARK: Tokens

  private static let fences: [(opening: String, closing: String)] = [
    ("#\"\"\"", "\"\"\"#"), ("\"\"\"", "\"\"\""), ("#\"", "\"#"),
  ]

  /// Returns texts without interpolated code, and words outside of texts and comments.
  private static func tokens(_ source: String) -> [Token] {
    let bytes = Array(source.utf8)
    var tokens: [Token] = []
    var place = 0
    while place < bytes.count {
      if bytes[place...].starts(with: "//".utf8) {
        place = bytes[place...].firstIndex(of: 0x0a) ?? bytes.count
      } else if let (opening, closing) = Self.fences.first(where: { fence in
        bytes[place...].starts(with: fence.opening.utf8)
      }) {
        // Raw and multi-line literals end at their closing delimiter; escapes do not matter.
        place += opening.utf8.count
        let start = place
        while place < bytes.count, !bytes[place...].starts(with: closing.utf8) { place += 1 }
        tokens.append(.text(String(decoding: bytes[start..<place], as: UTF8.self)))
        place += closing.utf8.count
      } else if bytes[place] == 0x22 {
        var text: [UInt8] = []
        place = Self.end(ofText: bytes, from: place + 1, &text)
        tokens.append(.text(String(decoding: text, as: UTF8.self)))
      } else if isWord(bytes[place]) {
        let start = place
        let isNumber = !isLetter(bytes[place])
        repeat {
          place += 1
        } while place < bytes.count
          && (isWord(bytes[place])
            || isNumber && bytes[place] == 0x2e && place + 1 < bytes.count
              && (0x30...0x39).contains(bytes[place + 1]))
        tokens.append(.word(String(decoding: bytes[start..<place], as: UTF8.self)))
      } else {
        place += 1
      }
    }
    return tokens
  }

  /// Reads up to and including the closing quote; an escape becomes a space.
  private static func end(
    ofText bytes: [UInt8], from start: Int, _ text: inout [UInt8]
  ) -> Int {
    var place = start
    while place < bytes.count, bytes[place] != 0x22 {
      guard bytes[place] == 0x5c, place + 1 < bytes.count else {
        text.append(bytes[place])
        place += 1
        continue
      }
      text.append(0x20)
      guard bytes[place + 1] == 0x28 else {
        place += 2
        continue
      }
      var depth = 1
      place += 2
      while place < bytes.count, depth > 0 {
        if bytes[place] == 0x22 {
          var inner: [UInt8] = []
          place = end(ofText: bytes, from: place + 1, &inner)
          continue
        }
        depth += bytes[place] == 0x28 ? 1 : bytes[place] == 0x29 ? -1 : 0
        place += 1
      }
    }
    return place + 1
  }
}
