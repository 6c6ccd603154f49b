public import Conformance
internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Scenarios

extension ProductFile {
  /// Explains the failures of a run by the deviations of the product.
  public var explainer: FailureExplainer {
    let product = DeclaredProduct(
      name: store.name, version: store.version, deviations: deviations.map(\.declaration))
    return FailureExplainer(product) { [deviations] exchanges, description in
      let transcript = Transcript(
        exchanges.map { Transcript.Exchange($0.0, $0.1) }, of: description)
      guard let explanation = transcript.explanation(by: deviations) else {
        let following = transcript.followed(with: deviations)
        return .unexplained(
          accepted: following.count == exchanges.count - 1 ? following.accepted : [])
      }
      return explanation.isEmpty ? .permitted : .explained(explanation.map(\.declaration))
    }
  }
}

extension Deviation {
  /// The deviation as reports show it.
  fileprivate var declaration: DeclaredDeviation {
    DeclaredDeviation(
      id: id, sentence: sentence, clauses: clauses.map { ClauseID(JSONString($0)) })
  }
}
