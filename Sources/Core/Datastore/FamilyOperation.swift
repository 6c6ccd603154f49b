package import JSON

/// An operation of a family.
package protocol FamilyOperation: Hashable, Sendable {
  associatedtype Answer: FamilyAnswer
  /// The name of the operation in JSON.
  var name: String { get }
  /// The capabilities that the arguments of the operation need, in addition to those of its row.
  var capabilitiesOfArguments: Set<Capability> { get }
  /// The documents that the operation names, each once.
  var documents: [DocumentID] { get }
  /// The arguments that are present, in the order of the JSON form.
  var arguments: [(JSONString, JSONValue)] { get }
  /// The shape of the result of the operation.
  var resultShape: ResultShape { get }
}

extension FamilyOperation {
  package var documents: [DocumentID] { [] }

  package var capabilitiesOfArguments: Set<Capability> { [] }

  package var resultShape: ResultShape { ResultShape(ofOperation: name, arguments) }

  /// The name of the definition of the result in the table of operations.
  private var resultDefinition: JSONString {
    OperationTable.current.resultDefinition(of: name) { arguments }
  }

  /// Reads the result of the operation.
  func readAnswer(_ reader: inout ObjectReader) throws(DecodingFailure) -> any FamilyAnswer {
    try Answer(definition: resultDefinition, &reader)
  }

  /// Whether a result is a valid result of the operation; see `OperationResult.fits`.
  func accepts(_ answer: any FamilyAnswer) -> Bool {
    (answer as? Answer)?.definition == resultDefinition
  }

  fileprivate func isEqual(to other: any FamilyOperation) -> Bool { other as? Self == self }
}

/// The result of an operation of a family.
package protocol FamilyAnswer: Hashable, Sendable {
  /// The members of the result.
  var json: JSONObject { get }
  /// The name of the definition of the result in the table of operations.
  var definition: JSONString { get }
  /// Reads the result with a definition; another name than those of the family is a failure.
  init(definition: JSONString, _ reader: inout ObjectReader) throws(DecodingFailure)
}

extension DecodingFailure {
  /// A definition that is the result of no operation of a family.
  package init(unknownResult definition: JSONString, _ reader: ObjectReader) {
    self.init(path: reader.path, message: "no result is defined as '\(definition)'")
  }
}

extension FamilyAnswer {
  fileprivate func isEqual(to other: any FamilyAnswer) -> Bool { other as? Self == self }
}

/// An operation of any family, as the payload of `StoreAction`.
public struct AnyFamilyOperation: Hashable, Sendable {
  package let base: any FamilyOperation

  package init(_ base: any FamilyOperation) { self.base = base }

  public static func == (left: Self, right: Self) -> Bool { left.base.isEqual(to: right.base) }

  public func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }
}

/// A result of any family, as the payload of `OperationResult`.
public struct AnyFamilyAnswer: Hashable, Sendable {
  package let base: any FamilyAnswer

  package init(_ base: any FamilyAnswer) { self.base = base }

  public static func == (left: Self, right: Self) -> Bool { left.base.isEqual(to: right.base) }

  public func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }
}

extension StoreAction {
  /// The operation as a value of its family; nil for an operation of the core or of another family.
  package func family<StoreOperation: FamilyOperation>(_ type: StoreOperation.Type)
    -> StoreOperation?
  {
    if case .family(let operation) = self { operation.base as? StoreOperation } else { nil }
  }
}

extension OperationResult {
  /// The result as a value of its family; nil for a result of the core or of another family.
  package func family<Answer: FamilyAnswer>(_ type: Answer.Type) -> Answer? {
    if case .family(let answer) = self { answer.base as? Answer } else { nil }
  }
}
