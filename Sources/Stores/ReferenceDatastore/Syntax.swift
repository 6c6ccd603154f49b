internal import Datastore
internal import JSON
internal import RevisionTree

/// The syntax of ids, names and bodies, independent of the state of the store.
enum Syntax {
  static let limits = ImplementationDescription.Limits(
    bodyBytesMax: 8_000_000, idBytesMax: 4096, depthMax: 256, inlineBytesMax: 1_048_576,
    attachmentBytesMax: 67_108_864)

  /// A store's name: `[a-z][a-z0-9_$()+/-]*`, at most 238 bytes.
  static func check(_ name: StoreName) throws(Faults) {
    let bytes = name.text.utf8
    let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    let isOther = { (byte: UInt8) in "0123456789_$()+/-".utf8.contains(byte) }
    guard let first = bytes.first, isLetter(first), bytes.count <= 238,
      bytes.allSatisfy({ isLetter($0) || isOther($0) })
    else {
      throw Faults(
        DatastoreError(
          .badName, "'\(name)' does not match [a-z][a-z0-9_$()+/-]* with at most 238 bytes"))
    }
  }

  /// A document's id: not empty, without NUL, and starting with `_` only as `_design/` followed by
  /// a name.
  static func check(_ id: DocumentID) throws(Faults) {
    let bytes = id.text.utf8
    let design = "_design/".utf8
    var faults = Faults()
    faults.require(
      bytes.first != UInt8(ascii: "_") || bytes.starts(with: design) && bytes.count > design.count,
      DatastoreError(.badID, "'\(id)' begins with '_' but not with '_design/'"))
    faults.collect { () throws(Faults) in try check(localID: id) }
    try faults.refuse()
  }

  /// A local document's id: not empty and without NUL. It may begin with `_`, as PouchDB's
  /// checkpoints do.
  static func check(localID id: DocumentID) throws(Faults) {
    let bytes = id.text.utf8
    var faults = Faults()
    faults.require(!bytes.isEmpty, DatastoreError(.badID, "the id is empty"))
    faults.require(!bytes.contains(0), DatastoreError(.badID, "the id contains NUL"))
    faults.require(
      bytes.count <= limits.idBytesMax,
      DatastoreError(
        .tooLarge(limit: Int64(limits.idBytesMax)), "the id has \(bytes.count) bytes"))
    try faults.refuse()
  }

  /// A body: an object of finite numbers without top-level members that begin with `_`.
  static func check(body: JSONValue) throws(Faults) {
    guard let object = body.objectValue else {
      throw Faults(DatastoreError(.badBody, "expected an object, found \(body.kind)"))
    }
    var faults = Faults()
    for member in object.members where member.name.utf8.first == UInt8(ascii: "_") {
      faults.add(DatastoreError(.badBody, "member '\(member.name)' begins with '_'"))
    }
    let shape = body.shape
    faults.require(
      shape.depth <= limits.depthMax,
      DatastoreError(
        .tooLarge(limit: Int64(limits.depthMax)), "the body has depth \(shape.depth)"))
    faults.require(
      !shape.hasNonFiniteNumber, DatastoreError(.badBody, "a number is not finite"))
    if shape.bytesAtMost > limits.bodyBytesMax {
      let bytes = body.serializedBytes().count
      faults.require(
        bytes <= limits.bodyBytesMax,
        DatastoreError(
          .tooLarge(limit: Int64(limits.bodyBytesMax)), "the body has \(bytes) bytes"))
    }
    try faults.refuse()
  }

  /// The revision that an id encodes.
  static func revision(_ id: RevisionID, _ collation: Collation) throws(Faults) -> Revision {
    guard let revision = collation.revision(id) else {
      throw Faults(
        DatastoreError(.badRevision, "'\(id)' is not a generation, a dash and a suffix"))
    }
    return revision
  }

  /// The revisions that ids encode.
  static func revisions(
    _ ids: [RevisionID], _ collation: Collation
  ) throws(Faults) -> [Revision] {
    var revisions: [Revision] = []
    for id in ids { revisions.append(try revision(id, collation)) }
    return revisions
  }

  /// A limit of the number of rows: not negative.
  static func check(rowLimit limit: Int64?) throws(Faults) {
    if let limit, limit < 0 {
      throw Faults(
        DatastoreError(.badRequest(path: "limit"), "expected 0 or more, found \(limit)"))
    }
  }
}
