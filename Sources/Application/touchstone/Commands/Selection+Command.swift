internal import Conformance
internal import Datastore
internal import Scenarios

extension Selection {
  /// Rejects a glob that matches no vector: an empty run is a usage error.
  ///
  /// A corpus without vectors is no error of the command line, and fails by itself.
  func requireMatches(in corpus: Corpus, _ manual: Manual) throws(CommandFailure) {
    guard !corpus.vectors.isEmpty else { return }
    for glob in globs where Selection(globs: [glob]).isEmpty(in: corpus) {
      let names = corpus.vectors.map(\.id.description) + corpus.clauses.map(\.id.description)
      throw CommandFailure(
        UsageError(
          "no vector matches '\(glob)'", manual,
          suggestion: nearestIDs(to: glob.literal, among: names).first))
    }
  }

  /// Rejects an offer that the implementation does not make or that has no vectors, and a selection
  /// in which all vectors would be skipped.
  func requireOffers(
    of implementation: ImplementationDescription, named name: String, in corpus: Corpus,
    _ manual: Manual
  ) throws(CommandFailure) {
    guard !corpus.vectors.isEmpty else { return }
    for offer in offers where !offer.isMade(by: implementation) {
      throw CommandFailure(UsageError("\(offer.name) is not offered by \(name)", manual))
    }
    for offer in offers where Selection(offers: [offer]).isEmpty(in: corpus) {
      throw CommandFailure(UsageError("no vector tests \(offer.name)", manual))
    }
    let selected = corpus.vectors.filter { contains($0) }
    guard selected.isEmpty else {
      return try Self.requireQuestions(selected, of: implementation, named: name, manual)
    }
    let (names, patterns) = (offers.map(\.name), globs.map { "'\($0)'" })
    throw CommandFailure(
      UsageError(
        "no vector of \(names.joined(separator: " or ")) matches "
          + patterns.joined(separator: " or "), manual))
  }

  /// Rejects a selection in which no vector can run: it would look like a failure of the store.
  private static func requireQuestions(
    _ vectors: [CorpusVector], of implementation: ImplementationDescription, named name: String,
    _ manual: Manual
  ) throws(CommandFailure) {
    var reasons: [String] = []
    for vector in vectors {
      guard let skip = vector.skip(for: implementation) else { return }
      if !reasons.contains(skip.description) { reasons.append(skip.description) }
    }
    let count = TextLayout.counted(vectors.count, "selected vector")
    throw CommandFailure(
      UsageError(
        "\(name) can run none of the \(count): \(reasons.joined(separator: "; "))", manual))
  }

  private func isEmpty(in corpus: Corpus) -> Bool { !corpus.vectors.contains { contains($0) } }
}

extension Glob {
  /// The longest part without wildcards.
  fileprivate var literal: String {
    let parts = description.split { $0 == "*" || $0 == "?" }
    return parts.max { $0.utf8.count < $1.utf8.count }.map(String.init) ?? ""
  }
}
