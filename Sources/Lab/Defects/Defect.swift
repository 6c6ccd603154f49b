public import Datastore
internal import Replication

/// A mutant that any store can be made to make, seen from outside.
///
/// It lies between the caller and an honest store, changes questions or answers, and so proves that
/// the vectors would catch a store that behaves like this, whatever the store is made of.
public struct Defect: Sendable {
  public let name: String
  /// What is wrong with such a store.
  public let sentence: String
  /// The id of the rule that it breaks.
  public let clause: String
  /// A public report of a product that was wrong like this; nil for what one gets wrong anyway.
  public let link: String?
  private let boundary: Boundary

  /// Where the mutant lies.
  enum Boundary: Sendable {
    case operations(@Sendable () -> any Misbehaviour)
    /// In the replicator that the store brings along.
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

  /// A store that is like the given one but for the mutant.
  public func applied(to store: any ImplementationUnderTest) -> any ImplementationUnderTest {
    switch boundary {
    case .operations(let make): DefectiveDatastore(store, name: name, make)
    case .replicator(let make):
      DefectiveDatastore(ReplicatingDatastore(store, makeMachine: make), name: name) { Behaving() }
    }
  }

  /// Those of operations on documents.
  package static let ofDocuments: [Defect] =
    answers + questions + memories + revisions + winners + edits + values + texts + stores
    + conflicts + replication + capabilities + attachments + findings + sizes
    + ReplicationDefect.all.compactMap(\.defect)
}

/// What happens to operations on their way to an honest store and back.
package protocol Misbehaviour {
  mutating func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome
}

/// Does as it is told: the mutant lies elsewhere.
private struct Behaving: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    try store.perform(operation, &environment)
  }
}

/// The honest store behind a mutant, and short ways to ask it.
package struct Honest {
  let store: any ImplementationUnderTest

  package func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment
  ) throws(HarnessError) -> Outcome {
    try store.perform(operation, &environment)
  }

  /// Asks something that leaves no trace, and takes no randomness from the caller.
  package func ask(_ name: StoreName, _ action: StoreAction) throws(HarnessError) -> Outcome {
    var environment = RunEnvironment(seed: 0)
    return try store.perform(StoreOperation(name, action), &environment)
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

  /// Which of the revisions a document does not hold.
  func missing(
    _ name: StoreName, _ id: DocumentID, revs: [RevisionID]
  ) throws(HarnessError) -> Set<RevisionID> {
    let query = RevisionQuery(id: id, revs: revs)
    guard case .ok(.revsDiff(let found)) = try ask(name, .revsDiff([query])) else { return [] }
    return Set(found.flatMap { $0.missing })
  }

  /// A revision and its ancestors, newest first, however much is known of it; or nothing.
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

/// An honest store with a mutant in front of it.
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

  /// The same mutant, as far as it has come, in front of another store.
  func copy(before store: any ImplementationUnderTest) -> DefectiveDatastore {
    let copy = DefectiveDatastore(store, name: name, make)
    copy.misbehaviour = misbehaviour
    return copy
  }

  var base: any ImplementationUnderTest { honest.store }

  func forget() { misbehaviour = make() }

  func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment
  ) throws(HarnessError) -> Outcome {
    try misbehaviour.perform(operation, &environment, store: honest)
  }

  /// A mutant that needs several steps goes on after a crash.
  func crash(_ kind: CrashKind) throws(HarnessError) { try base.crash(kind) }
}
