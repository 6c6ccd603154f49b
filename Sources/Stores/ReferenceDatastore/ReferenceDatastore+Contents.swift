public import Datastore
public import JSON
internal import RevisionTree

/// The complete contents of one store of the model, for comparisons of complete states.
public struct StoreContents: Sendable {
  /// The documents in byte order of their ids.
  public var documents: [Document]
  /// Local documents, in byte order of their ids.
  public var locals: [(id: DocumentID, body: JSONValue)]
  let incarnation: JSONString

  /// A document with all its revisions.
  public struct Document: Sendable {
    /// The id of the document.
    public var id: DocumentID
    /// The revisions, each after its parent, otherwise in byte order.
    public var revisions: [Revision]
    /// The position of the latest change.
    public var changedAt: Int64
  }

  /// One stored revision, or a stub revision that is known by its id only.
  public struct Revision: Sendable {
    /// The id of the revision.
    public var rev: RevisionID
    /// The generation, the number before the hyphen of the id.
    public var generation: Int64
    /// The parent; nil for a root.
    public var parent: RevisionID?
    /// True if the revision has no children.
    public var isLeaf: Bool
    /// Nil for a stub revision.
    public var deleted: Bool?
  }

  /// The position that a sequence of this store encodes; nil for a sequence of another store.
  public func position(of sequence: UpdateSequence) -> Int64? {
    guard case .text(let text) = sequence,
      let dash = text.utf8.firstIndex(of: UInt8(ascii: "-")),
      incarnation.utf8.starts(with: text.utf8[text.utf8.index(after: dash)...])
    else { return nil }
    return Int64(text.string[..<dash])
  }
}

extension ReferenceDatastore.Snapshot {
  /// A datastore without stores.
  ///
  /// - Parameter inlineBytesMax: the maximum length of content inside one operation or response, in
  ///   bytes; nil for the limit that the vectors assume.
  public init(inlineBytesMax: Int? = nil) {
    state = ModelState(inlineBytesMax: inlineBytesMax ?? Syntax.limits.inlineBytesMax)
  }

  /// Performs an operation on this copy of the data.
  public mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) -> Outcome {
    var decisions = Decisions(environment.random)
    let outcome = state.perform(operation, &decisions)
    environment.random = decisions.random
    return outcome
  }

  /// The contents of a store; nil if no store has the name.
  public func contents(of name: StoreName) -> StoreContents? {
    guard let store = state.stores[name] else { return nil }
    var documents = store.documents.map { id, document in
      StoreContents.Document(
        id: id, revisions: document.contents, changedAt: document.changedAt)
    }
    documents.sort { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
    var locals = store.locals.map { (id: $0.key, body: $0.value) }
    locals.sort { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
    return StoreContents(documents: documents, locals: locals, incarnation: store.incarnation)
  }
}

extension ModelDocument {
  /// All revisions, ordered by generation, then in byte order.
  fileprivate var contents: [StoreContents.Revision] {
    var seen: Set<Revision> = []
    for leaf in tree.leaves {
      for revision in tree.ancestry(of: leaf) where !seen.insert(revision).inserted { break }
    }
    let ordered = seen.sorted { left, right in
      left.generation != right.generation
        ? left.generation < right.generation
        : left.suffix.utf8.lexicographicallyPrecedes(right.suffix.utf8)
    }
    return ordered.map { revision in
      StoreContents.Revision(
        rev: revision.id, generation: revision.generation,
        parent: tree.parent(of: revision)?.id, isLeaf: tree.isLeaf(revision),
        deleted: tree.isDeleted(revision))
    }
  }
}
