public import Datastore
public import JSON

/// A step of a vector that the runner performs, between stores of the implementation.
public enum VectorDirective: Hashable, Sendable {
  /// A replicator runs one session between two stores.
  case replicate(StoreReplication)
  /// Removes the checkpoints of sessions of this vector from a store.
  case loseCheckpoint(StoreName)
}

extension VectorDirective {
  /// The stores that the directive names.
  public var stores: [StoreName] {
    switch self {
    case .replicate(let replication):
      [replication.source, replication.target] + replication.operations.map(\.store)
    case .loseCheckpoint(let store): [store]
    }
  }

  /// The operations performed during it.
  public var operations: [StoreOperation] {
    switch self {
    case .replicate(let replication): replication.operations
    case .loseCheckpoint: []
    }
  }

  /// The directive as its file contains it: an object with one member.
  public var json: JSONValue {
    switch self {
    case .replicate(let replication): ["replicate": replication.json]
    case .loseCheckpoint(let store): ["loseCheckpoint": ["store": store.json]]
    }
  }

  /// Reads a directive; nil if the object contains none.
  init?(_ reader: inout ObjectReader) throws(DecodingFailure) {
    if var replication = try reader.optionalReader("replicate") {
      self = .replicate(try StoreReplication(&replication))
      try replication.finish()
    } else if var checkpoint = try reader.optionalReader("loseCheckpoint") {
      self = .loseCheckpoint(StoreName(try checkpoint.text("store")))
      try checkpoint.finish()
    } else {
      return nil
    }
  }
}
