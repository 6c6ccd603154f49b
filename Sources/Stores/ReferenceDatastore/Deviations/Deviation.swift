package import Datastore
internal import RevisionTree

/// A named difference of a product from the rules.
///
/// A deviation states in the terms of the model what such a store does, so that the checker can
/// follow the store after the difference. It has three uses: a product file declares it, so that
/// the checker finds what lies behind it; the model performs it, as an example of such a store; and
/// a diagnosis searches for it.
///
/// A deviation applies to single operations. The writes of a `batch` follow the rules.
public struct Deviation: Sendable, Identifiable {
  /// The id: lower-case words with hyphens. It never changes and is never used again.
  public let id: String
  /// What such a store does, in one sentence.
  public let sentence: String
  /// The ids of the clauses that it breaks; at least one.
  public let clauses: [String]
  /// The products that are known for it.
  public let products: [Observation]
  /// Whether the product decides by state that the model cannot observe. The checker then accepts
  /// both outcomes, and continues from the one observed.
  public let isConditional: Bool
  /// How contents under one revision id differ because of it; nil if they do not.
  package let contentFlaw: ContentFlaw?
  let effect: Effect

  /// The effect on one operation.
  enum Effect: Sendable {
    /// The store performs another operation; nil for operations that it performs as requested.
    case request(@Sendable (StoreOperation, ModelState) -> StoreOperation?)
    /// The store reads other texts as revision ids.
    case syntax(Collation.Syntax)
    /// The store performs the operation as the model does, and then its outcome or its state
    /// differ.
    case response(@Sendable (inout Performance) -> Void)
    /// The store merges records in another way.
    case merging(MergeRule)
    /// The store gives no valid response to these operations: it fails with an error outside of the
    /// contract, or ends. What it did is unknown, so nothing is checked afterwards. In an unknown state
    /// these are the operations of a form.
    case failure(
      form: @Sendable (StoreAction) -> Bool, in: @Sendable (StoreOperation, ModelState) -> Bool)
    /// The store's own replicator never ends a session that copies such an attachment. What it copied
    /// is unknown, so nothing is checked afterwards.
    case stalledSession(@Sendable (RevisionAttachment) -> Bool)
    /// Only contents under one revision id differ, as `contentFlaw` says.
    case content
    /// A read may answer from a copy that lacks the latest writes, and answers right a little later.
    case staleAnswers
    /// Only several clients at once see a difference: these guarantees of `touchstone concurrent` do not
    /// hold.
    case severalClients(missing: Set<String>)
  }

  /// A product that has the deviation.
  public struct Observation: Hashable, Sendable {
    /// The name of the product.
    public let product: String
    /// The versions, such as `3.4 to 3.5`.
    public let versions: String
    public let evidence: Evidence
  }

  /// How a deviation is known.
  public enum Evidence: String, CaseIterable, Sendable {
    /// The product was run, and its answers were recorded.
    case recorded
    /// The source or the documentation of the product was read; the product was not run.
    case read = "read, not run"
  }

  init(
    _ id: String, _ sentence: String, breaks clauses: [String], of products: [Observation],
    isConditional: Bool = false, contentFlaw: ContentFlaw? = nil, effect: Effect
  ) {
    self.id = id
    self.sentence = sentence
    self.clauses = clauses
    self.products = products
    self.isConditional = isConditional
    self.contentFlaw = contentFlaw
    self.effect = effect
  }
}

extension Deviation {
  /// Whether a store with the deviation gives no valid response to an operation.
  func leavesUnanswered(_ operation: StoreOperation, in state: ModelState) -> Bool {
    switch effect {
    case .failure(_, let fails): return fails(operation, state)
    case .stalledSession(let stalls):
      guard case .replicate = operation.action, let store = state.stores[operation.store] else {
        return false
      }
      return store.documents.values.contains { document in
        document.tree.leaves.contains { document.attachments[$0]?.contains(where: stalls) == true }
      }
    case .request, .syntax, .response, .merging, .content, .staleAnswers, .severalClients:
      return false
    }
  }

  /// Whether a store with the deviation may give no valid response to an operation in a state that is
  /// unknown, because the store's own replicator has written to it.
  package func mayLeaveUnanswered(_ operation: StoreOperation) -> Bool {
    if case .failure(let form, _) = effect { form(operation.action) } else { false }
  }

  /// Whether the store's own replicator never ends a session that copies this content.
  package func stallsSession(copying attachment: RevisionAttachment) -> Bool {
    guard case .stalledSession(let stalls) = effect, attachment.content != .stub else {
      return false
    }
    return stalls(attachment)
  }

  /// Whether a read that the rules do not permit has to be repeated before it counts.
  public var mayAnswerStale: Bool {
    if case .staleAnswers = effect { true } else { false }
  }

  /// The guarantees about several clients that a store with the deviation does not give, by name.
  public var missingPromises: Set<String> {
    if case .severalClients(let missing) = effect { missing } else { [] }
  }

  /// All known deviations, in the order in which they act on an operation.
  public static let all: [Deviation] =
    revisionIDs + documentIDs + requests + attachments + bodies + edits + records + unchecked
    + upkeep + suffixes + queries + reads + failures + sessions + copies
    + severalClients

  /// The deviation with an id.
  public static func named(_ id: String) -> Deviation? {
    all.first { $0.id.utf8.elementsEqual(id.utf8) }
  }

  /// The deviations with these ids, in the order in which they act.
  public static func named(_ ids: some Sequence<String>) -> [Deviation] {
    let ids = Set(ids)
    return all.filter { ids.contains($0.id) }
  }
}
