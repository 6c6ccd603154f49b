internal import Conformance
internal import JSON

/// The generated files beside `clauses.json`.
struct VectorsPages {
  let files: [GeneratedFile]

  /// Returns the files that belong to the current content of a folder.
  init(folder: String) throws(CommandFailure) {
    do throws(CorpusError) {
      let corpus = try Corpus(folder: folder)
      let earlier = try Manifest.read(folder)
      let problems = earlier?.idProblems(in: corpus) ?? []
      guard problems.isEmpty else { throw CorpusError(problems) }
      let manifest = try Manifest(of: corpus, after: earlier)
      let mutants = try MutantList.read(folder)
      let manifestText = manifest.json.pretty(indent: 1) + "\n"
      // The sources contain the hash of the manifest of this checkout's corpus.
      let source = ReleasedManifest.source(ofManifest: manifestText)
      let isReleased = Files.exists("\(folder)/\(ReleasedManifest.sourcePath)")
      let names = isReleased ? try NameList.read(folder) : nil
      files =
        (isReleased ? [GeneratedFile(name: ReleasedManifest.sourcePath, text: source)] : [])
        + (names.map { [GeneratedFile(name: ComingFromPage.path, text: ComingFromPage($0).text)] }
          ?? []) + [
          GeneratedFile(name: Manifest.fileName, text: manifestText),
          GeneratedFile(
            name: TraceabilityPage.fileName, text: TraceabilityPage(corpus, mutants).text),
          GeneratedFile(
            name: RestrictionPage.listName,
            text: RestrictionPage(corpus).list.pretty(indent: 1) + "\n"),
          GeneratedFile(name: RestrictionPage.fileName, text: RestrictionPage(corpus).text),
          GeneratedFile(name: SourcesPage.fileName, text: SourcesPage(corpus).text),
        ]
    } catch {
      throw CommandFailure("the corpus is invalid\n  \(error)")
    }
  }
}
