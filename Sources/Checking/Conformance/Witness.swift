public import JSON
public import Scenarios

/// Why a vector failed: everything a person needs to see it with their own eyes.
public struct Witness: Hashable, Sendable {
  public let vector: CorpusVector
  /// The step that failed, counted from 1; nil when a store could not be opened before the first.
  public let step: Int?
  /// What was done before, and what came of it.
  public let transcript: [Exchange]
  /// What was done in the failing step, names replaced by their values, and what came of it.
  public let exchange: Exchange
  /// The expectation as it stands in the file, or as the rule spells it out.
  public let expected: JSONValue
  /// Where the outcome differs from it; never empty.
  public let mismatches: [Mismatch]
  /// What kind of store behaves like this, as far as that can be told.
  public let diagnosis: [String]
  /// What the implementation wrote for people while it was asked; mostly empty.
  public let log: String
  /// The command that asks only this vector again.
  public let rerun: String?

  public init(
    vector: CorpusVector, step: Int?, transcript: [Exchange] = [], exchange: Exchange,
    expected: JSONValue, mismatches: [Mismatch], diagnosis: [String] = [], log: String = "",
    rerun: String? = nil
  ) {
    self.vector = vector
    self.step = step
    self.transcript = transcript
    self.exchange = exchange
    self.expected = expected
    self.mismatches = mismatches
    self.diagnosis = diagnosis
    self.log = log
    self.rerun = rerun
  }

  /// One operation and its outcome, both as they stand in JSON.
  public struct Exchange: Hashable, Sendable {
    public let operation: JSONValue
    public let outcome: JSONValue

    public init(operation: JSONValue, outcome: JSONValue) {
      self.operation = operation
      self.outcome = outcome
    }
  }
}

extension Witness: CustomStringConvertible {
  public var description: String {
    WitnessText(self, width: 100, style: .plain).lines.joined(separator: "\n")
  }
}
