internal import JSON

/// A difference between a response and its pattern.
public struct WireMismatch: Hashable, Sendable {
  /// The place in the response, such as `body.rows[0].id` or `status`.
  public let place: String
  /// What the vector expects there.
  public let expected: String
  /// What the response has there.
  public let actual: String
}

/// A comparison of values with patterns, which collects the captured values.
struct WireMatcher {
  var values: WireValues

  /// Returns the first difference; nil if the value matches.
  ///
  /// - Parameters:
  ///   - value: nil for an absent value.
  ///   - place: the place of the value in the response.
  mutating func mismatch(
    _ pattern: WirePattern, _ value: JSONValue?, at place: String
  ) -> WireMismatch? {
    func differs(_ expected: String) -> WireMismatch {
      WireMismatch(place: place, expected: expected, actual: value?.serialized() ?? "absent")
    }
    if case .absent = pattern { return value == nil ? nil : differs("absent") }
    if case .not(let inner) = pattern {
      var attempt = self
      guard attempt.mismatch(inner, value, at: place) == nil else { return nil }
      return differs("not \(words(inner))")
    }
    if case .oneOf(let patterns) = pattern {
      for inner in patterns {
        var attempt = self
        guard attempt.mismatch(inner, value, at: place) == nil else { continue }
        self = attempt
        return nil
      }
      return differs(words(pattern))
    }
    guard let value else { return differs(words(pattern)) }
    switch pattern {
    case .absent, .not, .oneOf, .any: return nil
    case .scalar(let expected):
      return values.expanded(expected).isSameValue(as: value) ? nil : differs(words(pattern))
    case .value(let name):
      return values[name]?.isSameValue(as: value) == true ? nil : differs(words(pattern))
    case .type(let type): return type.contains(value) ? nil : differs(words(pattern))
    case .text(let rule):
      guard let text = value.textValue, rule.holds(for: text, values) else {
        return differs(words(pattern))
      }
      return nil
    case .integer(let min, let max):
      guard let number = value.integerValue, number >= min ?? .min, number <= max ?? .max else {
        return differs(words(pattern))
      }
      return nil
    case .capture(let name, let inner):
      if let difference = mismatch(inner, value, at: place) { return difference }
      values[name] = value
      return nil
    case .members(let members, let isOpen):
      guard let object = value.objectValue else { return differs("an object") }
      return mismatch(members, object, isOpen: isOpen, at: place)
    case .elements(let patterns):
      guard let elements = value.arrayValue else { return differs("an array") }
      for (index, inner) in patterns.enumerated() where index < elements.count {
        let place = DecodingPath.element(index, of: place)
        if let difference = mismatch(inner, elements[index], at: place) { return difference }
      }
      return patterns.count == elements.count
        ? nil : differs("\(patterns.count) elements, not \(elements.count)")
    case .unordered(let patterns):
      guard let elements = value.arrayValue, elements.count == patterns.count,
        assign(patterns[...], elements, at: place)
      else { return differs(words(pattern)) }
      return nil
    case .contains(let patterns):
      guard let elements = value.arrayValue, assign(patterns[...], elements, at: place) else {
        return differs(words(pattern))
      }
      return nil
    }
  }

  private mutating func mismatch(
    _ members: [WirePattern.Member], _ object: JSONObject, isOpen: Bool, at place: String
  ) -> WireMismatch? {
    for member in members {
      let place = DecodingPath.member(member.name, of: place)
      if let difference = mismatch(member.pattern, object[member.name], at: place) {
        return difference
      }
    }
    guard !isOpen else { return nil }
    let known = members.map(\.name)
    guard let other = object.members.first(where: { !known.contains($0.name) }) else { return nil }
    return WireMismatch(
      place: DecodingPath.member(other.name, of: place), expected: "absent",
      actual: other.value.serialized())
  }

  /// Matches each pattern with an element of its own; keeps the captures of the first way.
  private mutating func assign(
    _ patterns: ArraySlice<WirePattern>, _ elements: [JSONValue], at place: String
  ) -> Bool {
    guard let first = patterns.first else { return true }
    for index in elements.indices {
      var attempt = self
      guard attempt.mismatch(first, elements[index], at: place) == nil else { continue }
      var rest = elements
      rest.remove(at: index)
      if attempt.assign(patterns.dropFirst(), rest, at: place) {
        self = attempt
        return true
      }
    }
    return false
  }

  /// The pattern for readers, with the captured values.
  func words(_ pattern: WirePattern) -> String {
    func list(_ patterns: [WirePattern]) -> String {
      patterns.map { words($0) }.joined(separator: ", ")
    }
    switch pattern {
    case .scalar(let value): return values.expanded(value).serialized()
    case .value(let name): return values[name]?.serialized() ?? "the value of \(name)"
    case .any: return "any value"
    case .absent: return "absent"
    case .type(let type): return "type \(type.rawValue)"
    case .text(let rule): return rule.words(values)
    case .integer(let min, let max):
      return "an integer from \(min.map { "\($0)" } ?? "-") to \(max.map { "\($0)" } ?? "-")"
    case .capture(_, let inner): return words(inner)
    case .elements(let patterns): return "[\(list(patterns))]"
    case .unordered(let patterns): return "in any order [\(list(patterns))]"
    case .contains(let patterns): return "an array with \(list(patterns))"
    case .not(let inner): return "not \(words(inner))"
    case .oneOf(let patterns):
      return patterns.map { words($0) }.joined(separator: " or ")
    case .members(let members, let isOpen):
      let texts = members.map { member in
        "\(JSONValue.string(member.name).serialized()): \(words(member.pattern))"
      }
      return "{\((texts + (isOpen ? ["…"] : [])).joined(separator: ", "))}"
    }
  }
}

extension WirePattern.ValueType {
  fileprivate func contains(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.null, .null), (.boolean, .bool), (.string, .string), (.array, .array),
      (.object, .object), (.integer, .integer), (.integer, .unsigned),
      (.number, .integer), (.number, .unsigned), (.number, .double):
      true
    default: false
    }
  }
}

extension WirePattern.TextRule {
  fileprivate func holds(for text: JSONString, _ values: WireValues) -> Bool {
    let bytes = Array(text.utf8)
    func expanded(_ part: JSONString) -> [UInt8] { Array(values.expanded(part).utf8) }
    if let prefix, !bytes.starts(with: expanded(prefix)) { return false }
    if let suffix, !bytes.reversed().starts(with: expanded(suffix).reversed()) { return false }
    if let length, bytes.count != Int(length) { return false }
    if isHexadecimal, !bytes.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) { return false }
    return contains.allSatisfy { part in
      let part = expanded(part)
      return part.isEmpty
        || bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
  }

  fileprivate func words(_ values: WireValues) -> String {
    func quoted(_ text: JSONString) -> String {
      JSONValue.string(values.expanded(text)).serialized()
    }
    var parts: [String] = []
    if let prefix { parts.append("begins with \(quoted(prefix))") }
    if let suffix { parts.append("ends with \(quoted(suffix))") }
    parts += contains.map { "contains \(quoted($0))" }
    if let length { parts.append("has \(length) bytes") }
    if isHexadecimal { parts.append("has only hexadecimal digits") }
    return "a text that " + (parts.isEmpty ? "exists" : parts.joined(separator: " and "))
  }
}
