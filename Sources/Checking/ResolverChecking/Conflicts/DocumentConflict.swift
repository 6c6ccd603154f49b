public import Datastore
public import JSON

/// A document with several leaves, as a conflict resolver receives it.
public struct DocumentConflict: Hashable, Sendable {
  /// One of the revisions in conflict, or their ancestor.
  public struct Version: Hashable, Sendable {
    /// The id of the revision.
    public var rev: RevisionID
    /// The body; nil for a tombstone.
    public var body: JSONObject?

    /// Creates a version; without a body, a tombstone.
    public init(rev: RevisionID, body: JSONObject?) {
      self.rev = rev
      self.body = body
    }

    /// Whether the version is a tombstone.
    public var isDeleted: Bool { body == nil }
  }

  /// The id of the document.
  public var document: DocumentID
  /// The leaves, in no particular order.
  public var leaves: [Version]
  /// The newest common ancestor of the leaves; nil if the device does not have its body.
  public var ancestor: Version?
  /// The name of the device on which the conflict is resolved.
  public var device: String

  /// Creates a conflict.
  public init(
    document: DocumentID, leaves: [Version], ancestor: Version?, device: String
  ) {
    self.document = document
    self.leaves = leaves
    self.ancestor = ancestor
    self.device = device
  }

  /// The leaves in an order that is the same on every device.
  ///
  /// Live leaves are before tombstones, then greater generations and suffixes. The first leaf is
  /// the winner of a store that compares suffixes as bytes.
  public var winnerFirst: [Version] {
    leaves.sorted { left, right in
      if left.isDeleted != right.isDeleted { return right.isDeleted }
      let (one, other) = (left.rev.generation, right.rev.generation)
      if one != other { return one > other }
      return right.rev.text.utf8.lexicographicallyPrecedes(left.rev.text.utf8)
    }
  }
}

extension RevisionID {
  /// The number before the dash; 0 without a number.
  var generation: Int64 {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "-") }
    return Int64(String(decoding: Array(digits), as: UTF8.self)) ?? 0
  }

  /// The id with the beginning of a long suffix only, for reports.
  var short: String {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "-") }.count
    return text.utf8.count > digits + 12 ? text.string.prefix(digits + 7) + "…" : text.string
  }
}

/// The answer of a conflict resolver.
public enum ConflictResolution: Hashable, Sendable {
  /// The document gets a revision with this body, as a child of a live leaf (nil: of the winner);
  /// all other leaves are deleted.
  case body(JSONObject, on: RevisionID? = nil)
  /// One leaf stays as it is, and all others are deleted. A tombstone deletes the document.
  case keep(RevisionID)
  /// All leaves are deleted.
  case delete
  /// The conflict remains, for example until a person decides.
  case unresolved
}

/// A conflict resolver on one device.
public protocol ConflictResolver: AnyObject {
  /// Resolves a conflict.
  ///
  /// Throws an error with a `breakdown` if the resolver gave no valid answer, and another error if
  /// it could not be asked.
  func resolve(_ conflict: DocumentConflict) throws(HarnessError) -> ConflictResolution

  /// Releases all resources; the object is not used afterwards.
  func close()
}

extension ConflictResolver {
  public func close() {}
}
