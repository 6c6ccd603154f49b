public import Datastore
internal import JSON

/// The operations of the clients of one run: few documents, and much contention.
///
/// It follows from a seed and from the capabilities of the store. Each run leaves out some kinds of
/// operations, so that others meet more often.
public struct ContendedWorkload: Sendable {
  /// A kind of operation.
  enum Kind: CaseIterable {
    case create, update, delete, read, readRevision, leaves, list
    case insertNew, insertAgain, pull, push, revsDiff, feed, info, local
    case resolve, batch, purge, compact, attach, readAttachment, find
  }

  /// The store of the run.
  public let store: StoreName
  let documents: [DocumentID]
  /// One element for each unit of weight.
  let kinds: [Kind]
  let finds: Bool
  let historyLimit: Int64?
  let capabilities: Set<Capability>
  let restrictions: Set<Restriction>
  let seed: UInt64

  /// The values of the indexed member.
  static let valueCount = 3
  static let indexedMember: JSONString = "k"
  static let locals: [DocumentID] = ["x", "y"]
  static let contents: [JSONString] = ["YQ==", "YmI=", "Y2Nj"]
  static let suffixDigits = 32

  /// The workload of a seed.
  public init(seed: UInt64, _ description: ImplementationDescription, store: StoreName = "a") {
    self.seed = seed
    self.store = store
    capabilities = description.capabilities
    restrictions = description.restrictions
    var random = RandomGenerator(seed: mix(seed))
    // A reader of the feed that misses a change learns it with the next one of the document: the
    // feed needs documents that change seldom.
    let readsMuch = random.below(3) == 0
    let count = readsMuch ? random.below(12) + 5 : random.below(4) + 1
    documents = (0..<count).map { DocumentID(JSONString("d\($0)")) }
    let offered = description.capabilities
    finds = offered.contains(.find) && random.below(2) == 0
    let isLimited =
      offered.contains(.historyLimit) && !restrictions.contains(.historyLimitAtCreation)
      && random.below(5) == 0
    historyLimit = isLimited ? Int64(random.below(4) + 2) : nil
    let always: [(Kind, Int)] = [
      (.create, 4), (.update, 12), (.leaves, 5), (.feed, readsMuch ? 16 : 4),
    ]
    let sometimes: [(Kind, Int)] = [
      (.delete, 4), (.read, 5), (.readRevision, 3), (.list, 2), (.insertNew, 6), (.revsDiff, 2),
      (.info, 3), (.local, 4), (.push, 3), (.pull, 2),
    ]
    let optional: [(Kind, Int, Capability)] = [
      (.resolve, 6, .resolve), (.batch, 4, .atomicBatch), (.purge, 2, .purge),
      (.compact, random.below(3) == 0 ? 12 : 2, .compact), (.attach, 6, .attachment),
      (.readAttachment, 6, .attachment),
    ]
    var kinds = always.flatMap { Array(repeating: $0.0, count: $0.1) }
    for (kind, weight) in sometimes where random.below(4) > 0 {
      kinds += Array(repeating: kind, count: weight)
    }
    for (kind, weight, capability) in optional
    where offered.contains(capability) && random.below(2) == 0 {
      kinds += Array(repeating: kind, count: weight)
    }
    // A forgotten revision that arrives again is a new leaf, and it is unknown which are forgotten.
    if kinds.contains(.insertNew), !isLimited {
      kinds += [.insertAgain, .insertAgain, .insertAgain]
    }
    if finds { kinds += Array(repeating: .find, count: 8) }
    // Content that a compaction removes is read meanwhile.
    if kinds.contains(.compact), kinds.contains(.readAttachment), random.below(2) == 0 {
      kinds +=
        Array(repeating: .compact, count: 12) + Array(repeating: .readAttachment, count: 24)
        + Array(repeating: .attach, count: 12)
    }
    self.kinds = kinds
  }

  /// The operations before the clients begin, on one connection.
  public var opening: [StoreAction] {
    var actions: [StoreAction] = [.open()]
    if let historyLimit { actions.append(.historyLimit(historyLimit)) }
    if finds {
      let index = IndexDefinition("by-k", fields: [Self.indexedMember])
      actions.append(.finding(.createIndex(index)))
    }
    return actions
  }

  /// The operations after all clients have ended, on one connection.
  ///
  /// - Parameter leaves: the leaves of each document as far as they are known, to read each one with
  ///   its path.
  func closing(_ leaves: [DocumentID: [RevisionID]]) -> [StoreAction] {
    var actions: [StoreAction] = [.changes(), .info, .list()]
    for id in documents {
      actions.append(.leaves(id: id))
      let revs = leaves[id] ?? []
      if !revs.isEmpty { actions.append(.getRevisions([RevisionQuery(id: id, revs: revs)])) }
      actions.append(.read(id: id))
    }
    if kinds.contains(.local) { actions += Self.locals.map { .readLocal(id: $0) } }
    if finds { actions += (0..<Self.valueCount).map { Self.find(Int64($0)) } }
    return actions
  }

  static func find(_ value: Int64) -> StoreAction {
    .finding(.find(FindRequest(.object([indexedMember: .integer(value)]))))
  }
}
