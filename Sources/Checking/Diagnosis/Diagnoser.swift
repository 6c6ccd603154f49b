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
  /// - Parameters:
  ///   - isInterrupted: whether the remaining vectors are left out.
  ///   - progress: called after each vector.
  public func diagnose(
    _ store: any ImplementationUnderTest, isInterrupted: () -> Bool = { false },
    progress: (_ done: Int) -> Void = { _ in }
  ) -> StoreDiagnosis {
    var observed: [ObservedVector] = []
    for vector in corpus.vectors {
      if isInterrupted() { break }
      let one = ObservedVector(vector, on: store)
      if case .skipped = one.verdict {} else { observed.append(one) }
      progress(observed.count)
    }
    var search = DiagnosisSearch(observed, of: store.description, deviations, suspects: suspects)
    search.run()
    var diagnosis = search.diagnosis
    diagnosis.verify(on: store)
    diagnosis.dropMinorities()
    diagnosis.sortCauses()
    return diagnosis
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
  /// The vectors that the store passes, in the order of the corpus.
  var passed: [CorpusVector] = []

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

  /// The number of vectors that the store passes and that would fail with a deviation; 0 if the
  /// deviation depends on a state that no response shows.
  public func contradictions(of deviation: Deviation) -> Int {
    guard !deviation.isConditional else { return 0 }
    return contradictions(of: DeviatingDatastore(declaring: store, [deviation]))
  }

  /// The number of vectors that the store passes and a candidate fails.
  func contradictions(of candidate: any ImplementationUnderTest) -> Int {
    Runner(candidate).failures(among: passed).count
  }

  /// Drops causes that probably are parts of an unknown one: those that explain a minority of the
  /// failures of each form, those that leave three times as many open about the same rules or
  /// operations, and mutants if 3 of 4 failures remain unexplained.
  mutating func dropMinorities() {
    dropMinoritiesOfForms()
    dropParts()
    guard unexplained.count >= 3 * explainedCount else { return }
    drop { if case .mutant = $0.origin { true } else { false } }
  }

  /// Puts the most frequent cause first.
  mutating func sortCauses() {
    causes = causes.enumerated().sorted {
      (-$0.element.failures.count, $0.offset) < (-$1.element.failures.count, $1.offset)
    }.map(\.element)
  }

  private mutating func dropParts() {
    let open = unexplained
    drop { cause in
      // One or two failures may be explained by chance.
      let least = cause.failures.count * (cause.failures.count <= 2 ? 1 : 3)
      let own = Set(cause.failures.flatMap { Self.subjects(of: $0) })
      return open.count { !own.isDisjoint(with: Self.subjects(of: $0)) } >= least
    }
  }

  /// The name of the failing operation, and the families of the rules that the vector cites, such as
  /// `LIST`.
  private static func subjects(of failure: Failure) -> Set<String> {
    let families = failure.witness.vector.clauses.compactMap {
      "\($0.id)".split(separator: "-").first
    }
    let operation = failure.witness.form.split(separator: ":").first
    return Set((families + [operation].compactMap { $0 }).map { String($0) })
  }

  private mutating func dropMinoritiesOfForms() {
    var open: [String: Int] = [:]
    for failure in unexplained { open[failure.witness.form, default: 0] += 1 }
    drop { cause in
      var own: [String: Int] = [:]
      for failure in cause.failures { own[failure.witness.form, default: 0] += 1 }
      return own.allSatisfy { form, count in count < open[form] ?? 0 }
    }
  }

  /// Drops causes; their failures become unexplained unless another cause explains them, too.
  private mutating func drop(where isDropped: (Cause) -> Bool) {
    let kept = causes.filter { !isDropped($0) }
    guard kept.count < causes.count else { return }
    let explained = Set(kept.flatMap { $0.failures.map(\.witness.vector.id) })
    let dropped = causes.flatMap(\.failures).filter {
      !explained.contains($0.witness.vector.id)
    }
    causes = kept
    var seen: Set<VectorID> = []
    unexplained = (unexplained + dropped).filter { seen.insert($0.witness.vector.id).inserted }
  }

  /// Runs the explained vectors again to their end: the deviations must explain each step behind the
  /// failure, too, as `run --product` requires.
  mutating func verify(on store: any ImplementationUnderTest) {
    guard !deviations.isEmpty else { return }
    let product = ProductFile(store: self.store, about: "", deviations: deviations)
    let runner = Runner(store, explainer: product.explainer)
    var refuted: Set<VectorID> = []
    for cause in causes {
      guard case .deviation = cause.origin else { continue }
      for failure in cause.failures where !refuted.contains(failure.witness.vector.id) {
        let vector = failure.witness.vector
        if !runner.isExplained(vector) { refuted.insert(vector.id) }
      }
    }
    guard !refuted.isEmpty else { return }
    let all = causes.flatMap(\.failures) + unexplained
    for place in causes.indices {
      causes[place].failures.removeAll { refuted.contains($0.witness.vector.id) }
    }
    causes.removeAll(where: \.failures.isEmpty)
    var seen: Set<VectorID> = []
    unexplained = all.filter { failure in
      let id = failure.witness.vector.id
      return (refuted.contains(id) || unexplained.contains(failure)) && seen.insert(id).inserted
    }
  }

  /// The number of failures that the causes explain.
  public var explainedCount: Int { failureCount - unexplained.count }
}
