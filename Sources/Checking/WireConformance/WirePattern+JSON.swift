internal import JSON

extension WirePattern {
  /// Reads a pattern.
  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    switch json {
    case .array(let elements): self = .elements(try Self.list(elements, path))
    case .object(let object):
      guard let first = object.members.first, first.name.utf8.first == UInt8(ascii: "$") else {
        self = .members(try Self.members(object, path), isOpen: false)
        return
      }
      var reader = ObjectReader(object, path: path)
      self = try Self.matcher(first.name, &reader)
      try reader.finish()
    default: self = .scalar(json)
    }
  }

  private static func list(
    _ elements: [JSONValue], _ path: String
  ) throws(DecodingFailure) -> [WirePattern] {
    var patterns: [WirePattern] = []
    for (index, element) in elements.enumerated() {
      patterns.append(try WirePattern(element, path: DecodingPath.element(index, of: path)))
    }
    return patterns
  }

  private static func members(
    _ object: JSONObject, _ path: String
  ) throws(DecodingFailure) -> [Member] {
    var members: [Member] = []
    for member in object.members {
      let place = DecodingPath.member(member.name, of: path)
      members.append(
        Member(name: member.name, pattern: try WirePattern(member.value, path: place)))
    }
    return members
  }

  private static func matcher(
    _ name: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> WirePattern {
    let path = reader.path(to: name)
    switch name.string {
    case "$any":
      try requireTrue(name, &reader)
      return .any
    case "$absent":
      try requireTrue(name, &reader)
      return .absent
    case "$type":
      let text = try reader.text(name)
      guard let type = ValueType.allCases.first(where: { JSONString($0.rawValue) == text }) else {
        throw DecodingFailure(path: path, message: "unknown type '\(text)'")
      }
      return .type(type)
    case "$text":
      var inner = try reader.reader(name)
      let rule = try TextRule(&inner)
      try inner.finish()
      return .text(rule)
    case "$integer":
      var inner = try reader.reader(name)
      let range = (try inner.optionalInteger("min"), try inner.optionalInteger("max"))
      try inner.finish()
      return .integer(min: range.0, max: range.1)
    case "$members":
      let value = try reader.required(name)
      guard let object = value.objectValue else {
        throw DecodingFailure(path: path, expected: "an object", found: value)
      }
      return .members(try members(object, path), isOpen: true)
    case "$unordered": return .unordered(try list(try reader.array(name), path))
    case "$contains": return .contains(try list(try reader.array(name), path))
    case "$oneOf": return .oneOf(try list(try reader.array(name), path))
    case "$not": return .not(try WirePattern(try reader.required(name), path: path))
    case "$value": return .value(try reader.text(name))
    case "$capture":
      let place = reader.path(to: "$where")
      guard let inner = reader.optional("$where") else {
        return .capture(try captureName(&reader), .any)
      }
      return .capture(try captureName(&reader), try WirePattern(inner, path: place))
    default: throw DecodingFailure(path: path, message: "unknown matcher")
    }
  }

  private static func captureName(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> JSONString {
    let name = try reader.text("$capture")
    guard WireTemplate.isName(name.utf8) else {
      throw DecodingFailure(
        path: reader.path(to: "$capture"), message: "expected a letter, letters and digits")
    }
    return name
  }

  private static func requireTrue(
    _ name: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) {
    guard try reader.bool(name) else {
      throw DecodingFailure(path: reader.path(to: name), message: "expected true")
    }
  }
}

extension WirePattern.TextRule {
  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    prefix = try reader.optionalText("prefix")
    suffix = try reader.optionalText("suffix")
    contains =
      try reader.optionalElements("contains") { value, path throws(DecodingFailure) in
        try value.text(at: path)
      } ?? []
    length = try reader.optionalInteger("length")
    isHexadecimal = try reader.optionalBool("hexadecimal") ?? false
  }
}
