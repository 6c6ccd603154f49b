internal import Datastore
public import JSON

/// One operation of a vector and what it must answer.
public struct Step: Hashable, Sendable {
  public var template: OperationTemplate
  /// Without one the operation must succeed, and every record of an `insertRevisions` as well.
  public var expectation: Expectation?

  public init(_ template: OperationTemplate, _ expectation: Expectation? = nil) {
    self.template = template
    self.expectation = expectation
  }

  /// The step as it stands in a file.
  public var json: JSONValue {
    guard let expectation else { return ["do": template.json] }
    return ["do": template.json, "expect": expectation.json]
  }

  /// Reads a step; the expectation may name only what the operation can answer.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let template = try OperationTemplate(try reader.required("do"), path: reader.path(to: "do"))
    self.template = template
    expectation = try reader.optional("expect").map { value throws(DecodingFailure) in
      try Expectation(value, of: template.sample.action, path: reader.path(to: "expect"))
    }
    try reader.finish()
  }
}
