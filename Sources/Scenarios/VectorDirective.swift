public import Datastore
public import JSON

/// A step of a vector that the runner does itself, between stores of the implementation.
public enum VectorDirective: Hashable, Sendable {
  /// The runner's replicator runs one session between two stores.
  case replicate(StoreReplication)
  /// What sessions of this vector remember in a store is gone.
  case loseCheckpoint(StoreName)
}

/// A session of the runner's replicator.
public struct StoreReplication: Hashable, Sendable {
  public var source: StoreName
  public var target: StoreName
  public var filter: Filter?
  /// Rows of one page of changes, and revisions of one fetch; nil leaves it to the replicator.
  public var batch: Int64?
  /// The request at which the replicator's program ends without a word; nil lets it go on.
  public var cutOff: CutOff?

  public init(
    source: StoreName, target: StoreName, filter: Filter? = nil, batch: Int64? = nil,
    cutOff: CutOff? = nil
  ) {
    self.source = source
    self.target = target
    self.filter = filter
    self.batch = batch
    self.cutOff = cutOff
  }

  /// A place in a session; a session that never gets there is not cut off.
  public struct CutOff: Hashable, Sendable {
    /// Whether the source is asked, and not the target.
    public var isAtSource: Bool
    /// The operation that the request is.
    public var operation: Text
    /// Which request of this kind to this side, counted from 1.
    public var nth: Int64
    /// Whether the store still does what it is asked for.
    public var isPerformed: Bool

    public init(isAtSource: Bool, operation: Text, nth: Int64 = 1, isPerformed: Bool = false) {
      self.isAtSource = isAtSource
      self.operation = operation
      self.nth = nth
      self.isPerformed = isPerformed
    }
  }
}

extension VectorDirective {
  /// The stores that it names.
  public var stores: [StoreName] {
    switch self {
    case .replicate(let replication): [replication.source, replication.target]
    case .loseCheckpoint(let store): [store]
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

extension StoreReplication {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["source": source.json, "target": target.json]
    object["filter"] = filter?.json
    object["batch"] = batch.map { .integer($0) }
    object["cutOff"] = cutOff?.json
    return .object(object)
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    source = StoreName(try reader.text("source"))
    target = StoreName(try reader.text("target"))
    filter = try reader.optional("filter").map { value throws(DecodingFailure) in
      try Filter(value, path: reader.path(to: "filter"))
    }
    batch = try reader.optionalInteger("batch")
    if let batch, !(1...100_000).contains(batch) {
      throw DecodingFailure(path: reader.path(to: "batch"), message: "expected 1 to 100000")
    }
    if var cutOff = try reader.optionalReader("cutOff") {
      self.cutOff = try CutOff(&cutOff)
      try cutOff.finish()
    }
  }
}

extension StoreReplication.CutOff {
  fileprivate var json: JSONValue {
    [
      "at": isAtSource ? "source" : "target", "op": .string(operation), "nth": .integer(nth),
      "performed": .bool(isPerformed),
    ]
  }

  /// What replicators ask of stores.
  private static let operations: [Text] = [
    "info", "readLocal", "changes", "revsDiff", "getRevisions", "insertRevisions", "writeLocal",
  ]

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    switch try reader.text("at") {
    case "source": isAtSource = true
    case "target": isAtSource = false
    default:
      throw DecodingFailure(path: reader.path(to: "at"), message: "expected source or target")
    }
    operation = try reader.text("op")
    guard Self.operations.contains(operation) else {
      let known = Self.operations.map { $0.string }.joined(separator: ", ")
      throw DecodingFailure(path: reader.path(to: "op"), message: "expected one of \(known)")
    }
    nth = try reader.integer("nth")
    guard nth >= 1 else {
      throw DecodingFailure(path: reader.path(to: "nth"), message: "expected 1 or more")
    }
    isPerformed = try reader.bool("performed")
  }
}
