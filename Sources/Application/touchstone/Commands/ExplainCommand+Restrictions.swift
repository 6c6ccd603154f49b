internal import Conformance
internal import Datastore
internal import JSON

// Restrictions of implementations, which `touchstone explain` knows by their names.

extension ExplainCommand {
  /// Prints a restriction, or the list of all for `restrictions`; returns false for another query.
  func explainRestriction(in corpus: Corpus, _ context: Context) -> Bool {
    if query == "restrictions" {
      let effects = RestrictionEffect.all(in: corpus)
      if isJSON {
        context.output(JSONValue.array(effects.map(\.json)).pretty() + "\n")
      } else {
        for effect in effects { context.output(text(effect, context)) }
      }
      return true
    }
    guard let restriction = Restriction(rawValue: query.string) else { return false }
    let effect = RestrictionEffect(restriction, in: corpus)
    context.output(isJSON ? effect.json.pretty() + "\n" : text(effect, context))
    return true
  }

  private func text(_ effect: RestrictionEffect, _ context: Context) -> String {
    let restriction = effect.restriction
    var lines = ["\(context.style.strong(restriction.rawValue))  (restriction)"]
    func add(_ text: String) {
      lines += TextLayout.wrapped(text, width: context.width, indent: "  ")
    }
    func names(_ clauses: [Clause]) -> String {
      clauses.map(\.id.description).joined(separator: ", ")
    }
    add(restriction.sentence)
    if let capability = restriction.capability { add("Needs: \(capability.rawValue)") }
    if let excluded = restriction.excludedCapability { add("Excludes: \(excluded.rawValue)") }
    add("Not tested: \(TextLayout.counted(effect.vectors.count, "vector"))")
    if !effect.untested.isEmpty { add("Clauses not tested: \(names(effect.untested))") }
    if !effect.partlyTested.isEmpty {
      add("Clauses with other vectors: \(names(effect.partlyTested))")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
