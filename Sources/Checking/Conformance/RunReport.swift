public import Datastore
internal import Scenarios

/// The complete result of a run.
public struct RunReport: Sendable {
  /// The properties that the implementation declared.
  public let implementation: ImplementationDescription
  /// The corpus of the run.
  public let corpus: Corpus
  /// The selected vectors.
  public let selection: Selection
  /// The results in the order of the corpus.
  public internal(set) var results: [Result]
  /// The product whose deviations are declared; nil if none is.
  public internal(set) var product: DeclaredProduct?
  /// The problems of the list of known failures.
  public internal(set) var knownFailureProblems: [String] = []
  /// The reason why the run ended early; nil if all selected vectors ran.
  public internal(set) var stop: RunStop?
  /// The number of selected vectors.
  public internal(set) var selectedCount: Int
  /// The date and the machine of the run; nil if the caller does not state them.
  public var origin: RunOrigin?
  /// The name of the file of the verdict, to which a badge beside it links; nil without one.
  public var verdictName: String?

  /// Creates a report.
  public init(
    implementation: ImplementationDescription, corpus: Corpus, selection: Selection = .all,
    results: [Result]
  ) {
    self.implementation = implementation
    self.corpus = corpus
    self.selection = selection
    self.results = results
    selectedCount = results.count
  }

  /// A vector and its verdict.
  public struct Result: Hashable, Sendable {
    /// The vector.
    public let vector: CorpusVector
    /// The verdict.
    public let verdict: Verdict
    /// The duration of the vector, in nanoseconds.
    public let durationNanoseconds: UInt64
    /// Why this failure does not fail the run; nil for other failures and verdicts.
    public internal(set) var knownFailure: KnownFailure?

    /// Creates a result; by default with a duration of 0.
    ///
    /// - Parameter explanation: the declared deviations that explain a failure.
    public init(
      vector: CorpusVector, verdict: Verdict, durationNanoseconds: UInt64 = 0,
      explanation: [DeclaredDeviation] = []
    ) {
      self.vector = vector
      self.verdict = verdict
      self.durationNanoseconds = durationNanoseconds
      knownFailure = explanation.isEmpty ? nil : .explained(explanation)
    }

    /// Whether it failed a vector of a recommendation.
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
  /// The declarations of the implementation that core does not allow.
  public var declarationFaults: [String] {
    let minimum = Limits.minimum
    let declared = LimitName.allCases.map { ("\($0.rawValue)Max", limits[$0], minimum[$0]) }
    return declared.filter { $0.1 < $0.2 }.map { name, value, minimum in
      "the declared limit \(name) is \(value); core requires at least \(minimum)"
    } + defaultFaults + restrictionFaults.map { "the declared restriction \($0)" }
  }
}
