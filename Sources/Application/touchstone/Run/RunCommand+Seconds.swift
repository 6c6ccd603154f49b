internal import Conformance
internal import Datastore
internal import Diagnosis
internal import Scenarios

// A run with a time limit, which begins with the vectors that kill the most mutants.

extension RunCommand {
  /// Returns the vectors to run, and their ranking if the time is limited.
  func queue(
    _ corpus: Corpus, only chosen: Set<VectorID>?, for description: ImplementationDescription,
    _ context: Context
  ) throws(CommandFailure) -> (RunQueue, KillRanking?) {
    let product = product?.explainer.product
    if let chosen {
      let queue = RunQueue(
        corpus, selection, vectors: corpus.vectors.filter { chosen.contains($0.id) },
        product: product, failsFast: failsFast, isInterrupted: context.isInterrupted,
        isOver: { false })
      return (queue, nil)
    }
    guard let seconds else {
      let queue = RunQueue(
        corpus, selection, after: after, product: product, failsFast: failsFast,
        isInterrupted: context.isInterrupted)
      return (queue, nil)
    }
    let list: MutantList?
    do throws(CorpusError) { list = try MutantList.read(corpus.folder) } catch {
      throw CommandFailure("\(error)")
    }
    guard let list else {
      throw CommandFailure(
        "--seconds needs \(MutantList.fileName) beside the vectors, and \(corpus.folder) has none")
    }
    let selected = corpus.vectors.filter { selection.contains($0) }
    let runnable = selected.filter { $0.skip(for: description) == nil }
    let ranking = KillRanking(list, runnable)
    let clock = context.nanoseconds
    let end = clock() + UInt64(seconds) * 1_000_000_000
    // Skipped vectors take no time.
    let queue = RunQueue(
      corpus, selection,
      vectors: selected.filter { $0.skip(for: description) != nil } + ranking.vectors,
      product: product, failsFast: failsFast, isInterrupted: context.isInterrupted,
      isOver: { clock() >= end })
    return (queue, ranking)
  }

  /// Prints how many vectors ran, and which share of the mutants they kill.
  func tellShare(_ report: RunReport, of ranking: KillRanking, _ context: Context) {
    let ran = Set(report.results.map(\.vector.id)).intersection(ranking.vectors.map(\.id))
    let (killed, count) = (ranking.killedCount(by: ran), ranking.mutantCount)
    // Rounded down: 100.0 % are all of them.
    let thousandths = count == 0 ? 1_000 : killed * 1_000 / count
    context.error(
      "\(ran.count) of \(TextLayout.counted(ranking.vectors.count, "vector")) ran; they kill "
        + "\(killed) of the \(TextLayout.counted(count, "mutant")) that all of them kill "
        + "(\(thousandths / 10).\(thousandths % 10) %)\n")
  }
}
