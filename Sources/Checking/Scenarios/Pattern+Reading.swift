internal import Datastore
internal import JSON

extension Pattern {
  /// Reads the pattern of an object; it may contain matchers but is not one itself.
  init(_ json: JSONValue, _ shape: ResultShape, path: String) throws(DecodingFailure) {
    if let matcher = json.objectValue?.members.first(where: { $0.name.isMatcherName }) {
      throw DecodingFailure(
        path: path, message: "expected the members of a result, found '\(matcher.name)'")
    }
    try self.init(part: json, shape, path: path, isMember: false)
  }

  /// Reads the pattern of an error; the kind must exist and have the fields.
  init(error json: JSONValue, path: String) throws(DecodingFailure) {
    try self.init(json, .error, path: path)
    try Self.checkError(json, path: path)
  }

  /// Reads a member's value or a list's element.
  private init(
    part json: JSONValue, _ shape: ResultShape, path: String, isMember: Bool
  ) throws(DecodingFailure) {
    if case .value = shape {
      self = .literal(json)
    } else if let object = json.objectValue,
      object.members.contains(where: { $0.name.isMatcherName })
    {
      self = try Self.matcher(object, shape, path: path, isMember: isMember)
    } else {
      self = try Self.plain(json, shape, path: path)
    }
  }

  private static func plain(
    _ json: JSONValue, _ shape: ResultShape, path: String
  ) throws(DecodingFailure) -> Pattern {
    switch shape {
    case .text: return .literal(.string(try json.text(at: path)))
    case .integer: return .literal(.integer(try json.integer(at: path)))
    case .bool: return .literal(.bool(try json.bool(at: path)))
    case .sequence: return .literal(try UpdateSequence(json, path: path).json)
    case .value: return .literal(json)
    case .open:
      switch json {
      case .object: return .object(try members(json, alike: .open, path: path, inMembers: true))
      case .array: return .list(try elements(json, .open, path: path))
      default: return .literal(json)
      }
    case .object(let shapes): return .object(try members(json, shapes, path: path))
    case .names(let shape): return .names(try members(json, alike: shape, path: path))
    case .list(let shape, let order):
      let patterns = try elements(json, shape, path: path)
      if case .winnerFirst = order { return .winnerFirst(patterns) }
      return .list(patterns)
    case .results(let shapes):
      let values = try json.array(at: path)
      guard values.count == shapes.count else {
        throw DecodingFailure(
          path: path, message: "expected \(shapes.count) elements, found \(values.count)")
      }
      var patterns: [Pattern] = []
      for (index, shape) in shapes.enumerated() {
        patterns.append(
          try Pattern(
            part: values[index], shape, path: DecodingPath.element(index, of: path), isMember: false
          ))
      }
      return .list(patterns)
    }
  }

  private static func members(
    _ json: JSONValue, _ shapes: [(name: JSONString, shape: ResultShape)], path: String
  ) throws(DecodingFailure) -> [Member] {
    var reader = try ObjectReader(json, path: path)
    for (name, _) in shapes { _ = reader.optional(name) }
    try reader.finish()
    var members: [Member] = []
    for member in json.objectValue?.members ?? [] {
      guard let shape = shapes.first(where: { $0.name == member.name })?.shape else { continue }
      let path = reader.path(to: member.name)
      let pattern = try Pattern(part: member.value, shape, path: path, isMember: true)
      // The error of a record has the same rules as the error of an operation.
      if member.name == "error", case .object = pattern {
        try checkError(member.value, path: path)
      }
      members.append(
        Member(member.name, pattern, in: member.name == "bodyMatches" ? "body" : nil))
    }
    if json.objectValue?["body"] != nil, json.objectValue?["bodyMatches"] != nil {
      throw DecodingFailure(path: path, message: "expected 'body' or 'bodyMatches', found both")
    }
    return members
  }

  /// Members of any names, all of one shape; optionally, they may be `$absent`.
  private static func members(
    _ json: JSONValue, alike shape: ResultShape, path: String, inMembers: Bool = false
  ) throws(DecodingFailure) -> [Member] {
    guard case .object(let object) = json else {
      throw DecodingFailure(path: path, message: "expected an object, found \(json.kind)")
    }
    var members: [Member] = []
    for member in object.members {
      let path = DecodingPath.member(member.name, of: path)
      let pattern = try Pattern(part: member.value, shape, path: path, isMember: inMembers)
      members.append(Member(member.name, pattern))
    }
    return members
  }

  private static func elements(
    _ json: JSONValue, _ shape: ResultShape, path: String
  ) throws(DecodingFailure) -> [Pattern] {
    try json.elements(at: path) { (element, path) throws(DecodingFailure) in
      try Pattern(part: element, shape, path: path, isMember: false)
    }
  }

  private static func matcher(
    _ object: JSONObject, _ shape: ResultShape, path: String, isMember: Bool
  ) throws(DecodingFailure) -> Pattern {
    var reader = ObjectReader(object, path: path)
    let pattern: Pattern
    if let name = reader.optional("$bind") {
      pattern = .bind(
        try name.text(at: reader.path(to: "$bind")), try form(&reader, shape))
    } else if let name = reader.optional("$ref") {
      pattern = .ref(try name.text(at: reader.path(to: "$ref")))
    } else if let values = reader.optional("$unordered") {
      guard case .list(let shape, _) = shape else {
        throw DecodingFailure(
          path: path, message: "expected '$unordered' in place of a list of elements of one kind")
      }
      pattern = .unordered(try elements(values, shape, path: reader.path(to: "$unordered")))
    } else if reader.optional("$absent") != nil {
      guard isMember else {
        throw DecodingFailure(path: path, message: "expected '$absent' in place of a member")
      }
      pattern = .absent
      try reader.expectTrue("$absent")
    } else if reader.optional("$any") != nil {
      pattern = .any
      try reader.expectTrue("$any")
    } else if let value = reader.optional("$only") {
      guard case .open = shape else {
        throw DecodingFailure(path: path, message: "expected '$only' below 'bodyMatches'")
      }
      pattern = .only(try members(value, alike: .open, path: reader.path(to: "$only")))
    } else {
      try reader.finish()
      pattern = .any
    }
    try reader.finish()
    return pattern
  }

  /// The members of `$bind` other than the name.
  private static func form(
    _ reader: inout ObjectReader, _ shape: ResultShape
  ) throws(DecodingFailure) -> Form {
    if let generation = try reader.optionalInteger("generation") {
      guard shape.isText else {
        throw DecodingFailure(
          path: reader.path(to: "generation"),
          message: "expected a revision id, which has a generation")
      }
      return .generation(generation)
    }
    if let count = try reader.optionalInteger("hexDigits") {
      guard shape.isText, count > 0 else {
        throw DecodingFailure(
          path: reader.path(to: "hexDigits"), message: "expected 1 or more, for a text")
      }
      return .hexDigits(count)
    }
    return .any
  }

  /// Fails unless the kind is known and the other members belong to it.
  private static func checkError(_ json: JSONValue, path: String) throws(DecodingFailure) {
    guard case .object(var error) = json, let kind = error["kind"] else {
      throw DecodingFailure(path: path, message: "missing member 'kind'")
    }
    // A field that the expectation leaves open gets a sample value, so that the error can be
    // parsed.
    for member in error.members where member.value.objectValue != nil { error[member.name] = nil }
    let table = OperationTable.current
    let members = table.errors.first { .string($0.kind) == kind }?.members ?? []
    for member in members where member.presence == .required && error[member.name] == nil {
      error[member.name] = table.resolved(member.shape).someScalar
    }
    _ = try DatastoreError(.object(error), path: path)
  }
}

extension ValueShape {
  /// A value of a scalar shape.
  fileprivate var someScalar: JSONValue? {
    guard case .scalar(let kind, let keywords) = self else { return nil }
    if case .array(let values)? = keywords["enum"] { return values.first }
    return kind == .integer ? 0 : ""
  }
}

extension ObjectReader {
  fileprivate mutating func expectTrue(_ name: JSONString) throws(DecodingFailure) {
    guard try bool(name) else {
      throw DecodingFailure(path: path(to: name), message: "expected true")
    }
  }
}
