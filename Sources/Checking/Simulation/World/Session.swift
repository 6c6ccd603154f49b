internal import Datastore
internal import JSON
internal import Replication
internal import Scenarios

/// A session of a replicator, driven by one replica.
final class Session {
  /// `step/ordinal`, the prefix of its keys.
  let name: JSONString
  let step: StepID
  let directive: Replicate
  let source: Int
  let target: Int
  /// The replica whose program drives it.
  let by: Int
  let configuration: ReplicatorConfiguration
  /// The hash of the name.
  let key: ChoiceKey
  /// Whether the peer at the source encodes its sequences differently in every response; it accepts
  /// all its encodings.
  let spellsAnew: Bool
  var machine: any ReplicationMachine
  /// The time and the randomness of an implementation's own replicator; nil for the bundled one.
  let ownEnvironment: RunEnvironment?
  /// Whether the program still runs.
  var isAlive = true
  /// The requested pages of changes, each with its `since`.
  var awaited: [RequestNumber: UpdateSequence?] = [:]
  /// The ids of declared deviations that keep an implementation's own replicator from an end, because
  /// of what it copied.
  var stalls: Set<String> = []
  /// Whether its checkpoint is saved at the target and not yet at the source.
  var isSaving = false
  /// The local document that it reads and writes.
  var checkpoint: DocumentID?
  /// Whether anything happened that may end it in an error: a request or a record failed, a message
  /// had a fault, or one of its replicas did.
  var hasTrouble = false
  var isStopped = false
  /// The number of requests that it sent after it was stopped, except those that save a checkpoint.
  var requestsAfterStop = 0

  init(
    name: JSONString, step: StepID, _ directive: Replicate, source: Int, target: Int, by: Int,
    _ configuration: ReplicatorConfiguration, spellsAnew: Bool, machine: any ReplicationMachine,
    ownEnvironment: RunEnvironment?
  ) {
    self.name = name
    self.step = step
    self.directive = directive
    self.source = source
    self.target = target
    self.by = by
    self.configuration = configuration
    self.key = ChoiceKey(name)
    self.spellsAnew = spellsAnew
    self.machine = machine
    self.ownEnvironment = ownEnvironment
  }

  /// Whether it crosses the network at all.
  var isRemote: Bool { source != target }

  func place(of side: ReplicationSide) -> Int { side == .source ? source : target }
}
