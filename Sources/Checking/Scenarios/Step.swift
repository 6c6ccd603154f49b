public import Datastore
public import JSON

/// One operation of a vector, or one directive of the runner, and the expected outcome.
public struct Step: Hashable, Sendable {
  /// The operation or the directive.
  public var content: Content
  /// The expected outcome. By default an operation must succeed, with every record of an
  /// `insertRevisions`, and a session that is neither cut off nor stopped must be complete.
  public var expectation: ExpectedOutcome?
  /// The values to generate when the step runs; nil without any.
  public private(set) var form: Form?

  /// The operation or directive of a step.
  public enum Content: Hashable, Sendable {
    /// An operation on a store.
    case operation(OperationTemplate)
    /// A directive of the runner.
    case directive(VectorDirective)
  }

  /// A step as its file contains it, with the places to fill when it runs.
  ///
  /// The content and the expectation of such a step are a small sample of its shape.
  public struct Form: Hashable, Sendable {
    /// The operation or directive in the file.
    public let deed: JSONValue
    /// The expectation in the file; nil for the default.
    public let expectation: JSONValue?
    /// The values to generate, each with its place.
    public let fills: [Fill]
    /// The number of times that the step is performed.
    public let times: Int64
  }

  /// Creates a step that performs an operation.
  public init(_ template: OperationTemplate, _ expectation: ExpectedOutcome? = nil) {
    content = .operation(template)
    self.expectation = expectation
  }

  /// Creates a step that the runner performs itself.
  public init(_ directive: VectorDirective, _ expectation: ExpectedOutcome? = nil) {
    content = .directive(directive)
    self.expectation = expectation
  }

  /// The operation; nil for a directive of the runner.
  public var template: OperationTemplate? {
    if case .operation(let template) = content { template } else { nil }
  }

  /// The name of the operation, or `replicate` or `loseCheckpoint`.
  public var name: JSONString {
    switch content {
    case .operation(let template): JSONString(template.sample.action.name)
    case .directive(.replicate): "replicate"
    case .directive(.loseCheckpoint): "loseCheckpoint"
    }
  }

  /// The capabilities that the step needs.
  var capabilities: Set<Capability> {
    switch content {
    case .operation(let template): template.sample.action.capabilities
    case .directive(let directive):
      directive.operations.reduce(into: []) { $0.formUnion($1.action.capabilities) }
    }
  }

  /// The stores that the step uses.
  public var stores: [StoreName] {
    switch content {
    case .operation(let template): [template.sample.store]
    case .directive(let directive): directive.stores
    }
  }

  /// The operation or directive as a file contains it.
  public var deed: JSONValue {
    if let form { return form.deed }
    return switch content {
    case .operation(let template): template.json
    case .directive(let directive): directive.json
    }
  }

  /// The step as its file contains it.
  public var json: JSONValue {
    if let form { return form.json }
    var object: JSONObject =
      switch content {
      case .operation(let template): ["do": template.json]
      case .directive(let directive): directive.json.objectValue ?? [:]
      }
    object["expect"] = expectation?.json
    return .object(object)
  }

  /// Reads a step; the expectation may name only possible results.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    if let form = try Form(&reader) {
      try self.init(form, .sample, path: path)
    } else {
      try self.init(&reader)
    }
  }

  /// Reads a step without generated values.
  private init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    let shape: ResultShape
    if let directive = try VectorDirective(&reader) {
      content = .directive(directive)
      shape = ResultShape(of: directive)
    } else {
      let template = try OperationTemplate(
        try reader.required("do"), path: reader.path(to: "do"))
      content = .operation(template)
      shape = ResultShape(of: template.sample.action)
    }
    expectation = try reader.optional("expect").map { value throws(DecodingFailure) in
      try ExpectedOutcome(value, shape, path: reader.path(to: "expect"))
    }
    try reader.finish()
  }

  /// Reads a step with generated values.
  init(_ form: Form, _ scale: FillScale, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(try form.filled(scale, path: path), path: path)
    try self.init(&reader)
    self.form = form
  }
}
