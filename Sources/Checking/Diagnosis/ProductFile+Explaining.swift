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
    let contentFlaws = deviations.compactMap { deviation in
      deviation.contentFlaw.map { ($0, deviation.declaration) }
    }
    return FailureExplainer(
      product, contentFlaws: Dictionary(contentFlaws) { first, _ in first }
    ) { [deviations] recording in
      let transcript = Transcript(recording)
      guard let explanation = transcript.explanation(by: deviations) else {
        let following = transcript.followed(with: deviations)
        return .unexplained(
          accepted: following.count == transcript.operationCount - 1 ? following.accepted : [])
      }
      return explanation.isEmpty ? .permitted : .explained(explanation.map(\.declaration))
    }
  }
}

extension FailureExplainer {
  /// Hints at known deviations, of which each alone explains all outcomes of a failing vector.
  ///
  /// - Parameters:
  ///   - namedMax: no hint is given if more deviations explain them.
  ///   - exchangesMax: the number of operations up to which a failing vector is searched; it bounds
  ///     the time, and does not depend on other vectors, so that equal runs have equal reports.
  public static func hints(namedMax: Int = 3, exchangesMax: Int = 50) -> FailureExplainer {
    FailureExplainer(nil) { recording in
      guard recording.exchanges.count <= exchangesMax else { return .unexplained(accepted: []) }
      let transcript = Transcript(recording)
      let single = Deviation.all.filter { transcript.isPermitted(with: [$0]) }
      guard !single.isEmpty, single.count <= namedMax, !transcript.isPermitted(with: []) else {
        return .unexplained(accepted: [])
      }
      return .explained(single.map(\.declaration))
    }
  }
}

extension Transcript {
  /// The operations of a vector.
  init(_ recording: VectorRecording) {
    self.init(
      recording.exchanges.map { Exchange($0.0, $0.1) }, unanswered: recording.unanswered,
      of: recording.store)
  }
}

extension Deviation {
  /// The deviation as reports show it.
  fileprivate var declaration: DeclaredDeviation {
    DeclaredDeviation(
      id: id, sentence: sentence, clauses: clauses.map { ClauseID(JSONString($0)) })
  }
}
