public import Datastore
internal import JSON
internal import Oracles
internal import Replication

/// Checks laws on stores of any implementation.
public struct Laws {
  private let participants: World.Participants

  /// Creates a checker for the stores and replicators of the participants.
  public init(_ participants: World.Participants) { self.participants = participants }

  /// Checks a law under a seed; nil when it holds.
  public func check(_ law: Law, seed: UInt64) throws(HarnessError) -> LawFinding? {
    let history = LawHistory(seed: seed)
    let sentence: String?
    switch law {
    case .repetition: sentence = try repetition(history)
    case .order: sentence = try order(history)
    case .replicaNames:
      var other = Telling()
      other.stores = [1, 2, 0]
      sentence = try difference(history, other)
    case .documentNames:
      var other = Telling()
      // Names of other lengths and in another order.
      other.names = ["z", "m-2", "a long name of a document"]
      sentence = try difference(history, other)
    case .batches:
      var other = Telling()
      other.isSplit = true
      sentence = try difference(history, other)
    case .restarts:
      var other = Telling()
      var random = KeyedRandom(seed: seed, key: 0x1a4)
      other.restarts = Set(history.steps.indices.filter { _ in random.chance(1, in: 2) })
      sentence = try difference(history, other)
    }
    return sentence.map { LawFinding(law: law, seed: seed, sentence: JSONString($0)) }
  }

  private func difference(
    _ history: LawHistory, _ other: Telling
  ) throws(HarnessError) -> String? {
    var plain = try Telltale(participants, Telling())
    var otherwise = try Telltale(participants, other)
    try plain.tell(history)
    try otherwise.tell(history)
    for place in LawHistory.stores.indices {
      let (left, right) = (try plain.show(place), try otherwise.show(place))
      if let sentence = Self.difference(left, right) {
        return "\(LawHistory.stores[place]): \(sentence)"
      }
    }
    return nil
  }

  /// After complete replication, another round copies and changes nothing.
  private func repetition(_ history: LawHistory) throws(HarnessError) -> String? {
    var stage = try Telltale(participants, Telling())
    try stage.tell(history)
    for (source, target) in [(0, 1), (1, 2), (2, 1), (1, 0)] {
      _ = try stage.replicate(source, target)
    }
    let before = try LawHistory.stores.indices.map { place throws(HarnessError) in
      try stage.show(place)
    }
    for (source, target) in [(0, 1), (1, 2), (2, 0), (0, 2), (2, 1), (1, 0)] {
      let processed = try stage.replicate(source, target)
      guard processed == 0 else {
        return "a session from \(LawHistory.stores[source]) to \(LawHistory.stores[target]) finds "
          + "\(processed) revisions, although all stores are equal"
      }
    }
    for place in LawHistory.stores.indices {
      if let sentence = Self.difference(before[place], try stage.show(place)) {
        return "\(LawHistory.stores[place]): \(sentence)"
      }
    }
    return nil
  }

  /// Inserts the same revisions into one store in their order of creation, and into another in a
  /// different order.
  private func order(_ history: LawHistory) throws(HarnessError) -> String? {
    var stage = try Telltale(participants, Telling())
    for record in history.records { try stage.arrive(0, [record]) }
    for record in history.shuffled { try stage.arrive(1, [record]) }
    return Self.difference(try stage.show(0), try stage.show(1)).map { "b: \($0)" }
  }

  /// The difference between two stores, whose documents are in the order of the history.
  private static func difference(_ left: [FinalDocument], _ right: [FinalDocument]) -> String? {
    for (left, right) in zip(left, right) {
      if left.winner != right.winner {
        let (one, other) = (left.winner?.description, right.winner?.description)
        return "the winner of \(left.id) is \(one ?? "none"), and in the variant \(other ?? "none")"
      }
      if Set(left.leaves) != Set(right.leaves) {
        return
          "\(left.id) has \(left.leaves.count) leaves, and in the variant \(right.leaves.count) or "
          + "others"
      }
      if left.leaves.first != right.leaves.first {
        return "\(left.id) lists another leaf first in the variant"
      }
      for record in left.records {
        guard let other = right.records.first(where: { $0.path.first == record.path.first })
        else { return "\(record.path[0]) of \(left.id) cannot be read in the variant" }
        if other.path != record.path || !other.body.isSameValue(as: record.body) {
          return "\(record.path[0]) of \(left.id) has another path or body in the variant"
        }
      }
    }
    return nil
  }
}

/// Three replicas that execute a variant of a history.
private struct Telltale {
  private let implementations: [any ImplementationUnderTest]
  private let participants: World.Participants
  private let telling: Telling
  private let environment = RunEnvironment(seed: 1)

  init(_ participants: World.Participants, _ telling: Telling) throws(HarnessError) {
    self.participants = participants
    self.telling = telling
    implementations = try LawHistory.stores.indices.map { place throws(HarnessError) in
      try participants.makeStore(place).implementation
    }
    try open()
  }

  private mutating func open() throws(HarnessError) {
    for place in implementations.indices { _ = try ask(place, .open()) }
  }

  private mutating func ask(_ place: Int, _ action: StoreAction) throws(HarnessError) -> Outcome {
    try implementations[place].perform(StoreOperation(store(place), action), environment)
  }

  private func store(_ place: Int) -> StoreName { LawHistory.stores[telling.stores[place]] }

  private func peer(_ place: Int) -> Peer { Peer(implementations[place], store: store(place)) }

  mutating func tell(_ history: LawHistory) throws(HarnessError) {
    for (place, step) in history.steps.enumerated() {
      if telling.restarts.contains(place) { try restart() }
      switch step {
      case .arrive(let store, let records) where telling.isSplit:
        for record in records { try arrive(store, [record]) }
      case .arrive(let store, let records): try arrive(store, records)
      case .replicate(let source, let target): _ = try replicate(source, target)
      }
    }
  }

  private mutating func restart() throws(HarnessError) {
    for (place, implementation) in implementations.enumerated() {
      if implementation.description.crashes.contains(.kill) {
        try implementation.crash(.kill)
      } else {
        _ = try ask(place, .close)
      }
    }
    try open()
  }

  mutating func arrive(_ place: Int, _ records: [RevisionRecord]) throws(HarnessError) {
    _ = try ask(place, .insertRevisions(records.map { telling.record($0) }))
  }

  /// Runs a session; returns the number of processed revisions.
  mutating func replicate(_ source: Int, _ target: Int) throws(HarnessError) -> Int64 {
    var configuration = ReplicatorConfiguration()
    if telling.isSplit {
      configuration.pageRows = 1
      configuration.batchRevisions = 1
    }
    let session = LocalReplication(from: peer(source), to: peer(target))
    return try session.run(configuration, environment).report.processed
  }

  /// The documents of a store, in the order and under the names of the history.
  mutating func show(_ place: Int) throws(HarnessError) -> [FinalDocument] {
    let capabilities = implementations[place].description.capabilities
    let all = try FinalStore(readsPieces: capabilities.contains(.attachmentPieces)) {
      (action: StoreAction) throws(HarnessError) in
      try ask(place, action)
    }
    return (0..<LawHistory.documents).map { number in
      let plain = DocumentID(JSONString("d\(number)"))
      let id = telling.id(plain)
      var document =
        all.documents.first { $0.id == id }
        ?? FinalDocument(id: id, winner: nil, leaves: [], records: [])
      document.id = plain
      return document
    }
  }
}
