internal import Conformance
internal import Datastore

/// `touchstone vectors check`: finds what is wrong with a folder of vectors.
struct VectorsCheckCommand: Command {
  let path: String?

  static let manual = Manual(
    words: ["vectors", "check"],
    summary: "Check a folder or a file of vectors and name what is wrong with it.",
    operands: ["[DIR|FILE]"],
    notes: """
      Names the first fault of each vector; there may be more behind it. Of a folder that has them, \
      manifest.json, mutants.json and glossary.json are checked, too. Exits with 1 when anything is \
      wrong. A MUST clause without a vector is named but is not wrong.
      """,
    examples: [
      ("touchstone vectors check", "the vectors that come with touchstone"),
      ("touchstone vectors check ../mine/Vectors", "a folder of one's own"),
      ("touchstone vectors check found.json", "one file, with the clauses of touchstone"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    path = arguments.operands.first
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let location: VectorsLocation
    do throws(CorpusError) {
      location = try VectorsLocation.find(path)
    } catch {
      throw CommandFailure(error.description)
    }
    let reading = location.read()
    var problems = reading.problems
    // Of files that are not right nobody knows what they should be.
    if problems.isEmpty, location.file == nil { problems = reading.corpus.sideProblems }
    for problem in problems {
      context.output(TextLayout.printable(problem.description) + "\n")
    }
    let corpus = reading.corpus
    for clause in location.file == nil ? corpus.uncoveredClauses : [] {
      context.output(context.style.faint("\(clause.id) has no vector: \(clause.text)") + "\n")
    }
    let files = corpus.vectors.enumerated().count { index, vector in
      index == 0 || corpus.vectors[index - 1].file != vector.file
    }
    let counts =
      "\(TextLayout.counted(corpus.vectors.count, "vector")) in "
      + "\(TextLayout.counted(files, "file")), "
      + TextLayout.counted(corpus.clauses.count, "clause")
    guard problems.isEmpty else {
      let found = TextLayout.counted(problems.count, "problem")
      context.output("\(context.style.bad(found)) in \(counts)\n")
      return .failure
    }
    context.output("\(counts): \(context.style.good("all right"))\n")
    return .success
  }
}
