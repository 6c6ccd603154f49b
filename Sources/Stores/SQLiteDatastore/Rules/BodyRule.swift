internal import Datastore
internal import JSON

/// A valid body with its text.
struct CheckedBody {
  let value: JSONValue
  /// The body as compact JSON in UTF-8.
  let json: [UInt8]

  /// The body of a tombstone that was sent without one.
  static let empty = CheckedBody(value: [:], json: Array("{}".utf8))
}

/// The validation of bodies.
enum BodyRule {
  /// Throws `badBody`, or `tooLarge` if only depth or length is invalid.
  static func check(
    _ body: JSONValue, _ writer: BodyWriter
  ) throws(DatastoreError) -> CheckedBody {
    guard case .object(let object) = body else {
      throw DatastoreError(.badBody, "expected an object as body, found \(body.kind)")
    }
    for member in object.members where member.name.utf8.first == UInt8(ascii: "_") {
      throw DatastoreError(.badBody, "the top-level member '\(member.name)' begins with '_'")
    }
    let json = try writer.text(of: body, depthMax: Limits.depthMax)
    if json.count > Limits.bodyBytesMax {
      throw DatastoreError(
        .tooLarge(limit: Int64(Limits.bodyBytesMax)), "the body has \(json.count) bytes")
    }
    return CheckedBody(value: body, json: json)
  }
}
