internal import Datastore
internal import JSON
internal import ReferenceDatastore

extension LegitimateVariant {
  /// Other forms of sequences, which are opaque.
  static let sequences: [LegitimateVariant] = [
    LegitimateVariant(
      "sequences-integers", "Sequences are integers with gaps.",
      telling: "batch-changes-in-order"
    ) {
      Sequences { number, ending in
        .integer(number << 32 | (Int64(ending, radix: 16) ?? 0))
      }
    },
    LegitimateVariant(
      "sequences-texts", "Sequences are texts without a number.",
      telling: "batch-changes-in-order"
    ) {
      Sequences { number, ending in .text(JSONString("~\(ending)~\(String(number, radix: 36))")) }
    },
    LegitimateVariant(
      "sequences-sparse", "Sequences have gaps of 1,000.",
      telling: "batch-changes-in-order"
    ) {
      Sequences { number, ending in .text(JSONString("\(number * 1000 + 7)-\(ending)")) }
    },
    LegitimateVariant(
      "sequences-falling", "Later sequences are smaller numbers.",
      telling: "batch-changes-in-order"
    ) {
      Sequences { number, ending in
        .text(JSONString("\(Int64(1) << 40 - number)-\(ending)"))
      }
    },
    LegitimateVariant(
      "sequences-arrays", "Sequences are arrays of an integer and a text.",
      telling: "batch-changes-in-order"
    ) {
      Sequences { number, ending in .array([.integer(number), .text(ending)]) }
    },
    LegitimateVariant(
      "sequences-long", "Sequences have 3,000 characters.",
      telling: "batch-changes-in-order"
    ) {
      Sequences { number, ending in
        .text(JSONString(String(repeating: "\"é\u{1f4a5}", count: 1000) + "\(number)-\(ending)"))
      }
    },
    LegitimateVariant(
      "sequences-like-numbers", "Sequences are texts of digits.",
      telling: "batch-changes-in-order"
    ) {
      Sequences { number, ending in
        .text(JSONString("\(number << 32 | (Int64(ending, radix: 16) ?? 0))"))
      }
    },
    LegitimateVariant(
      "sequences-of-the-past",
      "A sequence of another incarnation, or an invalid one, is the start of the feed.",
      telling: "incarnation-sequences-destroyed"
    ) { Restarting() },
  ]
}

/// Returns sequences in another form, and accepts them.
private struct Sequences: Variation {
  /// The form of the model's sequence of a number and an ending of 8 hexadecimal digits.
  let form: @Sendable (Int64, String) -> UpdateSequence
  /// The sequence of the model, by the form that was returned.
  private var own: [UpdateSequence: UpdateSequence] = [:]

  init(form: @escaping @Sendable (Int64, String) -> UpdateSequence) { self.form = form }

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    var operation = operation
    if case .changes(let since?, let limit) = operation.action {
      // The model's own form is not valid here.
      operation.action = .changes(since: own[since] ?? .text("?"), limit: limit)
    }
    let outcome = store.perform(operation, environment)
    switch outcome {
    case .ok(.info(var info)):
      info.last = shown(info.last)
      return .ok(.info(info))
    case .ok(.changes(var page)):
      for place in page.rows.indices { page.rows[place].seq = shown(page.rows[place].seq) }
      page.last = shown(page.last)
      return .ok(.changes(page))
    default: return outcome
    }
  }

  private mutating func shown(_ sequence: UpdateSequence) -> UpdateSequence {
    guard case .text(let text) = sequence else { return sequence }
    let parts = text.string.split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let number = Int64(parts[0]) else { return sequence }
    let shown = form(number, String(parts[1]))
    own[shown] = sequence
    return shown
  }

  mutating func forget() { own = [:] }
}

/// Returns the whole feed where the model returns `badSequence`.
private struct Restarting: Variation {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    let outcome = store.perform(operation, environment)
    guard case .error(let error) = outcome, error.kind == .badSequence,
      case .changes(_, let limit) = operation.action
    else { return outcome }
    return store.perform(
      StoreOperation(operation.store, .changes(limit: limit)), environment)
  }
}
