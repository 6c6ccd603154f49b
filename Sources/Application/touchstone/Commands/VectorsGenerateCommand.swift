internal import Conformance
internal import Generation

/// `touchstone vectors generate`: writes the generated files below `Vectors`.
struct VectorsGenerateCommand: Command {
  let folder: String?
  let isCheck: Bool

  static let manual = Manual(
    words: ["vectors", "generate"],
    summary: "Regenerate the generated files below Vectors, or check that they are up to date.",
    options: [
      .init(name: "--vectors", value: "DIR", help: "The folder with clauses.json."),
      .init(name: "--check", help: "Write nothing; exit with 1 if a file would change."),
    ],
    notes: """
      Generates the folder 'generated', manifest.json, TRACEABILITY.md, SOURCES.md, \
      restrictions.json and RESTRICTIONS.md, and from the table of \
      operations operations.md, operations.json and their JSON Schemas, and from the catalogue of \
      deviations deviations.json and DEVIATIONS.md; 'touchstone defects \
      --write' writes mutants.json. In a checkout, it also writes docs/coming-from.md from \
      names.json, and updates the hash of the manifest in the \
      sources: build again, or 'touchstone run' reports 'passed' and not 'conformant'. The folder \
      'generated' enumerates small scopes exhaustively: all forests of up to 5 revisions in all \
      orders of arrival, all sequences of up to 4 operations on one document, all orders of up to \
      4 writes and any sessions between 2 stores, and of 3 writes between 3 stores. Of equivalent \
      cases, the smallest becomes a vector, and its expectations are the outcomes of the model. \
      Other files in that folder are removed. The output is deterministic.
      """,
    examples: [
      (
        "touchstone vectors generate",
        "update the files after a change of vectors, clauses, model or generator"
      ),
      ("touchstone vectors generate --check", "check that the files are up to date"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    folder = arguments.value("--vectors")
    isCheck = arguments.has("--check")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let folder = try target()
    let generated = try generatedFiles()
    let stale = try present(in: folder).filter { name in
      !generated.contains { $0.name == name }
    }
    if isCheck {
      var names = try GeneratedFile.changed(generated, in: folder).map(\.name) + stale
      // The sources of the generated pages must be valid.
      let pages = names.isEmpty ? try VectorsPages(folder: folder).files : []
      names += try GeneratedFile.changed(pages, in: folder).map(\.name)
      return report(names, of: generated.count + pages.count, in: folder, context)
    }
    try onFiles { () throws(Files.Failure) in
      try Files.createFolder("\(folder)/\(Self.subfolder)")
    }
    try onFiles { () throws(Files.Failure) in
      try Files.createFolder("\(folder)/\(OperationFiles.folder)")
    }
    try GeneratedFile.write(generated, in: folder, context)
    for name in stale {
      try onFiles { () throws(Files.Failure) in try Files.remove("\(folder)/\(name)") }
      context.output("removed \(folder)/\(name)\n")
    }
    // The pages are generated from the files just written.
    let pages = try VectorsPages(folder: folder).files
    try GeneratedFile.write(pages, in: folder, context)
    let count = TextLayout.counted(generated.count + pages.count, "file")
    context.output("\(count): \(context.style.good("up to date"))\n")
    return .success
  }

  /// The families of operations whose tables are written.
  static let families = ["objects", "contexts", "stacks", "collections"]

  /// The folder that the generator owns.
  private static let subfolder = "generated"

  /// The folder of the corpus.
  private func target() throws(CommandFailure) -> String {
    let location: VectorsLocation
    do throws(CorpusError) {
      location = try VectorsLocation.find(folder)
    } catch {
      throw CommandFailure(error.description)
    }
    if let file = location.file {
      throw CommandFailure("--vectors \(file): expected a folder with clauses.json, found a file")
    }
    return location.folder
  }

  private func generatedFiles() throws(CommandFailure) -> [GeneratedFile] {
    do throws(GenerationError) {
      return try VectorGenerator().files().map {
        GeneratedFile(name: "\(Self.subfolder)/\($0.name)", text: $0.text)
      }
        + OperationFiles.files(ofFamilies: Self.families).map {
          GeneratedFile(name: $0.name, text: $0.text)
        } + DeviationFiles.files
    } catch {
      throw CommandFailure("the generator failed: \(error)")
    }
  }

  /// Returns the current files of the generator's folder.
  private func present(in folder: String) throws(CommandFailure) -> [String] {
    let folder = "\(folder)/\(Self.subfolder)"
    guard Files.isFolder(folder) else { return [] }
    let names = try onFiles { () throws(Files.Failure) in try Files.names(inFolder: folder) }
    return names.map { "\(Self.subfolder)/\($0)" }
  }

  private func report(
    _ differing: [String], of count: Int, in folder: String, _ context: Context
  ) -> ExitCode {
    for name in differing { context.output("\(folder)/\(name) is out of date\n") }
    guard differing.isEmpty else {
      let verb = differing.count == 1 ? "differs" : "differ"
      let files = TextLayout.counted(differing.count, "file")
      context.output(
        context.style.bad("\(files) \(verb)") + "; run 'touchstone vectors generate'\n")
      return .failure
    }
    context.output("\(count) files: \(context.style.good("up to date"))\n")
    return .success
  }
}
