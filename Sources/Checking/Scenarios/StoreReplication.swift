public import Datastore
public import JSON

/// A session between two stores of the implementation, by its own replicator if it has one,
/// otherwise by the runner's.
public struct StoreReplication: Hashable, Sendable {
  /// The store from which revisions are copied.
  public var source: StoreName
  /// The store to which revisions are copied.
  public var target: StoreName
  /// The filter of the copied revisions; nil copies all.
  public var filter: Filter?
  /// Rows of one page of changes, and revisions of one fetch; nil for the replicator's default.
  public var batch: Int64?
  /// The event during the session; nil for an undisturbed session.
  public var interruption: Interruption?
  /// Whether the store's own replicator, if there is one, runs at the target and pulls; otherwise it
  /// runs at the source and pushes.
  public var isPull: Bool

  /// Creates a session; by default an undisturbed one that copies everything.
  ///
  /// - Parameter isPull: whether a replicator of the store pulls; nil for the side whose requests the
  ///   interruption does not need.
  public init(
    source: StoreName, target: StoreName, filter: Filter? = nil, batch: Int64? = nil,
    interruption: Interruption? = nil, isPull: Bool? = nil
  ) {
    self.source = source
    self.target = target
    self.filter = filter
    self.batch = batch
    self.interruption = interruption
    self.isPull = isPull ?? interruption?.isAtSource ?? false
  }

  /// An event at a request; a session without this request is not disturbed.
  public struct Interruption: Hashable, Sendable {
    /// True for a request to the source, false for one to the target.
    public var isAtSource: Bool
    /// The name of the requested operation.
    public var operation: JSONString
    /// The number of the request among those of its kind to this side, from 1.
    public var nth: Int64
    /// The event.
    public var event: Event

    /// Creates an interruption, by default at the first request of its kind.
    public init(isAtSource: Bool, operation: JSONString, nth: Int64 = 1, _ event: Event) {
      self.isAtSource = isAtSource
      self.operation = operation
      self.nth = nth
      self.event = event
    }
  }

  /// An event at a request.
  public enum Event: Hashable, Sendable {
    /// The replicator's program crashes before or after the store performs the request.
    case cutOff(isPerformed: Bool)
    /// The user stops the session while the request is in flight.
    case stop
    /// Another client performs this operation before the request arrives; its outcome is not
    /// compared.
    case meanwhile([StoreOperation])
  }
}

extension StoreReplication {
  /// Whether the session may end early.
  public var mayEndEarly: Bool {
    switch interruption?.event {
    case .cutOff, .stop: true
    case .meanwhile, nil: false
    }
  }

  /// The operation of another client during the session.
  public var operations: [StoreOperation] {
    if case .meanwhile(let operations) = interruption?.event { operations } else { [] }
  }

  var json: JSONValue {
    var object: JSONObject = ["source": source.json, "target": target.json]
    object["filter"] = filter?.json
    object["batch"] = batch.map { .integer($0) }
    // The event determines the side.
    if isPull, interruption == nil { object["by"] = "target" }
    if let interruption { object[interruption.name] = interruption.json }
    return .object(object)
  }

  init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    source = StoreName(try reader.text("source"))
    target = StoreName(try reader.text("target"))
    filter = try reader.optional("filter").map { value throws(DecodingFailure) in
      try Filter(value, path: reader.path(to: "filter"))
    }
    batch = try reader.optionalInteger("batch")
    if let batch, !(1...100_000).contains(batch) {
      throw DecodingFailure(path: reader.path(to: "batch"), message: "expected 1 to 100000")
    }
    isPull = false
    if let side = try reader.optionalText("by") {
      guard side == "target" else {
        throw DecodingFailure(
          path: reader.path(to: "by"), message: "expected target; without 'by' it is the source")
      }
      isPull = true
    }
    // At most one event: a second one would have no effect.
    for name: JSONString in ["cutOff", "stop", "meanwhile"] where interruption == nil {
      guard var place = try reader.optionalReader(name) else { continue }
      let event = try Interruption(name, &place)
      try place.finish()
      guard !isPull else {
        throw DecodingFailure(
          path: reader.path(to: "by"), message: "the side follows from '\(name)'")
      }
      (interruption, isPull) = (event, event.isAtSource)
    }
  }
}

extension StoreReplication.Interruption {
  fileprivate var name: JSONString {
    switch event {
    case .cutOff: "cutOff"
    case .stop: "stop"
    case .meanwhile: "meanwhile"
    }
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "at": isAtSource ? "source" : "target", "op": .string(operation), "nth": .integer(nth),
    ]
    switch event {
    case .cutOff(let isPerformed): object["performed"] = .bool(isPerformed)
    case .stop: break
    case .meanwhile(let operations): object["do"] = .array(operations.map(\.json))
    }
    return .object(object)
  }

  /// The operations that replicators request.
  private static let operations: [JSONString] = [
    "info", "readLocal", "changes", "revsDiff", "getRevisions", "insertRevisions", "writeLocal",
  ]

  fileprivate init(_ name: JSONString, _ reader: inout ObjectReader) throws(DecodingFailure) {
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
    switch name {
    case "cutOff": event = .cutOff(isPerformed: try reader.bool("performed"))
    case "stop": event = .stop
    default:
      let operations = try reader.elements("do") { (element, path) throws(DecodingFailure) in
        try StoreOperation(element, path: path)
      }
      guard !operations.isEmpty else {
        throw DecodingFailure(path: reader.path(to: "do"), message: "expected an operation")
      }
      event = .meanwhile(operations)
    }
  }
}
