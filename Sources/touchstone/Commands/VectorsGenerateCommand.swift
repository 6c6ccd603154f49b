internal import Conformance
internal import Generation

/// `touchstone vectors generate`: writes what the model does in small scopes as vectors.
struct VectorsGenerateCommand: Command {
  let folder: String?
  let isCheck: Bool

  static let manual = Manual(
    words: ["vectors", "generate"],
    summary: "Write the vectors of the folder 'generated' anew, or check that they are as written.",
    options: [
      .init(
        name: "--vectors", value: "DIR",
        help: "The folder with clauses.json, below which 'generated' is."),
      .init(name: "--check", help: "Write nothing; exit with 1 when something would change."),
    ],
    notes: """
      Small scopes are gone through completely: all forests of up to 5 revisions in all orders of \
      arrival, all sequences of up to 4 operations on one document. Of all that shows the same the \
      smallest becomes a vector, whose expectations are the model's answers. The same comes out \
      every time. Other files in the folder are removed.
      """,
    examples: [
      ("touchstone vectors generate", "after a change of the model or of a generator"),
      ("touchstone vectors generate --check", "whether somebody forgot that"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    folder = arguments.value("--vectors")
    isCheck = arguments.has("--check")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let generated = try target()
    let files = try wanted()
    do throws(Files.Failure) {
      let present = try present(in: generated)
      let stale = present.filter { name in !files.contains { $0.name == name } }
      var changed: [VectorGenerator.File] = []
      for file in files {
        let path = "\(generated)/\(file.name)"
        let there = present.contains(file.name) ? try Files.read(path) : []
        if there != Array(file.text.utf8) { changed.append(file) }
      }
      let differing = changed.map(\.name) + stale
      if isCheck { return report(differing, of: files.count, in: generated, context) }
      if !changed.isEmpty { try Files.createFolder(generated) }
      for file in changed { try Files.write(file.text, to: "\(generated)/\(file.name)") }
      for name in stale { try Files.remove("\(generated)/\(name)") }
      for file in changed { context.output("wrote \(generated)/\(file.name)\n") }
      for name in stale { context.output("removed \(generated)/\(name)\n") }
      context.output("\(files.count) files, \(differing.count) changed\n")
      return .success
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// The folder of the generated vectors.
  private func target() throws(CommandFailure) -> String {
    let location: VectorsLocation
    do throws(CorpusError) {
      location = try VectorsLocation.find(folder)
    } catch {
      throw CommandFailure(error.description)
    }
    if let file = location.file {
      throw CommandFailure("\(file) is a file; --vectors is a folder with clauses.json")
    }
    return "\(location.folder)/generated"
  }

  private func wanted() throws(CommandFailure) -> [VectorGenerator.File] {
    do throws(GenerationError) {
      return try VectorGenerator().files()
    } catch {
      throw CommandFailure("the generator is not right: \(error)")
    }
  }

  private func present(in folder: String) throws(Files.Failure) -> [String] {
    guard Files.isFolder(folder) else { return [] }
    return try Files.names(inFolder: folder)
  }

  private func report(
    _ differing: [String], of count: Int, in folder: String, _ context: Context
  ) -> ExitCode {
    for name in differing { context.output("\(folder)/\(name) is not what would be written\n") }
    guard differing.isEmpty else {
      context.output(
        context.style.bad("\(differing.count) files differ")
          + "; 'touchstone vectors generate' writes them\n")
      return .failure
    }
    context.output("\(count) files: \(context.style.good("as they would be written"))\n")
    return .success
  }
}
