internal import Datastore
internal import JSON
public import Scenarios

/// The events of a run in rows, in the form of all diagrams.
public struct Timeline {
  let trace: Trace
  let lanes: [ReplicaName]
  var rows: [Row] = []
  var scenes: [Scene]
  var sessions: [JSONString: Replicate] = [:]
  private var requests: [Int64: Trace.Request] = [:]
  private var departures: [Int64: Int] = [:]
  /// Rows in which a request arrived, by message and time.
  private var arrivals: [Arrival: Int] = [:]
  private var places: [ReplicaName: Int] = [:]
  /// Messages with the fault of an override of the scenario.
  private let overridden: Set<JSONString>
  /// The row of each entry so far.
  var rowsOfEntries: [Int] = []
  /// The row of the event that is the point of no return.
  var rowOfNoReturn: Int?
  /// Sessions that ended without an error.
  private var complete: Set<JSONString> = []

  private struct Arrival: Hashable {
    var message: Int64
    var time: UInt64
  }

  public init(_ trace: Trace) {
    self.trace = trace
    lanes = trace.scenario.replicas
    scenes = [Scene(count: trace.scenario.replicas.count)]
    overridden = Set(trace.scenario.overrides.map { $0.key })
    for (place, name) in lanes.enumerated() { places[name] = place }
    for entry in trace.entries {
      add(entry)
      rowsOfEntries.append(rows.count - 1)
      addPointOfNoReturn()
    }
    addFindings()
    quietenIdleSessions()
    // It stands in short diagrams, whatever it is.
    if let rowOfNoReturn { rows[rowOfNoReturn].isTransition = true }
  }

  /// A row for each of the first findings.
  private mutating func addFindings() {
    let room = 5
    for finding in trace.findings.prefix(room) {
      var row = row(at: finding.time, nil, .finding, step: "", words: finding.sentence.printable)
      row.isTransition = true
      row.documents = finding.document.map { [$0] } ?? []
      rows.append(row)
    }
    guard trace.findings.count > room, let last = trace.findings.last else { return }
    let words = "and \(count(trace.findings.count - room, "more finding"))"
    var row = row(at: last.time, nil, .finding, step: "", words: words)
    row.isTransition = true
    rows.append(row)
  }

  /// The place of a replica; the first for a name that the scenario does not have.
  func lane(_ name: ReplicaName) -> Int { places[name] ?? 0 }

  func row(
    at time: UInt64, _ lane: Int?, _ mark: Mark, step: String, words: String
  ) -> Row {
    Row(
      time: time, lane: lane, mark: mark, step: step, words: words, scene: scenes.count - 1)
  }

  private mutating func add(_ entry: Trace.Entry) {
    if case .holds(let id, let branches) = entry.event {
      guard let last = rows.indices.last else { return }
      rows[last].changes.append(Row.Change(id: id, branches: branches))
      if !rows[last].documents.contains(id) { rows[last].documents.append(id) }
      rows[last].isTransition = true
      return
    }
    note(entry)
    let lane = entry.replica.map { self.lane($0) }
    var row = row(
      at: entry.time, lane, .other, step: entry.step.text.printable, words: "")
    switch entry.event {
    case .performed(let operation, let outcome):
      row.tell(operation, outcome, isClient: true)
    case .served(let session, let operation, let outcome):
      row.session = session
      row.tell(operation, outcome, isClient: false)
    case .arrived(let message, let operation, let outcome):
      row.session = requests[message]?.session
      row.tell(operation, outcome, isClient: false)
      row.message = Row.Message(
        number: message, leg: .request, other: driver(of: message),
        end: .arrival(from: departures[message]))
      arrivals[Arrival(message: message, time: entry.time)] = rows.count
    case .sent, .answered, .spoilt: tell(entry, &row)
    case .sessionBegan, .sessionEnded: tell(session: entry.event, &row)
    default: row.tell(entry.event, lanes)
    }
    if row.mark == .checkpoint, let session = row.session, let directive = sessions[session] {
      // It is saved at both ends, and one of them is enough for a short diagram.
      row.isTransition = lane == self.lane(directive.target)
    }
    rows.append(row)
  }

  /// Keeps what later entries refer to, and what changes the scene.
  private mutating func note(_ entry: Trace.Entry) {
    var scene = scenes[scenes.count - 1]
    switch entry.event {
    case .sent(let request):
      requests[request.message] = request
      departures[request.message] = rows.count
    case .sessionBegan(let session, let directive): sessions[session] = directive
    case .crashed: if let name = entry.replica { scene.isUp[lane(name)] = false }
    case .restarted: if let name = entry.replica { scene.isUp[lane(name)] = true }
    case .calmed:
      scene.heal()
      scene.isCalm = true
    case .directed(.heal): scene.heal()
    case .directed(.block(let from, let to)) where from != to:
      scene.isOpen[lane(from)][lane(to)] = false
    case .directed(.partition(let groups)):
      scene.partition(groups.map { $0.map { lane($0) } })
    default: break
    }
    if scene != scenes[scenes.count - 1] { scenes.append(scene) }
  }

  private func driver(of message: Int64) -> Int {
    departures[message].flatMap { rows[$0].lane } ?? 0
  }

  /// The delivery of a message, as its driver or its peer observed it.
  private func tell(_ entry: Trace.Entry, _ row: inout Row) {
    switch entry.event {
    case .sent(let request):
      row.mark = .requestOut
      row.session = request.session
      let again = request.attempt > 1 ? ", attempt \(request.attempt)" : ""
      row.words = "asks \(request.to.name): \(request.operation.printable)\(again)"
      row.message = Row.Message(
        number: request.message, leg: .request, other: lane(request.to), end: .departure)
    case .answered(let message, let left, let said):
      let request = requests[message]
      row.mark = .answerIn
      row.session = request?.session
      let name = request.map { $0.to.name } ?? "?"
      row.words = "\(name) answers \(request?.operation.printable ?? "?"): \(said.printable)"
      row.message = Row.Message(
        number: message, leg: .answer, other: request.map { lane($0.to) } ?? 0,
        end: .arrival(from: arrivals[Arrival(message: message, time: left)]))
    case .spoilt(let message, let leg, let mishap):
      let request = requests[message]
      row.session = request?.session
      let operation = request?.operation.printable ?? "?"
      let peer = request.map { lane($0.to) } ?? 0
      row.tell(
        mishap, leg == .request ? "request \(operation)" : "response to \(operation)",
        to: leg == .request ? lanes[peer].name : lanes[driver(of: message)].name)
      row.message = Row.Message(
        number: message, leg: leg, other: row.lane == peer ? driver(of: message) : peer,
        end: mishap == .nobodyThere || mishap == .nobodyWaits ? .ignored : .mishap)
      row.isTransition = ["insertRevisions", "writeLocal"].contains(operation)
      if case .fate(let key, _) = mishap {
        row.answered = "key \(key.printable)"
        if overridden.contains(key) { row.isTransition = true }
      }
    default: break
    }
  }

  private mutating func tell(session event: Trace.Event, _ row: inout Row) {
    row.isTransition = true
    switch event {
    case .sessionBegan(let session, let directive):
      row.mark = .sessionBegan
      row.session = session
      row.words = directive.words
    case .sessionEnded(let session, let state, let reason):
      row.mark = .sessionEnded
      row.session = session
      if state == "complete" { complete.insert(session) }
      let way = sessions[session].map { " \($0.source.name) → \($0.target.name)" } ?? ""
      row.words = "session\(way) \(state == "gone" ? "dies with its program" : state.printable)"
      if let reason { row.words += ": \(reason.printable)" }
    default: break
    }
  }

  /// Removes sessions without a change from short diagrams, all but their beginning; those that
  /// only check for convergence entirely.
  private mutating func quietenIdleSessions() {
    var isBusy: Set<JSONString> = []
    for row in rows where row.isTransition {
      guard let session = row.session, row.mark != .sessionBegan, row.mark != .sessionEnded
      else { continue }
      isBusy.insert(session)
    }
    for place in rows.indices {
      guard let session = rows[place].session, complete.contains(session),
        !isBusy.contains(session)
      else { continue }
      switch rows[place].mark {
      case .sessionBegan where !scenes[rows[place].scene].isCalm:
        rows[place].words += ": nothing to copy"
      case .sessionBegan, .sessionEnded: rows[place].isTransition = false
      default: break
      }
    }
  }
}
