internal import Conformance
internal import JSON

/// The files beside `clauses.json` that follow from the clauses, vectors and mutants.
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
      let mutants = try MutantList.read(folder)
      let manifestText = manifest.json.pretty(indent: 1) + "\n"
      // Of the corpus of this checkout the sources know the manifest.
      let source = ReleasedManifest.source(ofManifest: manifestText)
      let isReleased = Files.exists("\(folder)/\(ReleasedManifest.sourcePath)")
      files =
        (isReleased ? [GeneratedFile(name: ReleasedManifest.sourcePath, text: source)] : []) + [
          GeneratedFile(name: Manifest.fileName, text: manifestText),
          GeneratedFile(
            name: TraceabilityPage.fileName, text: TraceabilityPage(corpus, mutants).text),
        ]
    } catch {
      throw CommandFailure("the vectors are not right\n  \(error)")
    }
  }
}
