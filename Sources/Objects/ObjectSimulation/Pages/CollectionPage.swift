internal import Collections
internal import JSON
public import Oracles
internal import Rendering

/// A self-contained page about devices on one backend: the counts of a campaign, and recorded runs
/// as drawings with every loss at the request that caused it.
public struct CollectionPage {
  /// A recorded run with its workload.
  public struct Recording {
    let workload: CollectionWorkload
    let run: CollectionRun

    /// The seed of the run.
    public var seed: UInt64 { workload.seed }

    /// Creates a recording; the run has a trace.
    public init(_ workload: CollectionWorkload, _ run: CollectionRun) {
      self.workload = workload
      self.run = run
    }
  }

  /// The smallest run that was found for a kind of loss.
  public struct Example {
    /// The kind of the loss.
    public let kind: CollectionLoss.Kind
    let recording: Recording

    /// Creates an example.
    public init(_ kind: CollectionLoss.Kind, _ recording: Recording) {
      self.kind = kind
      self.recording = recording
    }
  }

  /// The name of the store of the backend.
  let store: String
  let sum: CollectionRun
  let runs: Int
  let recording: Recording
  let examples: [Example]
  let command: String
  let program: String?

  /// The largest number of events in the drawing of a run.
  static let eventsMax = 1_500

  /// - Parameters:
  ///   - sum: the sum of all runs.
  ///   - runs: their number.
  ///   - recording: the run to draw.
  ///   - examples: a small run for each kind of loss.
  ///   - command: the command that repeats the drawn run.
  ///   - program: the name and version of the program; nil for none.
  public init(
    of store: String, sum: CollectionRun, runs: Int, recording: Recording, examples: [Example],
    command: String, program: String? = nil
  ) {
    self.store = store
    self.sum = sum
    self.runs = runs
    self.recording = recording
    self.examples = examples
    self.command = command
    self.program = program
  }

  private var finding: OracleFinding? { recording.run.findings.first }

  /// The page.
  public var html: String {
    var page = Page(
      "Collections of a backend", kind: "collections",
      purpose: "This page shows devices that share a backend of collections: their requests, what "
        + "arrived, and where an acknowledged save was lost.", heading: sentence, program: program)
    page.isWide = true
    page.style = SequencePicture.style + Self.style
    page.remark = "This page needs no network"
    let drawing = CollectionPicture(
      recording.run.trace ?? CollectionTrace(), devices: recording.workload.clients.count,
      prefix: "event", finding: finding)
    return page.html { markup in
      markup.facts([
        ("store of the backend", store.printable),
        ("devices", "\(recording.workload.clients.count)"),
        ("drawn run", "seed \(recording.workload.seed)"),
        ("steps in it", "\(recording.workload.steps.count)"),
      ])
      markup.command(command.printable)
    } body: { markup in
      markup.arrowTips()
      markup.line("<main>")
      addContents(&markup)
      addCounts(&markup)
      addLosses(drawing, markup: &markup)
      addExamples(&markup)
      addRun(drawing, markup: &markup)
      addDevices(&markup)
      addObjects(drawing, markup: &markup)
      markup.line("</main>")
    }
  }

  private var sentence: String {
    if let finding { return "A guarantee is broken: \(finding.sentence)" }
    let losses = CollectionLoss.Kind.allCases.map { kind in
      let count = kind.count(in: sum.losses)
      return "\(count) \(count == 1 ? kind.rawValue : kind.plural)"
    }
    let kept = "all guarantees hold in \(runs) \(runs == 1 ? "run" : "runs")"
    return "\(losses.joined(separator: ", ")); \(kept)"
  }

  private func addContents(_ markup: inout Markup) {
    markup.card("Contents") { markup in
      markup.contents(
        [
          Markup.Entry("Counts", id: "counts"),
          Markup.Entry("Losses of the drawn run", id: "losses"),
        ]
          + (examples.isEmpty ? [] : [Markup.Entry("Smallest examples", id: "examples")]) + [
            Markup.Entry("The drawn run", id: "run"), Markup.Entry("Devices", id: "devices"),
            Markup.Entry("Objects and their versions", id: "objects"),
          ])
    }
  }

  // MARK: Counts

  private func addCounts(_ markup: inout Markup) {
    let one = recording.run
    func row(_ name: String, tone: String = "", _ count: (CollectionRun) -> Int) -> [Markup.Cell] {
      let (all, this) = (count(sum), count(one))
      return [
        Markup.Cell(name), Markup.Cell("\(all)", tone: all > 0 ? tone : ""),
        Markup.Cell("\(this)", tone: this > 0 ? tone : ""),
      ]
    }
    markup.card(
      "Counts", id: "counts",
      note: "Losses are outside the guarantees: a backend without revisions permits them."
    ) { markup in
      let losses = CollectionLoss.Kind.allCases.map { kind in
        row(
          "\(kind.plural) (\(kind.clauses.joined(separator: ", ")))",
          tone: "bad"
        ) { kind.count(in: $0.losses) }
      }
      let faults = [
        row("calls") { $0.calls }, row("requests") { $0.requests },
        row("requests lost") { $0.lostRequests }, row("responses lost") { $0.lostAnswers },
        row("requests refused") { $0.refusals }, row("crashes") { $0.crashes },
        row("acknowledged saves") { $0.acknowledged },
      ]
      let control = [
        row("the same edits on replicated stores: acknowledged revisions") { $0.replicated },
        row("lost on replicated stores", tone: "bad") { $0.replicatedLost },
        row("conflicts to resolve on replicated stores") { $0.conflicts },
      ]
      markup.table(
        ["", TextCount.of(runs, "run"), "the drawn run"], faults + losses + control,
        namesRows: true)
    }
  }

  // MARK: Losses

  private func addLosses(_ drawing: CollectionPicture, markup: inout Markup) {
    markup.card("Losses of the drawn run", id: "losses", note: "") { markup in
      if let finding {
        markup.element("p", "class=\"bad\"", content: finding.sentence.printable)
      }
      guard !drawing.trace.losses.isEmpty else {
        if finding == nil { markup.element("p", content: "This run lost nothing.") }
        return
      }
      let shown = Set(drawing.drawing(limit: Self.eventsMax).rows.map(\.id))
      markup.line("<ul class=\"losses\">")
      for (loss, row) in zip(drawing.trace.losses, drawing.lossRows) {
        let anchor = drawing.anchor(row)
        let words = escaped(drawing.sentence(loss).printable)
        markup.line(
          shown.contains(anchor)
            ? "<li><a href=\"#\(anchor)\">\(words)</a></li>" : "<li>\(words)</li>")
      }
      markup.line("</ul>")
    }
  }

  private func addExamples(_ markup: inout Markup) {
    guard !examples.isEmpty else { return }
    markup.card(
      "Smallest examples", id: "examples",
      note:
        "Runs with only those steps that the loss needs. At the end every device queries all objects."
    ) { markup in
      for (place, example) in examples.enumerated() {
        let drawing = CollectionPicture(
          example.recording.run.trace ?? CollectionTrace(),
          devices: example.recording.workload.clients.count, prefix: "example\(place)")
        let seed = example.recording.workload.seed
        let steps = TextCount.of(example.recording.workload.steps.count, "step")
        markup.fold(
          "\(example.kind.rawValue.capitalizedFirst): \(steps) of seed \(seed)",
          isOpen: place == 0
        ) { markup in
          markup.element(
            "p",
            content: "\(example.kind.reason) Clauses: "
              + example.kind.clauses.joined(separator: ", ") + ".")
          let picture = drawing.drawing(limit: 200)
          markup.legend(of: [picture])
          markup.picture(picture, title: "\(example.kind.rawValue), smallest example")
        }
      }
    }
  }

  private func addRun(_ drawing: CollectionPicture, markup: inout Markup) {
    let picture = drawing.drawing(limit: Self.eventsMax)
    markup.card(
      "The drawn run", id: "run",
      note: "A red band: the device is offline. A narrow band: its offline queue is not empty."
    ) { markup in
      markup.legend(of: [picture])
      markup.fold(
        "\(TextCount.of(picture.rows.count, "event")) of seed \(recording.workload.seed)",
        isOpen: picture.rows.count <= 120
      ) { $0.picture(picture, title: "requests and responses of the drawn run") }
    }
  }

  private static let style = """
    .losses { margin: 0; padding-left: 20px; }
    .losses li { overflow-wrap: anywhere; }
    """
}

/// Numbers with their nouns.
enum TextCount {
  static func of(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension String {
  /// The text with its first letter in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
