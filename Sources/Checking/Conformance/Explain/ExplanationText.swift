internal import Datastore
internal import JSON
internal import Scenarios

/// An explanation of a name or a word as text for readers.
package struct ExplanationText {
  private let handbook: Handbook
  private let width: Int
  let style: TextStyle

  /// The number of results of each kind for a word.
  private static let findingsMax = 6

  package init(_ handbook: Handbook, width: Int, style: TextStyle) {
    self.handbook = handbook
    self.width = width
    self.style = style
  }

  package func text(_ explanation: Explanation) -> String {
    let blocks =
      switch explanation {
      case .clause(let clause): self.clause(clause)
      case .vector(let vector): self.vector(vector)
      case .mutant(let mutants): mutants.map { self.mutant($0) }
      case .retired(let mutant):
        [
          [style.strong(mutant.name.string) + "  a retired mutant"]
            + wrapped(mutant.sentence.string) + wrapped("Retired: \(mutant.reason)")
        ]
      case .name(let names, let findings):
        names.map { name($0) } + (findings.isEmpty ? [] : self.word(findings))
      case .word(_, let findings): self.word(findings)
      }
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  func wrapped(_ text: String, _ indent: String = "  ") -> [String] {
    TextLayout.wrapped(text, width: width, indent: indent)
  }

  /// Commands for more information.
  private func next(_ lines: [String]) -> [String] { lines.map { style.faint($0) } }

  // MARK: Rules

  private func clause(_ clause: Clause) -> [[String]] {
    let status = clause.isAmbiguous ? "ambiguous: more than one outcome is accepted" : "agreed"
    var head = ["\(style.strong("\(clause.id)"))  \(clause.level.rawValue), \(status)"]
    head += wrapped(clause.text.string)
    head += wrapped("Source: \(clause.source)").map { style.faint($0) }
    head += wrapped("Binds: \(Self.binding(clause))").map { style.faint($0) }
    var accepted: [String] = []
    if case .ambiguous(let outcomes) = clause.status {
      accepted = [style.strong("Accepted")] + outcomes.flatMap { wrapped("* \($0)") }
    }
    var ledger: [String] = []
    if !clause.observed.isEmpty { ledger.append(style.strong("Products")) }
    for observation in clause.observed {
      ledger += wrapped("\(observation.product): \(observation.behaviour)")
    }
    let vectors = handbook.vectors(showing: clause)
    let (breaking, killed) = handbook.mutants(about: clause)
    return [
      head, accepted, basis(of: clause), ledger, showing(vectors), self.breaking(breaking),
      also(killed),
      next([
        "touchstone vectors list --filter \(clause.id)  lists all its vectors",
        "touchstone run --filter \(clause.id)  runs them",
      ]),
    ]
  }

  /// What public sources say about a clause.
  private func basis(of clause: Clause) -> [String] {
    guard let basis = clause.basis else { return [] }
    var lines = ["\(style.strong("Basis"))  \(basis.state.rawValue): \(basis.state.meaning)"]
    if let note = basis.note { lines += wrapped(note.string) }
    for source in basis.sources { lines += wrapped("* \(source)") }
    if !basis.options.isEmpty {
      let names = basis.options.map(\.string).joined(separator: ", ")
      lines += wrapped("The other behaviour is an option: \(names)")
    }
    return lines
  }

  /// The stores that a clause binds, and the reasons.
  private static func binding(_ clause: Clause) -> String {
    switch clause.binds {
    case .family(let evidence):
      let kept = evidence.keptBy.map(\.string).joined(separator: ", ")
      let needed = evidence.neededBy.map(\.rawValue).joined(separator: ", ")
      return "the family. Followed by \(kept); needed by \(needed)"
    case .contract: return "stores that implement this contract (grade contract)"
    case .layer: return "stores that offer this layer"
    }
  }

  private func showing(_ vectors: [CorpusVector]) -> [String] {
    let counts = CorpusVector.Origin.allCases.compactMap { origin -> String? in
      let count = vectors.count { $0.origin == origin }
      return count == 0
        ? nil : "\(count) \(origin == .written ? "hand-written" : origin.rawValue)"
    }
    guard !vectors.isEmpty else { return [style.bad("No vector shows it.")] }
    var lines = ["\(style.strong("Vectors"))  \(counts.joined(separator: ", "))"]
    for vector in vectors where vector.origin == .written { lines += entry(vector) }
    return lines
  }

  private func breaking(_ mutants: [Mutant]) -> [String] {
    guard !mutants.isEmpty else { return [] }
    return [style.strong("Mutants that break it")] + mutants.flatMap { entry($0) }
  }

  /// Mutants of other rules, in one sentence each.
  private func also(_ mutants: [Mutant]) -> [String] {
    guard !mutants.isEmpty else { return [] }
    return [style.strong("Other mutants that these vectors kill")]
      + mutants.map { TextLayout.abbreviated("  \($0.name)  \($0.sentence)", width: width) }
  }

  // MARK: Vectors

  private func vector(_ vector: CorpusVector) -> [[String]] {
    var head = ["\(style.strong("\(vector.id)"))  \(style.faint(vector.file))"]
    head += wrapped(vector.vector.note.string)
    if let seen = vector.vector.provenance {
      head += wrapped("Seen in \(seen.product) \(seen.version): \(seen.source)")
    }
    if let generated = vector.vector.generated {
      head += wrapped("Generated: \(generated.generator), scope \(generated.scope)")
    }
    let offers = Offer.all.filter { $0.includes(vector.vector) }.map(\.name)
    head += wrapped("Runs on stores that offer: \(offers.joined(separator: ", "))")
    let clauses = vector.clauses.flatMap {
      wrapped("\($0.id) \($0.level.rawValue) \($0.text)")
    }
    return [
      head, [style.strong("Rules")] + clauses, steps(vector.vector), killed(by: vector),
      next([
        "touchstone vectors show \(vector.id)  shows the exact steps",
        "touchstone run --filter \(vector.id)  runs it",
      ]),
    ]
  }

  private func steps(_ vector: Vector) -> [String] {
    var stores: [StoreName] = []
    for store in vector.steps.flatMap(\.stores) where !stores.contains(store) {
      stores.append(store)
    }
    var lines = [style.strong("Steps")]
    if !vector.isOpened { lines.append("  Nothing is opened before the first step.") }
    for (place, step) in vector.steps.enumerated() {
      let compact = CompactStep(step, namingStore: stores.count > 1)
      let number = TextLayout.padded("\(place + 1)", 3)
      let whole = "\(compact.operation)  → \(compact.expectation)"
      let indent = "     "
      if whole.unicodeScalars.count + indent.count <= width {
        lines.append("  \(number)\(TextLayout.printable(whole))")
      } else {
        let operation = wrapped(compact.operation, indent)
        lines += ["  \(number)" + (operation.first ?? indent).dropFirst(indent.count)]
        lines += operation.dropFirst() + wrapped("→ \(compact.expectation)", indent)
      }
    }
    return lines
  }

  private func killed(by vector: CorpusVector) -> [String] {
    guard vector.origin == .written else {
      return wrapped(
        "The mutants that it kills are recorded for hand-written vectors only; "
          + "'touchstone defects --json' lists them.", "")
    }
    let mutants = handbook.mutants(killedBy: vector)
    guard !mutants.isEmpty else { return ["It kills no known mutant."] }
    return [style.strong("Mutants that it kills")]
      + mutants.flatMap { wrapped("\($0.name) (\($0.clause)): \($0.sentence)") }
  }

  private func entry(_ vector: CorpusVector) -> [String] {
    ["  \(vector.id)  \(style.faint(vector.file))"] + wrapped(vector.vector.note.string, "    ")
  }

  // MARK: Mutants

  private func mutant(_ mutant: Mutant) -> [String] {
    var lines = ["\(style.strong(mutant.name.string))  \(style.faint(Self.place(mutant)))"]
    lines += wrapped(mutant.sentence.string)
    if let clause = handbook.corpus.clauses.first(where: { $0.id == mutant.clause }) {
      lines += wrapped("Breaks \(clause.id) \(clause.level.rawValue) \(clause.text)")
    }
    if let link = mutant.link { lines.append("  Found in a product: \(link)") }
    lines += wrapped(Self.end(mutant))
    for id in mutant.vectors {
      guard let vector = handbook.corpus.vector(id) else { continue }
      lines += entry(vector)
    }
    return lines
  }

  private static func place(_ mutant: Mutant) -> String {
    let kind = mutant.kind == .wrapper ? "a wrapper around" : "a patch of"
    return "\(kind) \(mutant.implementation)"
  }

  private static func end(_ mutant: Mutant) -> String {
    switch mutant.end {
    case .survived: return "It survives: no vector kills it."
    case .crashed: return "The store crashes."
    case .timeout: return "The store does not answer in time."
    case .killed:
      let counts = [
        (mutant.vectors.count, "hand-written"), (mutant.observedCount, "observed"),
        (mutant.generatedCount, "generated"),
      ]
      let killers = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      return "Killed by \(killers)."
    }
  }

  private func entry(_ mutant: Mutant) -> [String] {
    let link = mutant.link.map { " \($0)" } ?? ""
    return ["  \(mutant.name)  \(style.faint(Self.place(mutant)))"]
      + wrapped(mutant.sentence.string + link, "    ")
      + wrapped(Self.end(mutant), "    ").map { style.faint($0) }
  }

  // MARK: Words

  private func word(_ findings: Explanation.Findings) -> [[String]] {
    let terms = findings.terms.prefix(Self.findingsMax).flatMap { term -> [String] in
      let others = term.others.map(\.string).joined(separator: ", ")
      let clauses = term.clauses.map(\.description).joined(separator: ", ")
      let title = style.strong(term.name.string)
      return [others.isEmpty ? title : "\(title)  \(style.faint(others))"]
        + wrapped(term.text.string + (clauses.isEmpty ? "" : " (\(clauses))"))
    }
    return [
      terms,
      section("Names of other products", findings.names) { name in
        let here = name.counterparts.first.map { "\($0.code)" } ?? name.operations.first?.string
        return [
          TextLayout.abbreviated(
            "  \(name.name)  \(name.product): \(here ?? "none")", width: width, remark: "…")
        ]
      },
      section("Rules", findings.clauses) { clause in
        let name = "\(clause.id) \(clause.level.rawValue)  "
        let indent = String(repeating: " ", count: name.unicodeScalars.count + 2)
        let lines = wrapped(clause.text.string, indent)
        return ["  \(name)" + (lines.first ?? indent).dropFirst(indent.count)] + lines.dropFirst()
      },
      section("Vectors", findings.vectors) { entry($0) },
      section("Mutants", findings.mutants) { mutant in
        ["  \(mutant.name)"] + wrapped(mutant.sentence.string, "    ")
      },
      next(["touchstone explain NAME  explains each of these"]),
    ]
  }

  /// The first elements of a list, and its length.
  private func section<Thing>(
    _ title: String, _ things: [Thing], lines: (Thing) -> [String]
  ) -> [String] {
    guard !things.isEmpty else { return [] }
    let shown = things.prefix(Self.findingsMax)
    let rest = things.count - shown.count
    return ["\(style.strong(title))  \(style.faint("\(things.count)"))"] + shown.flatMap(lines)
      + (rest > 0 ? [style.faint("  … \(rest) more")] : [])
  }
}
