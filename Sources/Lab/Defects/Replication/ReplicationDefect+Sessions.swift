internal import Datastore
internal import JSON
internal import Replication
internal import Selectors

// Mutants of replicators with effects without faults: in transfers, checkpoints and states.

extension ReplicationDefect {
  static let sessions: [ReplicationDefect] = [
    ReplicationDefect(
      "ids-without-escapes", breaks: "REPL-001",
      "A document whose id needs escaping in a path is not sent.",
      boundary: .machine { _ in
        Reading { page in
          page.rows.removeAll { $0.id.text.utf8.contains(UInt8(ascii: "%")) }
        }
      }),
    ReplicationDefect(
      "edits-put-on-roots-of-target", breaks: "REPL-002",
      "An edit is sent as a child of the target's root.",
      boundary: .machine { _ in Grafting() }),
    ReplicationDefect(
      "refused-record-ends-session", breaks: "REPL-007",
      "A record refused by validation ends the session as error.",
      link: "https://github.com/pouchdb/pouchdb/issues/2268",
      boundary: .machine { _ in
        AlteredRefusals { errors in errors.contains { $0?.kind == .forbidden } ? nil : errors }
      }),
    ReplicationDefect(
      "filter-not-in-checkpoint", breaks: "REPL-012",
      "Sessions with different filters share a checkpoint.",
      boundary: .machine { _ in NamingStoresOnly() }),
    ReplicationDefect(
      "one-checkpoint-both-ways", breaks: "REPL-013",
      "Two stores share one checkpoint for both directions.",
      boundary: .machine {
        $0.filter == nil ? SharingDirections() as any SessionMeddling : Obeying()
      }),
    ReplicationDefect(
      "incarnations-not-compared", breaks: "REPL-015",
      "The replicator does not check whether a store was replaced.",
      boundary: .machine { _ in KnowingStores() }),
    ReplicationDefect(
      "errors-end-as-complete", breaks: "REPL-016",
      "A failed session ends as complete.",
      boundary: .machine { _ in Ending { $0 == .error ? .complete : $0 } }),
    ReplicationDefect(
      "failed-records-passed", breaks: "REPL-017",
      "A record that could not be stored counts as stored.",
      boundary: .machine { _ in
        AlteredRefusals { errors in errors.map { $0?.kind == .badRevision ? nil : $0 } }
      }),
    ReplicationDefect(
      "refusal-holds-checkpoint", breaks: "REPL-018",
      "A session with a refused record writes no checkpoint.",
      boundary: .machine { _ in ForgettingSession(.afterRefusal) }),
    ReplicationDefect(
      "stop-ignored", breaks: "REPL-019", "A stopped session continues to its end.",
      boundary: .machine { _ in GoingOn() }),
    ReplicationDefect(
      "stop-forgets", breaks: "REPL-020", "A stopped session writes no checkpoint.",
      boundary: .machine { _ in ForgettingSession(.afterCancel) }),
    ReplicationDefect(
      "filter-ignored", breaks: "REPL-021", "The replicator ignores the filter.",
      boundary: .machine { configuration in
        configuration.filter = nil
        return Obeying()
      }),
    ReplicationDefect(
      "selector-not-in-checkpoint", breaks: "REPL-012",
      "Sessions with different selectors share a checkpoint.",
      boundary: .machine { configuration in
        if case .selector? = configuration.filter {
          NamingStoresOnly(suffix: "-selector")
        } else {
          Obeying()
        }
      }),
    ReplicationDefect(
      "selector-passes-tombstones", breaks: "REPL-026",
      "A selector as a filter selects all tombstones.",
      boundary: .machine {
        Selecting.other(in: &$0) { selector, record in
          record.deleted || Selecting.selects(selector, record)
        }
      }),
    ReplicationDefect(
      "selector-fails-tombstones", breaks: "REPL-026",
      "A selector as a filter never selects tombstones.",
      boundary: .machine {
        Selecting.other(in: &$0) { selector, record in
          !record.deleted && Selecting.selects(selector, record)
        }
      }),
    ReplicationDefect(
      "selector-without-revisions", breaks: "REPL-026",
      "A selector as a filter finds no value at `_rev`.",
      boundary: .machine {
        Selecting.other(in: &$0) { selector, record in
          Subject(record.body, id: record.id.text, rev: nil).matches(selector)
        }
      }),
    ReplicationDefect(
      "selector-of-winners", breaks: "REPL-026",
      "A selector as a filter selects only winners.",
      boundary: .machine { configuration in
        if case .selector? = configuration.filter {
          Reading.leaves { Array($0.prefix(1)) }
        } else {
          Obeying()
        }
      }),
    ReplicationDefect(
      "purged-revision-is-error", breaks: "REPL-023",
      "A revision that the source purged during a session ends it as error.",
      boundary: .machine { _ in MissingPurged() }),
    ReplicationDefect(
      "empty-page-ends-feed", breaks: "REPL-025",
      "A page without a row that passes the filter ends the session.",
      link: "https://github.com/pouchdb/pouchdb/issues/2689",
      boundary: .machine { _ in Reading { page in if page.rows.isEmpty { page.more = false } } }),
  ]
}

/// Changes nothing.
private struct Obeying: SessionMeddling {}

/// Reads the pages of a feed differently.
struct Reading: SessionMeddling {
  let change: @Sendable (inout ChangesPage) -> Void

  /// Reads only some leaves of each row.
  static func leaves(_ shown: @escaping @Sendable ([Leaf]) -> [Leaf]) -> Reading {
    Reading { page in
      for place in page.rows.indices {
        page.rows[place].leaves.array = shown(page.rows[place].leaves.array)
      }
    }
  }

  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .ok(.changes(var page)) = response else { return response }
    change(&page)
    return .ok(.changes(page))
  }
}

/// Changes the target's results of records; nil treats the whole response as a refusal.
private struct AlteredRefusals: SessionMeddling {
  let change: @Sendable ([DatastoreError?]) -> [DatastoreError?]?

  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .ok(.inserted(let errors)) = response else { return response }
    return change(errors).map { .ok(.inserted($0)) } ?? .status(403)
  }
}

/// Reports another state.
private struct Ending: SessionMeddling {
  let show: @Sendable (ReplicatorState) -> ReplicatorState

  func shown(_ state: ReplicatorState) -> ReplicatorState { show(state) }
}

/// Ignores a cancel.
private struct GoingOn: SessionMeddling {
  func hearsCancel() -> Bool { false }
}

/// Attaches sent revisions to a root of the generation below.
private struct Grafting: SessionMeddling {
  private var roots: [DocumentID: [RevisionID]] = [:]

  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .insertRevisions(let records) = request else { return (request, nil) }
    let grafted = records.map { record in
      guard let tip = record.path.first, let generation = tip.generation,
        let stock = roots[record.id]?.first(where: {
          $0.generation == 1 && generation == 2 && !record.path.contains($0)
        })
      else { return record }
      var record = record
      record.path = [tip, stock]
      return record
    }
    return (.insertRevisions(grafted), nil)
  }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    if side == .target, case .ok(.revsDiff(let found)) = response {
      for difference in found { roots[difference.id] = difference.possibleAncestors }
    }
    return response
  }
}

/// Uses one name for the checkpoints of both directions between two stores, reads them alike, and
/// treats positions of any store as numbers.
private struct SharingDirections: SessionMeddling {
  private var infos: [ReplicationSide: StoreInfo] = [:]

  private var id: DocumentID {
    let names = infos.values.map(\.incarnation.string).sorted()
    return DocumentID(JSONString("replication-" + names.joined(separator: "-")))
  }

  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    switch request {
    case .changes(.text(let since)?, let limit, let filter):
      (.changes(since: ownWords(since), limit: limit, filter: filter), nil)
    default: (request.naming(checkpoint: id), nil)
    }
  }

  /// The position in the source's form: its number, and the rest of the last one.
  private func ownWords(_ since: JSONString) -> UpdateSequence {
    guard case .text(let last)? = infos[.source]?.last else { return .text(since) }
    let number = since.string.prefix { $0 != "-" }
    let rest = last.string[(last.string.firstIndex(of: "-") ?? last.string.endIndex)...]
    return .text(JSONString(String(number + rest)))
  }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    switch response {
    case .ok(.info(let info)): infos[side] = info
    case .ok(.local(let body)):
      var object = body.objectValue ?? [:]
      object["side"] = .text(side.rawValue)
      return .ok(.local(body: .object(object)))
    default: break
    }
    return response
  }
}

/// Transfers leaves that pass another condition than the selector.
private struct Selecting: SessionMeddling {
  let selector: FindSelector
  let passes: @Sendable (RevisionRecord) -> Bool

  /// Removes a selector, and checks another condition instead.
  static func other(
    in configuration: inout ReplicatorConfiguration,
    _ passes: @escaping @Sendable (FindSelector, RevisionRecord) -> Bool
  ) -> any SessionMeddling {
    guard case .selector(let selector)? = configuration.filter else { return Obeying() }
    configuration.filter = nil
    return Selecting(selector: selector) { passes(selector, $0) }
  }

  static func selects(_ selector: FindSelector, _ record: RevisionRecord) -> Bool {
    Subject(record.body, id: record.id.text, rev: record.path.first?.text).matches(selector)
  }

  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .insertRevisions(let records) = request else {
      let id = DocumentID(JSONString("replication-\(selector.json.serialized())"))
      return (request.naming(checkpoint: id), nil)
    }
    let passing = records.filter(passes)
    let answer: PeerResponse? = passing.isEmpty ? .ok(.inserted(records.map { _ in nil })) : nil
    return (.insertRevisions(passing), answer)
  }

  /// Records that are not sent count as stored.
  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .insertRevisions(let records) = request, case .ok(.inserted(let errors)) = response
    else { return response }
    var left = errors[...]
    return .ok(.inserted(records.map { passes($0) ? left.popFirst() ?? nil : nil }))
  }
}

/// Computes the name of a checkpoint only from the two stores.
private struct NamingStoresOnly: SessionMeddling {
  private let suffix: String
  private var incarnations: [ReplicationSide: JSONString] = [:]

  init(suffix: String = "") { self.suffix = suffix }

  private var id: DocumentID {
    let names = ReplicationSide.allCases.map { incarnations[$0]?.string ?? "" }
    return DocumentID(JSONString("replication-" + names.joined(separator: "-") + suffix))
  }

  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    (request.naming(checkpoint: id), nil)
  }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    if case .ok(.info(let info)) = response, incarnations[side] == nil {
      incarnations[side] = info.incarnation
    }
    return response
  }
}

/// Assumes the store's identity from the beginning.
private struct KnowingStores: SessionMeddling {
  private var known: [ReplicationSide: PeerResponse] = [:]

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .ok(.info) = response else { return response }
    let first = known[side] ?? response
    known[side] = first
    return first
  }
}

/// Reports a checkpoint as written without writing it, once an event has happened.
struct ForgettingSession: SessionMeddling {
  enum Occasion { case always, afterRefusal, afterCancel }

  let occasion: Occasion
  private var hasHappened: Bool

  init(_ occasion: Occasion) {
    self.occasion = occasion
    hasHappened = occasion == .always
  }

  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    if hasHappened, case .writeLocal = request { return (request, .ok(.done)) }
    return (request, nil)
  }

  mutating func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    if case .ok(.inserted(let errors)) = response, occasion == .afterRefusal {
      hasHappened = hasHappened || errors.contains { $0?.kind == .forbidden }
    }
    return response
  }

  mutating func hearsCancel() -> Bool {
    if occasion == .afterCancel { hasHappened = true }
    return true
  }
}

/// Treats a vanished revision as one with a missing body.
private struct MissingPurged: SessionMeddling {
  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .ok(.revisions(let answers)) = response else { return response }
    return .ok(
      .revisions(
        answers.map {
          $0.found == .missing ? RevisionAnswer(id: $0.id, rev: $0.rev, found: .bodyMissing) : $0
        }))
  }
}
