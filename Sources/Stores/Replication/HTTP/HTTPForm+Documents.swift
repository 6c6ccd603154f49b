package import Datastore
package import JSON

/// Revisions as documents with `_id`, `_rev`, `_revisions`, `_deleted` and `_attachments`.
extension RevisionRecord {
  /// The record as a document; throws if the body or the path cannot be encoded as one.
  func document(path: String) throws(DecodingFailure) -> JSONValue {
    guard case .object(let body) = body else {
      throw DecodingFailure(path: path, message: "a body that is not an object cannot be sent")
    }
    guard let first = self.path.first, let revisions = self.path.revisionsMember else {
      throw DecodingFailure(path: path, message: "this path cannot be sent: \(self.path)")
    }
    var document: JSONObject = [
      "_id": id.json, "_rev": first.json, "_revisions": revisions,
    ]
    if deleted { document["_deleted"] = true }
    if !attachments.isEmpty {
      document["_attachments"] = try attachments.documentMember(path: path)
    }
    for member in body.members {
      guard !Self.ownMembers.contains(member.name) else {
        throw DecodingFailure(
          path: path, message: "a body with member '\(member.name)' cannot be sent")
      }
      document[member.name] = member.value
    }
    return .object(document)
  }

  private static let ownMembers: [JSONString] = [
    "_id", "_rev", "_revisions", "_deleted", "_attachments",
  ]

  /// Reads a document; invalid values become an empty id, an empty path or a body with reserved
  /// members, which the store rejects.
  package init(document: JSONValue) {
    guard case .object(let object) = document else {
      self.init(id: "", path: [], body: document)
      return
    }
    let id = object["_id"]?.textValue ?? ""
    let deleted = object["_deleted"]?.boolValue ?? false
    let members = object.members.filter { !Self.ownMembers.contains($0.name) }
    self.init(
      id: DocumentID(id), path: object.path, deleted: deleted,
      body: .object(JSONObject(members.map { ($0.name, $0.value) })),
      attachments: object["_attachments"].map { [RevisionAttachment](documentMember: $0) } ?? [])
  }
}

extension [RevisionID] {
  /// `{"start", "ids"}`; nil for a path whose generations do not decrease by one.
  package var revisionsMember: JSONValue? {
    guard let start = first?.parts?.generation, start >= count else { return nil }
    var ids: [JSONValue] = []
    for (place, rev) in enumerated() {
      guard let parts = rev.parts, parts.generation == start - Int64(place) else { return nil }
      ids.append(.string(parts.suffix))
    }
    return ["start": .integer(start), "ids": .array(ids)]
  }
}

extension RevisionID {
  /// Generation and suffix; nil if the two do not yield the same id when joined.
  fileprivate var parts: (generation: Int64, suffix: JSONString)? {
    guard let hyphen = text.utf8.firstIndex(of: UInt8(ascii: "-")),
      let digits = JSONString(validating: text.utf8[..<hyphen]),
      let generation = Int64(digits.string), generation > 0,
      JSONString(String(generation)) == digits,
      let suffix = JSONString(validating: text.utf8[hyphen...].dropFirst())
    else { return nil }
    return (generation, suffix)
  }
}

extension JSONObject {
  /// The path from `_rev` and `_revisions`; empty if they contradict each other.
  fileprivate var path: [RevisionID] {
    guard let rev = self["_rev"]?.textValue else { return [] }
    guard let revisions = self["_revisions"] else { return [RevisionID(rev)] }
    guard let start = revisions.objectValue?["start"]?.integerValue,
      let ids = revisions.objectValue?["ids"]?.arrayValue, !ids.isEmpty,
      start >= ids.count - 1
    else { return [] }
    var path: [RevisionID] = []
    for (place, id) in ids.enumerated() {
      guard let suffix = id.textValue else { return [] }
      path.append(RevisionID(JSONString("\(start - Int64(place))-\(suffix)")))
    }
    return path[0].text == rev ? path : []
  }
}
