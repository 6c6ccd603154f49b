internal import Datastore
public import JSON

// What a device notes for itself, beside its objects: it is in no revision, and nobody else gets it.

extension IncrementalStore {
  /// The local document in which notes are kept.
  static let notes: DocumentID = "CDTISNotes"

  /// What was noted last; nil when there is nothing.
  public func readNotes() throws(StoreError) -> JSONValue? {
    do throws(StoreError) {
      guard case .local(let body) = try perform(.readLocal(id: Self.notes)) else { return nil }
      return body
    } catch {
      if case .datastore(_, let refusal) = error.reason, case .notFound = refusal.kind {
        return nil
      }
      throw error
    }
  }

  /// Notes something in the place of what was noted before.
  public func writeNotes(_ notes: JSONValue) throws(StoreError) {
    _ = try perform(.writeLocal(id: Self.notes, body: notes))
  }
}
