import Datastore
import JSON
import ReferenceDatastore
import Testing

/// A model with one open store.
final class Model {
  let datastore = ReferenceDatastore()
  let environment = RunEnvironment(seed: 1)

  init(revisionIDs: RevisionIDProfile? = nil, collation: CollationName? = nil) {
    perform(.open(revisionIDs: revisionIDs, collation: collation))
  }

  @discardableResult func perform(_ action: StoreAction, store: StoreName = "a") -> Outcome {
    datastore.perform(StoreOperation(store, action), environment)
  }

  /// Inserts a revision with its history, newest first, separated by spaces.
  @discardableResult func insert(
    _ id: DocumentID, _ path: String, deleted: Bool = false, _ body: JSONValue = [:]
  ) -> Outcome {
    let path = path.split(separator: " ").map { RevisionID(JSONString(String($0))) }
    return perform(
      .insertRevisions([RevisionRecord(id: id, path: path, deleted: deleted, body: body)]))
  }
}
