internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

// The verdict of a run as a file, for `touchstone verify`.

extension RunCommand {
  /// Rejects options with which a verdict would depend on more than the file says.
  func requireFormsForVerdict() throws(UsageError) {
    guard verdict != nil else { return }
    for (name, isGiven) in [
      ("--seconds", seconds != nil), ("--after", after != nil), ("--fail-fast", failsFast),
    ] where isGiven {
      throw UsageError("--verdict is about all selected vectors: leave out \(name)", Self.manual)
    }
  }

  /// Writes the verdict; a run that ended early has none.
  func writeVerdict(_ report: RunReport, _ context: Context) throws(CommandFailure) {
    guard let verdict else { return }
    guard report.stop == nil else {
      return context.error("\(verdict) is not written: the run ended early\n")
    }
    guard let manifest = report.corpus.manifestSHA256 else {
      throw CommandFailure(
        "--verdict needs a corpus with manifest.json, which \(report.corpus.folder) has not")
    }
    let file: VerdictFile
    do throws(HarnessError) {
      file = try VerdictFile(report, manifest: manifest, options: verdictOptions)
    } catch {
      throw CommandFailure("\(error)")
    }
    try onFiles { () throws(Files.Failure) in
      try Files.write(file.json.pretty() + "\n", to: verdict)
    }
    context.error("wrote \(verdict): touchstone verify \(shellQuoted(verdict)) checks it\n")
  }

  /// The options that choose the vectors, the grade and the implementation.
  private var verdictOptions: [String] {
    var options = ["--implementation", implementations[0].name]
    if let grade { options += ["--grade", grade.rawValue] }
    if let productName { options += ["--product", productName] }
    for offer in selection.offers { options += ["--profile", offer.name] }
    for glob in selection.globs { options += ["--filter", glob.pattern.string] }
    return options
  }
}
