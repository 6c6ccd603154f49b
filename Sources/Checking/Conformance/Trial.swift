internal import Datastore
internal import JSON
internal import Oracles
internal import Scenarios

/// One run of a vector on one implementation.
struct Trial {
  let vector: CorpusVector
  let implementation: any ImplementationUnderTest
  /// Explains a failure by declared deviations; nil without a declared product.
  private let explainer: FailureExplainer?
  /// The operations with their outcomes; nil without an explainer.
  private let recording: RecordingLayer?
  /// The declared deviations that explain the failure; empty without an explained failure.
  private(set) var explanation: [DeclaredDeviation] = []
  /// The failure that declared deviations explain. The following steps are compared with the model
  /// and these deviations instead of their expectations.
  private var explained: Witness?
  /// The command for the witness.
  let rerun: String?

  let environment: RunEnvironment
  private var bindings = Bindings()
  private var transcript: [Exchange] = []
  /// Compares contents over all steps.
  private var contents: VectorContents
  /// Does so with the content flaws that the product declares; nil without any.
  private var declaredContents: VectorContents?
  /// The declared deviations because of which one revision id has several contents.
  private var sharing: [DeclaredDeviation] = []
  /// The step in progress with its expectation, for the report of a crash, a hang or a protocol
  /// error.
  private var pending = Deed.reset
  /// The number of the current step, from 1; nil before the first.
  private(set) var number: Int?
  /// The declared deviation that explains the content that the current step read; nil if none does.
  private var replacing: DeclaredDeviation?
  /// Whether replaced content was explained. The model cannot follow a store whose own replicator has
  /// written to it, so the later steps keep their expectations.
  private var isBeyondModel = false
  /// How the current step is generated; nil if the file contains it literally.
  private var formed: Step?
  /// The latest session of the implementation's replicator, if it ended as an error.
  var stalled: StoreOperation?
  /// The local documents with the checkpoints of this vector's sessions, in their order.
  var checkpoints: [(store: StoreName, id: DocumentID)] = []

  init(
    _ vector: CorpusVector, _ implementation: any ImplementationUnderTest,
    explainer: FailureExplainer? = nil, rerun: String? = nil
  ) {
    self.vector = vector
    self.explainer = explainer
    recording = explainer.map { _ in RecordingLayer(implementation) }
    self.implementation = recording ?? implementation
    self.rerun = rerun
    environment = RunEnvironment(seed: vector.id.seed)
    contents = VectorContents(
      stores: vector.vector.stores, defaults: implementation.description.defaults.revisionIDs)
    if let explainer, !explainer.contentFlaws.isEmpty {
      declaredContents = VectorContents(
        stores: vector.vector.stores, defaults: implementation.description.defaults.revisionIDs,
        contentFlaws: Set(explainer.contentFlaws.keys))
    }
  }

  /// A step in progress; it is encoded only when it is shown.
  private enum Deed {
    case reset
    case operation(StoreOperation, ExpectedOutcome)
    case directive(VectorDirective, ExpectedOutcome)

    var shown: (operation: JSONValue, expected: JSONValue) {
      switch self {
      case .reset: (["reset": [:]], ["ok": [:]])
      case .operation(let operation, let expectation): (operation.json, expectation.json)
      case .directive(let directive, let expectation): (directive.json, expectation.json)
      }
    }
  }

  /// A finished step with its outcome; it is encoded only when it is shown.
  private enum Exchange {
    case operation(StoreOperation, Outcome)
    case directive(VectorDirective, JSONValue)
    case encoded(Witness.Exchange)

    var shown: Witness.Exchange {
      switch self {
      case .operation(let operation, let outcome):
        Witness.Exchange(operation: operation.json, outcome: outcome.json)
      case .directive(let directive, let outcome):
        Witness.Exchange(operation: directive.json, outcome: outcome)
      case .encoded(let exchange): exchange
      }
    }
  }

  /// Runs the vector on an empty implementation, and stops at the first failing step.
  mutating func verdict() -> Verdict {
    let description = implementation.description
    if let skip = vector.skip(for: description) { return .skipped(skip) }
    var verdict = verdict(with: description)
    // A later failure has no explanation, and replaces the explained one.
    if verdict == .pass, let explained { verdict = .fail(explained) } else { explanation = [] }
    return verdict
  }

  private mutating func verdict(with description: ImplementationDescription) -> Verdict {
    var verdict: Verdict
    do throws(HarnessError) {
      pending = .reset
      try implementation.begin(.vector(vector.id.text))
      verdict = try ask(description)
    } catch {
      verdict = self.verdict(on: error)
      if case .fail(let witness) = verdict { verdict = ended(with: witness, description) }
    }
    do throws(HarnessError) {
      try implementation.end()
    } catch {
      // The clean-up after the last step counts only if all steps passed.
      if verdict == .pass {
        number = nil
        pending = .reset
        verdict = self.verdict(on: error)
      }
    }
    return verdict
  }

  /// Runs all steps, up to the first failure.
  private mutating func ask(
    _ description: ImplementationDescription
  ) throws(HarnessError) -> Verdict {
    for store in vector.vector.storesToOpen {
      let step = Step(OperationTemplate(StoreOperation(store, .open())))
      if let verdict = try perform(step, description) { return verdict }
    }
    for (index, step) in vector.vector.steps.enumerated() {
      number = index + 1
      for repetition in 0..<step.times {
        if let verdict = try perform(step, repetition, description: description) { return verdict }
      }
    }
    return .pass
  }

  /// The number of kept differences of a generated step.
  private static let mismatchesMax = 20

  /// The verdict for a missing outcome.
  private mutating func verdict(on error: HarnessError) -> Verdict {
    guard let breakdown = error.breakdown else {
      return .harnessError(HarnessFailure(error.message, step: number))
    }
    let shown = formed.map { ($0.shownDeed, $0.shownExpectation) } ?? pending.shown
    let (operation, expected) = shown
    let answer = (breakdown.answer ?? Outcome.unknown.json).abridged(if: formed != nil)
    let mismatch = Mismatch(path: ValuePath(), expected: expected, actual: answer)
    return .fail(
      Witness(
        vector: vector, step: number, transcript: transcript.map(\.shown),
        exchange: Witness.Exchange(operation: operation, outcome: answer),
        expected: expected, mismatches: [mismatch], diagnosis: [error.message],
        log: implementation.takeLog(), rerun: rerun, breakdown: breakdown))
  }

  /// Performs and checks a step, generating it if necessary; nil if the vector continues.
  private mutating func perform(
    _ step: Step, _ repetition: Int64, description: ImplementationDescription
  ) throws(HarnessError) -> Verdict? {
    guard step.form != nil else { return try perform(step, description) }
    let made: Step
    do throws(DecodingFailure) {
      made = try step.made(for: description.limits, repetition: repetition)
    } catch {
      let message = "invalid step after filling in the sizes of the vector: \(error)"
      return .harnessError(HarnessFailure(message, step: number))
    }
    let count = transcript.count
    formed = step
    let verdict = try perform(made, description)
    formed = nil
    // Generated values may have millions of bytes: reports show how they are generated.
    let shown = { (outcome: JSONValue) in
      Witness.Exchange(operation: step.shownDeed, outcome: outcome.abridged)
    }
    if transcript.count > count {
      let last = transcript.removeLast()
      // Of a repeated step, one exchange is kept.
      if repetition == 0 { transcript.append(.encoded(shown(last.shown.outcome))) }
    }
    guard case .fail(let witness)? = verdict else { return verdict }
    return .fail(
      Witness(
        vector: witness.vector, step: witness.step, transcript: transcript.map(\.shown),
        exchange: shown(witness.exchange.outcome), expected: step.shownExpectation,
        mismatches: witness.mismatches.prefix(Self.mismatchesMax).map(\.abridged),
        diagnosis: witness.diagnosis,
        log: witness.log, rerun: witness.rerun))
  }

  /// Performs and checks one step; nil if the vector continues.
  private mutating func perform(
    _ step: Step, _ description: ImplementationDescription
  ) throws(HarnessError) -> Verdict? {
    let isFollowing = explained != nil
    replacing = nil
    let count = recording?.exchanges.count
    let verdict =
      switch step.content {
      case .operation(let template): try perform(template, step, description: description)
      case .directive(let directive): try perform(directive, step)
      }
    guard isFollowing else { return explained(verdict, description) }
    // A step that names a value of an unexpected answer cannot be performed: the vector ends.
    if case .harnessError? = verdict, count == recording?.exchanges.count { return .pass }
    return followed(verdict, description)
  }

  /// Nil in place of a failure that declared deviations explain, so that the vector continues.
  private mutating func explained(
    _ verdict: Verdict?, _ description: ImplementationDescription
  ) -> Verdict? {
    guard case .fail(let witness)? = verdict, let recording, let explainer else { return verdict }
    if case .directive = pending, let stalled {
      return ended(with: witness, at: stalled, description)
    }
    let deviations: [DeclaredDeviation]
    switch explainer.explain(recording.all(of: description)) {
    case .explained(let found): deviations = sharing + found
    case .permitted where !sharing.isEmpty: deviations = sharing
    case .unexplained:
      guard let replacing else { return verdict }
      deviations = [replacing]
      isBeyondModel = true
    case .permitted: return verdict
    }
    guard explainer.product != nil else {
      return .fail(witness.hinting(at: deviations))
    }
    explanation = deviations
    explained = witness
    transcript.append(.encoded(witness.exchange))
    return nil
  }

  /// The verdict after a crash, a hang or an invalid response.
  private mutating func ended(
    with witness: Witness, _ description: ImplementationDescription
  ) -> Verdict {
    guard case .operation(let operation, _) = pending else { return .fail(witness) }
    return ended(with: witness, at: operation, description)
  }

  /// The verdict at the end of what can be checked: the vector passed so far if declared deviations
  /// leave this operation without a valid response.
  private mutating func ended(
    with witness: Witness, at operation: StoreOperation, _ description: ImplementationDescription
  ) -> Verdict {
    guard let recording, let explainer,
      case .explained(let deviations) = explainer.explain(
        recording.all(of: description, unanswered: operation))
    else { return .fail(witness) }
    guard explainer.product != nil else { return .fail(witness.hinting(at: deviations)) }
    explanation = deviations
    explained = explained ?? witness
    return .pass
  }

  /// The verdict on a step after an explained failure: the declared deviations must explain it, too.
  private mutating func followed(
    _ verdict: Verdict?, _ description: ImplementationDescription
  ) -> Verdict? {
    guard let recording, let explainer, let explained else { return verdict }
    if case .harnessError? = verdict { return verdict }
    if isBeyondModel {
      guard case .fail(let witness)? = verdict, replacing != nil else { return verdict }
      transcript.append(.encoded(witness.exchange))
      return nil
    }
    switch explainer.explain(recording.all(of: description)) {
    case .permitted where sharing.isEmpty: return .fail(explained)
    case .permitted:
      if case .fail(let witness)? = verdict { transcript.append(.encoded(witness.exchange)) }
      return nil
    case .explained(let deviations):
      explanation = sharing + deviations
      if case .fail(let witness)? = verdict { transcript.append(.encoded(witness.exchange)) }
      return nil
    case .unexplained(let accepted):
      if case .fail(let witness)? = verdict { return .fail(witness) }
      guard let last = recording.exchanges.last else { return verdict }
      return fail(
        .operation(last.0, last.1), accepted.first?.json ?? .null,
        mismatches: [
          Mismatch(
            path: ValuePath(), expected: accepted.first?.json ?? .null, actual: last.1.json)
        ],
        diagnosis: [
          "step \(explained.step ?? 0) fails as declared; this outcome is not declared"
        ])
    }
  }

  private mutating func perform(
    _ template: OperationTemplate, _ step: Step, description: ImplementationDescription
  ) throws(HarnessError) -> Verdict? {
    let operation: StoreOperation
    do throws(DecodingFailure) {
      operation = try template.operation(bindings)
    } catch {
      let message = "invalid operation after filling in the bound names: \(error)"
      return .harnessError(HarnessFailure(message, step: number))
    }
    let expectation = step.effectiveExpectation
    pending = .operation(operation, expectation)
    let outcome = try implementation.perform(operation, environment)
    let mismatches: [Mismatch]
    var diagnosis: [String] = []
    if let fault = outcome.fault(asAnswerTo: operation.action) {
      mismatches = [
        Mismatch(path: ValuePath(), expected: expectation.json, actual: outcome.json)
      ]
      diagnosis = ["invalid response to \(operation.action.name): \(fault)"]
    } else {
      switch expectation.match(outcome, bindings) {
      case .match(let bindings):
        self.bindings = bindings
        if let finding = contentFinding(operation, outcome) {
          mismatches = [Mismatch(path: ValuePath(), expected: nil, actual: outcome.json)]
          diagnosis = ["violates the checker \(finding.oracle)", finding.sentence.string]
          break
        }
        transcript.append(.operation(operation, outcome))
        return nil
      case .undecided: return undecided
      case .mismatch(let found):
        if let error = outcome.accident {
          let message =
            "the store answered \(error) to \(operation.action.name), "
            + "which is no verdict about its rules"
          return .harnessError(HarnessFailure(message, step: number))
        }
        mismatches = found
        replacing = replacedContent(operation, outcome)
        diagnosis =
          FailureFacts(
            operation: operation, outcome: outcome, expectation: expectation, mismatches: found,
            description: description
          ).sentences
      }
    }
    return fail(
      .operation(operation, outcome), expectation.json, mismatches: mismatches, diagnosis: diagnosis
    )
  }

  /// A violation of the checker of contents; nil for generated steps, whose values are large, and
  /// behind an explained failure, whose deviations need not keep contents.
  private mutating func contentFinding(
    _ operation: StoreOperation, _ outcome: Outcome
  ) -> OracleFinding? {
    guard formed == nil, explained == nil else { return nil }
    let declared = declaredContents?.observe(operation, outcome)
    guard let finding = contents.observe(operation, outcome) else { return nil }
    if let declaredContents, declared == nil {
      sharing = declaredContents.contentFlaws.compactMap { explainer?.contentFlaws[$0] }
        .sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }
    return finding
  }

  /// The declared deviation that explains an attachment with the content of another revision of the
  /// source, after the store's own replicator has pulled; nil if none explains it.
  private func replacedContent(
    _ operation: StoreOperation, _ outcome: Outcome
  ) -> DeclaredDeviation? {
    guard let deviation = explainer?.contentFlaws[.attachmentsOfOtherRevisions], let recording,
      case .readAttachment(let id, let rev?, let name, nil, nil) = operation.action,
      case .ok(.attachment(let piece)) = outcome
    else { return nil }
    func records(in store: StoreName) -> [RevisionRecord] {
      recording.exchanges.flatMap { exchange -> [RevisionRecord] in
        guard exchange.0.store == store, case .insertRevisions(let records) = exchange.0.action
        else { return [] }
        return records.filter { $0.id == id }
      }
    }
    let isCopy = !records(in: operation.store).contains { $0.path.first == rev }
    let isOfAnother = recording.sources(ofPullsTo: operation.store).contains { source in
      records(in: source).contains { record in
        record.path.first != rev
          && record.attachments.contains { $0.name == name && $0.content == .data(piece.bytes) }
      }
    }
    return isCopy && isOfAnother ? deviation : nil
  }

  /// Performs and checks a directive; nil if the vector continues.
  private mutating func perform(
    _ directive: VectorDirective, _ step: Step
  ) throws(HarnessError) -> Verdict? {
    let expectation = step.effectiveExpectation
    pending = .directive(directive, expectation)
    let (outcome, remarks) = try carryOut(directive)
    // Writes of clients during a session; their outcomes are not reported.
    for operation in directive.operations {
      _ = contents.observe(operation, .unknown)
      _ = declaredContents?.observe(operation, .unknown)
    }
    let exchange = Exchange.directive(directive, outcome)
    switch expectation.match(outcome, bindings) {
    case .match(let bindings):
      self.bindings = bindings
      transcript.append(exchange)
      return nil
    case .undecided: return undecided
    case .mismatch(let found):
      return fail(exchange, expectation.json, mismatches: found, diagnosis: remarks)
    }
  }

  private func fail(
    _ exchange: Exchange, _ expected: JSONValue, mismatches: [Mismatch],
    diagnosis: [String]
  ) -> Verdict {
    .fail(
      Witness(
        vector: vector, step: number, transcript: transcript.map(\.shown), exchange: exchange.shown,
        expected: expected, mismatches: mismatches, diagnosis: diagnosis,
        log: implementation.takeLog(), rerun: rerun))
  }

  private var undecided: Verdict {
    let message = "the expectation has too many possible matches; make the vector more specific"
    return .harnessError(HarnessFailure(message, step: number))
  }
}

extension Outcome {
  /// Returns an error of the machine rather than of the rules; nil if there is none.
  ///
  /// The result of the records after such an error is undefined.
  fileprivate var accident: DatastoreError? {
    switch self {
    case .error(let error): error.isAccident ? error : nil
    case .ok(.inserted(let errors)): errors.lazy.compactMap { $0 }.first { $0.isAccident }
    default: nil
    }
  }

  /// Returns missing and unknown members in a result of this action; nil if it is valid.
  fileprivate func fault(asAnswerTo action: StoreAction) -> DecodingFailure? {
    guard case .ok(let result) = self, !result.fits(action) else { return nil }
    do throws(DecodingFailure) {
      _ = try OperationResult(result.json, of: action, path: "")
      return nil
    } catch {
      return error
    }
  }
}

extension DatastoreError {
  /// Whether any store may return it at any time; `corrupt` and `newerVersion` have causes in the
  /// store.
  fileprivate var isAccident: Bool {
    switch kind {
    case .busy, .storage(.full), .storage(.io), .storage(.readOnly): true
    default: false
    }
  }
}

extension VectorID {
  /// The seed of the environment in which the vector runs: FNV-1a of the id, 64 bits.
  ///
  /// Each vector has its own seed, so that its run does not depend on other vectors.
  var seed: UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
  }
}
