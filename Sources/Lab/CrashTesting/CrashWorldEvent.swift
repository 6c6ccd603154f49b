internal import Datastore
internal import JSON

/// An event of a store or its peer, in the form that processes print.
///
///     {"begun": {"op": "writeLocal", …}}
///     {"here": {"op": "writeLocal", …}, "outcome": {"ok": {}}}
///     {"elsewhere": {"op": "create", …}}
///     {"closed": {}}
enum CrashWorldEvent {
  case begun(StoreOperation)
  case ended(StoreOperation, Outcome)
  /// An operation on the other store, with its result.
  case elsewhere(StoreAction)
  /// The store is not open any more.
  case closed

  var json: JSONValue {
    switch self {
    case .begun(let operation): ["begun": operation.json]
    case .ended(let operation, let outcome): ["here": operation.json, "outcome": outcome.json]
    case .elsewhere(let action): ["elsewhere": StoreOperation(CrashScenario.store, action).json]
    case .closed: ["closed": [:]]
    }
  }

  /// Reads a line.
  init(line: some Collection<UInt8>) throws(HarnessError) {
    do throws(DecodingFailure) {
      guard let json = try? JSONValue.parse(Array(line)) else {
        throw DecodingFailure(path: "", message: "expected JSON")
      }
      try self.init(json)
    } catch {
      throw HarnessError("'\(String(decoding: line, as: UTF8.self))' is no event: \(error)")
    }
  }

  private init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    if let begun = reader.optional("begun") {
      self = .begun(try StoreOperation(begun, path: "begun"))
    } else if let elsewhere = reader.optional("elsewhere") {
      self = .elsewhere(try StoreOperation(elsewhere, path: "elsewhere").action)
    } else if reader.optional("closed") != nil {
      self = .closed
    } else {
      let operation = try StoreOperation(try reader.required("here"), path: "here")
      self = .ended(
        operation,
        try Outcome(try reader.required("outcome"), of: operation.action, path: "outcome"))
    }
    try reader.finish()
  }
}
