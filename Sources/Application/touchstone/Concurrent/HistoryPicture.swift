internal import ConcurrentClients
internal import Conformance
internal import Datastore
internal import JSON
internal import Rendering

/// The operations of a finding as a table and as a page.
struct HistoryPicture {
  private let finding: HistoryFinding
  private let history: ClientHistory
  private let witness: OrderWitness?
  private let rows: [Row]

  private struct Row {
    var operation: ClientOperation
    var place: Int
    var words: String
    var isNeeded: Bool
  }

  /// - Parameter isStopped: whether the search for a minimal part should end.
  init(
    _ finding: HistoryFinding, in history: ClientHistory, _ promises: Set<ConsistencyPromise>,
    isStopped: @escaping () -> Bool
  ) {
    self.finding = finding
    self.history = history
    witness = OrderWitness(finding, in: history, promises, isStopped: isStopped)
    if let witness {
      // Several observations of one operation are one row.
      var rows: [Row] = []
      for item in witness.items {
        if let place = rows.firstIndex(where: { $0.place == item.operation }) {
          rows[place].words += "; " + item.words.joined(separator: "; ")
          rows[place].isNeeded = rows[place].isNeeded || item.isNeeded
        } else {
          rows.append(
            Row(
              operation: history.operations[item.operation], place: item.operation,
              words: (item.isBeside ? "beside: " : "") + item.words.joined(separator: "; "),
              isNeeded: item.isNeeded))
        }
      }
      self.rows = rows
    } else {
      rows = finding.operations.sorted().map { place in
        let operation = history.operations[place]
        return Row(
          operation: operation, place: place, words: Self.outcome(operation), isNeeded: true)
      }
    }
  }

  private static func outcome(_ operation: ClientOperation) -> String {
    switch operation.outcome {
    case .ok(.written(_, let rev)): "wrote \(rev)"
    case .ok: "ok"
    case .error(let error): "\(error.kind)"
    case .unknown, nil: "no response"
    }
  }

  private static func time(_ operation: ClientOperation, isNeeded: Bool) -> String {
    "\(operation.call)–\(isNeeded ? operation.end.map { "\($0)" } ?? "" : "")"
  }

  private func number(of place: Int) -> Int {
    (rows.firstIndex { $0.place == place } ?? 0) + 1
  }

  // MARK: Text

  /// The table, and the possible states after each response.
  func text(width: Int, _ style: TextStyle) -> String {
    let head = ["", "connection", "time", "operation", "effect or result"]
    let cells = rows.enumerated().map { number, row in
      [
        "\(number + 1)", "\(row.operation.connection)",
        Self.time(row.operation, isNeeded: row.isNeeded), row.operation.operation.action.name,
        row.words,
      ]
    }
    var text = ""
    for line in TextTable.lines([head] + cells, isRight: { $0 < 2 }) {
      text += "  " + TextLayout.printable(line) + "\n"
    }
    guard let witness else { return text }
    text += "\nPossible states, whatever the order was:\n"
    for stage in stages(witness) {
      let states =
        stage.states.isEmpty
        ? style.bad("none")
        : stage.states.map { TextLayout.printable($0) }.joined(separator: "\n      or  ")
      text += "  \(stage.point): \(states)\n"
    }
    return text
  }

  private func stages(_ witness: OrderWitness) -> [IntervalPage.Stage] {
    [IntervalPage.Stage("at first", witness.beginnings)]
      + witness.stages.map { stage in
        let rest = stage.count - stage.states.count
        return IntervalPage.Stage(
          "after the response of \(number(of: stage.operation))",
          stage.states + (rest > 0 ? ["\(rest) more"] : []))
      }
  }

  // MARK: Page

  func page(implementation: String, seed: UInt64, command: String) -> IntervalPage {
    let connections = Set(rows.map(\.operation.connection)).sorted()
    let last = witness?.stages.last?.operation
    let bars = rows.map { row in
      IntervalPicture.Bar(
        lane: connections.firstIndex(of: row.operation.connection) ?? 0, call: row.operation.call,
        end: row.isNeeded ? row.operation.end : nil, row.operation.operation.action.name,
        isMarked: row.place == last)
    }
    return IntervalPage(
      sentence: "\(implementation), seed \(seed): \(finding.sentence)", command: command,
      program: programName,
      IntervalPicture(lanes: connections.map { "connection \($0)" }, bars: bars),
      rows: rows.map { row in
        IntervalPage.Row(
          connection: "\(row.operation.connection)",
          time: Self.time(row.operation, isNeeded: row.isNeeded), words: row.words,
          request: row.operation.operation.description,
          response: row.operation.outcome?.description ?? "none")
      }, stages: witness.map { stages($0) } ?? [])
  }
}
