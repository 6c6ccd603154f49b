public import JSON

/// An acknowledged save that a backend without revisions lost, or an object that exists twice.
public struct CollectionLoss: Hashable, Sendable {
  /// The kind of a loss.
  public enum Kind: String, CaseIterable, Sendable {
    /// Another client overwrote a save that it had not read.
    case update = "lost update"
    /// Another client removed an object whose last save it had not read.
    case removal = "lost delete"
    /// An object was created again after a lost response.
    case duplicate = "duplicate"
  }

  /// The kind.
  public var kind: Kind
  /// The entity of the lost save, or the additional one.
  public var key: CollectionLedger.Key
  /// The stamp of the lost save, or of the object that exists twice.
  public var stamp: JSONString
  /// The stamp that replaced it; nil for a removal and a duplicate.
  public var next: JSONString?
  /// The stamp that the client of the request had read before; nil if unknown.
  public var base: JSONString?
  /// The client of the request.
  public var client: Int
  /// The number of the request among all that the backend performed, from 1.
  public var arrival: Int

  /// Creates a loss.
  public init(
    kind: Kind, key: CollectionLedger.Key, stamp: JSONString, next: JSONString? = nil,
    base: JSONString? = nil, client: Int, arrival: Int
  ) {
    self.kind = kind
    self.key = key
    self.stamp = stamp
    self.next = next
    self.base = base
    self.client = client
    self.arrival = arrival
  }
}

extension CollectionLedger {
  /// The losses outside the guarantees, in the order of their requests.
  public var allLosses: [CollectionLoss] {
    let ended = unseenEnds.values.filter { acknowledged.contains($0.stamp) }
    return (ended + duplicates).sorted {
      $0.arrival != $1.arrival
        ? $0.arrival < $1.arrival
        : $0.stamp.utf8.lexicographicallyPrecedes($1.stamp.utf8)
    }
  }

  /// The stamp of the current version of an entity; nil if the backend does not have the entity.
  public func stamp(of key: Key) -> JSONString? {
    guard let last = versions[key]?.last, last.until == nil else { return nil }
    return last.stamp
  }
}
