internal import JSON

/// Checks the recorded traffic of replicators, exchange by exchange.
///
/// If the transcript has the times of responses, requests and responses are processed in the order of
/// their times; otherwise each response follows its request. The memory grows with the number of
/// revisions, not with the size of the bodies.
public final class TrafficLinter {
  private var lines: [(number: Int, text: String)] = []
  private var counts: [String: Int] = [:]
  private var findings: [LintFinding] = []
  var databases: [JSONString: DatabaseState] = [:]
  private var clients: [JSONString: ClientState] = [:]
  private(set) var clientOrder: [ClientState] = []
  var sessionCount = 0
  private(set) var tick: Int32 = 0
  /// The exchanges whose responses have not yet arrived, by the times of these.
  private var open: [(end: Int64, flow: Flow)] = []

  /// Creates a linter for one transcript.
  public init() {}

  /// Processes the next exchange, in the order of the requests.
  public func add(_ exchange: Exchange) {
    respond(until: exchange.start)
    let place = Place(clamping: lines.count + 1)
    lines.append((exchange.number, Self.line(exchange)))
    guard let flow = flow(exchange, at: place) else { return }
    flow.client.lastPlace = place
    tick &+= 1
    begin(flow)
    guard exchange.response != nil else { return }
    if let start = exchange.start, let end = exchange.end, end > start, !isContinuous(flow) {
      let index = open.lastIndex { $0.end <= end }.map { $0 + 1 } ?? 0
      open.insert((end, flow), at: index)
    } else {
      tick &+= 1
      respond(flow)
    }
  }

  /// Processes the end of the transcript.
  public func finish() -> LintReport {
    respond(until: nil)
    for client in clientOrder { checkEnd(client) }
    var report = LintReport()
    report.exchangeCount = lines.count
    report.sessionCount = sessionCount
    report.feedCount = clientOrder.reduce(0) { $0 + $1.feeds.count }
    report.findings = findings
    report.counts = LintClause.all.compactMap { clause in
      counts[clause.id].map { (clause, $0) }
    }
    return report
  }

  /// Records a finding with the exchanges that show it; exchanges at place 0 are omitted.
  func report(
    _ clause: LintClause, _ sentence: String, at evidence: [(place: Place, note: String)]
  ) {
    let count = counts[clause.id, default: 0] + 1
    counts[clause.id] = count
    guard count <= LintReport.shownMax else { return }
    let shown = evidence.filter { $0.place > 0 }.sorted { $0.place < $1.place }
    findings.append(
      LintFinding(
        clause: clause, sentence: sentence,
        evidence: shown.map { item in
          let line = lines[Int(item.place) - 1]
          return .init(number: line.number, line: line.text, note: item.note)
        }))
  }

  private func respond(until time: Int64?) {
    while let first = open.first, time.map({ first.end <= $0 }) ?? true {
      open.removeFirst()
      tick &+= 1
      respond(first.flow)
    }
  }

  private func begin(_ flow: Flow) {
    checkRequestForm(flow)
    switch flow.endpoint {
    case .changes, .revsDiff, .bulkGet, .bulkDocs, .document: flow.client.follow()
    case .database, .local, .fullCommit, .purge, .other: break
    }
    switch flow.endpoint {
    case .database: beginDatabase(flow)
    case .changes: beginChanges(flow)
    case .revsDiff: beginDiff(flow)
    case .bulkGet: beginBulkGet(flow)
    case .bulkDocs: beginBulkWrite(flow)
    case .local(let id): beginLocal(id, flow)
    case .document(let id): beginDocument(id, flow)
    case .fullCommit, .purge, .other: break
    }
  }

  private func respond(_ flow: Flow) {
    checkResponseForm(flow)
    switch flow.endpoint {
    case .database, .fullCommit: endDatabase(flow)
    case .changes: endChanges(flow)
    case .revsDiff: endDiff(flow)
    case .bulkGet: endBulkGet(flow)
    case .bulkDocs: endBulkWrite(flow)
    case .local(let id): endLocal(id, flow)
    case .document(let id): endDocument(id, flow)
    case .purge: if flow.isSuccess { flow.database.reset(at: 0) }
    case .other: break
    }
  }

  private func isContinuous(_ flow: Flow) -> Bool {
    guard case .changes = flow.endpoint, let kind = flow.target.value("feed") else { return false }
    return kind == "continuous" || kind == "eventsource" || kind == "live"
  }

  private func flow(_ exchange: Exchange, at place: Place) -> Flow? {
    let target = RequestTarget(exchange.request)
    guard exchange.request.method != "OPTIONS",
      let (name, endpoint) = resource(target, exchange.response)
    else { return nil }
    let database = databases[name] ?? DatabaseState(name)
    databases[name] = database
    let client = clients[exchange.client] ?? newClient(exchange.client)
    return Flow(
      exchange, at: place, tick: tick &+ 1, target: target, endpoint: endpoint, client: client,
      database: database)
  }

  private func newClient(_ name: JSONString) -> ClientState {
    let client = ClientState(name, number: Int32(clamping: clientOrder.count + 1))
    clients[name] = client
    clientOrder.append(client)
    return client
  }

  /// Returns the database and the resource of a request; nil if it names no database.
  private func resource(
    _ target: RequestTarget, _ response: Exchange.Response?
  ) -> (JSONString, RequestTarget.Endpoint)? {
    let count = target.segments.count
    guard let first = target.segments.first else { return nil }
    if first.first == UInt8(ascii: "_"), first != Array("_users".utf8) { return nil }
    if let parts = target.endpointPlace {
      return (target.database(parts: parts), target.endpoint(after: parts))
    }
    for parts in (1...count).reversed() {
      let name = target.database(parts: parts)
      if databases[name] != nil { return (name, target.endpoint(after: parts)) }
    }
    // A path before the name of the database, as behind a reverse proxy.
    let information = response?.body.json?.objectValue
    let parts = information?["db_name"] != nil ? count : 1
    return (target.database(parts: parts), target.endpoint(after: parts))
  }

  private static func line(_ exchange: Exchange) -> String {
    let request = exchange.request
    let path = String(
      decoding: (Array(request.server.utf8) + request.target.utf8).prefix(90), as: UTF8.self)
    let isCut = request.server.utf8.count + request.target.utf8.count > 90
    let client = exchange.client.isEmpty ? "" : "\(exchange.client): "
    let status = exchange.response.map { "\($0.status)" } ?? "no response"
    return "\(client)\(request.method) \(path)\(isCut ? "…" : "") → \(status)"
  }
}
