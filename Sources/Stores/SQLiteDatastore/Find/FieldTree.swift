internal import Datastore
internal import JSON

/// The paths that are wanted of a body, each with the place where its value is put.
struct FieldTree {
  /// A name on the way to wanted values.
  struct Node {
    var children: [Child] = []
    /// Where the value itself is put; nil when only values below it are wanted.
    var slot: Int?
  }

  struct Child {
    let name: JSONString
    let bytes: [UInt8]
    var node: Int
  }

  /// The first one is the body.
  private(set) var nodes = [Node()]
  private(set) var slotCount = 0

  /// Makes sure that the value at a path is extracted, and answers where it is put.
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
  /// Reads the wanted values out of a stored body, and passes over everything else.
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
        // No name comes twice, so nothing that follows is wanted.
        if isRoot, foundCount == node.children.count { return }
      } else {
        try reader.skipValue()
      }
    } while try reader.passComma(end: UInt8(ascii: "}"))
  }

  /// Takes the value that is next, or what is wanted below it.
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

  /// Takes what is wanted below a value that was wanted itself.
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
  /// Reads the name of a member and its colon; answers the node that it leads to, if any.
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

  /// Steps over a string; false when there is an escape in it.
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
    throw failure("a string without an end")
  }

  /// Steps over a value of which only the end matters.
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
        // A number or a word goes on up to a mark; between values in a container nothing is to do.
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
