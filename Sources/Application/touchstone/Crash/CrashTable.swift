internal import Conformance
internal import CrashTesting
internal import JSON
internal import Scenarios
internal import Simulation

/// The results of all scenarios, for readers and for programs.
struct CrashTable {
  private let results: [CrashResult]
  private let parts: CrashParts
  private let options: CrashOptions
  private let mutant: String?

  init(
    _ results: [CrashResult], _ parts: CrashParts, options: CrashOptions, mutant: String?
  ) {
    self.mutant = mutant
    self.results = results
    self.parts = parts
    self.options = options
  }

  // MARK: For people

  /// One line for each scenario, the totals, and the losses.
  func text(milliseconds: UInt64, _ style: TextStyle) -> String {
    var rows = [["scenario"] + columns.map { $0.title }]
    rows += results.map { result in [result.scenario] + columns.map { "\($0.count(result))" } }
    rows.append(["all"] + columns.map { "\(sum($0))" })
    var lines = TextTable.lines(rows) { $0 > 0 }
    lines[0] = style.strong(lines[0])
    let losses = results.flatMap { $0.losses }
    let spent = duration(milliseconds)
    if losses.isEmpty {
      lines.append(
        style.good("0 lost writes")
          + " in \(TextLayout.counted(results.count, "scenario")), \(spent)")
    } else {
      lines.append(style.bad("writes were lost") + ", \(spent)")
      for (option, loss) in losses { lines += describe(loss, option, style: style) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func describe(_ loss: CrashLoss, _ option: String, style: TextStyle) -> [String] {
    let place =
      option == "--point"
      ? loss.step.map { "before \($0)" } ?? "at the end" : loss.step ?? "at no particular step"
    var words = ["touchstone", "crash", "--filter", loss.scenario]
    // The moment of a kill is not reproducible.
    words += [option, "\(option == "--kill" ? parts.kills : loss.point)"]
    if let subset = loss.subset { words += ["--subset", "\(subset)"] }
    if option == "--point" { words += ["--subsets", "\(options.outcomesMax)"] }
    if let mutant { words += ["--mutant", mutant] }
    if options.seed != 1 { words += ["--seed", "\(options.seed)"] }
    let operation = loss.operation.map { TextLayout.abbreviated($0, width: 200) }
    var lines = [
      "",
      style.bad(loss.finding.kind.rawValue)
        + ": \(TextLayout.abbreviated(loss.finding.sentence, width: 1000))",
      "  in         \(loss.scenario), \(option.dropFirst(2)) \(loss.point): \(place)",
      "  operation  \(operation ?? "none in progress")",
    ]
    if !loss.unsynced.isEmpty {
      lines.append("  unsynced   \(Self.listed(loss.unsynced))")
    }
    return lines + [
      "  then       \(loss.outcome)",
      "  again      \(words.map(shellQuoted).joined(separator: " "))",
    ]
  }

  /// Returns the last of many changes.
  private static func listed(_ changes: [String]) -> String {
    let shown = changes.suffix(8).joined(separator: ", ")
    return changes.count > 8 ? "\(changes.count - 8) changes, \(shown)" : shown
  }

  // MARK: Figures

  private struct Column {
    let title: String
    /// The name of the member in JSON.
    let name: JSONString
    let count: (CrashResult) -> Int
  }

  private var columns: [Column] {
    var columns: [Column] = []
    if parts.powerLoss {
      columns += [
        Column(title: "steps", name: "steps") { $0.powerLoss?.steps ?? 0 },
        Column(title: "points", name: "points") { $0.powerLoss?.points ?? 0 },
        Column(title: "subsets", name: "subsets") { $0.powerLoss?.outcomes ?? 0 },
        Column(title: "images", name: "images") { $0.powerLoss?.images ?? 0 },
        Column(title: "survivors", name: "survivors") { $0.powerLoss?.survivors ?? 0 },
      ]
    }
    if parts.faults {
      columns += [
        Column(title: "faults", name: "faults") { $0.faults?.faults ?? 0 },
        Column(title: "refused", name: "refusedOperations") { $0.faults?.refusals ?? 0 },
        Column(title: "unknown", name: "unknownOutcomes") { $0.faults?.unknowns ?? 0 },
        Column(title: "recovered", name: "faultImages") { $0.faults?.images ?? 0 },
        Column(title: "survived", name: "faultSurvivors") { $0.faults?.survivors ?? 0 },
      ]
    }
    if parts.kills > 0 {
      columns += [
        Column(title: "kills", name: "kills") { $0.kills?.kills ?? 0 },
        Column(title: "amidst", name: "killsAmidstOperations") { $0.kills?.amidst ?? 0 },
        Column(title: "survived", name: "killSurvivors") { $0.kills?.survivors ?? 0 },
      ]
    }
    return columns
  }

  private func sum(_ column: Column) -> Int { results.reduce(0) { $0 + column.count($1) } }

  // MARK: For programs

  /// Returns a report for each scenario; its finding is the first loss.
  func reports(_ numbers: CaseNumbers) -> [CampaignReport] {
    numbers.numbered(results).map { number, result in
      CampaignReport(
        seed: number, events: result.powerLoss?.steps ?? 0,
        counts: Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.count(result)) }),
        result.losses.first.map { option, loss in
          Trace.Finding(
            oracle: "crash", shape: JSONString(loss.finding.kind.rawValue),
            sentence: JSONString(
              "\(loss.scenario), \(option.dropFirst(2)) \(loss.point): \(loss.finding.sentence)"),
            time: 0)
        })
    }
  }

  var json: JSONValue {
    let scenarios = results.map { result -> JSONValue in
      var members: [(JSONString, JSONValue)] = [("scenario", .text(result.scenario))]
      members += columns.map { ($0.name, .integer(Int64($0.count(result)))) }
      if let faults = result.faults {
        let counts = faults.counts.map { (JSONString($0.kind), JSONValue.integer(Int64($0.count))) }
        members.append(("faultKinds", .object(JSONObject(counts))))
      }
      members.append(("losses", .array(result.losses.map { Self.json($0.loss, $0.option) })))
      return .object(JSONObject(members))
    }
    return [
      "seed": JSONValue(options.seed), "subsetsMax": .integer(Int64(options.outcomesMax)),
      "scenarios": .array(scenarios),
      "all": .object(JSONObject(columns.map { ($0.name, .integer(Int64(sum($0)))) })),
    ]
  }

  private static func json(_ loss: CrashLoss, _ option: String) -> JSONValue {
    var members: [(JSONString, JSONValue)] = [
      (JSONString(String(option.dropFirst(2))), .integer(Int64(loss.point))),
      ("kind", .text(loss.finding.kind.rawValue)), ("sentence", .text(loss.finding.sentence)),
      ("outcome", .text(loss.outcome)),
    ]
    if let subset = loss.subset { members.append(("subset", .integer(Int64(subset)))) }
    if !loss.unsynced.isEmpty {
      members.append(("unsynced", .array(loss.unsynced.map { .text($0) })))
    }
    if let step = loss.step { members.append(("step", .text(step))) }
    if let operation = loss.operation { members.append(("operation", .text(operation))) }
    return .object(JSONObject(members))
  }
}
