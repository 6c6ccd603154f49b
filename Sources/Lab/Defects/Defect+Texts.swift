internal import Datastore
internal import JSON

// Mutants that change names and texts of bodies in a way that is typical of a language or a format.

extension Defect {
  static let texts: [Defect] = [
    bodies(
      "language-names-dropped", "BODY-004",
      sentence:
        "Members named __proto__ and constructor are dropped, as in a JavaScript object."
    ) { body in
      body.mapNames { $0 == "__proto__" || $0 == "constructor" ? nil : $0 }
    },
    bodies("line-ends-unified", "BODY-004", sentence: "CR LF in strings becomes LF.") { body in
      body.mapScalars { value in
        guard case .string(let text) = value else { return value }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
          if byte == 0x0a, bytes.last == 0x0d { bytes.removeLast() }
          bytes.append(byte)
        }
        return .text(String(decoding: bytes, as: UTF8.self))
      }
    },
    bodies("entities-decoded", "BODY-004", sentence: "HTML entities in strings are decoded.") {
      body in
      body.mapScalars { value in
        guard case .string(let text) = value else { return value }
        return .text(text.string.replacing("&amp;", with: "&"))
      }
    },
    bodies(
      "noncharacters-replaced", "UNI-002",
      sentence: "Noncharacters in strings are replaced by U+FFFD."
    ) { body in
      body.mapScalars { $0.mappingScalars { $0 & 0xfffe == 0xfffe ? 0xfffd : $0 } }
    },
    bodies(
      "letters-above-ffff-folded", "UNI-002",
      sentence: "Mathematical letters and digits are folded to ASCII, as by NFKC."
    ) { body in
      body.mapScalars { value in
        value.mappingScalars { scalar in
          switch scalar {
          case 0x1d400...0x1d419: scalar - 0x1d400 + 0x41
          case 0x1d7d8...0x1d7e1: scalar - 0x1d7d8 + 0x30
          default: scalar
          }
        }
      }
    },
  ]
}

extension JSONValue {
  /// A string with its Unicode scalars mapped; other values as they are.
  fileprivate func mappingScalars(_ transform: (UInt32) -> UInt32) -> JSONValue {
    guard case .string(let text) = self else { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in text.string.unicodeScalars {
      scalars.append(Unicode.Scalar(transform(scalar.value)) ?? scalar)
    }
    return .text(String(scalars))
  }
}
