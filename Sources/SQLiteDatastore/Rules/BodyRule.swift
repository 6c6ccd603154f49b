internal import Datastore
internal import JSON

/// Which bodies a document can have.
enum BodyRule {
  /// Fails with `badBody`, or `tooLarge` when only depth or length is wrong.
  static func check(_ body: JSONValue) throws(DatastoreError) {
    guard case .object(let object) = body else {
      throw DatastoreError(.badBody, "a body is an object, not \(body.kind)")
    }
    for member in object.members where member.name.utf8.first == UInt8(ascii: "_") {
      throw DatastoreError(.badBody, "the top-level member '\(member.name)' begins with '_'")
    }
    var size = BodySize()
    try size.add(body, depthAbove: 0)
    if size.byteCount > Limits.bodyBytesMax {
      throw DatastoreError(
        .tooLarge(limit: Int64(Limits.bodyBytesMax)), "a body of \(size.byteCount) bytes")
    }
  }
}

/// The length of a value as compact JSON, counted without writing it.
private struct BodySize {
  var byteCount = 0

  mutating func add(_ value: JSONValue, depthAbove: Int) throws(DatastoreError) {
    switch value {
    case .null: byteCount += 4
    case .bool(let value): byteCount += value ? 4 : 5
    case .integer(let value): byteCount += value.description.utf8.count
    case .unsigned(let value): byteCount += value.description.utf8.count
    case .double(let value):
      guard value.isFinite else { throw DatastoreError(.badBody, "\(value) has no JSON") }
      byteCount += value.description.utf8.count
    case .string(let text): add(text)
    case .array(let elements):
      let depth = try enter(depthAbove, count: elements.count)
      for element in elements { try add(element, depthAbove: depth) }
    case .object(let object):
      let depth = try enter(depthAbove, count: object.count)
      for member in object.members {
        add(member.name)
        byteCount += 1
        try add(member.value, depthAbove: depth)
      }
    }
  }

  /// Counts the brackets and commas of a collection and answers its depth.
  private mutating func enter(_ depthAbove: Int, count: Int) throws(DatastoreError) -> Int {
    guard depthAbove < Limits.depthMax else {
      throw DatastoreError(.tooLarge(limit: Int64(Limits.depthMax)), "a body that is too deep")
    }
    byteCount += 2 + max(0, count - 1)
    return depthAbove + 1
  }

  private mutating func add(_ text: Text) {
    byteCount += 2 + text.utf8.count
    text.withBytes { bytes in
      for byte in bytes {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0a, 0x0c, 0x0d: byteCount += 1
        case 0..<0x20: byteCount += 5
        default: break
        }
      }
    }
  }
}
