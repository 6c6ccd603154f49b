public import Datastore

/// An object as stored after a save.
public struct SavedObject: Hashable, Sendable {
  /// The id of the document.
  public var id: DocumentID
  /// The number of saves.
  public var version: Int64

  /// Creates a saved object.
  public init(id: DocumentID, version: Int64) {
    self.id = id
    self.version = version
  }
}
