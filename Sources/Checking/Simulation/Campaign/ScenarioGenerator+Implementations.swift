public import Datastore

extension ScenarioGenerator {
  /// Creates a generator for replicas that take implementations in turn.
  ///
  /// Scenarios use only what all implementations offer: the capabilities and profiles that all
  /// declare, within the restrictions of each. Crashes are those that any implementation supports,
  /// because a fault of one replica needs nothing of the others.
  ///
  /// - Parameter participants: makes one store of each implementation, which is then shut down.
  public init(for participants: World.Participants) throws(HarnessError) {
    var descriptions: [ImplementationDescription] = []
    var crashes: Set<CrashKind> = []
    for number in 0..<participants.implementationCount {
      let store = try participants.makeStore(number)
      descriptions.append(store.implementation.description)
      crashes.formUnion(store.crashes)
      try store.implementation.shutdown()
    }
    self.init(offeredByAll: descriptions, crashes: crashes)
  }

  /// Creates a generator of scenarios that use only what all of these implementations offer.
  ///
  /// - Parameter crashes: the crashes that any of them supports.
  public init(offeredByAll descriptions: [ImplementationDescription], crashes: Set<CrashKind>) {
    func common<Part>(_ parts: KeyPath<ImplementationDescription, Set<Part>>) -> Set<Part> {
      guard let first = descriptions.first else { return [] }
      return descriptions.reduce(first[keyPath: parts]) { common, description in
        common.intersection(description[keyPath: parts])
      }
    }
    self.init(capabilities: common(\.capabilities), crashes: crashes)
    profiles = common(\.profiles)
    restrictions = descriptions.reduce(into: []) { $0.formUnion($1.restrictions) }
    if !descriptions.isEmpty { defaults = descriptions.map(\.defaults) }
    // If a store rejects a write of its own replicator, the harness cannot observe it; so validation
    // is left out.
    if descriptions.contains(where: { $0.capabilities.contains(.replicate) }) {
      capabilities.remove(.validation)
    }
  }
}
