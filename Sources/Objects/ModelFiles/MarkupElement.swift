internal import JSON

/// An element of an XML file.
struct MarkupElement {
  let name: JSONString
  /// The attributes in their order; a parser rejects duplicates.
  let attributes: [(name: JSONString, value: JSONString)]
  /// The line of the start tag, 1 or more.
  let line: Int
  /// The elements inside, in their order.
  var children: [MarkupElement] = []
  /// The characters directly inside.
  var text = ""

  /// Returns the value of an attribute; nil if the element does not have it.
  subscript(name: JSONString) -> JSONString? { attributes.first { $0.name == name }?.value }

  /// Returns the value of an attribute; nil if it is missing or empty.
  func nonEmpty(_ name: JSONString) -> JSONString? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the elements inside that have a name.
  func children(_ name: JSONString) -> [MarkupElement] { children.filter { $0.name == name } }
}

/// The reason why a text is not accepted as XML.
struct MarkupFailure: Error {
  let line: Int
  let what: String
  let expected: String?
}
