public import Datastore
public import Scenarios

/// A store with one known error: a mutant of the model, which may be the cause of failures.
public struct Suspect: Sendable {
  /// The name of the mutant.
  public let name: String
  /// The error in one sentence.
  public let sentence: String
  /// The hand-written vectors that fail on it.
  public let killers: Set<VectorID>
  /// Makes the error in front of a store.
  public let apply: @Sendable (any ImplementationUnderTest) -> any ImplementationUnderTest

  /// Creates a suspect.
  public init(
    name: String, sentence: String, killers: Set<VectorID>,
    apply: @escaping @Sendable (any ImplementationUnderTest) -> any ImplementationUnderTest
  ) {
    self.name = name
    self.sentence = sentence
    self.killers = killers
    self.apply = apply
  }
}
