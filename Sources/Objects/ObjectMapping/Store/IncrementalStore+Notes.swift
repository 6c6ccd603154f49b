internal import Datastore
public import JSON

// Local state of a device: it is not part of any revision and is not replicated.

extension IncrementalStore {
  /// The local document with the state.
  static let notes: DocumentID = "CDTISNotes"

  /// The stored state; nil before the first write.
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

  /// Replaces the stored state.
  public func writeNotes(_ notes: JSONValue) throws(StoreError) {
    _ = try perform(.writeLocal(id: Self.notes, body: notes))
  }
}
