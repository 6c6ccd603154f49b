public import Datastore
public import Scenarios

/// A product with the deviations that its file declares.
public struct DeclaredProduct: Hashable, Sendable {
  /// The name of the product.
  public let name: String
  /// The version or the range of versions.
  public let version: String
  /// The declared deviations, in the order in which they act.
  public let deviations: [DeclaredDeviation]

  /// Creates a declaration.
  public init(name: String, version: String, deviations: [DeclaredDeviation]) {
    self.name = name
    self.version = version
    self.deviations = deviations
  }

  /// The declared deviations that break a requirement of the whole family.
  func breakingFamily(_ corpus: Corpus) -> [DeclaredDeviation] {
    let required = Set(
      corpus.clauses.filter { clause in
        if case .family = clause.binds { clause.level == .must } else { false }
      }.map(\.id))
    return deviations.filter { $0.clauses.contains { required.contains($0) } }
  }
}

/// A named difference of a product from the rules.
public struct DeclaredDeviation: Hashable, Sendable {
  /// The id, such as `stubs-are-missing`.
  public let id: String
  /// What such a store does.
  public let sentence: String
  /// The rules that it breaks.
  public let clauses: [ClauseID]

  /// Creates a declaration.
  public init(id: String, sentence: String, clauses: [ClauseID]) {
    self.id = id
    self.sentence = sentence
    self.clauses = clauses
  }
}

/// Decides whether deviations explain the outcomes of a store exactly.
///
/// The deviations are those that a product declares; or, without a product, all known ones, and an
/// explanation is then only a hint.
public struct FailureExplainer: Sendable {
  /// The product whose deviations are declared; nil for hints.
  public let product: DeclaredProduct?
  /// Decides about all operations of a vector so far, with their outcomes.
  let explain: @Sendable (VectorRecording) -> TranscriptVerdict
  /// How contents under one revision id may differ, with the deviation that declares it.
  let contentFlaws: [ContentFlaw: DeclaredDeviation]

  /// Creates an explainer.
  ///
  /// - Parameters:
  ///   - contentFlaws: how contents under one revision id may differ, with the deviation that declares
  ///     it.
  ///   - explain: decides about all operations of a vector so far, with their outcomes.
  public init(
    _ product: DeclaredProduct?, contentFlaws: [ContentFlaw: DeclaredDeviation] = [:],
    explain: @escaping @Sendable (VectorRecording) -> TranscriptVerdict
  ) {
    self.product = product
    self.contentFlaws = contentFlaws
    self.explain = explain
  }
}

/// The operations of a vector so far, as a store performed them.
public struct VectorRecording: Sendable {
  /// The declarations of the store.
  public let store: ImplementationDescription
  /// The operations with their outcomes.
  public let exchanges: [(StoreOperation, Outcome)]
  /// The operation after them to which the store gave no valid response; nil if it answered all.
  public let unanswered: StoreOperation?
}

/// The relation of a transcript to the rules and to declared deviations.
public enum TranscriptVerdict: Hashable, Sendable {
  /// The rules permit every outcome.
  case permitted
  /// The rules with these deviations permit every outcome; at least one.
  case explained([DeclaredDeviation])
  /// Neither the rules nor the declared deviations permit an outcome.
  ///
  /// - Parameter accepted: the outcomes of the last operation that would be permitted; empty if an
  ///   earlier outcome is not permitted, or if too many states were possible.
  case unexplained(accepted: [Outcome])
}
