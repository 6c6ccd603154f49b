internal import Datastore
package import JSON
internal import Scenarios

// The notation of names, times and outcomes in diagrams.

extension JSONString {
  /// The text without characters that control a terminal or a page.
  package var printable: String { string.printable }
}

extension String {
  /// The beginning of the text, at most this many scalars, with a mark if it is cut.
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

extension Identifier {
  /// A name in a sentence.
  var name: String { text.isEmpty ? "(empty)" : text.printable.cut(to: 40) }
}

extension RevisionID {
  /// The generation and the first four letters of the rest, which distinguishes nearly all
  /// revisions of a diagram.
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

/// A duration for readers.
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

/// The first names, and the number of further ones.
func listed(_ names: [String], atMost limit: Int = 2) -> String {
  let rest = names.count - limit
  return names.prefix(limit).joined(separator: ", ") + (rest > 0 ? " +\(rest)" : "")
}
