public import Datastore
public import JSON
public import Scenarios

/// The evidence of a failure: everything needed to understand and reproduce it.
public struct Witness: Hashable, Sendable {
  /// The vector that failed.
  public let vector: CorpusVector
  /// The failing step, from 1; nil if a store could not be opened before the first.
  public let step: Int?
  /// The earlier steps with their outcomes.
  public let transcript: [Exchange]
  /// The operation of the failing step, with names replaced by values, and its outcome.
  public let exchange: Exchange
  /// The expectation in the file, or the default expectation.
  public let expected: JSONValue
  /// The differences from it; at least one.
  public let mismatches: [Mismatch]
  /// Facts that the differences do not show at once.
  public let diagnosis: [String]
  /// The known deviations that have exactly these outcomes, in a phrase; nil if none is known.
  public private(set) var deviationHint: String?
  /// The standard error of the implementation during the vector; mostly empty.
  public let log: String
  /// The command that runs only this vector again.
  public let rerun: String?
  /// The crash, the hang or the protocol error that replaced the response; nil if the response was
  /// valid.
  public let breakdown: HarnessError.Breakdown?

  /// Creates the evidence of a failure.
  public init(
    vector: CorpusVector, step: Int?, transcript: [Exchange] = [], exchange: Exchange,
    expected: JSONValue, mismatches: [Mismatch], diagnosis: [String] = [], log: String = "",
    rerun: String? = nil, breakdown: HarnessError.Breakdown? = nil
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
    self.breakdown = breakdown
  }

  /// One operation and its outcome in JSON.
  public struct Exchange: Hashable, Sendable {
    /// The operation.
    public let operation: JSONValue
    /// The outcome.
    public let outcome: JSONValue

    /// Creates a pair of operation and outcome.
    public init(operation: JSONValue, outcome: JSONValue) {
      self.operation = operation
      self.outcome = outcome
    }
  }
}

extension Witness {
  /// The evidence with deviations as a hint, of which each alone explains all outcomes.
  func hinting(at deviations: [DeclaredDeviation]) -> Witness {
    let names = deviations.map(\.id).joined(separator: " or ")
    var witness = self
    witness.deviationHint = "has exactly the outcomes of the known deviation \(names)"
    return witness
  }

  /// The facts and the deviations, for readers. They are no part of `message`, except the first fact.
  public var hints: [String] { diagnosis + [deviationHint].compactMap { $0 } }
}

extension Witness: CustomStringConvertible {
  public var description: String {
    WitnessText(self, width: 100, style: .plain).lines.joined(separator: "\n")
  }
}
