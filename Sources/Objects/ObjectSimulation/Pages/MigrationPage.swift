internal import Collections
internal import JSON
internal import Rendering

/// A self-contained page about interrupted migrations: the outcome of every interruption for each
/// way to end, and a drawing of each different outcome.
public struct MigrationPage {
  let atlas: MigrationAtlas
  let command: String
  let program: String?
  /// Whether the user stopped the exploration.
  let isStopped: Bool

  /// - Parameters:
  ///   - isStopped: whether the user stopped the exploration.
  ///   - command: the command that repeats the exploration.
  ///   - program: the name and version of the program; nil for none.
  public init(
    _ atlas: MigrationAtlas, isStopped: Bool = false, command: String, program: String? = nil
  ) {
    self.atlas = atlas
    self.isStopped = isStopped
    self.command = command
    self.program = program
  }

  /// The page.
  public var html: String {
    var page = Page(
      "Interrupted migrations", kind: "migrations",
      purpose:
        "This page shows what a migration of a local store to a backend leaves there when it "
        + "is interrupted, for each way to end it.", heading: sentence, program: program)
    page.isWide = true
    page.style = SequencePicture.style + Self.style
    page.remark = "This page needs no network"
    return page.html { markup in
      if let scope = atlas.endings.first?.scope {
        markup.facts([
          ("recipes", "\(scope.recipes)"), ("ingredients of each", "\(scope.ingredients)"),
          ("objects in a batch", scope.batch.map { "\($0)" } ?? "all of an entity"),
          ("interruptions of a migration", "up to \(scope.interruptions)"),
        ])
      }
      markup.command(command.printable)
    } body: { markup in
      markup.arrowTips()
      markup.line("<main>")
      addContents(&markup)
      addCounts(&markup)
      for keepsIDs in [false, true] { addPoints(keepsIDs: keepsIDs, markup: &markup) }
      addExamples(&markup)
      markup.line("</main>")
    }
  }

  private var sentence: String {
    let ending = isStopped ? " (stopped before the end)" : ""
    if let finding = atlas.endings.compactMap(\.finding).first {
      return finding.sentence + ending
    }
    let reports = atlas.endings.map(\.report)
    let (paths, repeating) = (
      reports.reduce(0) { $0 + $1.ways }, reports.reduce(0) { $0 + $1.repeating }
    )
    return "0 lost objects in \(TextCount.of(paths, "path")), \(repeating) with duplicates" + ending
  }

  private func addContents(_ markup: inout Markup) {
    markup.card("Contents") { markup in
      markup.contents([
        Markup.Entry("Counts", id: "counts"),
        Markup.Entry("Ids of the backend", id: "backend-ids"),
        Markup.Entry("Ids of the store", id: "store-ids"),
        Markup.Entry("Paths", id: "paths", count: "\(atlas.examples.count)"),
      ])
    }
  }

  private func addCounts(_ markup: inout Markup) {
    markup.card(
      "Counts", id: "counts", note: "All explored paths, with up to the given interruptions."
    ) { markup in
      markup.table(
        ["way to end", "paths", "crashes", "with duplicates", "lost objects"],
        atlas.endings.map { ending in
          [
            Markup.Cell(ending.scope.endingWords), Markup.Cell("\(ending.report.ways)"),
            Markup.Cell("\(ending.report.deaths)"),
            Markup.Cell(
              "\(ending.report.repeating)", tone: ending.report.repeating > 0 ? "odd" : ""),
            ending.finding.map { Markup.Cell($0.sentence, tone: "bad") } ?? "0",
          ]
        }, namesRows: true)
    }
  }

  // MARK: Points of interruption

  private func addPoints(keepsIDs: Bool, markup: inout Markup) {
    let endings = atlas.endings.filter { $0.scope.keepsIDs == keepsIDs }
    let rule =
      keepsIDs
      ? "An object keeps its local id, so a repeated save creates no second object (COLL-026)."
      : "A repeated save creates a second object if the client lost the id: after a crash "
        + "(COLL-097), or after a lost response (COLL-095)."
    markup.card(
      keepsIDs ? "Ids of the store" : "Ids of the backend",
      id: keepsIDs ? "store-ids" : "backend-ids", note: rule
    ) { markup in
      guard !endings.isEmpty else {
        markup.element("p", content: "Not explored.")
        return
      }
      let rows = Self.order(endings.map { $0.cells.map(\.point) })
      markup.line("<div class=\"points\">")
      markup.table(
        ["one interruption"] + endings.map(\.scope.flagWords),
        rows.map { point in
          [Markup.Cell(point.words)]
            + endings.map { ending in
              guard let cell = ending.cells.first(where: { $0.point == point }) else { return "–" }
              return self.cell(cell.outcome, point)
            }
        }, namesRows: true)
      markup.line("</div>")
    }
  }

  private func cell(_ outcome: MigrationAtlas.Outcome, _ point: MigrationAtlas.Point) -> Markup.Cell
  {
    let place = atlas.examples.firstIndex {
      $0.point.kind == point.kind && $0.outcome.isLike(outcome)
    }
    let link = place.map { "path-\($0)" }
    return Markup.Cell(outcome.words, tone: outcome.tone, link: link)
  }

  /// The points of all lists in one order that keeps the order of each.
  private static func order(_ lists: [[MigrationAtlas.Point]]) -> [MigrationAtlas.Point] {
    var order: [MigrationAtlas.Point] = []
    for list in lists {
      var place = 0
      for point in list {
        if let known = order.firstIndex(of: point) {
          place = known + 1
        } else {
          order.insert(point, at: place)
          place += 1
        }
      }
    }
    return order
  }

  // MARK: Paths

  private func addExamples(_ markup: inout Markup) {
    let pictures = atlas.examples.map { Self.picture($0) }
    markup.card(
      "Paths", id: "paths", note: "The first path of each kind of interruption and outcome."
    ) { markup in
      markup.legend(of: pictures)
      for (place, (example, picture)) in zip(atlas.examples, pictures).enumerated() {
        let isFault = if case .fault = example.outcome { true } else { false }
        markup.fold(
          "\(example.outcome.words.capitalizedFirst), \(example.point.words)",
          id: "path-\(place)", tone: example.outcome.tone,
          isOpen: isFault || place == 0 || example.outcome.isRepeating
        ) { markup in
          markup.element("p", content: example.scope.endingWords.capitalizedFirst + ".")
          markup.picture(picture, title: "\(example.outcome.words), \(example.point.words)")
        }
      }
    }
  }

  private static let style = """
    .points td, .points th { min-width: 7em; }
    .points th[scope] { min-width: 18em; font-weight: 400; }
    """
}

extension MigrationScope {
  /// The flag and the deletion.
  var flagWords: String {
    let flag = flag.map { "a flag in the \($0.rawValue)" } ?? "no flag"
    return "\(flag), \(deletesLocally ? "deletion" : "no deletion")"
  }

  /// The way to end the migration.
  public var endingWords: String {
    "\(keepsIDs ? "ids of the store" : "ids of the backend"), \(flagWords)"
  }
}

extension MigrationAtlas.Outcome {
  var words: String {
    switch self {
    case .complete: "complete"
    case .duplicates(let count): TextCount.of(count, "duplicate")
    case .fault(let sentence): sentence
    }
  }

  var tone: String {
    switch self {
    case .complete: "good"
    case .duplicates: "odd"
    case .fault: "bad"
    }
  }

  var isRepeating: Bool { if case .duplicates = self { true } else { false } }
}
