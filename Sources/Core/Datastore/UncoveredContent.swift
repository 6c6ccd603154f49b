public import JSON

/// A part of an edit on which the revision ids of a product do not depend although they should: edits
/// that differ only there get one revision id (EDIT-018).
public enum UncoveredContent: Hashable, Sendable {
  /// All but the low byte of each UTF-16 code unit of the texts in a body.
  case highBytesOfTexts
  /// The attachments of a deleted document that is created again.
  case attachmentsOfRecreations

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
