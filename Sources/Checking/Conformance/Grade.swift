internal import Datastore
internal import Scenarios

/// What a run says about one offer: the core, a capability or a profile.
///
/// It rests on the vectors about the offer alone. Only all of them prove anything, so a skipped or
/// unselected one that a MUST clause stands behind is in the way of the best grade.
public enum Grade: String, Sendable {
  case conformant
  /// Every required vector of a corpus that is not the released one passed.
  case passed
  /// Nothing that is required failed, and not everything that is required was asked.
  case incomplete
  case notConformant
  /// Some vector came to no verdict, and nothing that is required failed.
  case noVerdict
  case notOffered
  /// No vector about it was selected, or there is none.
  case notAsked

  /// - Parameter vectors: all that the corpus has about the offer.
  init(_ offer: Offer, _ vectors: [CorpusVector], report: RunReport) {
    // Sizes that an implementation does not declare are no part of what it offers.
    let isInReach = { (vector: CorpusVector) in
      vector.skip(for: report.implementation)?.isOutOfReach != true
    }
    let results = report.results.filter {
      offer.includes($0.vector.vector) && isInReach($0.vector)
    }
    let required = results.filter { $0.vector.isRequired }
    let settled = Set(required.filter { !$0.verdict.isRefusal }.map(\.vector.id))
    if !offer.isMade(by: report.implementation) {
      self = .notOffered
    } else if results.isEmpty {
      self = .notAsked
    } else if required.contains(where: { $0.verdict.isFailure }) {
      self = .notConformant
    } else if offer == .core, !report.implementation.declarationFaults.isEmpty {
      self = .notConformant
    } else if results.contains(where: { $0.verdict.isHarnessError }) {
      self = .noVerdict
    } else if vectors.contains(where: { $0.isRequired && !settled.contains($0.id) && isInReach($0) }
    )
      || !report.corpus.isWhole || !report.corpus.differences.isEmpty
    {
      // Nobody may decline a part of the core.
      let declines = offer == .core && required.contains { $0.verdict.isRefusal }
      self = declines ? .notConformant : .incomplete
    } else {
      self = report.corpus.integrity == .released ? .conformant : .passed
    }
  }

  /// The grade as people say it.
  public var words: String {
    switch self {
    case .conformant: "conformant"
    case .passed: "passed"
    case .incomplete: "incomplete"
    case .notConformant: "not conformant"
    case .noVerdict: "no verdict"
    case .notOffered: "not offered"
    case .notAsked: "not run"
    }
  }
}

extension Verdict {
  var isSkip: Bool { if case .skipped = self { true } else { false } }
  /// True for a skip because something is not offered, and not because of the defaults of `open` or
  /// of sizes that need not be declared.
  var isRefusal: Bool {
    if case .skipped(let skip) = self { !skip.isOfAnotherKind && !skip.isOutOfReach } else { false }
  }
  var isFailure: Bool { if case .fail = self { true } else { false } }
  var isHarnessError: Bool { if case .harnessError = self { true } else { false } }
}
