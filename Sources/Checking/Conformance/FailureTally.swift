internal import Datastore
internal import JSON
internal import Scenarios

/// The failures of a run, the simplest first, with counts by rule and by form.
struct FailureTally {
  /// Failures that no list contains: required ones first, then core before capabilities, then those
  /// with the fewest steps.
  let failures: [Witness]
  /// The listed failures, in the order of the corpus.
  let known: [(witness: Witness, entry: KnownFailures.Entry)]
  /// The declared deviations with the number of failures that each explains, alone or with others;
  /// the largest first.
  let deviations: [(deviation: DeclaredDeviation, count: Int)]
  /// The vectors without a verdict by message, in the order of the first one.
  let errors: [(failure: HarnessFailure, vectors: [CorpusVector])]
  /// The number of failures that cite each clause; the largest first.
  let rules: [(clause: Clause, count: Int)]
  /// The number of failures of each form; the largest first.
  let forms: [(form: String, count: Int)]

  init(_ report: RunReport) {
    var failures: [Witness] = []
    var known: [(witness: Witness, entry: KnownFailures.Entry)] = []
    var errors: [(failure: HarnessFailure, vectors: [CorpusVector])] = []
    var places: [HarnessFailure: Int] = [:]
    var explaining: [DeclaredDeviation] = []
    for result in report.results {
      switch result.verdict {
      case .pass, .skipped: break
      case .fail(let witness):
        switch result.knownFailure {
        case .listed(let entry): known.append((witness, entry))
        case .explained(let deviations): explaining += deviations
        case nil: failures.append(witness)
        }
      case .harnessError(let failure):
        if let place = places[failure] {
          errors[place].vectors.append(result.vector)
        } else {
          places[failure] = errors.count
          errors.append((failure, [result.vector]))
        }
      }
    }
    self.known = known
    deviations = Self.counted(explaining).map { ($0, $1) }
    self.errors = errors
    // A stable sort: equally simple vectors keep the order of the corpus.
    self.failures = failures.enumerated()
      .sorted {
        Self.rank($0.element, $0.offset).lexicographicallyPrecedes(Self.rank($1.element, $1.offset))
      }
      .map(\.element)
    let clauses = failures.flatMap(\.vector.clauses)
    rules = Self.counted(clauses.map(\.id)).compactMap { id, count in
      clauses.first { $0.id == id }.map { ($0, count) }
    }
    forms = Self.counted(failures.map(\.form)).map { ($0, $1) }
  }

  private static func rank(_ witness: Witness, _ place: Int) -> [Int] {
    let weight =
      switch witness.vector.weight {
      case .required: 0
      case .contractOnly: 1
      case .recommended: 2
      }
    let vector = witness.vector.vector
    return [weight, vector.isCore ? 0 : 1, vector.steps.count, place]
  }

  /// The values with their counts, the largest first; equal counts in the order of first values.
  private static func counted<Value: Hashable>(_ values: [Value]) -> [(Value, Int)] {
    var order: [Value] = []
    var counts: [Value: Int] = [:]
    for value in values {
      if counts[value] == nil { order.append(value) }
      counts[value, default: 0] += 1
    }
    let rows = order.map { value in (value, counts[value] ?? 0) }
    let places = rows.indices.sorted { (-rows[$0].1, $0) < (-rows[$1].1, $1) }
    return places.map { rows[$0] }
  }
}
