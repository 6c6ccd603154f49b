public import Datastore
public import JSON

/// Something that happens in a scenario, and when.
public struct ScenarioStep: Hashable, Sendable {
  /// The name of the step.
  public var id: StepID
  /// Milliseconds since the beginning.
  public var when: Int64
  /// What the step does.
  public var directive: Directive

  /// Creates a step.
  public init(_ id: StepID, when: Int64, _ directive: Directive) {
    self.id = id
    self.when = when
    self.directive = directive
  }
}

/// What a step does.
public enum Directive: Hashable, Sendable {
  /// A client of a replica does something to its store.
  case perform(at: ReplicaName, ClientOperation)
  /// A session between two replicas begins.
  case replicate(Replicate)
  /// Cancels the session that another step began.
  case stop(StepID)
  /// Only replicas of one group reach each other; who is in no group reaches all.
  case partition([[ReplicaName]])
  /// Messages from the first to the second are lost; the way back is open.
  case block(from: ReplicaName, to: ReplicaName)
  /// All ways are open again.
  case heal
  /// The replica is gone until it is restarted.
  case crash(ReplicaName, CrashKind)
  /// A crashed replica runs again.
  case restart(ReplicaName)
  /// The clock of a replica goes wrong by so many milliseconds.
  case clock(ReplicaName, offset: Int64)
  /// The disk of a replica refuses all writes, or is well again.
  case storage(ReplicaName, StorageCondition)
  /// The local documents of sessions are gone at a replica.
  case loseCheckpoint(ReplicaName)
  /// A copy of a replica's store is made; a later one replaces it.
  case copyStore(ReplicaName)
  /// The replica's store becomes what the last copy holds; without a copy nothing happens.
  case restoreStore(ReplicaName)
  /// Waits until every replica has what all others have.
  case settle

  /// How the disk of a replica is.
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
  /// The replica whose program does the work; one of the two, as a rule.
  public var by: ReplicaName
  /// True if the session continues after it has copied everything.
  public var isContinuous: Bool
  /// The filter of the copied revisions; nil copies all.
  public var filter: Filter?
  /// Rows of one page of changes; nil leaves it to the replicator.
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

/// An operation of a client that knows its store: where a revision is needed, it takes one of the
/// leaves that the document has at that moment, and it keeps only attachments that this one has.
///
/// In records of `insertRevisions` the leaf stands in the place of the last revision of each path, and
/// the generations of the revisions above it are counted from there.
public struct ClientOperation: Hashable, Sendable {
  /// With a leaf, revisions in it are placeholders.
  public var action: StoreAction
  /// Which leaf is taken, counted from the winner and round again; nil when the action says all.
  public var leaf: Int64?

  /// Creates an operation; by default with the revisions that the action names.
  public init(_ action: StoreAction, leaf: Int64? = nil) {
    self.action = action
    self.leaf = leaf
  }

  /// The action with the chosen leaf in the place of placeholders; nil when there is no leaf.
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

  /// A path that continues a leaf: the last revision becomes the leaf, and those above it take the
  /// generations that follow; nil when the leaf has no generation that can be counted on from.
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
  /// The revision whose attachments the write keeps, as far as it keeps any.
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

  /// The write without the attachments that it keeps and that are not there.
  public func keeping(only names: [JSONString]) -> StoreAction {
    guard case .attaching(let attachments, let write) = self else { return self }
    return .attaching(
      attachments.filter { $0.content != .stub || names.contains($0.name) }, to: write)
  }
}
