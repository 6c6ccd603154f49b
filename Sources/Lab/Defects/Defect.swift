public import Datastore
internal import Replication

/// A wrapper mutant: an error that is added to any store from outside.
///
/// It is between the client and a correct store, changes operations or results, and so proves that
/// the vectors kill every store with this behavior.
public struct Defect: Sendable {
  public let name: String
  /// The error of such a store.
  public let sentence: String
  /// The id of the violated rule.
  public let clause: String
  /// A public report of a product with this bug; nil without one.
  public let link: String?
  private let boundary: Boundary

  /// The boundary at which the mutant acts.
  enum Boundary: Sendable {
    case operations(@Sendable () -> any Misbehaviour)
    /// In the store's own replicator.
    case replicator(@Sendable (ReplicatorConfiguration) -> any ReplicationMachine)
  }

  init(
    _ name: String, _ clause: String, sentence: String, link: String? = nil, boundary: Boundary
  ) {
    self.name = name
    self.clause = clause
    self.sentence = sentence
    self.link = link
    self.boundary = boundary
  }

  package init(
    _ name: String, _ clause: String, sentence: String,
    make: @escaping @Sendable () -> any Misbehaviour
  ) {
    self.init(name, clause, sentence: sentence, boundary: .operations(make))
  }

  /// The given store with the mutant.
  public func applied(to store: any ImplementationUnderTest) -> any ImplementationUnderTest {
    switch boundary {
    case .operations(let make): DefectiveDatastore(store, name: name, make)
    case .replicator(let make):
      DefectiveDatastore(ReplicatingDatastore(store, makeMachine: make), name: name) { Behaving() }
    }
  }

  /// The mutants of operations on documents.
  package static let ofDocuments: [Defect] =
    answers + questions + memories + revisions + winners + edits + values + texts + stores
    + conflicts + replication + capabilities + attachments + findings + sizes
    + ReplicationDefect.all.compactMap(\.defect)
}

/// A change of operations to a correct store, or of their results.
package protocol Misbehaviour {
  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome
}

/// Forwards every operation: the mutant is elsewhere.
private struct Behaving: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    try store.perform(operation, environment)
  }
}

/// The correct store behind a mutant, with helpers to query it.
package struct Honest {
  let store: any ImplementationUnderTest

  package func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    try store.perform(operation, environment)
  }

  /// Performs an operation without a trace, and without randomness of the client.
  package func ask(_ name: StoreName, _ action: StoreAction) throws(HarnessError) -> Outcome {
    let environment = RunEnvironment(seed: 0)
    return try store.perform(StoreOperation(name, action), environment)
  }

  package func leaves(_ name: StoreName, _ id: DocumentID) throws(HarnessError) -> [Leaf] {
    guard case .ok(.leaves(let leaves)) = try ask(name, .leaves(id: id)) else { return [] }
    return leaves
  }

  /// The whole feed of a store.
  package func feed(_ name: StoreName) throws(HarnessError) -> [ChangesRow] {
    guard case .ok(.changes(let page)) = try ask(name, .changes()) else { return [] }
    return page.rows
  }

  /// The revisions that a document does not have.
  func missing(
    _ name: StoreName, _ id: DocumentID, revs: [RevisionID]
  ) throws(HarnessError) -> Set<RevisionID> {
    let query = RevisionQuery(id: id, revs: revs)
    guard case .ok(.revsDiff(let found)) = try ask(name, .revsDiff([query])) else { return [] }
    return Set(found.flatMap { $0.missing })
  }

  /// A revision and its known ancestors, newest first; empty for an unknown revision.
  func path(
    _ name: StoreName, _ id: DocumentID, rev: RevisionID
  ) throws(HarnessError) -> [RevisionID] {
    let query = RevisionQuery(id: id, revs: [rev], latest: true)
    guard case .ok(.revisions(let answers)) = try ask(name, .getRevisions([query])),
      case .records(let records)? = answers.first?.found
    else { return [] }
    return Array((records.first?.path ?? []).drop { $0 != rev })
  }

  package func document(
    _ name: StoreName, _ id: DocumentID, rev: RevisionID? = nil
  ) throws(HarnessError) -> DocumentRevision? {
    guard case .ok(.document(let document)) = try ask(name, .read(id: id, rev: rev)) else {
      return nil
    }
    return document
  }

  func isOpen(_ name: StoreName) throws(HarnessError) -> Bool { try info(name) != nil }

  func info(_ name: StoreName) throws(HarnessError) -> StoreInfo? {
    guard case .ok(.info(let info)) = try ask(name, .info) else { return nil }
    return info
  }
}

/// A correct store with a mutant in front of it.
final class DefectiveDatastore: ImplementationLayer {
  private let honest: Honest
  private let name: String
  private let make: @Sendable () -> any Misbehaviour
  private var misbehaviour: any Misbehaviour

  init(
    _ store: any ImplementationUnderTest, name: String,
    _ make: @escaping @Sendable () -> any Misbehaviour
  ) {
    honest = Honest(store: store)
    self.name = name
    self.make = make
    misbehaviour = make()
  }

  var description: ImplementationDescription {
    var description = honest.store.description
    description.name += " with \(name)"
    return description
  }

  /// The same mutant with its state, in front of another store.
  func copy(before store: any ImplementationUnderTest) -> DefectiveDatastore {
    let copy = DefectiveDatastore(store, name: name, make)
    copy.misbehaviour = misbehaviour
    return copy
  }

  var base: any ImplementationUnderTest { honest.store }

  func forget() { misbehaviour = make() }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    try misbehaviour.perform(operation, environment, store: honest)
  }

  /// A mutant of several steps continues after a crash.
  func crash(_ kind: CrashKind) throws(HarnessError) { try base.crash(kind) }
}
