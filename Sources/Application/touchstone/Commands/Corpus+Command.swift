internal import Conformance

extension Corpus {
  /// Returns the corpus in the given folder or file, or the default corpus.
  static func forCommand(_ path: String?) throws(CommandFailure) -> Corpus {
    try read(path) { (reading) throws(CorpusError) in try Corpus(reading) }
  }

  /// Returns the corpus to run. Problems in a folder with a manifest count as differences from the
  /// manifest.
  static func forRun(_ path: String?) throws(CommandFailure) -> Corpus {
    try read(path) { (reading) throws(CorpusError) in try reading.corpusForRun() }
  }

  private static func read(
    _ path: String?, _ corpus: (CorpusReading) throws(CorpusError) -> Corpus
  ) throws(CommandFailure) -> Corpus {
    do throws(CorpusError) {
      guard let path else { return try corpus(try CorpusReading.standard.get()) }
      return try corpus(try VectorsLocation.find(path).read())
    } catch {
      let shown = error.problems.prefix(5).map(\.description)
      let hidden = error.problems.count - shown.count
      let more = hidden > 0 ? ["… \(hidden) more; run 'touchstone vectors check'"] : []
      throw CommandFailure((["the corpus is invalid"] + shown + more).joined(separator: "\n  "))
    }
  }
}
