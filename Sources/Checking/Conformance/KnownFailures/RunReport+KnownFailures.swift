internal import Datastore
internal import JSON
internal import Scenarios

extension RunReport {
  /// Returns the report with known failures marked, and with the problems of the list.
  ///
  /// It is a problem if a listed vector passes, fails differently or is skipped, if a pattern
  /// matches nothing, and if an entry has expired. Entries for vectors that this run left out are
  /// not checked.
  public func compared(with list: KnownFailures, on day: CalendarDay) -> RunReport {
    let valid = list.entries.filter { !$0.isExpired(on: day) }
    var marked: [Result] = []
    for result in results {
      var result = result
      if case .fail(let witness) = result.verdict, result.knownFailure == nil {
        result.knownFailure = valid.first {
          $0.vectors.matches(result.vector.id.text) && $0.describes(witness)
        }.map { .listed($0) }
      }
      marked.append(result)
    }
    var report = self
    report.results = marked
    report.knownFailureProblems = list.entries.enumerated().flatMap { place, entry in
      report.problems(with: entry, "entry \(place + 1) ('\(entry.vectors)')", on: day)
    }
    return report
  }

  private func problems(
    with entry: KnownFailures.Entry, _ name: String, on day: CalendarDay
  ) -> [String] {
    let meant = corpus.vectors.filter { entry.vectors.matches($0.id.text) }
    if meant.isEmpty {
      return corpus.isWhole ? ["\(name) matches no vector; correct the entry or remove it"] : []
    }
    if let skip = Self.commonSkip(of: meant, implementation) {
      return ["\(name) matches only skipped vectors: \(skip)"]
    }
    let answers = results.filter { entry.vectors.matches($0.vector.id.text) }
    guard answers.contains(where: { $0.verdict.isAnswer }) else { return [] }
    if let last = entry.expires, entry.isExpired(on: day) {
      return ["\(name) expired on \(last), today is \(day): \(entry.reason)"]
    }
    var problems: [String] = []
    let passed = answers.filter { $0.verdict.isPass }.map { $0.vector.id.description }
    if !passed.isEmpty {
      let verb = passed.count == 1 ? "passes" : "pass"
      problems.append("\(name) is out of date: \(Self.listed(passed)) \(verb) now")
    }
    for answer in answers where answer.knownFailure == nil {
      guard case .fail(let witness) = answer.verdict else { continue }
      problems.append(
        "\(name) expects \(answer.vector.id) to fail with '\(entry.message)', "
          + "and it fails with '\(witness.message)'")
    }
    return problems
  }

  /// Returns why all of these are skipped; nil if one is not.
  private static func commonSkip(
    of vectors: [CorpusVector], _ implementation: ImplementationDescription
  ) -> Skip? {
    var first: Skip?
    for vector in vectors {
      guard let skip = vector.skip(for: implementation) else { return nil }
      first = first ?? skip
    }
    return first
  }

  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(3).joined(separator: ", ")
    return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
  }
}

extension Verdict {
  /// Whether the vector ran and has a verdict.
  fileprivate var isAnswer: Bool {
    switch self {
    case .pass, .fail: true
    case .skipped, .harnessError: false
    }
  }
}
