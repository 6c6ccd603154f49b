internal import Conformance
internal import Datastore
internal import Diagnosis
internal import Scenarios

// The vectors of a run, and their order.

extension RunCommand {
  /// Returns the vectors to run, and their ranking if the time is limited.
  ///
  /// - Parameter chosen: the vectors of a sample; nil for all of the selection.
  func queue(
    _ corpus: Corpus, only chosen: Set<VectorID>?, for description: ImplementationDescription,
    _ context: Context
  ) throws(CommandFailure) -> (RunQueue, KillRanking?) {
    let product = product?.explainer.product
    if let chosen {
      let places = corpus.vectors.indices.filter { chosen.contains(corpus.vectors[$0].id) }
      let queue = RunQueue(
        corpus, selection, places: places, product: product, failsFast: failsFast,
        isInterrupted: context.isInterrupted)
      return (queue, nil)
    }
    guard seconds != nil || !changed.isEmpty else {
      let queue = RunQueue(
        corpus, selection, after: after, product: product, failsFast: failsFast,
        isInterrupted: context.isInterrupted)
      return (queue, nil)
    }
    let selected = corpus.vectors.indices.filter { selection.contains(corpus.vectors[$0]) }
    let runnable = selected.filter { corpus.vectors[$0].skip(for: description) == nil }
    // Skipped vectors take no time.
    let skipped = selected.filter { corpus.vectors[$0].skip(for: description) != nil }
    let mutants = try mutants(of: corpus)
    let ranking = KillRanking(mutants, runnable.map { corpus.vectors[$0] })
    let clock = context.nanoseconds
    let end = seconds.map { clock() + UInt64($0) * 1_000_000_000 } ?? .max
    var places = ranking.places.map { runnable[$0] }
    if !changed.isEmpty {
      let near = try ChangedFiles(changed, corpus: corpus, mutants: mutants)
      let isNear = places.map { near.vectors.contains(corpus.vectors[$0].id) }
      tell(near, isNear.filter { $0 }.count, of: places.count, context: context)
      places =
        zip(places, isNear).filter { $0.1 }.map { $0.0 }
        + zip(places, isNear).filter { !$0.1 }.map { $0.0 }
    }
    let queue = RunQueue(
      corpus, selection, places: skipped + places, product: product, failsFast: failsFast,
      isInterrupted: context.isInterrupted, isOver: { clock() >= end })
    return (queue, seconds == nil ? nil : ranking)
  }

  private func mutants(of corpus: Corpus) throws(CommandFailure) -> MutantList {
    let list: MutantList?
    do throws(CorpusError) { list = try MutantList.read(corpus.folder) } catch {
      throw CommandFailure("\(error)")
    }
    guard let list else {
      throw CommandFailure(
        "--seconds and --changed need \(MutantList.fileName) beside the vectors, and \(corpus.folder) has none"
      )
    }
    return list
  }

  /// Prints how many vectors run first.
  private func tell(
    _ near: ChangedFiles, _ nearCount: Int, of count: Int, context: Context
  ) {
    context.error(
      "\(nearCount) of \(TextLayout.counted(count, "vector")) run first: those that are "
        + "likely to detect an error in the changed files\n")
    for path in near.unknown {
      context.error("no vector is known to detect an error in \(path)\n")
    }
  }

  /// Prints how many vectors ran, and which share of the mutants they kill.
  func tellShare(
    _ report: RunReport, of ranking: KillRanking, named name: String, context: Context
  ) {
    let ran = Set(
      report.results.filter { $0.vector.skip(for: report.implementation) == nil }.map(\.vector.id))
    let (killed, count) = (ranking.killedCount(by: ran), ranking.mutantCount)
    // Rounded down: 100.0 % are all of them.
    let thousandths = count == 0 ? 1_000 : killed * 1_000 / count
    let subject = implementations.count == 1 ? "" : "\(name): "
    context.error(
      "\(subject)\(ran.count) of \(TextLayout.counted(ranking.places.count, "vector")) ran; "
        + "they kill \(killed) of the \(TextLayout.counted(count, "mutant")) that all of them kill "
        + "(\(thousandths / 10).\(thousandths % 10) %)\n")
  }
}
