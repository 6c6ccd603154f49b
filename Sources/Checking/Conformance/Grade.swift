internal import Datastore
internal import Scenarios

/// The result of a run for one offer: the core, a capability or a profile.
///
/// It depends only on the vectors of the offer. All of them must run, so a skipped or unselected
/// vector of a MUST clause prevents the best grade.
public enum Grade: String, Sendable {
  /// Every required vector of the released corpus ran and passed.
  case conformant
  /// Every required vector of a corpus other than the released one passed.
  case passed
  /// Every required vector passed except those that declared restrictions make untestable.
  case restricted
  /// Declared deviations explain every failure of a required vector.
  case explained
  /// No required vector failed, but not all required vectors ran.
  case incomplete
  /// A required vector failed.
  case notConformant
  /// Some vectors have no verdict, and no required vector failed.
  case noVerdict
  /// The implementation does not declare the offer.
  case notOffered
  /// No vector of the offer was selected, or none exists.
  case notAsked

  /// - Parameters:
  ///   - vectors: all vectors of the offer in the corpus.
  ///   - results: their results.
  init(
    _ offer: Offer, vectors: [CorpusVector], results: [RunReport.Result], _ report: RunReport
  ) {
    // Sizes that an implementation does not declare are not part of its offer.
    // Neither are the parts of attachments that it does not declare.
    let isInReach = { (vector: CorpusVector) in
      guard let skip = vector.skip(for: report.implementation) else { return true }
      let isOtherPart =
        offer == .capability(.attachment) && !skip.capabilities.isEmpty
        && Capability.attachmentParts.isSuperset(of: skip.capabilities)
      return !skip.isOutOfReach && !isOtherPart
    }
    let results = results.filter { isInReach($0.vector) }
    let required = results.filter { $0.vector.isRequired }
    let settled = Set(required.filter { !$0.verdict.isRefusal }.map(\.vector.id))
    let isRestricted = results.contains { $0.verdict.isRestricted }
    if !offer.isMade(by: report.implementation) {
      self = .notOffered
    } else if results.isEmpty {
      self = .notAsked
    } else if required.contains(where: {
      $0.verdict.isFailure && $0.knownFailure?.deviations.isEmpty ?? true
    }) {
      self = .notConformant
    } else if offer == .core, !report.implementation.declarationFaults.isEmpty {
      self = .notConformant
    } else if results.contains(where: { $0.verdict.isHarnessError }) {
      self = .noVerdict
    } else if vectors.contains(where: { $0.isRequired && !settled.contains($0.id) && isInReach($0) }
    )
      || !report.corpus.isWhole || !report.corpus.differences.isEmpty
    {
      // A refusal of a core operation is a failure.
      let declines = offer == .core && required.contains { $0.verdict.isRefusal }
      self = declines ? .notConformant : .incomplete
    } else if required.contains(where: { $0.verdict.isFailure }) {
      self = .explained
    } else if isRestricted {
      self = .restricted
    } else {
      self = report.corpus.integrity == .released ? .conformant : .passed
    }
  }

  /// The grade in words.
  public var words: String {
    switch self {
    case .conformant: "conformant"
    case .passed: "passed"
    case .restricted: "passed with restrictions"
    case .explained: "explained"
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
  /// True for a skip because of a missing offer, and not because of the defaults of `open`, of
  /// sizes that need not be declared, or of a declared restriction.
  var isRefusal: Bool {
    guard case .skipped(let skip) = self else { return false }
    return !skip.isOfAnotherKind && !skip.isOutOfReach && !skip.isRestricted
  }
  /// True for a skip because of a declared restriction.
  var isRestricted: Bool { if case .skipped(let skip) = self { skip.isRestricted } else { false } }
  var isFailure: Bool { if case .fail = self { true } else { false } }
  var isHarnessError: Bool { if case .harnessError = self { true } else { false } }
}
