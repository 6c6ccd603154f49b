internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

// The verdict of a run as a file, for `touchstone verify`.

/// The name of a file in its folder.
func fileName(_ path: String) -> String {
  path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) }
    ?? path
}

extension RunCommand {
  /// Rejects options with which a verdict would depend on more than the file says.
  func requireFormsForVerdict() throws(UsageError) {
    guard verdict != nil else { return }
    for (name, isGiven) in [
      ("--seconds", seconds != nil), ("--changed", !changed.isEmpty),
      ("--after", after != nil), ("--fail-fast", failsFast),
      ("--known-failures", knownFailures != nil),
    ] where isGiven {
      throw UsageError(
        "--verdict states what anyone can run again: leave out \(name)", Self.manual)
    }
  }

  /// Writes the verdict; a run that ended early has none.
  func writeVerdict(_ report: RunReport, _ context: Context) throws(CommandFailure) {
    guard let verdict else { return }
    guard report.stop == nil else {
      return context.error("\(verdict) is not written: the run ended early\n")
    }
    var identity: CampaignIdentity
    do throws(HarnessError) {
      identity = try CampaignIdentity(
        implementations[0].name, report.implementation, words: verdictOptions)
    } catch {
      throw CommandFailure("\(error)")
    }
    identity.corpus = try Self.manifest(of: report.corpus)
    let file = VerdictFile(report, identity: identity)
    try onFiles { () throws(Files.Failure) in
      try Files.write(file.json.pretty() + "\n", to: verdict)
    }
    context.error("wrote \(verdict): touchstone verify \(shellQuoted(verdict)) checks it\n")
    if let badge = reports.first(where: { $0.format == .badgeSVG && $0.file != "-" }) {
      let line = "[![touchstone](\(fileName(badge.file)))](\(fileName(verdict)))"
      context.error("the badge with a link to it, in Markdown: \(line)\n")
    }
  }

  /// The SHA-256 of the manifest, which identifies the corpus only if the files are those of the
  /// manifest.
  static func manifest(of corpus: Corpus) throws(CommandFailure) -> JSONString {
    guard let manifest = corpus.manifestSHA256, corpus.differences.isEmpty else {
      let reason =
        corpus.differences.first.map { "\($0)" }
        ?? "the vectors are not those of a folder with this file"
      throw CommandFailure("a verdict needs a corpus as in its manifest.json: \(reason)")
    }
    return JSONString(manifest)
  }

  /// The options that choose the vectors and the grade.
  private var verdictOptions: [String] {
    var options: [String] = []
    if let grade { options += ["--grade", grade.rawValue] }
    if let productName { options += ["--product", productName] }
    for offer in selection.offers { options += ["--profile", offer.name] }
    for glob in selection.globs { options += ["--filter", glob.pattern.string] }
    return options
  }
}
