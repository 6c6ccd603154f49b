internal import Conformance

extension Context {
  /// Explores a list of cases, each exhaustively, on several threads, and shows how many are done.
  ///
  /// - Parameter jobs: the number of threads, 1 or more.
  /// - Returns: the results in the order of the cases.
  func explore<Case: Sendable, Result: Sendable, Failure: Error>(
    _ cases: [Case], jobs: Int, _ noun: CaseNoun,
    body: @escaping @Sendable (Case) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var line = ProgressLine(self)
    defer { line.finish() }
    return try ParallelMap(cases, body).values(jobs: jobs) { done in
      line.show(done, of: cases.count, noun.plural, single: noun.singular)
    }
  }
}

extension Manual.Option {
  /// The option of commands whose cases run on threads.
  static let explorationJobs = Manual.Option(
    name: "--jobs", value: "COUNT",
    help: "Number of threads; the default is the number of processors.")
}
