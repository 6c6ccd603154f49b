public import Datastore
public import JSON

/// A step of a vector that the runner does itself, between stores of the implementation.
public enum VectorDirective: Hashable, Sendable {
  /// A replicator runs one session between two stores.
  case replicate(StoreReplication)
  /// What sessions of this vector remember in a store is gone.
  case loseCheckpoint(StoreName)
}

extension VectorDirective {
  /// The stores that it names.
  public var stores: [StoreName] {
    switch self {
    case .replicate(let replication):
      [replication.source, replication.target] + replication.operations.map(\.store)
    case .loseCheckpoint(let store): [store]
    }
  }

  /// The operations that are done in the middle of it.
  public var operations: [StoreOperation] {
    switch self {
    case .replicate(let replication): replication.operations
    case .loseCheckpoint: []
    }
  }

  /// The directive as it stands in a file: an object with one member.
  public var json: JSONValue {
    switch self {
    case .replicate(let replication): ["replicate": replication.json]
    case .loseCheckpoint(let store): ["loseCheckpoint": ["store": store.json]]
    }
  }

  /// Reads a directive; nil when the object holds none.
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
