internal import Datastore
internal import JSON
internal import RevisionTree

/// What ids, names and bodies must look like, whatever the store holds.
enum Spelling {
  static let limits = ImplementationDescription.Limits(
    bodyBytesMax: 8_000_000, idBytesMax: 4096, depthMax: 256, inlineBytesMax: 1_048_576,
    attachmentBytesMax: 67_108_864)

  /// A store's name: `[a-z][a-z0-9_$()+/-]*`, at most 238 bytes.
  static func check(_ name: StoreName) throws(DatastoreError) {
    let bytes = name.text.utf8
    let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    let isOther = { (byte: UInt8) in "0123456789_$()+/-".utf8.contains(byte) }
    guard let first = bytes.first, isLetter(first), bytes.count <= 238,
      bytes.allSatisfy({ isLetter($0) || isOther($0) })
    else {
      throw DatastoreError(
        .badName, "'\(name)' is not [a-z][a-z0-9_$()+/-]* of at most 238 bytes")
    }
  }

  /// A document's id: not empty, no NUL, and `_` in front only as `_design/` with something after.
  static func check(_ id: DocumentID) throws(DatastoreError) {
    let bytes = id.text.utf8
    let design = "_design/".utf8
    guard
      bytes.first != UInt8(ascii: "_") || bytes.starts(with: design) && bytes.count > design.count
    else {
      throw DatastoreError(.badID, "'\(id)' begins with _ and not with _design/")
    }
    try check(localID: id)
  }

  /// A local document's id: not empty and no NUL. It may begin with `_`, as PouchDB's checkpoints do.
  static func check(localID id: DocumentID) throws(DatastoreError) {
    let bytes = id.text.utf8
    guard !bytes.isEmpty else { throw DatastoreError(.badID, "the id is empty") }
    guard !bytes.contains(0) else { throw DatastoreError(.badID, "the id holds NUL") }
    guard bytes.count <= limits.idBytesMax else {
      throw DatastoreError(
        .tooLarge(limit: Int64(limits.idBytesMax)), "the id has \(bytes.count) bytes")
    }
  }

  /// A body: an object of finite numbers without top-level members that begin with `_`.
  static func check(body: JSONValue) throws(DatastoreError) {
    guard let object = body.objectValue else {
      throw DatastoreError(.badBody, "expected an object, found \(body.kind)")
    }
    for member in object.members where member.name.utf8.first == UInt8(ascii: "_") {
      throw DatastoreError(.badBody, "member '\(member.name)' begins with _")
    }
    let shape = body.shape
    guard shape.depth <= limits.depthMax else {
      throw DatastoreError(
        .tooLarge(limit: Int64(limits.depthMax)), "the body has depth \(shape.depth)")
    }
    guard !shape.hasNonFiniteNumber else {
      throw DatastoreError(.badBody, "a number is not finite")
    }
    guard shape.bytesAtMost > limits.bodyBytesMax else { return }
    let bytes = body.serializedBytes().count
    guard bytes <= limits.bodyBytesMax else {
      throw DatastoreError(
        .tooLarge(limit: Int64(limits.bodyBytesMax)), "the body has \(bytes) bytes")
    }
  }

  /// The revision that an id spells.
  static func revision(
    _ id: RevisionID, _ collation: Collation
  ) throws(DatastoreError) -> Revision {
    guard let revision = collation.revision(id) else {
      throw DatastoreError(.badRevision, "'\(id)' is not a generation, a dash and a suffix")
    }
    return revision
  }

  /// The revisions that ids spell.
  static func revisions(
    _ ids: [RevisionID], _ collation: Collation
  ) throws(DatastoreError) -> [Revision] {
    var revisions: [Revision] = []
    for id in ids { revisions.append(try revision(id, collation)) }
    return revisions
  }

  /// A limit on the number of rows: not negative.
  static func check(rowLimit limit: Int64?) throws(DatastoreError) {
    if let limit, limit < 0 {
      throw DatastoreError(.badRequest(path: "limit"), "expected 0 or more, found \(limit)")
    }
  }
}
