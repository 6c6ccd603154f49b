public import Datastore
public import JSON

/// An operation on a context of objects, a scratch pad between an application and a store.
///
/// Contexts belong to the open object store, and end when it is closed, destroyed or reopened. The
/// encoding of values and results is defined in `Vectors/README.md`.
public struct ContextAction: Hashable, Sendable {
  /// The name of the context.
  public var context: JSONString
  public var call: Call

  public init(_ context: JSONString, _ call: Call) {
    self.context = context
    self.call = call
  }

  public enum Call: Hashable, Sendable {
    /// Creates a context on the store, or on another context, with a policy and options.
    case open(parent: JSONString? = nil, policy: JSONString? = nil, options: JSONValue? = nil)
    case insert(DocumentID, entity: JSONString, values: JSONValue? = nil)
    /// Changes values; null removes a value.
    case change(DocumentID, values: JSONValue)
    case delete(DocumentID)
    /// Returns an object with its values; fulfils a fault.
    case read(DocumentID)
    /// Returns the context's state of an object, without a read.
    case inspectObject(DocumentID)
    case inspect
    case fetch(ObjectFetch, includesPendingChanges: Bool? = nil)
    case refresh(DocumentID, merges: Bool)
    case obtainPermanentIDs([DocumentID])
    case rollback
    case reset
    case save
    /// Merges the changes that another context saved last.
    case merge(from: JSONString)
    /// Returns the conflicts of a pull.
    case processConflicts
    /// Resolves the conflicts reported last.
    case resolve(policy: JSONString)
  }

  /// The name of the operation as encoded in JSON.
  public var name: String {
    switch call {
    case .open: "openContext"
    case .insert: "insertObject"
    case .change: "changeObject"
    case .delete: "deleteObject"
    case .read: "readInContext"
    case .inspectObject: "inspectObject"
    case .inspect: "inspectContext"
    case .fetch: "fetchInContext"
    case .refresh: "refreshObject"
    case .obtainPermanentIDs: "obtainPermanentIDs"
    case .rollback: "rollbackContext"
    case .reset: "resetContext"
    case .save: "saveContext"
    case .merge: "mergeChanges"
    case .processConflicts: "processConflicts"
    case .resolve: "resolveConflicts"
    }
  }
}
