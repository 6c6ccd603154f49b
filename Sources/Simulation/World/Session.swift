internal import Datastore
internal import JSON
internal import Replication
internal import Scenarios

/// A session of a replicator, driven by one replica.
struct Session {
  /// `step/ordinal`, as keys begin with it.
  let name: Text
  let step: StepID
  let directive: Replicate
  let source: Int
  let target: Int
  /// The replica whose program drives it.
  let by: Int
  let configuration: ReplicatorConfiguration
  /// The folded name.
  let key: ChoiceKey
  /// Whether the peer at the source spells its sequences anew; it understands all spellings.
  let spellsAnew: Bool
  var machine: any ReplicationMachine
  /// Whether the program still runs.
  var isAlive = true
  /// Pages of changes that it waits for, and where they begin.
  var awaited: [RequestNumber: UpdateSequence?] = [:]
  /// What was probed already.
  var hasStarted = false
  var hasRested = false
  var remembered: [ReplicationSide: [JSONValue]] = [:]
  var saves = 0
  /// The local document that it reads and writes.
  var checkpoint: DocumentID?

  func place(of side: ReplicationSide) -> Int { side == .source ? source : target }
}
