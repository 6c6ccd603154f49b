internal import Datastore
internal import JSON

/// The content of a revision, as far as a request or a response states it.
struct RevisionContent {
  var deleted: Bool
  var body: JSONValue
  /// By name; nil if unknown.
  var attachments: [JSONString: Attachment]?

  /// The properties of an attachment that make two of them different.
  struct Attachment {
    /// Nil if unknown.
    var digest: JSONString?
    /// Nil if unknown: the store chooses the type of an attachment without one.
    var type: JSONString?
    var encoding: JSONString?

    /// The attachments of a request or a response; nil if one is a stub of unknown content.
    static func all(
      _ attachments: [RevisionAttachment], digest: (RevisionAttachment) -> JSONString?
    ) -> [JSONString: Attachment]? {
      guard !attachments.isEmpty else { return [:] }
      var all: [JSONString: Attachment] = [:]
      for attachment in attachments {
        guard let digest = digest(attachment) else { return nil }
        all[attachment.name] = Attachment(
          digest: digest, type: attachment.type, encoding: attachment.encoding)
      }
      return all
    }
  }

  init(deleted: Bool, body: JSONValue, attachments: [JSONString: Attachment]?) {
    self.deleted = deleted
    self.body = body
    self.attachments = attachments
  }

  /// - Parameter hasDigests: whether the store reports SHA-256 digests; other digests of it state
  ///   nothing about the content at other stores.
  init(_ record: RevisionRecord, hasDigests: Bool = true) {
    self.init(
      deleted: record.deleted, body: record.body,
      attachments: Attachment.all(record.attachments) { hasDigests ? $0.digest : nil })
  }

  /// - Parameter hasDigests: as for a record.
  init(_ document: DocumentRevision, hasDigests: Bool = true) {
    self.init(
      deleted: document.deleted, body: document.body,
      attachments: Attachment.all(document.attachments) { hasDigests ? $0.digest : nil })
  }

  /// The content without what the revision ids of a profile do not cover.
  func covered(by revisionIDs: RevisionIDProfile) -> RevisionContent {
    var content = self
    switch revisionIDs {
    case .cdtDigest: content.attachments = nil
    // The digest covers the stored bytes, and not how they are encoded.
    case .couchdb:
      content.attachments = attachments?.mapValues { attachment in
        var attachment = attachment
        attachment.encoding = nil
        return attachment
      }
    case .own, .cdtDigest2: break
    }
    return content
  }

  /// Whether the contents are known completely and are equal.
  func isEqual(to other: RevisionContent) -> Bool {
    guard let attachments, let others = other.attachments, difference(from: other) == nil else {
      return false
    }
    // The store chooses the type of an attachment without one.
    return attachments.allSatisfy { name, attachment in attachment.type == others[name]?.type }
  }

  /// The first known difference; nil for none.
  func difference(from other: RevisionContent) -> ContentAspect? {
    if deleted != other.deleted { return .state }
    if !body.isSameValue(as: other.body) { return .body }
    guard let attachments, let others = other.attachments,
      !attachments.isEmpty || !others.isEmpty
    else { return nil }
    for name in Self.ordered(Set(attachments.keys).union(others.keys)) {
      guard let left = attachments[name], let right = others[name], left.digest == right.digest,
        !left.hasOtherDescription(than: right)
      else { return .attachment(name) }
    }
    return nil
  }

  /// The name of the first attachment with equal bytes of another type or encoding.
  func nameOfDifferentDescription(from other: RevisionContent) -> JSONString? {
    guard let attachments, let others = other.attachments else { return nil }
    return Self.ordered(Set(attachments.keys)).first { name in
      guard let left = attachments[name], let right = others[name] else { return false }
      return left.digest == right.digest && left.hasOtherDescription(than: right)
    }
  }

  private static func ordered(_ names: Set<JSONString>) -> [JSONString] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension RevisionContent.Attachment {
  fileprivate func hasOtherDescription(than other: RevisionContent.Attachment) -> Bool {
    encoding != other.encoding || type != nil && other.type != nil && type != other.type
  }
}
