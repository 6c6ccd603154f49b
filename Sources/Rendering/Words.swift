internal import Datastore
package import JSON
internal import Scenarios

// How names, times and outcomes are spelled in pictures.

extension Text {
  /// The text with nothing that a terminal or a page takes for more than a letter.
  package var printable: String { string.printable }
}

extension String {
  /// The text with control characters, changes of direction and line ends spelled out.
  package var printable: String {
    guard unicodeScalars.contains(where: { $0.isCommand }) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isCommand {
        result.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// The beginning of the text, at most so many scalars with the mark that something is missing.
  func cut(to count: Int) -> String {
    guard unicodeScalars.count > count else { return self }
    return String(unicodeScalars.prefix(max(0, count - 1))) + "…"
  }

  /// The text with spaces after it, up to so many scalars.
  func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - unicodeScalars.count))
  }

  /// The text with spaces before it, up to so many scalars.
  func indented(to count: Int) -> String {
    String(repeating: " ", count: max(0, count - unicodeScalars.count)) + self
  }
}

extension Unicode.Scalar {
  fileprivate var isCommand: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension Identifier {
  /// A name that a reader may meet in a sentence.
  var name: String { text.isEmpty ? "(empty)" : text.printable.cut(to: 40) }
}

extension RevisionID {
  /// The generation and the first four letters of the rest, which tells revisions of one picture
  /// apart nearly always.
  var short: String {
    let parts = text.printable.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return text.printable.cut(to: 8) }
    return "\(parts[0].prefix(6))-\(parts[1].prefix(4))"
  }
}

/// A time in seconds, to the millisecond.
func seconds(_ nanoseconds: UInt64) -> String {
  let milliseconds = nanoseconds / 1_000_000
  let rest = String(milliseconds % 1000)
  return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
}

/// A pause as a reader says it.
func pause(milliseconds: Int64) -> String {
  let (size, sign) = (milliseconds.magnitude, milliseconds < 0 ? "-" : "")
  if size < 1000 { return "\(sign)\(size) ms" }
  let tenths = size % 1000 / 100
  return "\(sign)\(size / 1000)\(tenths == 0 ? "" : ".\(tenths)") s"
}

/// A number and what it counts.
func count(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}

/// The first names and how many there are beyond them.
func listed(_ names: [String], atMost limit: Int = 2) -> String {
  let rest = names.count - limit
  return names.prefix(limit).joined(separator: ", ") + (rest > 0 ? " +\(rest)" : "")
}
