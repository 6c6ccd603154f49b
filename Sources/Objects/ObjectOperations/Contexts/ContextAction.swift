public import Datastore
public import JSON

/// An operation on a context of objects, a scratch pad between an application and a store.
///
/// Contexts belong to the open object store, and end when it is closed, destroyed or reopened. The
/// encoding of values and results is defined in `Vectors/README.md`.
public struct ContextAction: Hashable, Sendable {
  /// The name of the context.
  public var context: JSONString
  /// What the context is to do.
  public var call: Call

  /// Creates an operation on a context.
  public init(_ context: JSONString, _ call: Call) {
    self.context = context
    self.call = call
  }

  /// The operations on a context.
  public enum Call: Hashable, Sendable {
    /// Creates a context on the store, or on another context, with a policy and options.
    case open(parent: JSONString? = nil, policy: JSONString? = nil, options: JSONValue? = nil)
    /// Inserts an object with an id.
    case insert(DocumentID, entity: JSONString, values: JSONValue? = nil)
    /// Changes values; null removes a value.
    case change(DocumentID, values: JSONValue)
    /// Deletes an object.
    case delete(DocumentID)
    /// Returns an object with its values; fulfils a fault.
    case read(DocumentID)
    /// Returns the context's state of an object, without a read.
    case inspectObject(DocumentID)
    /// Returns the state of the context.
    case inspect
    /// Fetches objects, with or without the changes that are not saved.
    case fetch(ObjectFetch, includesPendingChanges: Bool? = nil)
    /// Fetches objects, and observes the results under the name of an observer.
    case observeFetch(observer: JSONString, ObservedFetch)
    /// Returns the changes of observed results since the last update.
    case updateFetch(observer: JSONString)
    /// Reads the values of an object again; `merges` keeps its changes.
    case refresh(DocumentID, merges: Bool)
    /// Assigns permanent ids to inserted objects.
    case obtainPermanentIDs([DocumentID])
    /// Discards all changes.
    case rollback
    /// Discards all objects.
    case reset
    /// Saves the changes to the parent.
    case save
    /// Merges the changes that another context saved last.
    case merge(from: JSONString)
    /// Returns the conflicts of a pull.
    case processConflicts
    /// Resolves the conflicts reported last.
    case resolve(policy: JSONString)
  }

  /// The name of the operation as encoded in JSON.
  public var name: String { call.name }
}
