public import Datastore

/// An object as stored after a save.
public struct SavedObject: Hashable, Sendable {
  public var id: DocumentID
  public var version: Int64

  public init(id: DocumentID, version: Int64) {
    self.id = id
    self.version = version
  }
}
