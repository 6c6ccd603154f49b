internal import Datastore
internal import JSON
internal import Replication

/// The possible events at a request, and their effects.
extension ReplicatorTrial {
  /// The selection of events that are tried.
  enum Alphabet {
    /// Every status and every error.
    case full
    /// One status and one error of each kind of consequence.
    case short
  }

  static let statuses = [400, 401, 403, 404, 408, 409, 412, 413, 429, 500, 502, 503, 504]
  static let errors: [DatastoreError.Kind] = [
    .storage(.io), .storage(.full), .busy, .notFound(.missing), .unsupported(what: "this"),
    .tooLarge(limit: 1), .badRequest(path: ""), .noSuchStore,
  ]
  static let recordErrors: [DatastoreError.Kind] = [
    .storage(.io), .badRevision, .forbidden, .busy, .tooLarge(limit: 1), .badBody,
  ]

  /// The events at the current request, and the number left out because they commute with it.
  mutating func disturbances(
    _ alphabet: Alphabet
  ) throws(HarnessError) -> (events: [Disturbance], reduced: Int, cut: Int) {
    guard let request else { return ([], 0, 0) }
    var events: [Disturbance] = []
    var reduced = 0
    var cut = 0
    for side in ReplicationSide.allCases {
      for event in try clientEvents(at: side, cut: &cut) {
        if reduces, commutes(event, at: side, with: request.content, at: request.side) {
          reduced += 1
        } else {
          events.append(.client(side, event))
        }
      }
    }
    let all = faults(of: request.content, .full)
    let some = alphabet == .full ? all : faults(of: request.content, .short)
    cut += all.count - some.count
    events += some.map { .fault($0) }
    if !facts.isStopped { events.append(.stop) }
    return (events, reduced, cut)
  }

  /// Events between the end of the first run and the second run.
  mutating func disturbancesAtEnd() throws(HarnessError) -> [Disturbance] {
    var events: [Disturbance] = []
    var cut = 0
    for side in ReplicationSide.allCases {
      for event in try clientEvents(at: side, cut: &cut) { events.append(.client(side, event)) }
      if stores.canRestore { events.append(.client(side, .restore)) }
    }
    return events
  }

  /// Whether the event has the same effect after the request; then it is tried before a later one,
  /// or at the end.
  ///
  /// An event at the other side affects nothing that the request reads or writes. Local documents
  /// are independent of the others, and a request that names documents is independent of all other
  /// documents. The order in which the target stores two documents has no effect: a replicator does
  /// not read the feed of its target.
  private func commutes(
    _ event: Disturbance.ClientEvent, at side: ReplicationSide, with request: PeerRequest,
    at other: ReplicationSide
  ) -> Bool {
    // The progress of requests that bypass the harness is unknown.
    guard visible.contains(side) else { return false }
    guard side == other else { return true }
    if event == .replace { return false }
    switch request {
    case .readLocal, .writeLocal, .flush: return true
    case .revsDiff(let queries), .getRevisions(let queries):
      guard let id = event.document else {
        if case .revsDiff = request { return event == .compact }
        return false
      }
      return !queries.contains { $0.id == id }
    case .insertRevisions(let records):
      guard let id = event.document else { return false }
      return !records.contains { $0.id == id }
    case .readAttachment(let id, _, _, _, _): return event.document.map { $0 != id } ?? false
    case .info, .changes, .putBlob: return false
    }
  }

  private mutating func clientEvents(
    at side: ReplicationSide, cut: inout Int
  ) throws(HarnessError) -> [Disturbance.ClientEvent] {
    var events: [Disturbance.ClientEvent] = []
    guard case .ok(.changes(let page)) = try stores.perform(.changes(), at: side) else { return [] }
    for row in page.rows {
      let leaves = row.leaves.array
      let live = leaves.count { !$0.deleted }
      guard
        ReplicatorSetting.eventDocuments.contains(row.id) || row.id == ReplicatorSetting.newDocument
      else {
        cut += live * 2 + leaves.count
        continue
      }
      for leaf in 0..<live {
        events.append(.update(row.id, leaf: leaf))
        events.append(.delete(row.id, leaf: leaf))
      }
      for leaf in leaves.indices { events.append(.purge(row.id, leaf: leaf)) }
    }
    if !page.rows.contains(where: { $0.id == ReplicatorSetting.newDocument }) {
      events.append(.create(ReplicatorSetting.newDocument))
    }
    events.append(.compact)
    events.append(.replace)
    return events
  }

  private func faults(of request: PeerRequest, _ alphabet: Alphabet) -> [Disturbance.RequestFault] {
    let isShort = alphabet == .short
    var faults: [Disturbance.RequestFault] =
      (isShort ? [404, 503] : Self.statuses).map { .status($0) }
    faults += (isShort ? [.storage(.io)] : Self.errors).map { .refused($0) }
    faults += [.lost(isPerformed: false), .cut(isPerformed: false)]
    switch request {
    case .insertRevisions(let records):
      faults += [.lost(isPerformed: true), .cut(isPerformed: true)]
      if records.count > 0 { faults.append(.partial) }
      let errors: [DatastoreError.Kind] =
        isShort ? [.storage(.io), .badRevision, .forbidden] : Self.recordErrors
      for place in records.indices { faults += errors.map { .record(place, $0) } }
    case .getRevisions(let queries):
      faults.append(.partial)
      for place in 0..<queries.reduce(0, { $0 + $1.revs.count }) {
        faults += [.undelivered(place, hasName: false), .undelivered(place, hasName: true)]
      }
    case .writeLocal: faults += [.lost(isPerformed: true), .cut(isPerformed: true)]
    case .putBlob(_, _, let bytes) where bytes != "":
      faults += [.lost(isPerformed: true), .cut(isPerformed: true)]
    default: break
    }
    return faults
  }

  /// Applies an event; returns false if it changed nothing.
  mutating func happen(_ event: Disturbance) throws(HarnessError) -> Bool {
    eventsLeft -= 1
    switch event {
    case .fault(let fault):
      facts.hasFault = true
      try deliver(fault)
      return true
    case .stop:
      trail = Trail(trail, run: run, request: requests + 1, event: event)
      facts.isStopped = true
      let inFlight = effects
      effects = []
      tell(.cancel)
      // Requests sent before the stop are answered first.
      effects = inFlight + effects
      tally.afterStop -= inFlight.count { effect in
        if case .send(_, _, let content, _) = effect { !content.savesCheckpoint } else { false }
      }
      return true
    case .client(let side, let event):
      trail = Trail(
        trail, run: run, request: requests + 1, event: .client(side, event))
      return try happen(event, at: side)
    }
  }

  private mutating func happen(
    _ event: Disturbance.ClientEvent, at side: ReplicationSide
  ) throws(HarnessError) -> Bool {
    var outcome: Outcome
    switch event {
    case .create(let id):
      outcome = try stores.perform(.create(id: id, body: Self.body(side)), at: side)
    case .update(let id, let leaf), .delete(let id, let leaf):
      let leaves = try leaves(of: id, at: side).filter { !$0.deleted }
      guard leaf < leaves.count else { return false }
      let rev = leaves[leaf].rev
      if case .delete = event {
        outcome = try stores.perform(.delete(id: id, rev: rev), at: side)
      } else if id == "p", setting.hasAttachment {
        outcome = try stores.perform(
          .update(
            id: id, rev: rev, body: Self.body(side),
            attachments: [
              RevisionAttachment(ReplicatorSetting.attachmentName, .stub),
              RevisionAttachment(ReplicatorSetting.noteName, .data("bm90ZQ=="), type: "image/png"),
            ]), at: side)
      } else {
        outcome = try stores.perform(.update(id: id, rev: rev, body: Self.body(side)), at: side)
      }
    case .purge(let id, let leaf):
      let leaves = try leaves(of: id, at: side)
      guard leaf < leaves.count else { return false }
      let rev = leaves[leaf].rev
      // A purge removes ancestors with their last leaf.
      if side == .target,
        case .ok(.revisions(let answers)) = try stores.perform(
          .getRevisions([RevisionQuery(id: id, revs: [rev])]), at: side),
        case .records(let records) = answers.first?.found
      {
        for rev in records.flatMap({ $0.path }) { facts.exempt.insert(LeafName(id: id, rev: rev)) }
      }
      outcome = try stores.perform(.purge(id: id, revs: [rev]), at: side)
      facts.purged.insert(id)
    case .compact:
      let before = stores.versions
      outcome = try stores.perform(.compact, at: side)
      if let before, before == stores.versions { return false }
    case .replace:
      facts.hasFault = true
      facts.isReplaced = true
      _ = try stores.perform(.destroy, at: side)
      _ = try stores.perform(.open(), at: side)
      if side == .target, let refusal = setting.refusal {
        _ = try stores.perform(.setValidation(refuse: refusal), at: side)
      }
      outcome = try stores.perform(.create(id: "r", body: Self.body(side)), at: side)
    case .restore:
      facts.hasFault = true
      stores.restore(side)
      return true
    }
    guard case .ok(let result) = outcome else { return false }
    if case .written(let id, let rev) = result { facts.written.insert(LeafName(id: id, rev: rev)) }
    return true
  }

  /// Clients at both sides write different bodies, so that their revisions differ.
  private static func body(_ side: ReplicationSide) -> JSONValue {
    ["kind": "one", "by": .text(side.rawValue)]
  }

  private mutating func leaves(
    of id: DocumentID, at side: ReplicationSide
  ) throws(HarnessError) -> [Leaf] {
    guard case .ok(.leaves(let leaves)) = try stores.perform(.leaves(id: id), at: side)
    else { return [] }
    return leaves
  }
}
