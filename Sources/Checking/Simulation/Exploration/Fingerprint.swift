internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Replication

/// A hash of 128 bits: states with equal fingerprints are treated as equal. Among 10⁸ states, the
/// probability of a collision is 1 in 10²².
struct Fingerprint: Hashable, Comparable {
  private(set) var high: UInt64 = 0x9e37_79b9_7f4a_7c15
  private(set) var low: UInt64 = 0xd1b5_4a32_d192_ed03

  mutating func fold(_ number: UInt64) {
    high = (high ^ number) &* 0xff51_afd7_ed55_8ccd
    high ^= high >> 32
    low = (low &+ number) &* 0xc4ce_b9fe_1a85_ec53
    low ^= low >> 29
  }

  mutating func fold(_ number: Int) { fold(UInt64(bitPattern: Int64(number))) }

  mutating func fold(_ text: JSONString) {
    fold(text.utf8.count)
    for byte in text.utf8 { fold(UInt64(byte)) }
  }

  mutating func fold(_ other: Fingerprint) {
    fold(other.high)
    fold(other.low)
  }

  static func < (left: Fingerprint, right: Fingerprint) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// The fingerprints of one state, independent of names: replicas are permuted, revisions are
/// identified by their order, sessions and sequences by their position.
struct CanonicalForm {
  private let state: ExplorerState
  private let rules: ExplorerRules
  private let contents: [StoreContents]
  private var ranks: [RevisionID: Int] = [:]
  /// The documents of each replica.
  private var trees: [Fingerprint] = []

  /// The names found in one traversal of the state.
  private struct Names {
    /// The new index of each replica.
    var places: [Int]
    var sessions: [JSONString: Int] = [:]
    var sequences: [UpdateSequence: Int] = [:]
  }

  init(_ state: ExplorerState, _ rules: ExplorerRules) {
    self.state = state
    self.rules = rules
    contents = state.contents
    var all: Set<RevisionID> = []
    var ordered: [StoreContents.Revision] = []
    for document in contents.flatMap({ $0.documents }) {
      for revision in document.revisions where all.insert(revision.rev).inserted {
        ordered.append(revision)
      }
    }
    ordered.sort { left, right in
      left.generation != right.generation
        ? left.generation < right.generation
        : left.rev.text.utf8.lexicographicallyPrecedes(right.rev.text.utf8)
    }
    for (rank, revision) in ordered.enumerated() { ranks[revision.rev] = rank }
    trees = contents.map { Self.tree(of: $0, ranks) }
  }

  /// The fingerprints of the contents of the stores, and of the whole state with sessions and
  /// messages.
  func fingerprints() -> (holdings: Fingerprint, whole: Fingerprint) {
    var holdings: Fingerprint?
    var whole: Fingerprint?
    for places in Self.permutations(of: state.stores.count) {
      var names = Names(places: places)
      var print = Fingerprint()
      for place in places.indices {
        guard let replica = places.firstIndex(of: place) else { continue }
        foldStore(replica, &names, into: &print)
      }
      holdings = min(holdings ?? print, print)
      print.fold(state.writes)
      print.fold(state.begun)
      print.fold(state.faults)
      let sessions = state.sessions.map { fold($0, names) }.sorted()
      for session in sessions { print.fold(session) }
      print.fold(sessions.count)
      for stray in state.strays.map({ fold($0, names) }).sorted() { print.fold(stray) }
      whole = min(whole ?? print, print)
    }
    return (holdings ?? Fingerprint(), whole ?? Fingerprint())
  }

  /// The tree of each document at one replica.
  func tree(of replica: Int) -> Fingerprint {
    trees[replica]
  }

  static func permutations(of count: Int) -> [[Int]] {
    guard count > 1 else { return [Array(0..<count)] }
    return permutations(of: count - 1).flatMap { shorter in
      (0...shorter.count).map { place in
        var longer = shorter
        longer.insert(count - 1, at: place)
        return longer
      }
    }
  }

  // MARK: Stores

  private static func tree(
    of contents: StoreContents, _ ranks: [RevisionID: Int]
  ) -> Fingerprint {
    var print = Fingerprint()
    for document in contents.documents {
      print.fold(document.id.text)
      for revision in document.revisions {
        print.fold(ranks[revision.rev] ?? -1)
        print.fold(revision.parent.flatMap { ranks[$0] } ?? -1)
        print.fold(revision.deleted.map { $0 ? 1 : 0 } ?? 2)
      }
      print.fold(-2)
    }
    // The feed lists documents in the order of their latest changes.
    let changed = contents.documents.enumerated().sorted {
      $0.element.changedAt < $1.element.changedAt
    }
    for (number, _) in changed { print.fold(number) }
    return print
  }

  private func foldStore(
    _ replica: Int, _ names: inout Names, into print: inout Fingerprint
  ) {
    print.fold(trees[replica])
    let places = names.places
    let locals = contents[replica].locals.map { local -> (Int, JSONValue) in
      let way = rules.ways[local.id].map { places[$0.source] * 16 + places[$0.target] }
      return (way ?? -1, local.body)
    }
    for (way, body) in locals.sorted(by: { $0.0 < $1.0 }) {
      print.fold(way)
      fold(body, &names, into: &print)
    }
    print.fold(-3)
  }

  private func fold(
    _ json: JSONValue, _ names: inout Names, into print: inout Fingerprint
  ) {
    switch json {
    case .object(let object):
      for member in object.members {
        print.fold(member.name)
        if member.name == "session", let name = member.value.textValue {
          let ordinal = names.sessions[name] ?? names.sessions.count
          names.sessions[name] = ordinal
          print.fold(ordinal)
        } else if member.name == "recorded",
          let sequence = try? UpdateSequence(member.value, path: "")
        {
          fold(sequence, &names, into: &print)
        } else {
          fold(member.value, &names, into: &print)
        }
      }
    case .array(let elements):
      print.fold(elements.count)
      for element in elements { fold(element, &names, into: &print) }
    default: print.fold(JSONString(json.serialized()))
    }
  }

  /// A sequence is identified by its first occurrence, its store, and the documents changed after
  /// it.
  private func fold(
    _ sequence: UpdateSequence, _ names: inout Names, into print: inout Fingerprint
  ) {
    let ordinal = names.sequences[sequence] ?? names.sequences.count
    names.sequences[sequence] = ordinal
    print.fold(ordinal)
    for (replica, store) in contents.enumerated() {
      guard let position = store.position(of: sequence) else { continue }
      print.fold(names.places[replica])
      print.fold(store.documents.filter { $0.changedAt > position }.count)
    }
  }

  // MARK: Sessions and messages

  private func fold(_ session: ExplorerSession, _ names: Names) -> Fingerprint {
    var names = names
    var print = Fingerprint()
    print.fold(names.places[session.source])
    print.fold(names.places[session.target])
    print.fold(names.sessions[JSONString("s\(session.number + 1)")] ?? -1)
    print.fold(session.isSaveTimerSet ? 1 : 0)
    for heard in session.heard {
      switch heard {
      case .response(let number, let response):
        print.fold(Int(number))
        fold(response, &names, into: &print)
      case .lost(let number):
        print.fold(-4)
        print.fold(Int(number))
      case .saveTimer: print.fold(-5)
      }
    }
    return print
  }

  private func fold(_ stray: ExplorerState.Stray, _ names: Names) -> Fingerprint {
    var names = names
    var print = Fingerprint()
    print.fold(names.places[stray.replica])
    print.fold(stray.side == .source ? 0 : 1)
    switch stray.content {
    case .insertRevisions(let records): for record in records { fold(record, into: &print) }
    case .writeLocal(let id, let body):
      let way = rules.ways[id].map { names.places[$0.source] * 16 + names.places[$0.target] }
      print.fold(way ?? -1)
      fold(body, &names, into: &print)
    default: break
    }
    return print
  }

  private func fold(_ record: RevisionRecord, into print: inout Fingerprint) {
    for rev in record.path { fold(rev, into: &print) }
    print.fold(record.deleted ? -6 : -7)
  }

  private func fold(_ rev: RevisionID, into print: inout Fingerprint) {
    if let rank = ranks[rev] { print.fold(rank) } else { print.fold(rev.text) }
  }

  private func fold(
    _ response: PeerResponse, _ names: inout Names, into print: inout Fingerprint
  ) {
    switch response {
    case .status(let code): print.fold(code)
    case .refused(let error): print.fold(JSONString(error.kind.name))
    case .ok(.changes(let page)):
      for row in page.rows {
        print.fold(row.id.text)
        for leaf in row.leaves {
          fold(leaf.rev, into: &print)
          print.fold(leaf.deleted ? 1 : 0)
        }
      }
      fold(page.last, &names, into: &print)
      print.fold(page.more ? 1 : 0)
    case .ok(.revsDiff(let differences)):
      for difference in differences {
        print.fold(difference.id.text)
        for rev in difference.missing { fold(rev, into: &print) }
      }
      print.fold(differences.count)
    case .ok(.revisions(let answers)):
      for answer in answers {
        fold(answer.rev, into: &print)
        switch answer.found {
        case .records(let records): for record in records { fold(record, into: &print) }
        case .missing: print.fold(-8)
        case .bodyMissing: print.fold(-9)
        }
      }
      print.fold(answers.count)
    case .ok(.inserted(let errors)):
      for error in errors { print.fold(error.map { JSONString($0.kind.name) } ?? "ok") }
    case .ok(.local(let body)): fold(body, &names, into: &print)
    case .ok: print.fold(-10)
    }
  }
}
