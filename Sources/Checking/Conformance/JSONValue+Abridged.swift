internal import JSON
internal import Scenarios

extension JSONValue {
  /// The shown bytes of a text, and the shown elements of a list or an object.
  private static let (bytesMax, elementsMax) = (120, 8)
  /// The shown depth of a value.
  private static let depthMax = 12

  /// The value with long texts, long lists and deep values cut, and a note about the rest.
  var abridged: JSONValue { abridged(depth: 0) }

  func abridged(if isLong: Bool) -> JSONValue { isLong ? abridged : self }

  private func abridged(depth: Int) -> JSONValue {
    switch self {
    case .string(let text) where text.utf8.count > Self.bytesMax:
      let start = String(text.string.unicodeScalars.prefix(32))
      return .text("\(start)… (\(text.utf8.count) bytes)")
    case .array, .object:
      guard depth < Self.depthMax else { return "…" }
      return abridgedParts(depth: depth)
    default: return self
    }
  }

  private func abridgedParts(depth: Int) -> JSONValue {
    switch self {
    case .array(let elements):
      let shown = elements.prefix(Self.elementsMax).map { $0.abridged(depth: depth + 1) }
      let hidden = elements.count - shown.count
      return .array(hidden > 0 ? shown + [.text("… \(hidden) more elements")] : shown)
    case .object(let object):
      var members = object.members.prefix(Self.elementsMax).map {
        ($0.name, $0.value.abridged(depth: depth + 1))
      }
      let hidden = object.count - members.count
      if hidden > 0 { members.append(("…", .text("\(hidden) more members"))) }
      return .object(JSONObject(members))
    default: return self
    }
  }
}

extension Mismatch {
  /// The mismatch with long values cut.
  var abridged: Mismatch {
    Mismatch(
      path: path, expected: expected?.abridged, actual: actual?.abridged, remark: remark)
  }
}
