public import JSON

/// A declared way in which contents under one revision id differ.
public enum ContentFlaw: Hashable, Sendable {
  /// A revision id depends only on the low byte of each UTF-16 code unit in the texts of a body
  /// (EDIT-018).
  case highBytesOfTexts
  /// The revision id of a deleted document that is created again does not depend on its attachments
  /// (EDIT-018).
  case attachmentsOfRecreations
  /// A replicator stores the bytes that another revision of the document has under the same name
  /// (REPL-027).
  case attachmentsOfOtherRevisions

  /// Returns what a revision id covers of a body, for comparison only. O(n) for n bytes.
  public func covered(_ body: JSONValue) -> JSONValue {
    self == .highBytesOfTexts ? body.mappingTexts(\.lowBytes) : body
  }
}

extension JSONString {
  /// The text of the low bytes of the UTF-16 code units, each as a character.
  fileprivate var lowBytes: JSONString {
    let units = string.utf16.map { Unicode.Scalar(UInt8(truncatingIfNeeded: $0)) }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: units)
    return JSONString(String(scalars))
  }
}

extension JSONValue {
  /// The value with other texts and other names of members.
  fileprivate func mappingTexts(_ map: (JSONString) -> JSONString) -> JSONValue {
    switch self {
    case .string(let text): .string(map(text))
    case .array(let elements): .array(elements.map { $0.mappingTexts(map) })
    case .object(let object):
      .object(JSONObject(object.members.map { (map($0.name), $0.value.mappingTexts(map)) }))
    default: self
    }
  }
}
