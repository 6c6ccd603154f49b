internal import Conformance
internal import JSON

/// The files beside `clauses.json` that follow from the clauses, vectors and mistakes.
struct VectorsPages {
  let files: [GeneratedFile]

  /// What the files of a folder have to be, as it is now.
  init(folder: String) throws(CommandFailure) {
    do throws(CorpusError) {
      let corpus = try Corpus(folder: folder)
      let earlier = try Manifest.read(folder)
      let problems = earlier?.idProblems(in: corpus) ?? []
      guard problems.isEmpty else { throw CorpusError(problems) }
      let manifest = try Manifest(of: corpus, after: earlier)
      let mistakes = try MistakeList.read(folder)
      files = [
        GeneratedFile(
          name: Manifest.fileName, text: manifest.json.pretty(indent: 1) + "\n"),
        GeneratedFile(
          name: TraceabilityPage.fileName, text: TraceabilityPage(corpus, mistakes).text),
      ]
    } catch {
      throw CommandFailure("the vectors are not right\n  \(error)")
    }
  }
}
