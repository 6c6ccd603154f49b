import Datastore
import JSON
import Replication
import Testing

/// A replicator, and two simulated stores that are defined by their responses.
///
/// Requests are answered in the order in which they were sent, by the first matching rule that is
/// not used up, otherwise as a store would. Retries are repeated immediately if nothing else
/// remains.
struct Stage {
  var replicator: Replicator
  /// The feed of the source; the sequence of a row is its position, from 1.
  var rows: [ChangesRow] = []
  /// The revisions of the target, as `id rev`.
  var held: Set<String> = []
  var incarnations: [ReplicationSide: JSONString] = [.source: "S", .target: "T"]
  var locals: [ReplicationSide: JSONValue] = [:]
  var rules: [Rule] = []
  /// The attachment of every record of the source, if any.
  var attachment: RevisionAttachment?
  /// The maximum number of revisions in one fetch from the source, and in one insert into the
  /// target; more are `tooLarge`.
  var (fetchMax, insertMax) = (Int.max, Int.max)

  /// All requests so far, and those without a response.
  var sent: [Sent] = []
  var waiting: [Sent] = []
  var timers: [(timer: ReplicatorTimer, range: ClosedRange<UInt64>)] = []
  var stored: [RevisionRecord] = []

  struct Sent: Equatable {
    var number: RequestNumber
    var side: ReplicationSide
    var request: PeerRequest
    var attempt: Int
  }

  /// The response to the next requests of a kind.
  struct Rule {
    var side: ReplicationSide
    var kind: String
    /// Nil for a lost response.
    var answer: PeerResponse?
    var times = 1
    /// Whether the store performs the request nevertheless.
    var acts = false
  }

  init(_ change: (inout ReplicatorConfiguration) -> Void = { _ in }) {
    var configuration = ReplicatorConfiguration()
    change(&configuration)
    replicator = Replicator(configuration)
  }

  var state: ReplicatorState { replicator.state }
  var report: ReplicationReport { replicator.report }

  /// Adds documents `d1`, `d2` … to the source, each with one revision.
  mutating func write(_ count: Int) {
    for _ in 0..<count { write(DocumentID(JSONString("d\(rows.count + 1)")), ["1-a"]) }
  }

  mutating func write(_ id: DocumentID, _ leaves: [RevisionID], deleted: Bool = false) {
    rows.append(
      ChangesRow(
        seq: .integer(Int64(rows.count + 1)), id: id, deleted: deleted,
        leaves: Leaves(leaves.map { Leaf(rev: $0, deleted: deleted) })))
  }

  mutating func rule(
    _ side: ReplicationSide, _ kind: String, _ answer: PeerResponse?, times: Int = 1,
    acts: Bool = false
  ) {
    rules.append(Rule(side: side, kind: kind, answer: answer, times: times, acts: acts))
  }

  /// Sends an event to the replicator and records its effects.
  mutating func tell(_ event: ReplicatorEvent) {
    for effect in replicator.handle(event) {
      switch effect {
      case .send(let number, let side, let request, let attempt):
        let new = Sent(number: number, side: side, request: request, attempt: attempt)
        sent.append(new)
        waiting.append(new)
      case .wait(let timer, let range): timers.append((timer, range))
      }
    }
  }

  /// Starts the session, unless it is running, and continues until no step remains.
  mutating func run(session: JSONString = "s") {
    if state == .pending { tell(.start(session: session)) }
    while step() {}
  }

  /// Continues until a request of this kind is the next to be answered.
  mutating func run(
    until side: ReplicationSide, _ kind: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    if state == .pending { tell(.start(session: "s")) }
    while !isNext(side, kind) {
      guard step() else {
        Issue.record("\(side.rawValue): \(kind) was never sent", sourceLocation: sourceLocation)
        return
      }
    }
  }

  /// Continues until a pause between checkpoints begins, and ends it.
  mutating func passCheckpointPause() {
    while !timers.contains(where: { $0.timer == .checkpoint }), step() {}
    tell(.timer(.checkpoint))
  }

  /// Whether an event has no effect.
  func ignores(_ event: ReplicatorEvent) -> Bool {
    var copy = replicator
    return copy.handle(event).isEmpty && copy == replicator
  }

  private func isNext(_ side: ReplicationSide, _ kind: String) -> Bool {
    waiting.first.map { $0.side == side && $0.request.action.name == kind } ?? false
  }

  /// Answers one request, or repeats one; returns false if no step remains.
  @discardableResult
  mutating func step() -> Bool {
    guard !state.isFinal else { return false }
    if !waiting.isEmpty {
      answer(waiting.removeFirst())
      return true
    }
    guard
      let place = timers.firstIndex(where: { if case .retry = $0.timer { true } else { false } })
    else { return false }
    tell(.timer(timers.remove(at: place).timer))
    return true
  }

  private mutating func answer(_ sent: Sent) {
    let place = rules.firstIndex {
      $0.side == sent.side && $0.kind == sent.request.action.name && $0.times > 0
    }
    guard let place else { return tell(.response(sent.number, perform(sent))) }
    rules[place].times -= 1
    if rules[place].acts { _ = perform(sent) }
    if let answer = rules[place].answer {
      tell(.response(sent.number, answer))
    } else {
      tell(.lost(sent.number, reason: "lost"))
    }
  }

  /// The response of a store without faults.
  mutating func perform(_ sent: Sent) -> PeerResponse {
    switch sent.request {
    case .info:
      return .ok(
        .info(
          StoreInfo(
            documents: 0, deletedDocuments: 0, last: .integer(Int64(rows.count)),
            incarnation: incarnations[sent.side]!)))
    case .changes(let since, let limit, _):
      let first = if case .integer(let value)? = since { Int(value) } else { 0 }
      let page = rows.dropFirst(first).prefix(Int(limit))
      let last = first + page.count
      return .ok(
        .changes(
          ChangesPage(rows: [_](page), last: .integer(Int64(last)), more: last < rows.count)))
    case .revsDiff(let queries):
      let lacking = queries.map { query in
        Difference(
          id: query.id,
          missing: query.revs.filter {
            sent.side == .source ? !isListed(query.id, $0) : !held.contains("\(query.id) \($0)")
          }, possibleAncestors: [])
      }
      return .ok(.revsDiff(lacking.filter { !$0.missing.isEmpty }))
    case .getRevisions(let queries)
    where queries.reduce(0) { $0 + $1.revs.count } > fetchMax:
      return .refused(.tooLarge(limit: 1))
    case .insertRevisions(let records) where records.count > insertMax:
      return .refused(.tooLarge(limit: 1))
    case .getRevisions(let queries):
      return .ok(
        .revisions(
          queries.flatMap { query in
            query.revs.map { rev in
              RevisionAnswer(
                id: query.id, rev: rev, found: .records([record(query.id, rev)]))
            }
          }))
    case .insertRevisions(let records):
      stored += records
      for record in records { held.insert("\(record.id) \(record.path[0])") }
      return .ok(.inserted(records.map { _ in nil }))
    case .readLocal:
      guard let body = locals[sent.side] else {
        return .refused(DatastoreError(.notFound(.missing)))
      }
      return .ok(.local(body: body))
    case .writeLocal(_, let body):
      locals[sent.side] = body
      return .ok(.done)
    case .flush: return .ok(.done)
    case .readAttachment, .putBlob:
      return .refused(.unsupported(what: sent.request.action.name))
    }
  }

  private func record(_ id: DocumentID, _ rev: RevisionID) -> RevisionRecord {
    var record = RevisionRecord.standIn(id, rev)
    record.attachments = attachment.map { [$0] } ?? []
    return record
  }

  private func isListed(_ id: DocumentID, _ rev: RevisionID) -> Bool {
    rows.contains { $0.id == id && $0.leaves.contains { $0.rev == rev } }
  }

  /// The number of requests of a kind.
  func count(_ side: ReplicationSide, _ kind: String) -> Int { requests(side, kind).count }

  func requests(_ side: ReplicationSide, _ kind: String) -> [PeerRequest] {
    sent.filter { $0.side == side && $0.request.action.name == kind }.map { $0.request }
  }

  /// The recorded sequences in a side's checkpoint, newest first.
  func recorded(_ side: ReplicationSide) -> [JSONValue] {
    (locals[side]?.objectValue?["history"]?.arrayValue ?? []).compactMap {
      $0.objectValue?["recorded"]
    }
  }
}

extension RevisionRecord {
  /// A record of which only id and revision matter.
  static func standIn(_ id: DocumentID, _ rev: RevisionID, k: Int64 = 0) -> RevisionRecord {
    RevisionRecord(id: id, path: [rev], body: ["k": .integer(k)])
  }
}

extension PeerResponse {
  static func refused(_ kind: DatastoreError.Kind) -> PeerResponse {
    .refused(DatastoreError(kind))
  }
}
