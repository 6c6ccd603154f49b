/// A page under construction. All text that is not markup goes through `escaped`.
package struct Markup {
  package private(set) var text = ""

  package init() {}

  /// Adds markup as it is.
  package mutating func raw(_ markup: String) { text += markup }

  /// Adds markup and a line end.
  package mutating func line(_ markup: String) {
    text += markup
    text += "\n"
  }

  /// Adds an element with escaped text in it.
  package mutating func element(_ name: String, _ attributes: String = "", content: String) {
    let space = attributes.isEmpty ? "" : " "
    line("<\(name)\(space)\(attributes)>\(escaped(content))</\(name)>")
  }
}

/// The text as it stands between tags, or between quotes in one.
package func escaped(_ text: String) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count)
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "&"): bytes += "&amp;".utf8
    case UInt8(ascii: "<"): bytes += "&lt;".utf8
    case UInt8(ascii: ">"): bytes += "&gt;".utf8
    case UInt8(ascii: "\""): bytes += "&quot;".utf8
    case UInt8(ascii: "'"): bytes += "&#39;".utf8
    default: bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// JSON text as it stands in a script element: nothing in it can end the element.
func embedded(_ json: String) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(json.utf8.count)
  for byte in json.utf8 {
    // These bytes occur only in strings, where JSON permits this encoding.
    switch byte {
    case UInt8(ascii: "<"): bytes += "\\u003c".utf8
    case UInt8(ascii: ">"): bytes += "\\u003e".utf8
    case UInt8(ascii: "&"): bytes += "\\u0026".utf8
    default: bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
