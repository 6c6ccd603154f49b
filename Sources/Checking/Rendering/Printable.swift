/// Text of stores, adapters and vectors for readers: nothing in it moves a cursor, changes the
/// direction of writing, ends a line or commands a build server.
///
/// Build servers read what a step prints. GitHub runs a line that begins with `::` after white space,
/// and, like Azure Pipelines and TeamCity, text such as `##[add-path]`, `##vso[…]` and
/// `##teamcity[…]`. Each format of a report escapes the same scalars in its own syntax.
///
/// Sources: actions/runner, `ActionCommand.cs`; Azure Pipelines, "Logging commands"; TeamCity,
/// "Service messages".
extension String {
  /// The text with such scalars as Swift writes them, such as `\u{1B}`.
  package var printable: String {
    guard unicodeScalars.contains(where: { $0.isUnprintable || $0 == ":" || $0 == "#" }) else {
      return self
    }
    let scalars = Array(unicodeScalars)
    var result = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated() {
      if scalar.isUnprintable {
        result.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else if scalars.beginsCommand(at: place) {
        result.append(
          contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// The same, with the line feeds left in.
  package var printableLines: String {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).printable }.joined(separator: "\n")
  }
}

extension Unicode.Scalar {
  /// Whether a terminal takes the scalar for a command, a line end, or a change of direction, or shows
  /// nothing for it (Unicode's default-ignorable code points).
  package var isUnprintable: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x2029: true
    case 0..<0x80: false
    default: properties.isDefaultIgnorableCodePoint
    }
  }
}

extension [Unicode.Scalar] {
  /// Whether a build server may take what begins at a place for a command.
  package func beginsCommand(at place: Int) -> Bool {
    guard place + 1 < count, self[place] == self[place + 1] else { return false }
    switch self[place] {
    // Lines are wrapped at spaces, so that any word may come to begin one.
    case ":": return place == 0 || self[place - 1].properties.isWhitespace
    case "#":
      let name = self[(place + 2)...].prefix { $0.properties.isAlphabetic || $0 == "-" }
      return place + 2 + name.count < count && self[place + 2 + name.count] == "["
    default: return false
    }
  }
}
