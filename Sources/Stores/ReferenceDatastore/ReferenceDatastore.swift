public import Datastore

/// The executable specification: an in-memory store written for readability.
///
/// Start with `ModelStore`, which is one store as a value, and read its files in the order
/// `+Edits`, `+Merge`, `+Records`, `+Reads`, `+Find`, `+Attachments`, `+Upkeep`; the module
/// `RevisionTree` implements merges of the revisions of a document. Where the rules accept several
/// outcomes, `ChoicePoint` lists them; the first is the behavior of this store. `OutcomeChecker`
/// enumerates all of them to check the outcomes of another store.
public final class ReferenceDatastore: ImplementationUnderTest {
  var state: ModelState
  private let freedom: Freedom
  public let description: ImplementationDescription
  /// The deviations from the rules; empty for the model itself.
  let deviations: [Deviation]

  /// Creates a datastore without stores.
  ///
  /// - Parameter inlineBytesMax: the maximum length of content inside an operation or a response, in
  ///   bytes; nil for the limit that the vectors assume. A small value splits even small content into
  ///   many chunks.
  public convenience init(inlineBytesMax: Int? = nil) {
    self.init(Freedom(), inlineBytesMax: inlineBytesMax)
  }

  /// Creates a datastore without stores that has deviations from the rules.
  convenience init(deviations: [Deviation]) { self.init(Freedom(), deviations: deviations) }

  /// Creates a datastore that makes other choices than the model where the rules permit it.
  package init(
    _ freedom: Freedom, inlineBytesMax: Int? = nil, deviations: [Deviation] = []
  ) {
    self.freedom = freedom
    self.deviations = deviations
    var limits = Syntax.limits
    limits.inlineBytesMax = inlineBytesMax ?? limits.inlineBytesMax
    state = ModelState(inlineBytesMax: limits.inlineBytesMax)
    description = ImplementationDescription(
      name: "ReferenceDatastore", version: "1",
      capabilities: [
        .resolve, .compact, .purge, .historyLimit, .atomicBatch, .validation, .flush,
        .tombstoneBodies, .attachment, .attachmentEncoding, .attachmentPieces, .find, .regex,
        .decimals, .geography,
      ],
      profiles: [
        .exactNumbers, .denseChanges, .incarnationSequences, .cdtDigest, .cdtCollation, .couchdb,
      ],
      limits: limits, isDeterministic: true, crashes: [.kill, .powerLoss])
  }

  /// Creates a datastore without stores that declares the properties of a product and has its
  /// deviations.
  ///
  /// A store cannot offer more than the model: capabilities that the model lacks are not declared.
  init(declaring product: ImplementationDescription, deviations: [Deviation]) {
    let model = ReferenceDatastore(inlineBytesMax: product.limits.inlineBytesMax)
    var description = product
    description.capabilities.formIntersection(model.description.capabilities)
    description.profiles.formIntersection(model.description.profiles)
    description.limits = model.description.limits
    description.isDeterministic = true
    description.crashes = model.description.crashes
    self.description = description
    self.deviations = deviations
    freedom = Freedom()
    state = model.state
    state.defaults = product.defaults
  }

  public func reset() {
    let defaults = state.defaults
    state = ModelState(inlineBytesMax: state.inlineBytesMax)
    state.defaults = defaults
  }

  public func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    var decisions = Decisions(environment.random, freedom: freedom)
    decisions.deviations = deviations
    let outcome = state.perform(operation, &decisions)
    environment.random = decisions.random
    return outcome
  }

  /// Closes all stores; every acknowledged write is kept.
  public func crash(_ kind: CrashKind) { state.closeAll() }

  public func shutdown() { reset() }
}

extension ReferenceDatastore {
  /// The complete state of a datastore at one moment.
  public struct Snapshot: Hashable, Sendable {
    var state: ModelState
  }

  /// The current state.
  public var snapshot: Snapshot { Snapshot(state: state) }

  /// Replaces the state by a snapshot, with all stores closed.
  public func restore(_ snapshot: Snapshot) {
    state = snapshot.state
    state.closeAll()
  }
}
