public import Datastore
public import JSON

/// An action of a scenario with its time.
public struct ScenarioStep: Hashable, Sendable {
  /// The name of the step.
  public var id: StepID
  /// The time since the beginning, in milliseconds.
  public var when: Int64
  /// The action of the step.
  public var directive: Directive

  /// Creates a step.
  public init(_ id: StepID, when: Int64, _ directive: Directive) {
    self.id = id
    self.when = when
    self.directive = directive
  }
}

/// The action of a step.
public enum Directive: Hashable, Sendable {
  /// A client of a replica performs an operation on its store.
  case perform(at: ReplicaName, ClientOperation)
  /// A session between two replicas begins.
  case replicate(Replicate)
  /// Cancels the session that another step began.
  case stop(StepID)
  /// Only replicas of one group reach each other; a replica in no group reaches all.
  case partition([[ReplicaName]])
  /// Messages from the first to the second are lost; the opposite direction is open.
  case block(from: ReplicaName, to: ReplicaName)
  /// Reopens all links.
  case heal
  /// The replica is down until it is restarted.
  case crash(ReplicaName, CrashKind)
  /// A crashed replica runs again.
  case restart(ReplicaName)
  /// The clock of a replica is wrong by this many milliseconds.
  case clock(ReplicaName, offset: Int64)
  /// Sets the condition of the disk of a replica.
  case storage(ReplicaName, StorageCondition)
  /// Removes the local documents of sessions at a replica.
  case loseCheckpoint(ReplicaName)
  /// Copies a replica's store; a later copy replaces it.
  case copyStore(ReplicaName)
  /// Restores the replica's store from the last copy; without a copy it has no effect.
  case restoreStore(ReplicaName)
  /// Replicates until all replicas have converged.
  case settle

  /// The condition of the disk of a replica.
  public enum StorageCondition: String, CaseIterable, Hashable, Sendable {
    /// All accesses succeed.
    case well
    /// Writes fail, because the disk is full.
    case full
    /// All accesses fail.
    case failing
  }
}

/// A session between the stores of two replicas.
public struct Replicate: Hashable, Sendable {
  /// The replica from which revisions are copied.
  public var source: ReplicaName
  /// The replica to which revisions are copied.
  public var target: ReplicaName
  /// The replica whose program runs the session; usually one of the two.
  public var by: ReplicaName
  /// True if the session continues after it has copied everything.
  public var isContinuous: Bool
  /// The filter of the copied revisions; nil copies all.
  public var filter: Filter?
  /// Rows of one page of changes; nil for the replicator's default.
  public var batch: Int64?

  /// Creates a session.
  public init(
    source: ReplicaName, target: ReplicaName, by: ReplicaName, isContinuous: Bool = false,
    filter: Filter? = nil, batch: Int64? = nil
  ) {
    self.source = source
    self.target = target
    self.by = by
    self.isContinuous = isContinuous
    self.filter = filter
    self.batch = batch
  }
}

/// An operation of a client that reads its store first: a revision argument is one of the current
/// leaves of the document, and the operation keeps only attachments of that leaf.
///
/// In a batch the leaf is of the document of the first write, and the writes of other documents have
/// no placeholders. In records of `insertRevisions` the leaf replaces the last revision of each path,
/// and the generations of the revisions above it follow from it.
public struct ClientOperation: Hashable, Sendable {
  /// The operation; with a leaf, its revisions are placeholders.
  public var action: StoreAction
  /// The index of the leaf, from the winner, modulo the number of leaves; nil without placeholders.
  public var leaf: Int64?

  /// Creates an operation; by default with the revisions that the action names.
  public init(_ action: StoreAction, leaf: Int64? = nil) {
    self.action = action
    self.leaf = leaf
  }

  /// The action with the chosen leaf in place of placeholders; nil if there is no leaf.
  public func action(with leaves: [Leaf]) -> StoreAction? {
    guard let leaf else { return action }
    guard !leaves.isEmpty else { return nil }
    return Self.choosing(leaf, of: leaves, for: action)
  }

  private static func choosing(_ leaf: Int64, of leaves: [Leaf], for action: StoreAction)
    -> StoreAction?
  {
    let chosen = leaves[Int(leaf) % leaves.count].rev
    switch action {
    case .update(let id, _, let body): return .update(id: id, rev: chosen, body: body)
    case .delete(let id, _, let body): return .delete(id: id, rev: chosen, body: body)
    case .read(let id, _): return .read(id: id, rev: chosen)
    case .readAttachment(let id, _, let name, let offset, let limit):
      return .readAttachment(id: id, rev: chosen, name: name, offset: offset, limit: limit)
    case .attaching(let attachments, let write):
      return choosing(leaf, of: leaves, for: write).map { .attaching(attachments, to: $0) }
    case .purge(let id, _): return .purge(id: id, revs: [chosen])
    case .batch(let writes):
      let id = writes.first?.documents.first
      var all: [StoreAction] = []
      for write in writes {
        let isOfDocument = write.documents.first == id
        guard let write = isOfDocument ? choosing(leaf, of: leaves, for: write) : write else {
          return nil
        }
        all.append(write)
      }
      return .batch(all)
    case .insertRevisions(let records):
      var moved: [RevisionRecord] = []
      for var record in records {
        guard let path = grafted(record.path, onto: chosen) else { return nil }
        record.path = path
        moved.append(record)
      }
      return .insertRevisions(moved)
    case .resolve(let id, _, _, let body):
      let live = leaves.filter { !$0.deleted }.map { $0.rev }
      guard !live.isEmpty else { return nil }
      return .resolve(
        id: id, leaves: live, keep: live[Int(leaf) % live.count], body: body)
    default: return action
    }
  }

  /// A path that continues a leaf: the last revision becomes the leaf, and those above it get the
  /// next generations; nil if the generation of the leaf is invalid or the last one.
  private static func grafted(_ path: [RevisionID], onto leaf: RevisionID) -> [RevisionID]? {
    guard let number = leaf.text.string.split(separator: "-").first, let base = UInt64(number),
      base < UInt64.max / 2
    else { return nil }
    var result: [RevisionID] = []
    for (place, rev) in path.dropLast().enumerated() {
      let suffix = rev.text.string.drop { $0 != "-" }
      let generation = base + UInt64(path.count - 1 - place)
      result.append(RevisionID(JSONString("\(generation)\(suffix)")))
    }
    return result + [leaf]
  }
}

extension StoreAction {
  /// The revision whose attachments the write may keep; nil if it keeps none.
  public var keptFrom: (id: DocumentID, rev: RevisionID)? {
    guard case .attaching(let attachments, let write) = self,
      attachments.contains(where: { $0.content == .stub })
    else { return nil }
    switch write {
    case .update(let id, let rev, _): return (id, rev)
    case .resolve(let id, _, let keep, _): return (id, keep)
    default: return nil
    }
  }

  /// The write without kept attachments that are missing from `names`.
  public func keeping(only names: [JSONString]) -> StoreAction {
    guard case .attaching(let attachments, let write) = self else { return self }
    return .attaching(
      attachments.filter { $0.content != .stub || names.contains($0.name) }, to: write)
  }
}
