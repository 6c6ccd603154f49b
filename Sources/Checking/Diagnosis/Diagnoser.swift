public import Conformance
public import Datastore
internal import JSON
public import ReferenceDatastore
internal import Scenarios

/// Finds few known causes that reproduce the outcomes of a store over the corpus.
///
/// A cause is a deviation or a mutant. It explains a failure only if the model with this cause has
/// the same outcomes, step by step. A cause that would fail vectors that the store passes is
/// rejected if these are more than the failures that it explains.
public struct Diagnoser {
  private let corpus: Corpus
  private let deviations: [Deviation]
  private let suspects: [Suspect]

  /// - Parameters:
  ///   - deviations: the known deviations.
  ///   - suspects: the known mutants.
  public init(
    _ corpus: Corpus, among deviations: [Deviation] = Deviation.all, suspects: [Suspect] = []
  ) {
    self.corpus = corpus
    self.deviations = deviations
    self.suspects = suspects
  }

  /// Runs all vectors on a store and searches for the causes of its failures.
  ///
  /// - Parameter progress: called after each vector.
  public func diagnose(
    _ store: any ImplementationUnderTest, progress: (_ done: Int) -> Void = { _ in }
  ) -> StoreDiagnosis {
    var observed: [ObservedVector] = []
    for vector in corpus.vectors {
      let one = ObservedVector(vector, on: store)
      if case .skipped = one.verdict {} else { observed.append(one) }
      progress(observed.count)
    }
    var search = DiagnosisSearch(observed, of: store.description, deviations, suspects)
    search.run()
    return search.diagnosis
  }
}

/// The causes of the failures of a store.
public struct StoreDiagnosis: Sendable {
  /// The declarations of the store.
  public let store: ImplementationDescription
  /// The number of vectors that ran.
  public let vectorCount: Int
  /// The number of failing vectors.
  public let failureCount: Int
  /// The causes, the most frequent first.
  public internal(set) var causes: [Cause] = []
  /// The failures without a known cause, in the order of the corpus.
  public internal(set) var unexplained: [Failure] = []

  /// A cause with the failures that it explains, alone or together with others.
  public struct Cause: Sendable {
    public let origin: Origin
    /// The failing vectors that it explains.
    public internal(set) var failures: [Failure]
    /// The number of vectors that the store passes and that would fail with this cause alone.
    public let contradictions: Int
  }

  /// What is known about a cause.
  public enum Origin: Sendable {
    case deviation(Deviation)
    case mutant(Suspect)

    /// The id of the deviation or the name of the mutant.
    public var name: String {
      switch self {
      case .deviation(let deviation): deviation.id
      case .mutant(let suspect): suspect.name
      }
    }

    /// What such a store does.
    public var sentence: String {
      switch self {
      case .deviation(let deviation): deviation.sentence
      case .mutant(let suspect): suspect.sentence
      }
    }
  }

  /// A failing vector.
  public struct Failure: Hashable, Sendable {
    public let witness: Witness
    /// The number of operations up to the failure.
    public let operationCount: Int
  }

  /// The deviations among the causes, in the order in which they act.
  public var deviations: [Deviation] {
    Deviation.named(
      causes.compactMap { cause in
        if case .deviation(let deviation) = cause.origin { deviation.id } else { nil }
      })
  }

  /// The number of failures that the causes explain.
  public var explainedCount: Int { failureCount - unexplained.count }
}
