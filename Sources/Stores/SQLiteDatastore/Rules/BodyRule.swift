internal import Datastore
internal import JSON

/// A body that a document can have, with its text.
struct CheckedBody {
  let value: JSONValue
  /// Compact JSON, UTF-8.
  let json: [UInt8]

  /// The body of a tombstone that came without one.
  static let empty = CheckedBody(value: [:], json: Array("{}".utf8))
}

/// Which bodies a document can have.
enum BodyRule {
  /// Fails with `badBody`, or `tooLarge` when only depth or length is wrong.
  static func check(
    _ body: JSONValue, _ writer: BodyWriter
  ) throws(DatastoreError) -> CheckedBody {
    guard case .object(let object) = body else {
      throw DatastoreError(.badBody, "a body is an object, not \(body.kind)")
    }
    for member in object.members where member.name.utf8.first == UInt8(ascii: "_") {
      throw DatastoreError(.badBody, "the top-level member '\(member.name)' begins with '_'")
    }
    let json = try writer.text(of: body, depthMax: Limits.depthMax)
    if json.count > Limits.bodyBytesMax {
      throw DatastoreError(
        .tooLarge(limit: Int64(Limits.bodyBytesMax)), "a body of \(json.count) bytes")
    }
    return CheckedBody(value: body, json: json)
  }
}
