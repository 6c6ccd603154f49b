internal import Datastore
internal import JSON

/// The paths to extract from a body, each with the slot of its value.
struct FieldTree {
  /// A name on a path.
  struct Node {
    var children: [Child] = []
    /// The slot of the value itself; nil if only values below it are extracted.
    var slot: Int?
  }

  struct Child {
    let name: JSONString
    let bytes: [UInt8]
    var node: Int
  }

  /// The nodes; the first one is the body.
  private(set) var nodes = [Node()]
  private(set) var slotCount = 0

  /// Adds a path, and returns the slot of its value.
  mutating func slot(for path: FieldPath) -> Int {
    var place = 0
    for name in path.names {
      if let child = nodes[place].children.first(where: { $0.name == name }) {
        place = child.node
        continue
      }
      nodes.append(Node())
      nodes[place].children.append(
        Child(name: name, bytes: Array(name.utf8), node: nodes.count - 1))
      place = nodes.count - 1
    }
    if let slot = nodes[place].slot { return slot }
    nodes[place].slot = slotCount
    slotCount += 1
    return slotCount - 1
  }
}

extension FieldTree {
  /// Extracts the values from a stored body, and skips everything else.
  func extract(
    from body: UnsafeBufferPointer<UInt8>, into values: inout [JSONValue?]
  ) throws(BodyCodecError) {
    for place in values.indices { values[place] = nil }
    guard slotCount > 0 else { return }
    var reader = BodyReader(body)
    reader.skipSpace()
    guard reader.next == UInt8(ascii: "{") else { throw reader.failure("no object") }
    try extract(nodes[0], &reader, isRoot: true, depth: 1, values: &values)
  }

  private func extract(
    _ node: Node, _ reader: inout BodyReader, isRoot: Bool, depth: Int,
    values: inout [JSONValue?]
  ) throws(BodyCodecError) {
    try reader.enter(depth)
    if reader.next == UInt8(ascii: "}") {
      reader.place += 1
      return
    }
    var foundCount = 0
    repeat {
      let child = try reader.name(among: node.children)
      if let child {
        try take(nodes[child], &reader, depth: depth, values: &values)
        foundCount += 1
        // Names are distinct, so no later member can match.
        if isRoot, foundCount == node.children.count { return }
      } else {
        try reader.skipValue()
      }
    } while try reader.passComma(end: UInt8(ascii: "}"))
  }

  /// Extracts the next value, or values below it.
  private func take(
    _ node: Node, _ reader: inout BodyReader, depth: Int, values: inout [JSONValue?]
  ) throws(BodyCodecError) {
    guard let slot = node.slot else {
      reader.skipSpace()
      guard reader.next == UInt8(ascii: "{") else { return try reader.skipValue() }
      return try extract(node, &reader, isRoot: false, depth: depth + 1, values: &values)
    }
    let value = try reader.value(depthAbove: depth)
    values[slot] = value
    if !node.children.isEmpty { take(below: node, value, &values) }
  }

  /// Extracts values below a value that is extracted itself.
  private func take(below node: Node, _ value: JSONValue, _ values: inout [JSONValue?]) {
    guard let object = value.objectValue else { return }
    for child in node.children {
      guard let inner = object[child.name] else { continue }
      if let slot = nodes[child.node].slot { values[slot] = inner }
      take(below: nodes[child.node], inner, &values)
    }
  }
}

extension BodyReader {
  /// Reads the name of a member and its colon; returns the matching node, if there is one.
  fileprivate mutating func name(
    among children: [FieldTree.Child]
  ) throws(BodyCodecError) -> Int? {
    skipSpace()
    guard next == UInt8(ascii: "\"") else { throw failure("no name") }
    let start = place + 1
    let isPlain = try skipString()
    var node: Int?
    if isPlain {
      let name = UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(bytes)[start..<(place - 1)])
      for child in children where child.bytes.count == name.count {
        if child.bytes.elementsEqual(name) {
          node = child.node
          break
        }
      }
    } else {
      let end = place
      place = start - 1
      let name = try string()
      node = children.first { $0.name == name }?.node
      guard place == end else { throw failure("no name") }
    }
    skipSpace()
    guard next == UInt8(ascii: ":") else { throw failure("no colon") }
    place += 1
    return node
  }

  /// Skips a string; returns false if it contains an escape sequence.
  private mutating func skipString() throws(BodyCodecError) -> Bool {
    place += 1
    var isPlain = true
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        return isPlain
      case UInt8(ascii: "\\"):
        isPlain = false
        place += 2
      default: place += 1
      }
    }
    throw failure("unterminated string")
  }

  /// Skips a value.
  fileprivate mutating func skipValue() throws(BodyCodecError) {
    skipSpace()
    var depth = 0
    repeat {
      guard place < bytes.count else { throw failure("no end") }
      switch bytes[place] {
      case UInt8(ascii: "\""): _ = try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { throw failure("no value") }
        depth -= 1
        place += 1
      default:
        place += 1
        // A number or a word ends at the next delimiter; between values of a container nothing
        // needs to be skipped.
        while depth == 0, place < bytes.count, !Self.isMark(bytes[place]) { place += 1 }
      }
    } while depth > 0
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09, 0x0a, 0x0d: true
    default: false
    }
  }
}
