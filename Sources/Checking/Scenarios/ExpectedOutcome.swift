public import Datastore
public import JSON

/// The expected outcome of an operation.
public indirect enum ExpectedOutcome: Hashable, Sendable {
  /// Success with a matching result.
  case ok(Pattern)
  /// An error of this kind, with the given fields.
  case error(Pattern)
  /// Any of these: only if a clause is ambiguous, and only in the last step.
  case oneOf([ExpectedOutcome])
}

extension ExpectedOutcome {
  /// The expectation as its file contains it.
  public var json: JSONValue {
    switch self {
    case .ok(let pattern): ["ok": pattern.json]
    case .error(let pattern): ["error": pattern.json]
    case .oneOf(let alternatives): ["oneOf": .array(alternatives.map { $0.json })]
    }
  }

  /// Reads the expected outcome of an action; a member that the action cannot return is a failure.
  public init(_ json: JSONValue, of action: StoreAction, path: String) throws(DecodingFailure) {
    try self.init(json, ResultShape(of: action), path: path)
  }

  /// Reads the expected outcome of a step whose result has this shape.
  init(_ json: JSONValue, _ shape: ResultShape, path: String) throws(DecodingFailure) {
    guard let alternatives = json.objectValue?["oneOf"] else {
      try self.init(plain: json, shape, path: path)
      return
    }
    var reader = try ObjectReader(json, path: path)
    _ = reader.optional("oneOf")
    try reader.finish()
    let accepted = try alternatives.elements(at: reader.path(to: "oneOf")) {
      (element, path) throws(DecodingFailure) in
      try ExpectedOutcome(plain: element, shape, path: path)
    }
    guard accepted.count >= 2 else {
      throw DecodingFailure(
        path: reader.path(to: "oneOf"),
        message: "expected two or more outcomes, found \(accepted.count)")
    }
    self = .oneOf(accepted)
  }

  private init(plain json: JSONValue, _ shape: ResultShape, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    if let result = reader.optional("ok") {
      self = .ok(try Pattern(result, shape, path: reader.path(to: "ok")))
    } else if let error = reader.optional("error") {
      self = .error(try Pattern(error: error, path: reader.path(to: "error")))
    } else {
      throw DecodingFailure(path: path, message: "expected one of ok, error, oneOf")
    }
    try reader.finish()
  }
}
