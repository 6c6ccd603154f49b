internal import Datastore
internal import JSON

extension Store {
  /// Fails with `forbidden` when the store's validation refuses the revision.
  func validate(_ id: DocumentID, _ content: RevisionContent) throws(DatastoreError) {
    if let refusal = try refusal(of: id, content) { throw refusal }
  }

  /// Why validation refuses the revision, or nil when it does not.
  func refusal(
    of id: DocumentID, _ content: RevisionContent
  ) throws(DatastoreError) -> DatastoreError? {
    guard let stored = row.refuse else { return nil }
    let refuse = try filter(stored)
    guard try refuse.matches(id: id, deleted: content.deleted, body: content.body.value) else {
      return nil
    }
    return DatastoreError(.forbidden, "validation refuses this revision of '\(id)'")
  }

  private func filter(_ stored: JSONString) throws(DatastoreError) -> Filter {
    let json = try stored.withBytes { (bytes) throws(DatastoreError) in
      try decode(bytes, "the validation")
    }
    do throws(DecodingFailure) { return try Filter(json, path: "refuse") } catch {
      throw corrupt("is damaged: the validation is no filter: \(error)")
    }
  }
}
