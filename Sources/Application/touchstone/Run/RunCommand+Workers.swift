internal import Adapters
internal import ConcurrentClients
internal import Conformance
internal import Datastore
internal import Diagnosis
internal import Scenarios
internal import Simulation

/// A run over several threads: each has its own implementation and takes the next remaining vector.
///
/// All modules below the command line are single-threaded. The threads share only the queue of
/// vectors, and immutable values.
extension RunCommand {
  /// - Parameter chosen: the vectors to run; nil for all of the selection.
  func test(
    _ implementation: ImplementationEntry, _ corpus: Corpus, only chosen: Set<VectorID>? = nil,
    context: Context
  ) throws(CommandFailure) -> RunReport {
    let jobs = jobs ?? (implementation.runsBesideItself ? Files.processorCount : 1)
    // An implementation without parallel instances is another process, which waits while the runner
    // works.
    if jobs == 1, !implementation.runsBesideItself { Processor.stayOnOne() }
    var subjects = [try subject(implementation, 0)]
    let description = subjects[0].description
    let (queue, ranking) = try queue(corpus, only: chosen, for: description, context)
    do throws(CommandFailure) {
      // In a comparison it is no usage error if one implementation lacks an offer of another.
      if implementations.count == 1 {
        try selection.requireOffers(
          of: description, named: implementation.name, in: corpus, Self.manual)
      }
      while subjects.count < min(jobs, queue.vectors.count) {
        subjects.append(try subject(implementation, subjects.count))
      }
    } catch {
      try shutDown(implementation, subjects)
      throw error
    }
    let explainer = product?.explainer ?? .hints()
    let workers = subjects.dropFirst().map { subject in
      let clock = context.nanoseconds
      let loan = Loan(subject)
      return WorkerThread {
        runner(implementation, loan.subject, explainer: explainer, clock: clock).work(on: queue)
      }
    }
    let count = queue.vectors.count { $0.skip(for: description) == nil }
    var line = ProgressLine(context)
    let first = runner(
      implementation, subjects[0], explainer: explainer, clock: context.nanoseconds)
    first.work(on: queue) { progress in
      context.watchInterruption()
      line.show(progress, of: count)
    }
    for worker in workers { worker.join() }
    line.finish()
    reportStaleAnswers(subjects, context)
    try shutDown(implementation, subjects)
    let report = queue.report(on: description)
    if let ranking { tellShare(report, of: ranking, named: implementation.name, context: context) }
    return report
  }

  /// Returns the implementation of a worker, counted from 0.
  private func subject(
    _ implementation: ImplementationEntry, _ worker: Int
  ) throws(CommandFailure) -> any ImplementationUnderTest {
    try implementation.attempt { () throws(HarnessError) in
      StaleAnswerLayer.over(
        try implementation.make((storage ?? .memory).place(ofWorker: worker)),
        deviations: product?.deviations ?? [])
    }
  }

  private func runner(
    _ implementation: ImplementationEntry, _ subject: any ImplementationUnderTest,
    explainer: FailureExplainer, clock: @escaping @Sendable () -> UInt64
  ) -> Runner {
    Runner(
      subject, explainer: explainer, nanoseconds: clock,
      rerunCommand: { rerunCommand(implementation, $0.description) })
  }

  /// Prints how many reads were right only when they were repeated.
  private func reportStaleAnswers(
    _ subjects: [any ImplementationUnderTest], _ context: Context
  ) {
    let layers = subjects.compactMap { $0 as? StaleAnswerLayer }
    let count = layers.reduce(0) { $0 + $1.staleCount }
    guard count > 0 else { return }
    let longest = layers.map(\.longestWaitMilliseconds).max() ?? 0
    context.error(
      "note: \(TextLayout.counted(count, "read")) did not show the latest writes at first; repeated, "
        + "all were right after at most \(longest) ms (declared: stale-copies)\n")
  }

  /// Shuts all implementations down, even if one fails.
  private func shutDown(
    _ implementation: ImplementationEntry, _ subjects: [any ImplementationUnderTest]
  ) throws(CommandFailure) {
    var failure: CommandFailure?
    for subject in subjects {
      do throws(CommandFailure) {
        try implementation.attempt { () throws(HarnessError) in try subject.shutdown() }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// An implementation that one worker owns, which makes it safe to send.
  private struct Loan: @unchecked Sendable {
    let subject: any ImplementationUnderTest

    init(_ subject: any ImplementationUnderTest) { self.subject = subject }
  }
}
