public import JSON

extension StoreOperation {
  /// The operation in JSON: `op`, `store`, then the arguments that are present.
  public var json: JSONValue {
    .object(JSONObject([("op", .text(action.name)), ("store", store.json)] + action.arguments))
  }

  /// Reads an operation; an unknown name or member is a failure.
  public init(_ json: JSONValue, path: String = "") throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    store = try reader.identifier("store")
    action = try StoreAction(&reader)
    try reader.finish()
  }
}

/// A write of a batch: `op` and the arguments that are present.
extension StoreAction: ArgumentValue {
  package var json: JSONValue { .object(JSONObject([("op", .text(name))] + arguments)) }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    try self.init(&reader)
    try reader.finish()
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    let name = try reader.text("op").string
    if let action = try StoreAction(row: name, &reader) {
      self = action
      if case .revsDiff = action { try reader.checkRevisionsOnly("revs") }
      // The rows of these operations have the attachments of the new revision.
      switch action {
      case .create, .update, .resolve: self = try reader.attaching(to: action)
      default: break
      }
    } else if let action = try FindAction(row: name, &reader) {
      self = .finding(action)
    } else if let operation = try OperationFamily.read(name, &reader) {
      self = .family(AnyFamilyOperation(operation))
    } else {
      throw DecodingFailure(path: reader.path(to: "op"), message: "unknown operation '\(name)'")
    }
  }
}

extension ObjectReader {
  /// Throws if a query of `revsDiff` has members of a query of `getRevisions`.
  fileprivate mutating func checkRevisionsOnly(_ name: JSONString) throws(DecodingFailure) {
    _ = try elements(name) { (element, path) throws(DecodingFailure) in
      var reader = try ObjectReader(element, path: path)
      _ = (reader.optional("id"), reader.optional("revs"))
      try reader.finish()
    }
  }

  /// Reads a required member; JSON's null is nil.
  package mutating func nullable(_ name: JSONString) throws(DecodingFailure) -> JSONValue? {
    let value = try required(name)
    return value == .null ? nil : value
  }
}
