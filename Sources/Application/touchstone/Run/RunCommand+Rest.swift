internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

// A run that ended early, and the run of its remaining vectors.

extension RunCommand {
  /// The ids of the selected vectors, in the order of the corpus.
  func selected(_ corpus: Corpus) -> [VectorID] {
    corpus.vectors.filter { selection.contains($0) }.map(\.id)
  }

  /// Rejects `--after` with an id that is not in the selection, or the last one.
  func requireRest(of corpus: Corpus) throws(CommandFailure) {
    guard let after else { return }
    let ids = selected(corpus)
    guard let place = ids.firstIndex(of: after) else {
      guard !corpus.vectors.contains(where: { $0.id == after }) else {
        throw CommandFailure(
          UsageError("the vector '\(after)' of --after is not selected", Self.manual))
      }
      throw CommandFailure(
        UsageError(
          "unknown vector '\(after)' of --after", Self.manual,
          suggestion: nearestIDs(to: after.description, among: ids.map(\.description)).first))
    }
    guard place + 1 < ids.count else {
      throw CommandFailure(UsageError("no vector comes after \(after)", Self.manual))
    }
  }

  /// Prints the command that runs the remaining vectors of a run that ended early.
  func tellRest(_ report: RunReport, _ context: Context) {
    guard report.stop != nil, seconds == nil, changed.isEmpty, implementations.count == 1,
      let last = report.results.last?.vector.id
    else { return }
    var options: [String] = []
    for offer in selection.offers { options += ["--profile", offer.name] }
    for glob in selection.globs { options += ["--filter", glob.pattern.string] }
    if let knownFailures { options += ["--known-failures", knownFailures] }
    options += ["--after", last.description]
    context.error("To run the rest: \(command(implementations[0], options))\n")
  }
}
