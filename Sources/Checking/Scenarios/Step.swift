public import Datastore
public import JSON

/// One operation of a vector, or one directive of the runner, and the expected outcome.
public struct Step: Hashable, Sendable {
  /// The operation or the directive.
  public var content: Content
  /// Without one an operation must succeed, and every record of an `insertRevisions` as well; a
  /// session that is neither cut off nor stopped must be complete.
  public var expectation: Expectation?
  /// What is made when the step runs; nil when the file says it all.
  public private(set) var form: Form?

  /// What a step does.
  public enum Content: Hashable, Sendable {
    /// An operation on a store.
    case operation(OperationTemplate)
    /// A directive of the runner.
    case directive(VectorDirective)
  }

  /// A step as it stands in a file, with the places that are filled when it runs.
  ///
  /// The content and the expectation of such a step are a sample: of its shape, and small.
  public struct Form: Hashable, Sendable {
    /// The operation or directive in the file.
    public let deed: JSONValue
    /// The expectation in the file; nil for the default.
    public let expectation: JSONValue?
    /// The values to generate, each with its place.
    public let fills: [Fill]
    /// How often the step is performed.
    public let times: Int64
  }

  /// Creates a step that performs an operation.
  public init(_ template: OperationTemplate, _ expectation: Expectation? = nil) {
    content = .operation(template)
    self.expectation = expectation
  }

  /// Creates a step that the runner performs itself.
  public init(_ directive: VectorDirective, _ expectation: Expectation? = nil) {
    content = .directive(directive)
    self.expectation = expectation
  }

  /// The operation; nil when the runner does something itself.
  public var template: OperationTemplate? {
    if case .operation(let template) = content { template } else { nil }
  }

  /// The word for what the step does: the operation's name, `replicate` or `loseCheckpoint`.
  public var name: JSONString {
    switch content {
    case .operation(let template): JSONString(template.sample.action.name)
    case .directive(.replicate): "replicate"
    case .directive(.loseCheckpoint): "loseCheckpoint"
    }
  }

  /// What a store has to offer for the step to mean anything.
  var capabilities: Set<Capability> {
    switch content {
    case .operation(let template): template.sample.action.capabilities
    case .directive(let directive):
      directive.operations.reduce(into: []) { $0.formUnion($1.action.capabilities) }
    }
  }

  /// The stores that the step touches.
  public var stores: [StoreName] {
    switch content {
    case .operation(let template): [template.sample.store]
    case .directive(let directive): directive.stores
    }
  }

  /// What the step does, as it stands in a file.
  public var deed: JSONValue {
    if let form { return form.deed }
    return switch content {
    case .operation(let template): template.json
    case .directive(let directive): directive.json
    }
  }

  /// The step as it stands in a file.
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

  /// Reads a step; the expectation may name only what can come of it.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    if let form = try Form(&reader) {
      try self.init(form, .sample, path: path)
    } else {
      try self.init(&reader)
    }
  }

  /// Reads a step that stands in the file as it is.
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
      try Expectation(value, shape, path: reader.path(to: "expect"))
    }
    try reader.finish()
  }

  /// Reads a step that is made of a form.
  init(_ form: Form, _ scale: FillScale, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(try form.filled(scale, path: path), path: path)
    try self.init(&reader)
    self.form = form
  }
}
