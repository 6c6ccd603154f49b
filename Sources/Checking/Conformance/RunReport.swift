public import Datastore
internal import Scenarios

/// All that a run found out.
public struct RunReport: Sendable {
  public let implementation: ImplementationDescription
  public let corpus: Corpus
  public let selection: Selection
  /// In the order of the corpus.
  public internal(set) var results: [Result]
  /// What is wrong with the list of known failures that the run was compared with.
  public internal(set) var knownFailureProblems: [String] = []

  public init(
    implementation: ImplementationDescription, corpus: Corpus, selection: Selection = .all,
    results: [Result]
  ) {
    self.implementation = implementation
    self.corpus = corpus
    self.selection = selection
    self.results = results
  }

  /// A vector and what it says.
  public struct Result: Hashable, Sendable {
    public let vector: CorpusVector
    public let verdict: Verdict
    public let durationNanoseconds: UInt64
    /// Who knows of this failure.
    public internal(set) var knownFailure: KnownFailures.Entry?

    public init(vector: CorpusVector, verdict: Verdict, durationNanoseconds: UInt64 = 0) {
      self.vector = vector
      self.verdict = verdict
      self.durationNanoseconds = durationNanoseconds
    }

    /// Whether it failed a vector that only recommends.
    public var isDeviation: Bool {
      if case .fail = verdict { vector.weight == .recommended } else { false }
    }

    /// True if it failed a vector that only the grade `contract` requires, in a run at `family`.
    public var isContractOnlyFailure: Bool {
      if case .fail = verdict { vector.weight == .contractOnly } else { false }
    }
  }
}

extension ImplementationDescription {
  /// What the implementation says of itself that core does not allow; empty when nothing is.
  public var declarationFaults: [String] {
    let minimum = Limits.minimum
    let declared = LimitName.allCases.map { ("\($0.rawValue)Max", limits[$0], minimum[$0]) }
    return declared.filter { $0.1 < $0.2 }.map { name, value, minimum in
      "the declared limit \(name) is \(value); core requires at least \(minimum)"
    } + defaultFaults
  }
}
