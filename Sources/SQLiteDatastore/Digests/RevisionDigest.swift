internal import Datastore
internal import Digest
internal import JSON

/// How a store names the revisions that it makes itself: a digest of parent, deleted flag and body.
///
/// Two devices that make the same edit on the same parent give it the same name, so that
/// replication finds nothing to do.
enum RevisionDigest {
  /// The name of the revision that this edit makes.
  ///
  /// Fails with `badRevision` when the parent is of the last generation, or its name too long to
  /// be part of the digest.
  static func name(
    parent: RevisionName?, deleted: Bool, body: JSONValue, profile: RevisionIDProfile
  ) throws(DatastoreError) -> RevisionName {
    let parentGeneration = parent?.generation ?? 0
    guard parentGeneration < RevisionName.generationMax else {
      throw DatastoreError(.badRevision, "there is no generation above \(parentGeneration)")
    }
    let input: [UInt8]
    switch profile {
    case .couchdb: input = couchDBInput(parent: parent, deleted: deleted, body: body)
    // `own` is `cdt-digest-2`, and that differs from `cdt-digest` only where attachments are.
    case .own, .cdtDigest, .cdtDigest2:
      input = try cdtInput(parent: parent, deleted: deleted, body: body)
    }
    return RevisionName(
      generation: parentGeneration + 1, digest: DigestAlgorithm.md5.digest(of: input).hexadecimal)
  }

  /// The length of the parent's name in a byte, the name, the deleted flag in a byte, and the
  /// canonical body, or nothing when the body is empty.
  private static func cdtInput(
    parent: RevisionName?, deleted: Bool, body: JSONValue
  ) throws(DatastoreError) -> [UInt8] {
    var input: [UInt8] = []
    let parentName = parent?.text ?? ""
    guard let length = UInt8(exactly: parentName.utf8.count) else {
      throw DatastoreError(.badRevision, "the parent's name is longer than 255 bytes")
    }
    input.append(length)
    parentName.withBytes { input.append(contentsOf: $0) }
    input.append(deleted ? 1 : 0)
    if body.objectValue?.isEmpty == false { input += CanonicalJSON.bytes(of: body) }
    return input
  }

  /// The term `[Deleted, ParentGeneration, ParentSuffix, Body, Attachments]`.
  private static func couchDBInput(
    parent: RevisionName?, deleted: Bool, body: JSONValue
  ) -> [UInt8] {
    var term = ErlangTerm()
    term.beginList(count: 5)
    term.append(atom: deleted ? "true" : "false")
    term.append(integer: parent?.generation ?? 0)
    if let parent {
      if let decoded = parent.decodedSuffix {
        term.append(binary: decoded)
      } else {
        parent.withSuffix { term.append(binary: $0) }
      }
    } else {
      term.append(integer: 0)
    }
    term.append(body)
    term.endList()  // No attachments.
    term.endList()
    return term.bytes
  }
}
