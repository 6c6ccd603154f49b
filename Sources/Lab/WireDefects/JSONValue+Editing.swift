internal import JSON
internal import WireConformance

extension JSONValue {
  /// The member of an object, or null. Setting changes an object only.
  subscript(name: JSONString) -> JSONValue {
    get { objectValue?[name] ?? .null }
    set {
      guard var object = objectValue else { return }
      object[name] = newValue
      self = .object(object)
    }
  }

  /// The value without a member.
  func without(_ name: JSONString) -> JSONValue {
    guard var object = objectValue else { return self }
    object[name] = nil
    return .object(object)
  }

  /// Changes the values at a path of member names; `*` is every element or member, and nil
  /// removes.
  mutating func change(at path: [String], _ change: (JSONValue) -> JSONValue?) {
    self = changed(at: path[...], change) ?? .null
  }

  private func changed(
    at path: ArraySlice<String>, _ change: (JSONValue) -> JSONValue?
  ) -> JSONValue? {
    guard let first = path.first else { return change(self) }
    let rest = path.dropFirst()
    switch self {
    case .array(let elements) where first == "*":
      return .array(elements.compactMap { $0.changed(at: rest, change) })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.compactMap { member in
            guard first == "*" || member.name == JSONString(first) else {
              return (member.name, member.value)
            }
            return member.value.changed(at: rest, change).map { (member.name, $0) }
          }))
    default: return self
    }
  }

  /// The value with other names of members, at every depth.
  func renamed(_ rename: (JSONString) -> JSONString) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.renamed(rename) })
    case .object(let object):
      .object(
        JSONObject(object.members.map { (rename($0.name), $0.value.renamed(rename)) }))
    default: self
    }
  }

  /// The elements of an array that satisfy a condition; any other value itself.
  func filtered(_ condition: (JSONValue) -> Bool) -> JSONValue {
    arrayValue.map { .array($0.filter(condition)) } ?? self
  }

  /// The elements of an array in the opposite order; any other value itself.
  var reversed: JSONValue { arrayValue.map { .array($0.reversed()) } ?? self }

  /// The first elements of an array; any other value itself.
  func prefix(_ count: Int) -> JSONValue {
    arrayValue.map { .array(Array($0.prefix(count))) } ?? self
  }

  /// Whether a text begins with another one.
  func begins(with prefix: String) -> Bool {
    textValue?.utf8.starts(with: prefix.utf8) == true
  }
}

extension WireResponse {
  /// A response of JSON.
  init(_ status: Int64, json: JSONValue) {
    self.init(
      status, headers: [WireHeader("content-type", "application/json")],
      body: json.serializedBytes())
  }

  /// The response to an error.
  static func failure(_ status: Int64, _ error: String) -> WireResponse {
    WireResponse(status, json: ["error": .text(error), "reason": .text(error)])
  }

  /// The body as JSON; null if it is not valid.
  var json: JSONValue { (try? JSONValue.parse(body)) ?? .null }

  /// Changes a JSON body; no other one.
  mutating func edit(_ change: (inout JSONValue) -> Void) {
    guard var json = try? JSONValue.parse(body) else { return }
    change(&json)
    body = json.serializedBytes()
    headers.removeAll { $0.name == "content-length" }
  }

  /// Sets a header field; nil removes it.
  mutating func set(_ name: JSONString, _ value: JSONString?) {
    headers.removeAll { $0.name == name }
    if let value { headers.append(WireHeader(name, value)) }
  }
}

extension [UInt8] {
  /// The bytes with a text in place of another one, everywhere.
  func replacing(_ text: String, with other: String) -> [UInt8] {
    let (pattern, replacement) = (Array(text.utf8), Array(other.utf8))
    var result: [UInt8] = []
    var place = 0
    while place < count {
      if self[place] == pattern[0], self[place...].starts(with: pattern) {
        result += replacement
        place += pattern.count
      } else {
        result.append(self[place])
        place += 1
      }
    }
    return result
  }
}
