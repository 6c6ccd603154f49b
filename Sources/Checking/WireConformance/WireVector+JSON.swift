internal import Digest
internal import JSON

extension WireVector {
  /// The most databases of a vector.
  static let databasesMax = 2

  /// Reads a vector.
  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.text("id")
    clauses = try reader.elements("clauses") { value, path throws(DecodingFailure) in
      try value.text(at: path)
    }
    note = try reader.optionalText("note")
    let count = try reader.optionalInteger("databases") ?? 1
    guard (0...Int64(Self.databasesMax)).contains(count) else {
      throw DecodingFailure(
        path: reader.path(to: "databases"), message: "expected 0 to \(Self.databasesMax)")
    }
    databaseCount = Int(count)
    steps = try reader.elements("steps") { value, path throws(DecodingFailure) in
      try WireStep(value, path: path)
    }
    try reader.finish()
    guard id.utf8.starts(with: "wire-".utf8) else {
      throw DecodingFailure(path: path, message: "the id '\(id)' does not begin with wire-")
    }
    guard !clauses.isEmpty, !steps.isEmpty else {
      throw DecodingFailure(path: path, message: "expected at least one clause and one step")
    }
    try requireNames(path)
  }

  /// Throws if a step refers to a name that no earlier pattern captures.
  private func requireNames(_ path: String) throws(DecodingFailure) {
    var known: Set<JSONString> = ["db", "other"]
    for (index, step) in steps.enumerated() {
      let place = DecodingPath.element(index, of: DecodingPath.member("steps", of: path))
      for name in step.request.used where !known.contains(name) {
        throw DecodingFailure(path: place, message: "no earlier step captures '\(name)'")
      }
      for pattern in step.response.patterns { known.formUnion(pattern.captured) }
      for pattern in step.response.patterns {
        for name in pattern.used where !known.contains(name) {
          throw DecodingFailure(path: place, message: "no pattern captures '\(name)'")
        }
      }
    }
  }
}

extension WireStep {
  private static let attemptsMax: Int64 = 1000

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    request = try WireRequestTemplate(
      try reader.required("request"), path: reader.path(to: "request"))
    response = try WireExpectation(
      try reader.required("response"), path: reader.path(to: "response"))
    let attempts = try reader.optionalInteger("attempts") ?? 1
    guard (1...Self.attemptsMax).contains(attempts) else {
      throw DecodingFailure(
        path: reader.path(to: "attempts"), message: "expected 1 to \(Self.attemptsMax)")
    }
    self.attempts = Int(attempts)
    try reader.finish()
  }
}

extension WireRequestTemplate {
  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    method = try reader.text("method")
    self.path = try reader.text("path")
    query = try reader.object("query")
    headers = try reader.object("headers")
    body = try Body(&reader)
    try reader.finish()
    guard self.path.utf8.first == UInt8(ascii: "/") else {
      throw DecodingFailure(path: reader.path(to: "path"), message: "expected a path from /")
    }
  }

  /// The names that the request refers to.
  var used: [JSONString] {
    WireTemplate.names(in: path) + WireTemplate.names(in: .object(query))
      + WireTemplate.names(in: .object(headers)) + body.used
  }
}

extension WireRequestTemplate.Body {
  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    let found = (
      reader.optional("body"), try reader.optionalText("text"),
      try reader.optionalText("base64"), try reader.optionalReader("multipart")
    )
    switch found {
    case (nil, nil, nil, nil): self = .none
    case (let json?, nil, nil, nil): self = .json(json)
    case (nil, let text?, nil, nil): self = .text(text)
    case (nil, nil, let text?, nil): self = .bytes(try Base64.bytes(text, &reader))
    case (nil, nil, nil, var inner?):
      let type = try inner.text("type")
      let parts = try inner.elements("parts") { value, path throws(DecodingFailure) in
        var reader = try ObjectReader(value, path: path)
        let headers = try reader.object("headers")
        let body = try Self(&reader)
        try reader.finish()
        return WireRequestTemplate.Part(headers: headers, body: body)
      }
      try inner.finish()
      self = .multipart(type, parts)
    default: throw DecodingFailure(path: reader.path, message: "more than one body")
    }
  }

  fileprivate var used: [JSONString] {
    switch self {
    case .none, .bytes: []
    case .json(let json): WireTemplate.names(in: json)
    case .text(let text): WireTemplate.names(in: text)
    case .multipart(_, let parts):
      parts.flatMap { WireTemplate.names(in: .object($0.headers)) + $0.body.used }
    }
  }
}

extension WireExpectation {
  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let status = try reader.required("status")
    let place = reader.path(to: "status")
    if let number = status.integerValue {
      statuses = [number]
    } else {
      statuses = try status.elements(at: place) { value, path throws(DecodingFailure) in
        try value.integer(at: path)
      }
    }
    var headers: [WirePattern.Member] = []
    for member in try reader.object("headers").members {
      let place = DecodingPath.member(member.name, of: reader.path(to: "headers"))
      guard member.name == WireHeader(member.name, "").name else {
        throw DecodingFailure(path: place, message: "expected a name in lower case")
      }
      headers.append(
        WirePattern.Member(
          name: member.name, pattern: try WirePattern(member.value, path: place)))
    }
    self.headers = headers
    body = try Body(&reader)
    try reader.finish()
  }
}

extension WireExpectation.Body {
  private static let names: [JSONString] = [
    "empty", "body", "text", "base64", "multipart", "lines",
  ]

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    var found: [(name: JSONString, value: JSONValue)] = []
    for name in Self.names {
      if let value = reader.optional(name) { found.append((name, value)) }
    }
    guard let (name, value) = found.first else {
      self = .unchecked
      return
    }
    let path = reader.path(to: name)
    guard found.count == 1 else {
      throw DecodingFailure(path: reader.path, message: "more than one body")
    }
    switch name {
    case "empty":
      guard try value.bool(at: path) else {
        throw DecodingFailure(path: path, message: "expected true")
      }
      self = .empty
    case "body": self = .json(try WirePattern(value, path: path))
    case "text": self = .text(try WirePattern(value, path: path))
    case "base64": self = .bytes(try Base64.bytes(try value.text(at: path), &reader))
    case "multipart": self = .multipart(try WirePattern(value, path: path))
    default: self = .lines(try WirePattern(value, path: path))
    }
  }
}

extension ObjectReader {
  /// The members of an object; empty for any other value.
  fileprivate mutating func object(_ name: JSONString) throws(DecodingFailure) -> JSONObject {
    guard let value = optional(name) else { return [:] }
    guard let object = value.objectValue else {
      throw DecodingFailure(path: path(to: name), expected: "an object", found: value)
    }
    return object
  }
}

extension Base64 {
  fileprivate static func bytes(
    _ text: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> [UInt8] {
    guard let bytes = decode(text.utf8) else {
      throw DecodingFailure(path: reader.path(to: "base64"), message: "not valid base64")
    }
    return bytes
  }
}
