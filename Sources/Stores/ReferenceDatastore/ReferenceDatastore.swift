public import Datastore

/// The executable specification: a store in memory that is written to be read.
///
/// Start at `ModelStore`, which is one store as a value, and read its files in the order `+Edits`,
/// `+Merge`, `+Records`, `+Reads`, `+Find`, `+Attachments`, `+Upkeep`; what a merge does to the revisions of a document is in
/// the module `RevisionTree`. Where the rules accept several outcomes, `ChoicePoint` lists them; the
/// first is what this store does. `OutcomeChecker` goes through all of them to say whether an outcome of
/// another store is right.
public final class ReferenceDatastore: ImplementationUnderTest {
  var state: ModelState
  public let description: ImplementationDescription

  /// - Parameter inlineBytesMax: the longest content that stands in an operation or an answer; nil
  ///   for the limit that vectors are made for. With a small one little content travels in many
  ///   pieces.
  public init(inlineBytesMax: Int? = nil) {
    var limits = Spelling.limits
    limits.inlineBytesMax = inlineBytesMax ?? limits.inlineBytesMax
    state = ModelState(inlineBytesMax: limits.inlineBytesMax)
    description = ImplementationDescription(
      name: "ReferenceDatastore", version: "1",
      capabilities: [
        .resolve, .compact, .purge, .historyLimit, .atomicBatch, .validation, .flush,
        .tombstoneBodies, .attachment, .find, .regex, .decimals, .geography,
      ],
      profiles: [
        .exactNumbers, .denseChanges, .incarnationSequences, .cdtDigest, .cdtCollation, .couchdb,
      ],
      limits: limits, isDeterministic: true, crashes: [.kill, .powerLoss])
  }

  public func reset() { state = ModelState(inlineBytesMax: state.inlineBytesMax) }

  public func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    var decisions = Decisions(environment.random)
    let outcome = state.perform(operation, &decisions)
    environment.random = decisions.random
    return outcome
  }

  /// Closes all stores; every acknowledged write is kept.
  public func crash(_ kind: CrashKind) { state.closeAll() }

  public func shutdown() { reset() }
}

extension ReferenceDatastore {
  /// All that a datastore holds at one moment.
  public struct Snapshot: Hashable, Sendable {
    var state: ModelState
  }

  /// All data as they are now.
  public var snapshot: Snapshot { Snapshot(state: state) }

  /// Becomes what a snapshot holds, with all stores closed.
  public func restore(_ snapshot: Snapshot) {
    state = snapshot.state
    state.closeAll()
  }
}
