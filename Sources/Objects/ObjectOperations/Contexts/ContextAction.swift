public import Datastore
public import JSON

/// What is done with a context of objects: a scratch pad between an application and a store.
///
/// Contexts belong to the store of objects that is open, and are gone when it is closed, destroyed or
/// opened again. How values and results are spelled is said in `Vectors/README.md`.
public struct ContextAction: Hashable, Sendable {
  /// The name of the context.
  public var context: JSONString
  public var call: Call

  public init(_ context: JSONString, _ call: Call) {
    self.context = context
    self.call = call
  }

  public enum Call: Hashable, Sendable {
    /// Makes a context on the store, or on another context, with a policy and options.
    case open(parent: JSONString? = nil, policy: JSONString? = nil, options: JSONValue? = nil)
    case insert(DocumentID, entity: JSONString, values: JSONValue? = nil)
    /// Null takes a value away.
    case change(DocumentID, values: JSONValue)
    case delete(DocumentID)
    /// The object with its values, read where it is a fault.
    case read(DocumentID)
    /// What the context knows of an object; nothing is read.
    case inspectObject(DocumentID)
    case inspect
    case fetch(ObjectFetch, includesPendingChanges: Bool? = nil)
    case refresh(DocumentID, merges: Bool)
    case obtainPermanentIDs([DocumentID])
    case rollback
    case reset
    case save
    /// Takes over what another context saved last.
    case merge(from: JSONString)
    /// The conflicts of a pull.
    case processConflicts
    /// Settles the conflicts that were handed over last.
    case resolve(policy: JSONString)
  }

  /// The name of the operation as JSON spells it.
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
