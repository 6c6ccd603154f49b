internal import Conformance
internal import Datastore
internal import ReferenceDatastore
internal import Scenarios

/// The search for causes of the failures of one store.
struct DiagnosisSearch {
  private(set) var diagnosis: StoreDiagnosis
  private let store: ImplementationDescription
  private let known: [Deviation]
  private let suspects: [Suspect]
  private let failures: [ObservedVector]
  private let passed: [CorpusVector]
  private var remaining: Set<Int>

  /// A cause with the places of the failures that it explains.
  private struct Candidate {
    let origin: StoreDiagnosis.Origin
    let explained: Set<Int>
    let contradictions: Int

    /// The larger, the better.
    func score(of remaining: Set<Int>) -> Int {
      explained.intersection(remaining).count - contradictions
    }
  }

  init(
    _ observed: [ObservedVector], of store: ImplementationDescription, _ known: [Deviation],
    suspects: [Suspect]
  ) {
    self.store = store
    self.known = known
    self.suspects = suspects
    failures = observed.filter { $0.witness != nil }
    passed = observed.filter { $0.verdict.isPass }.map(\.vector)
    remaining = Set(failures.indices)
    diagnosis = StoreDiagnosis(
      store: store, vectorCount: observed.count, failureCount: failures.count)
    diagnosis.passed = passed
  }

  mutating func run() {
    // The operations of a replication run that ended without a result are unknown.
    let answered = failures.indices.filter { place in
      failures[place].witness?.breakdown == nil || failures[place].transcript.unanswered != nil
    }
    var chosen: [Candidate] = []
    choose(among: known.compactMap { candidate($0, answered) } + mutants(answered), &chosen)
    var count = 0
    // In a store with several errors, one of them may also change the steps before another fails.
    while chosen.count > count, !remaining.isEmpty {
      count = chosen.count
      choose(among: mutants(answered.filter { remaining.contains($0) }, beside: chosen), &chosen)
    }
    addSets(to: &chosen, answered)
    record(chosen)
  }

  private mutating func choose(among candidates: [Candidate], _ chosen: inout [Candidate]) {
    var candidates = candidates
    while let best = best(candidates) {
      chosen.append(best)
      remaining.subtract(best.explained)
      candidates.removeAll { $0.origin.name == best.origin.name }
    }
  }

  /// The model with the chosen causes.
  private func model(with chosen: [Candidate]) -> any ImplementationUnderTest {
    var deviations: [String] = []
    var mutants: [Suspect] = []
    for candidate in chosen {
      switch candidate.origin {
      case .deviation(let deviation): deviations.append(deviation.id)
      case .mutant(let suspect): mutants.append(suspect)
      }
    }
    var model: any ImplementationUnderTest = DeviatingDatastore(
      declaring: store, Deviation.named(deviations))
    for mutant in mutants { model = mutant.apply(model) }
    return model
  }

  private func best(_ candidates: [Candidate]) -> Candidate? {
    var best: (candidate: Candidate, score: Int)?
    for candidate in candidates {
      let count = candidate.explained.intersection(remaining).count
      let score = candidate.score(of: remaining)
      guard count > 0, score > 0 || candidate.contradictions == 0, score > best?.score ?? 0 else {
        continue
      }
      best = (candidate, score)
    }
    return best?.candidate
  }

  /// A deviation that alone explains failures; nil if it explains none.
  private func candidate(_ deviation: Deviation, _ answered: [Int]) -> Candidate? {
    let explained = answered.filter {
      let transcript = failures[$0].transcript
      return transcript.isPermitted(with: [deviation]) && !transcript.isPermitted(with: [])
    }
    guard !explained.isEmpty else { return nil }
    let model = DeviatingDatastore(declaring: store, [deviation])
    let caused = Runner(model).failures(among: failures.map(\.vector)).count
    guard isLikely(explained.count, of: caused) else { return nil }
    return Candidate(
      origin: .deviation(deviation), explained: Set(explained),
      contradictions: diagnosis.contradictions(of: deviation))
  }

  /// Whether a cause explains enough of the failures that it would cause: at least half. A cause
  /// that fails the same vectors in another way explains some of them by chance.
  private func isLikely(_ explained: Int, of caused: Int) -> Bool { 2 * explained >= caused }

  /// The largest number of mutants that are run.
  private static let mutantsMax = 40

  /// Mutants that fail hand-written vectors that the store fails, and explain failures.
  ///
  /// - Parameter chosen: the causes that the store has already.
  private func mutants(_ answered: [Int], beside chosen: [Candidate] = []) -> [Candidate] {
    let failing = Set(failures.map(\.vector.id))
    let taken = Set(chosen.map(\.origin.name))
    let right = Set(passed.map(\.id))
    var likely: [(suspect: Suspect, excess: Int, wrong: Int)] = []
    for suspect in suspects where !taken.contains(suspect.name) {
      let shared = suspect.killers.intersection(failing).count
      let wrong = suspect.killers.intersection(right).count
      // A mutant fails all of its vectors. The same error in another store may spare some of them.
      if shared > 0, wrong * 3 <= shared { likely.append((suspect, wrong - shared, wrong)) }
    }
    let order = likely.indices.sorted { (likely[$0].excess, $0) < (likely[$1].excess, $1) }
    let shapes = answered.map { NormalizedTranscript(failures[$0].transcript) }
    return order.prefix(Self.mutantsMax).compactMap { index -> Candidate? in
      let (suspect, wrong) = (likely[index].suspect, likely[index].wrong)
      let mutant = suspect.apply(model(with: chosen))
      var explained: [Int] = []
      var caused = 0
      for (place, shape) in zip(answered, shapes) {
        let one = ObservedVector(failures[place].vector, on: mutant)
        if one.witness != nil { caused += 1 }
        if NormalizedTranscript(one.transcript).matches(shape) { explained.append(place) }
      }
      guard !explained.isEmpty, isLikely(explained.count, of: caused) else { return nil }
      return Candidate(
        origin: .mutant(suspect), explained: Set(explained), contradictions: wrong)
    }
  }

  /// Explains remaining failures by several deviations together.
  private mutating func addSets(to chosen: inout [Candidate], _ answered: [Int]) {
    func declared() -> [Deviation] {
      Deviation.named(
        chosen.compactMap { candidate in
          if case .deviation(let deviation) = candidate.origin { deviation.id } else { nil }
        })
    }
    for place in answered where remaining.contains(place) {
      let transcript = failures[place].transcript
      if transcript.isPermitted(with: []) { continue }
      let names = declared()
      if let set = transcript.explanation(by: names), !set.isEmpty {
        // The chosen deviations explain it only together.
        remaining.remove(place)
        continue
      }
      guard let set = transcript.explanations(among: known).first, set.count > 1 else { continue }
      let more = set.filter { new in !names.contains { $0.id == new.id } }
      let model = DeviatingDatastore(declaring: store, more)
      guard diagnosis.contradictions(of: model) == 0 else { continue }
      for deviation in more {
        chosen.append(
          Candidate(origin: .deviation(deviation), explained: [place], contradictions: 0))
      }
      remaining.remove(place)
    }
  }

  /// Verifies the causes together, and records the result.
  private mutating func record(_ chosen: [Candidate]) {
    var deviations: [Deviation] = []
    for case .deviation(let deviation) in chosen.map(\.origin) { deviations.append(deviation) }
    let all = Deviation.named(deviations.map(\.id))
    var members: [String: [Int]] = [:]
    for place in failures.indices where !remaining.contains(place) {
      let alone = chosen.filter { $0.explained.contains(place) }.map(\.origin)
      var names: [String] = []
      if let set = failures[place].transcript.explanation(by: all), !set.isEmpty {
        names = set.map(\.id)
      } else if let mutant = alone.first(where: { if case .mutant = $0 { true } else { false } }) {
        names = [mutant.name]
      } else {
        // The cause explains the failure alone, and not together with the others.
        remaining.insert(place)
      }
      for name in names { members[name, default: []].append(place) }
    }
    for candidate in chosen {
      guard let places = members[candidate.origin.name] else { continue }
      diagnosis.causes.append(
        StoreDiagnosis.Cause(
          origin: candidate.origin, failures: places.compactMap { failure($0) },
          contradictions: candidate.contradictions))
    }
    diagnosis.sortCauses()
    diagnosis.unexplained = remaining.sorted().compactMap { failure($0) }
  }

  private func failure(_ place: Int) -> StoreDiagnosis.Failure? {
    failures[place].witness.map {
      StoreDiagnosis.Failure(
        witness: $0, operationCount: failures[place].transcript.operationCount)
    }
  }
}
