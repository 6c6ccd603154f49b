internal import Datastore
internal import Digest
internal import JSON
internal import RevisionTree

/// The inputs of an operation other than the state: the choices where the rules permit
/// alternatives, and the names of new things.
///
/// The model itself takes the first alternative everywhere, computes revision ids by their digest
/// and draws the rest from the environment. The checker enumerates all alternatives, uses the names
/// that the implementation under test has returned, and fails an operation with the error of that
/// implementation if it is one of the errors of the operation.
struct Decisions {
  /// The source of the names of new things.
  enum Naming {
    /// The model's own digest and its generator.
    case computed
    /// The response of the implementation under test.
    case observed(ObservedNames)
    /// No source, because the response was lost: each new thing gets a placeholder.
    case unseen
  }

  var random: RandomGenerator
  var alternatives = Alternatives()
  var naming = Naming.computed
  /// The response of the implementation under test, which selects one of several errors of an
  /// operation; nil if the error is an alternative like others.
  var answer: Outcome?
  /// Whether `own` revision ids are those of the model, so that observed names must equal them.
  var isModelOnly = true
  /// The deviations of the store from the rules, in the order in which they act.
  var deviations: [Deviation] = []
  /// The ids of the deviations that made a difference.
  private(set) var occurred: Set<String> = []
  /// The placeholders created so far.
  private(set) var standIns: [StandIn] = []

  /// The errors of each rejected operation, and of each rejected record of an operation.
  private(set) var refusals: [[DatastoreError]] = []

  /// The names that a store chooses.
  let freedom: Freedom

  init(_ random: RandomGenerator, freedom: Freedom = Freedom()) {
    self.random = random
    self.freedom = freedom
    alternatives.fixed = freedom.choices
  }

  /// Whether the observed names contradict the performed edits.
  private(set) var isNamingWrong = false

  /// Whether a store's own revision ids are accepted without a check.
  func isOpaque(_ store: ModelStore) -> Bool { store.revisionIDs == .own && !isModelOnly }

  /// Whether the implementation under test rejected the operation as `forbidden`.
  var isRefusal: Bool {
    if case .error(let error) = answer { error.kind == .forbidden } else { false }
  }

  /// The id of a document that was created without an id.
  mutating func documentID() -> DocumentID {
    switch naming {
    case .computed:
      return DocumentID(
        freedom.documents.name(&random) ?? JSONString(random.bytes(16).hexadecimal))
    case .observed(let names):
      guard let id = names.documentID, (try? Syntax.check(id)) != nil else {
        isNamingWrong = true
        return "?"
      }
      return id
    case .unseen:
      let id = DocumentID(JSONString("?" + random.bytes(4).hexadecimal))
      standIns.append(StandIn(id: id, revision: nil))
      return id
    }
  }

  /// The incarnation of a new store.
  mutating func incarnation() -> JSONString {
    freedom.incarnations.name(&random) ?? JSONString(random.bytes(16).hexadecimal)
  }

  /// The revision of an edit; throws `badRevision` if the edit cannot have one.
  mutating func revision(
    of id: DocumentID, after parent: Revision?, deleted: Bool, body: JSONValue,
    _ set: AttachmentSet, in store: ModelStore
  ) throws(Faults) -> Revision {
    if !isOpaque(store), store.revisionIDs == .own, let suffix = freedom.revisions.name(&random) {
      return Revision(
        generation: try RevisionDigest.nextGeneration(after: parent), suffix: suffix)
    }
    if !isOpaque(store) {
      let isFolded = deviations.contains { $0.contentFlaw == .highBytesOfTexts }
      return try RevisionDigest.revision(
        after: parent, deleted: deleted, body: isFolded ? body.withLowBytes : body,
        attachments: set.attachments,
        store.revisionIDs, content: { set.contents[$0] ?? store.blobs[$0] ?? [] })
    }
    let generation = try RevisionDigest.nextGeneration(after: parent)
    let standIn = Revision(
      generation: generation, suffix: JSONString("?" + random.bytes(4).hexadecimal))
    guard case .observed(var names) = naming else {
      standIns.append(StandIn(id: id, revision: standIn))
      return standIn
    }
    let candidates = names.revisions(ofGeneration: generation, store.collation)
    guard !candidates.isEmpty else {
      isNamingWrong = true
      return standIn
    }
    let chosen = candidates[alternatives.choose(.whichName, of: candidates.count)]
    names.take(chosen, store.collation)
    naming = .observed(names)
    // A name that is already in use must belong to the same edit, made on another replica.
    let document = store.documents[id]
    if let document, document.tree.contains(chosen),
      !document.mayBeEdit(chosen, deleted: deleted, body, attachments: set.attachments)
    {
      isNamingWrong = true
    }
    return chosen
  }

  /// Checks that a revision can be the parent of an edit; throws `badRevision` otherwise.
  func checkParent(_ parent: Revision?, in store: ModelStore) throws(Faults) {
    if isOpaque(store) || store.revisionIDs == .own && freedom.revisions != .derived {
      _ = try RevisionDigest.nextGeneration(after: parent)
    } else {
      try RevisionDigest.checkParent(parent, store.revisionIDs)
    }
  }

  /// The error that an operation, or one record of it, returns for these faults.
  ///
  /// An error changes nothing, so only the choice that agrees with the implementation under test
  /// has to be followed.
  mutating func error(of faults: Faults, record: Int? = nil) -> DatastoreError {
    let errors = faults.errors
    refusals.append(errors)
    guard errors.count > 1 else { return errors[0] }
    guard let answer else { return errors[alternatives.choose(.fault, of: errors.count)] }
    let answered: DatastoreError? =
      switch (answer, record) {
      case (.error(let error), nil): error
      case (.ok(.inserted(let results)), let record?) where results.indices.contains(record):
        results[record]
      default: nil
      }
    return errors.first { error in answered.map { error.isSame(as: $0) } ?? false } ?? errors[0]
  }

  /// Whether an attachment may have an empty name; a choice point only if an attachment has one.
  mutating func allowsEmptyName(_ attachments: [RevisionAttachment]) -> Bool {
    attachments.contains { $0.name == "" } && alternatives.choose(.emptyName, of: 2) == 1
  }

  /// Advances to the next write of a batch.
  mutating func nextWrite() {
    guard case .observed(var names) = naming else { return }
    names.nextWrite()
    naming = .observed(names)
  }
}

extension Decisions {
  /// Whether the store has a deviation where it makes a difference: always, or as an alternative if
  /// the store decides by state that the model cannot observe.
  mutating func takes(_ deviation: Deviation) -> Bool {
    if deviation.isConditional, alternatives.choose(.deviation, of: 2) == 1 { return false }
    occurred.insert(deviation.id)
    return true
  }

  /// Removes an observed name that is not new.
  mutating func take(_ revision: Revision, _ collation: Collation) {
    guard case .observed(var names) = naming else { return }
    names.take(revision, collation)
    naming = .observed(names)
  }

  /// Records deviations that made a difference.
  mutating func record(_ deviations: [Deviation]) { record(deviations.map(\.id)) }

  mutating func record(_ deviations: [Deviation.ID]) { occurred.formUnion(deviations) }

  /// Forgets the planned alternatives: the model's own is taken everywhere.
  mutating func takeFirstAlternatives() { alternatives = Alternatives() }

  /// Continues after the choices, and with the deviations, of other decisions.
  mutating func continueChoices(of other: Decisions) {
    alternatives = other.alternatives
    occurred = other.occurred
  }
}

/// A new document or revision whose name was not observed.
struct StandIn: Hashable {
  var id: DocumentID
  /// Nil if the id of the document itself is unknown.
  var revision: Revision?
}

/// The names of new things as returned by an implementation under test, write by write.
struct ObservedNames {
  /// The observed names of one write of a batch, or of the operation itself.
  struct Write {
    var id: DocumentID?
    var revisions: [RevisionID]
  }

  private var waiting: [Write]

  init(_ result: OperationResult) {
    waiting = result.hasNames ? Self.writes(in: result) : []
  }

  private static func writes(in result: OperationResult) -> [Write] {
    switch result {
    case .written(let id, let rev): [Write(id: id, revisions: [rev])]
    case .resolved(let rev, let tombstones): [Write(id: nil, revisions: [rev] + tombstones)]
    case .batch(let results): results.flatMap { writes(in: $0) }
    default: [Write(id: nil, revisions: [])]
    }
  }

  /// Advances to the names of the next write of a batch.
  mutating func nextWrite() { waiting.removeFirst(min(1, waiting.count)) }

  var documentID: DocumentID? { waiting.first?.id }

  /// The first name that is not yet assigned, whether or not it is a valid revision id.
  var firstRevision: RevisionID? { waiting.first?.revisions.first }

  /// The names of this generation that are not yet assigned.
  func revisions(ofGeneration generation: Int64, _ collation: Collation) -> [Revision] {
    (waiting.first?.revisions ?? []).compactMap { collation.revision($0) }
      .filter { $0.generation == generation }
  }

  mutating func take(_ revision: Revision, _ collation: Collation) {
    if waiting.isEmpty { return }
    waiting[0].revisions.removeAll { collation.revision($0) == revision }
  }
}

extension OperationResult {
  /// Whether the result may contain names of new things.
  fileprivate var hasNames: Bool {
    switch self {
    case .written, .resolved, .batch: true
    default: false
    }
  }
}

/// A point where the rules accept more than one outcome; the first alternative is that of the
/// model.
package enum ChoicePoint: Hashable, Sendable {
  /// Several errors of one operation, in the order of the model's checks. Some conditions have two
  /// errors: an edit of an unknown document is `notFound(missing)` and `conflict`; an edit of a
  /// revision that is not a leaf, if all leaves are deleted, is `conflict` and `notFound(deleted)`.
  case fault
  /// An edit of a deleted leaf: a child, `conflict`, `notFound(deleted)`.
  case tombstoneEdit
  /// An edit whose revision the document already contains: ok, `conflict`.
  case heldEdit
  /// The body of a revision that was a stub: kept, ignored.
  case lateBody
  /// A longer history of a known revision: adopted, ignored.
  case longerHistory
  /// A stub whose properties other than the digest differ from the stored attachment:
  /// `missingStub`, ok.
  case stubClaim
  /// An attachment with an empty name: `badAttachment`, kept.
  case emptyName
  /// Content that no revision uses, after a compaction: removed, still stored.
  case unusedContent
  /// Partial uploads from before a store was reopened: still stored, removed.
  case uploadsAfterOpening
  /// The assignment of several observed names to new revisions.
  case whichName
  /// A deviation that depends on state that the model cannot observe: it occurs, it does not.
  case deviation
}

/// An enumeration of all combinations of alternatives, the model's own first.
///
/// A run calls `choose` at each choice point that it reaches. `advance` then moves to the next
/// combination, changing the last point first, like an odometer whose number of wheels may vary.
struct Alternatives {
  private var planned: [Int] = []
  private var taken: [(choice: Int, count: Int)] = []
  /// The alternatives that a store always takes, in place of the first ones.
  var fixed: [ChoicePoint: Int] = [:]

  /// The alternative, of `count`, that this run takes at a choice point.
  mutating func choose(_ point: ChoicePoint, of count: Int) -> Int {
    let first = min(fixed[point] ?? 0, count - 1)
    let choice = taken.count < planned.count ? planned[taken.count] : first
    taken.append((choice, count))
    return choice
  }

  /// Prepares the next run; returns false after the last combination.
  mutating func advance() -> Bool {
    while let last = taken.last, last.choice + 1 >= last.count { taken.removeLast() }
    guard let last = taken.popLast() else { return false }
    planned = taken.map { $0.choice } + [last.choice + 1]
    taken = []
    return true
  }
}
