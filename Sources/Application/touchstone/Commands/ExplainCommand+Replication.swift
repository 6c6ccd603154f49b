internal import Conformance
internal import Defects
internal import JSON
internal import ObjectDefects

// Mutants of replication that no vector kills, so the corpus does not list them.

extension ExplainCommand {
  /// Prints a mutant that only a simulation finds; returns false for another query.
  func explainReplicationDefect(in handbook: Handbook, _ context: Context) -> Bool {
    guard let defect = Self.replicationDefects.first(where: { query == JSONString($0.name) }),
      !handbook.mutants.contains(where: { $0.name == query })
    else { return false }
    if isJSON {
      context.output(defect.json.pretty() + "\n")
      return true
    }
    var lines = ["\(context.style.strong(defect.name))  (mutant)"]
    func add(_ text: String) {
      lines += TextLayout.wrapped(text, width: context.width, indent: "  ")
    }
    add(defect.sentence)
    if let clause = defect.clause { add("Breaks: \(clause)") }
    if let link = defect.link { add("Link: \(link)") }
    add("No vector kills it. This command finds it: \(defect.command)")
    context.output(lines.joined(separator: "\n") + "\n")
    return true
  }

  /// All mutants of `touchstone simulate --mutant`.
  private static var replicationDefects: [ReplicationDefect] {
    ReplicationDefect.all + ReplicationDefect.ofContexts
  }

  static var namesOfReplicationDefects: [String] { replicationDefects.map(\.name) }
}

extension ReplicationDefect {
  /// The command that finds the mutant.
  fileprivate var command: String {
    "touchstone simulate --mutant \(name)" + (isOfApplications ? " --contexts" : "")
  }

  /// The mutant as `touchstone explain --json` prints it.
  fileprivate var json: JSONValue {
    var members: JSONObject = [
      "name": .text(name), "kind": "wrapper", "sentence": .text(sentence),
      "command": .text(command),
    ]
    if let clause { members["clause"] = .text(clause) }
    if let link { members["link"] = .text(link) }
    return ["kind": "mutant", "mutants": [.object(members)]]
  }
}
