internal import Conformance
internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Synchronization

/// A vector as a store ran it.
struct ObservedVector {
  let vector: CorpusVector
  let verdict: Verdict
  /// The operations up to the end or the failure, with their outcomes.
  let transcript: Transcript

  /// Runs a vector.
  init(_ vector: CorpusVector, on implementation: any ImplementationUnderTest) {
    let product = DeclaredProduct(name: "", version: "", deviations: [])
    let recorded = Mutex<[Transcript.Exchange]>([])
    let explainer = FailureExplainer(product) { exchanges, _ in
      recorded.withLock { $0 = exchanges.map { Transcript.Exchange($0.0, $0.1) } }
      return .unexplained(accepted: [])
    }
    self.vector = vector
    verdict = Runner(implementation, explainer: explainer).verdict(on: vector)
    transcript = Transcript(recorded.withLock { $0 }, of: implementation.description)
  }

  /// The failure; nil if the vector passed or did not run.
  var witness: Witness? {
    if case .fail(let witness) = verdict { witness } else { nil }
  }
}
