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
    let recorded = Mutex(Transcript(of: implementation.description))
    let explainer = FailureExplainer(product) { recording in
      recorded.withLock { $0 = Transcript(recording) }
      return .unexplained(accepted: [])
    }
    self.vector = vector
    verdict = Runner(implementation, explainer: explainer).verdict(on: vector)
    transcript = recorded.withLock { $0 }
  }

  /// The failure; nil if the vector passed or did not run.
  var witness: Witness? {
    if case .fail(let witness) = verdict { witness } else { nil }
  }
}
