import Datastore
import JSON
import Oracles

/// Two replicas, `a` and `b`, and the events that the oracles observe.
struct Witness {
  var oracles = Oracles(replicas: ["a", "b"])
  var findings: [OracleFinding] = []

  /// The distinct kinds of the findings, `oracle/shape`; two stores may share a fault.
  var kinds: [String] {
    findings.reduce(into: []) { kinds, finding in
      let kind = "\(finding.oracle)/\(finding.shape)"
      if !kinds.contains(kind) { kinds.append(kind) }
    }
  }

  mutating func tell(_ observation: Observation) {
    if let finding = oracles.observe(observation) { findings.append(finding) }
  }

  /// A client's operation at a replica.
  mutating func client(
    _ replica: Int, _ action: StoreAction, _ outcome: Outcome, step: JSONString = "s1"
  ) {
    tell(.client(replica: replica, step: step, StoreOperation("n", action), outcome))
  }

  /// Records a client's successful creation of a document.
  mutating func create(_ replica: Int, _ id: DocumentID, _ rev: RevisionID, _ body: JSONValue = [:])
  {
    client(replica, .create(id: id, body: body), .ok(.written(id: id, rev: rev)))
  }

  /// Records a request of the first session, from `a` to `b`, to one of them.
  mutating func session(_ isSource: Bool, _ action: StoreAction, _ outcome: Outcome) {
    tell(.session(0, isSource: isSource, StoreOperation("n", action), outcome))
  }

  mutating func begin(filter: Filter? = nil) {
    tell(.sessionBegan(0, SessionFacts(name: "r1", source: 0, target: 1, filter: filter)))
    for isSource in [true, false] {
      session(
        isSource, .info,
        .ok(
          .info(
            StoreInfo(
              documents: 0, deletedDocuments: 0, last: .integer(0),
              incarnation: isSource ? "ia" : "ib"))))
    }
  }

  /// Records a page of changes, up to a sequence, that the session received.
  mutating func page(
    _ leaves: [(DocumentID, Leaf)], last: Int64, since: Int64? = nil, more: Bool = false
  ) {
    let rows = leaves.map { id, leaf in
      ChangesRow(seq: .integer(last), id: id, deleted: leaf.deleted, leaves: [leaf])
    }
    let since = since.map { UpdateSequence.integer($0) }
    let page = ChangesPage(rows: rows, last: .integer(last), more: more)
    session(true, .changes(since: since, limit: nil), .ok(.changes(page)))
    tell(.received(0, since: since, page))
  }

  mutating func insert(_ record: RevisionRecord, error: DatastoreError? = nil) {
    session(false, .insertRevisions([record]), .ok(.inserted([error])))
  }

  mutating func save(_ sequence: Int64, isSource: Bool = false) {
    let body: JSONValue = ["history": [["session": "x", "recorded": .integer(sequence)]]]
    session(isSource, .writeLocal(id: "c", body: body), .ok(.done))
  }

  /// Ends the run with these documents at `a` and at `b`.
  mutating func end(_ left: [FinalDocument], _ right: [FinalDocument]? = nil) {
    findings += oracles.conclude([
      FinalStore(documents: left), FinalStore(documents: right ?? left),
    ])
  }
}

extension FinalDocument {
  /// A document with one record per leaf; the first leaf is the winner if it is live.
  init(_ id: DocumentID, _ records: RevisionRecord...) {
    let leaves = records.map { Leaf(rev: $0.path[0], deleted: $0.deleted) }
    let winner = leaves.first.flatMap { $0.deleted ? nil : $0.rev }
    self.init(id: id, winner: winner, leaves: leaves, records: records)
  }
}
