import Datastore
import JSON

/// A minimal store for the tests of the runner: correct, unless a misbehaviour is set. Each
/// document has one branch, and the only supported capability is `compact`.
final class FakeDatastore: ImplementationUnderTest {
  enum Misbehaviour: Hashable, Sendable {
    /// `read` returns a revision that was never written.
    case wrongRevision
    /// A conflict is reported as `forbidden`.
    case wrongKind
    /// `create` returns no members.
    case missingMember
    /// A stale revision is accepted.
    case noConflicts
    /// Reads return the bodies of tombstones.
    case immortal
    /// An operation with this name gets no response.
    case harnessError(String)
    /// `create` fails with this error.
    case breakdown(HarnessError)
    /// `reset` throws an error.
    case brokenReset
    /// An operation of this name returns this error.
    case answers(String, DatastoreError.Kind)
    /// Each record of `insertRevisions` returns this error.
    case recordsMeet(DatastoreError.Kind)
    /// Everything but `open` is unsupported.
    case unsupported
    /// The response to `info` is lost.
    case lostReply
    /// The declared limits are below the minimum of core.
    case smallLimits
    /// `reset` does nothing.
    case forgetsReset
  }

  private struct Revision {
    let id: RevisionID
    let deleted: Bool
    let body: JSONValue
  }

  private let misbehaviour: Misbehaviour?
  private var stores: [StoreName: [DocumentID: [Revision]]] = [:]
  let description: ImplementationDescription
  /// The requests received, in order.
  private(set) var asked: [String] = []

  init(
    _ misbehaviour: Misbehaviour? = nil, capabilities: Set<Capability> = [],
    restrictions: Set<Restriction> = []
  ) {
    self.misbehaviour = misbehaviour
    var limits = ImplementationDescription.Limits.minimum
    if misbehaviour == .smallLimits { limits.bodyBytesMax = 1000 }
    description = ImplementationDescription(
      name: "fake", version: "1", capabilities: capabilities, limits: limits,
      isDeterministic: true, restrictions: restrictions)
  }

  func reset() throws(HarnessError) {
    asked.append("reset")
    if misbehaviour == .brokenReset { throw HarnessError("the pipe is closed") }
    if misbehaviour != .forgetsReset { stores = [:] }
  }

  func crash(_ kind: CrashKind) throws(HarnessError) { throw HarnessError("cannot crash") }

  func shutdown() throws(HarnessError) { asked.append("shutdown") }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    let name = operation.action.name
    asked.append("\(name) \(operation.store)")
    if misbehaviour == .harnessError(name) { throw HarnessError("no response to \(name)") }
    if case .breakdown(let error) = misbehaviour, name == "create" { throw error }
    if case .answers(name, let kind) = misbehaviour {
      return .error(DatastoreError(kind, "alas"))
    }
    if case .open = operation.action {
      stores[operation.store] = stores[operation.store] ?? [:]
      return .ok(.done)
    }
    guard let documents = stores[operation.store] else {
      return .error(DatastoreError(.noSuchStore))
    }
    if misbehaviour == .unsupported {
      return .error(DatastoreError(.unsupported(what: name)))
    }
    return answer(operation, documents, environment)
  }

  private func answer(
    _ operation: StoreOperation, _ documents: [DocumentID: [Revision]],
    _ environment: RunEnvironment
  ) -> Outcome {
    switch operation.action {
    case .info:
      if misbehaviour == .lostReply { return .unknown }
      return .ok(
        .info(
          StoreInfo(
            documents: Int64(documents.count), deletedDocuments: 0, last: .integer(0),
            incarnation: "i")))
    case .create(let id, let body):
      let id = id ?? DocumentID(JSONString("id\(environment.nextRandom())"))
      if documents[id] != nil { return conflict }
      return write(operation.store, id, parent: nil, deleted: false, body, environment)
    case .update(let id, let rev, let body):
      return edit(operation.store, id, rev, deleted: false, body, environment)
    case .delete(let id, let rev, _):
      return edit(operation.store, id, rev, deleted: true, [:], environment)
    case .read(let id, _): return read(documents[id]?.last, id)
    case .insertRevisions(let records):
      guard case .recordsMeet(let kind) = misbehaviour else {
        return .ok(.inserted(records.map { _ in nil }))
      }
      return .ok(.inserted(records.map { _ in DatastoreError(kind) }))
    case .compact where description.capabilities.contains(.compact): return .ok(.done)
    default: return .error(DatastoreError(.unsupported(what: operation.action.name)))
    }
  }

  private func read(_ revision: Revision?, _ id: DocumentID) -> Outcome {
    guard let revision else { return .error(DatastoreError(.notFound(.missing))) }
    if revision.deleted, misbehaviour != .immortal {
      return .error(DatastoreError(.notFound(.deleted)))
    }
    let rev: RevisionID = misbehaviour == .wrongRevision ? "9-wrong" : revision.id
    return .ok(.document(DocumentRevision(id: id, rev: rev, body: revision.body)))
  }

  private func edit(
    _ store: StoreName, _ id: DocumentID, _ rev: RevisionID, deleted: Bool, _ body: JSONValue,
    _ environment: RunEnvironment
  ) -> Outcome {
    guard let last = stores[store]?[id]?.last else {
      return .error(DatastoreError(.notFound(.missing)))
    }
    guard last.id == rev || misbehaviour == .noConflicts else { return conflict }
    return write(store, id, parent: last.id, deleted: deleted, body, environment)
  }

  private func write(
    _ store: StoreName, _ id: DocumentID, parent: RevisionID?, deleted: Bool, _ body: JSONValue,
    _ environment: RunEnvironment
  ) -> Outcome {
    let generation = (stores[store]?[id]?.count ?? 0) + 1
    let suffix = String(environment.nextRandom(), radix: 16)
    let rev = RevisionID(JSONString("\(generation)-\(suffix)"))
    stores[store]?[id, default: []].append(Revision(id: rev, deleted: deleted, body: body))
    return misbehaviour == .missingMember ? .ok(.done) : .ok(.written(id: id, rev: rev))
  }

  private var conflict: Outcome {
    .error(DatastoreError(misbehaviour == .wrongKind ? .forbidden : .conflict, "not a leaf"))
  }
}
