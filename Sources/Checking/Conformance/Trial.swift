internal import Datastore
internal import JSON
internal import Scenarios

/// One vector being asked of one implementation.
struct Trial {
  let vector: CorpusVector
  let implementation: any ImplementationUnderTest
  /// The command for the witness.
  let rerun: String?

  var environment: RunEnvironment
  private var bindings = Bindings()
  private var transcript: [Exchange] = []
  /// What is being performed, and what is expected of it: what a breakdown is blamed on.
  private var pending = Deed.reset
  /// The step being performed, counted from 1; nil before the first.
  private(set) var number: Int?
  /// How that step is made, while it is performed; nil when it stands in the file as it is.
  private var formed: Step?
  /// The local documents in which sessions of this vector were remembered, in their order.
  var checkpoints: [(store: StoreName, id: DocumentID)] = []

  init(
    _ vector: CorpusVector, _ implementation: any ImplementationUnderTest, rerun: String? = nil
  ) {
    self.vector = vector
    self.implementation = implementation
    self.rerun = rerun
    environment = RunEnvironment(seed: vector.id.seed)
  }

  /// Something that is performed; it is encoded only when it is shown.
  private enum Deed {
    case reset
    case operation(StoreOperation, Expectation)
    case directive(VectorDirective, Expectation)

    var shown: (operation: JSONValue, expected: JSONValue) {
      switch self {
      case .reset: (["reset": [:]], ["ok": [:]])
      case .operation(let operation, let expectation): (operation.json, expectation.json)
      case .directive(let directive, let expectation): (directive.json, expectation.json)
      }
    }
  }

  /// Something that was performed, with its outcome; it is encoded only when it is shown.
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

  /// Asks the vector from an empty implementation on, and stops at the first step that fails.
  mutating func verdict() -> Verdict {
    let description = implementation.description
    if let skip = vector.skip(for: description) { return .skipped(skip) }
    var verdict: Verdict
    do throws(HarnessError) {
      pending = .reset
      try implementation.begin(.vector(vector.id.text))
      verdict = try ask(description)
    } catch {
      verdict = self.verdict(on: error)
    }
    do throws(HarnessError) {
      try implementation.end()
    } catch {
      // What comes after the last answer counts only where all was well.
      if verdict == .pass {
        number = nil
        pending = .reset
        verdict = self.verdict(on: error)
      }
    }
    return verdict
  }

  /// Asks all steps, up to the first that fails.
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

  /// How many differences of a step that was made are kept.
  private static let mismatchesMax = 20

  /// What it means that there is no outcome.
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
        log: implementation.takeLog(), rerun: rerun))
  }

  /// Performs and checks a step that may have to be made first; nil when the vector goes on.
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
    // What was made may have millions of bytes: people see how it was made.
    let shown = { (outcome: JSONValue) in
      Witness.Exchange(operation: step.shownDeed, outcome: outcome.abridged)
    }
    if transcript.count > count {
      let last = transcript.removeLast()
      // Of a step that is repeated one exchange is enough.
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

  /// Performs and checks one step; nil when the vector goes on.
  private mutating func perform(
    _ step: Step, _ description: ImplementationDescription
  ) throws(HarnessError) -> Verdict? {
    switch step.content {
    case .operation(let template): try perform(template, step, description: description)
    case .directive(let directive): try perform(directive, step)
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
    let outcome = try implementation.perform(operation, &environment)
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
        diagnosis =
          Diagnosis(
            operation: operation, outcome: outcome, expectation: expectation, mismatches: found,
            description: description
          ).sentences
      }
    }
    return fail(
      .operation(operation, outcome), expectation, mismatches: mismatches, diagnosis: diagnosis)
  }

  /// Does what a directive says and checks it; nil when the vector goes on.
  private mutating func perform(
    _ directive: VectorDirective, _ step: Step
  ) throws(HarnessError) -> Verdict? {
    let expectation = step.effectiveExpectation
    pending = .directive(directive, expectation)
    let (outcome, remarks) = try carryOut(directive)
    let exchange = Exchange.directive(directive, outcome)
    switch expectation.match(outcome, bindings) {
    case .match(let bindings):
      self.bindings = bindings
      transcript.append(exchange)
      return nil
    case .undecided: return undecided
    case .mismatch(let found):
      return fail(exchange, expectation, mismatches: found, diagnosis: remarks)
    }
  }

  private func fail(
    _ exchange: Exchange, _ expectation: Expectation, mismatches: [Mismatch],
    diagnosis: [String]
  ) -> Verdict {
    .fail(
      Witness(
        vector: vector, step: number, transcript: transcript.map(\.shown), exchange: exchange.shown,
        expected: expectation.json, mismatches: mismatches, diagnosis: diagnosis,
        log: implementation.takeLog(), rerun: rerun))
  }

  private var undecided: Verdict {
    let message = "the expectation has too many possible matches; make the vector more specific"
    return .harnessError(HarnessFailure(message, step: number))
  }
}

extension Outcome {
  /// The error in it that is about the machine and not about the rules; nil when there is none.
  ///
  /// What a store does after a record that met such an error, nobody can say.
  fileprivate var accident: DatastoreError? {
    switch self {
    case .error(let error): error.isAccident ? error : nil
    case .ok(.inserted(let errors)): errors.lazy.compactMap { $0 }.first { $0.isAccident }
    default: nil
    }
  }

  /// What is missing or too much in a result of this action; nil when it is one.
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
  /// Whether any store may meet it at any time; `corrupt` and `newerVersion` are of its own making.
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
  /// Each vector has its own, so that what it sees does not depend on its neighbours.
  var seed: UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
  }
}
