internal import Datastore
internal import JSON

extension Store {
  /// Throws `forbidden` if the store's validation rejects the revision.
  func validate(_ id: DocumentID, _ content: RevisionContent) throws(DatastoreError) {
    if let refusal = try refusal(of: id, content) { throw refusal }
  }

  /// The error of a revision that validation rejects, or nil.
  func refusal(
    of id: DocumentID, _ content: RevisionContent
  ) throws(DatastoreError) -> DatastoreError? {
    guard let stored = row.refuse else { return nil }
    let refuse = try filter(stored)
    guard try refuse.matches(id: id, deleted: content.deleted, body: content.body.value) else {
      return nil
    }
    return DatastoreError(.forbidden, "validation rejects this revision of '\(id)'")
  }

  private func filter(_ stored: JSONString) throws(DatastoreError) -> Filter {
    let json = try stored.withBytes { (bytes) throws(DatastoreError) in
      try decode(bytes, "the validation")
    }
    do throws(DecodingFailure) { return try Filter(json, path: "refuse") } catch {
      throw corrupt("is damaged: the validation is not a valid filter: \(error)")
    }
  }
}
