internal import Conformance
internal import JSON
internal import WireConformance
internal import WireDefects

// The mutants of the HTTP interface.

extension DefectsCommand {
  /// Returns the server of `--http`; nil if the option was not given.
  static func server(
    _ arguments: Arguments, _ context: Context
  ) throws(UsageError) -> ImplementationEntry? {
    guard let name = arguments.value("--http") else {
      guard !arguments.has("--allow-remote") else {
        throw UsageError("--allow-remote needs --http couchdb:URL", manual)
      }
      return nil
    }
    for other in ["--by-hand", "--write", "--binary", "--time-limit"]
    where arguments.has(other) || arguments.value(other) != nil {
      throw UsageError("\(other) does not apply to --http", manual)
    }
    let options = try ServerOptions(arguments, of: [name], manual)
    guard
      let entry = try ImplementationEntry.server(name, manual, context: context, options: options)
    else { throw UsageError("--http '\(name)': expected couchdb:URL", manual) }
    return entry
  }

  /// Runs the selected mutants of the HTTP interface.
  func runWire(
    _ server: ImplementationEntry, _ context: Context
  ) throws(CommandFailure) -> ExitCode {
    guard let connect = server.makeWire else {
      throw CommandFailure("\(server.name) has no HTTP interface")
    }
    let mutants = WireMutant.all.filter { isSelected($0.name, $0.clause) }
    guard !mutants.isEmpty else {
      throw CommandFailure(UsageError("no mutant matches --filter", Self.manual))
    }
    var run = WireDefectRun(try WireCorpus.forCommand(vectors))
    let known = Set(run.corpus.clauses.map(\.id))
    if let stray = mutants.first(where: { !known.contains(JSONString($0.clause)) }) {
      throw CommandFailure("\(stray.name) breaks \(stray.clause), which is not in clauses.json")
    }
    try run.run(mutants, jobs: jobs, context: context, connect: connect)
    context.output(isJSON ? run.json.pretty() + "\n" : run.text(context.style))
    return run.survivors.isEmpty ? .success : .failure
  }
}
