internal import Datastore
internal import Digest
internal import JSON
internal import RevisionTree

/// What an operation's outcome depends on besides the state: which alternative is taken where the
/// rules leave one, and how new things are called.
///
/// When the model acts, it takes the first alternative everywhere, computes revision ids by their
/// digest and draws the rest from the environment. When it checks, it goes through all alternatives,
/// calls new things as the implementation under test has called them, and answers an operation with
/// the error of that implementation if the operation has it.
struct Decisions {
  /// Where the names of new things come from.
  enum Naming {
    /// The model's own digest and its environment.
    case computed
    /// What the implementation under test has answered.
    case observed(ObservedNames)
    /// Nowhere, the answer being lost: each new thing gets a stand-in.
    case unseen
  }

  var environment: RunEnvironment
  var alternatives = Alternatives()
  var naming = Naming.computed
  /// What the implementation under test answered, from which the error of an operation with several
  /// ones is chosen; nil when the choice is an alternative like others.
  var answer: Outcome?
  /// Whether `own` revision ids are the model's, so that observed names must equal them.
  var isModelOnly = true
  /// The stand-ins that were given.
  private(set) var standIns: [StandIn] = []

  /// The errors of each operation, and of each record of one, that was refused.
  private(set) var refusals: [[DatastoreError]] = []

  init(_ environment: RunEnvironment) { self.environment = environment }

  /// Whether the names that were observed are not those of what was done.
  private(set) var isNamingWrong = false

  /// Whether a store's own revision ids are taken as they come.
  func isOpaque(_ store: ModelStore) -> Bool { store.revisionIDs == .own && !isModelOnly }

  /// The id of a document that was created without one.
  mutating func documentID() -> DocumentID {
    switch naming {
    case .computed: return DocumentID(JSONString(environment.randomBytes(16).hexadecimal))
    case .observed(let names):
      guard let id = names.documentID, (try? Spelling.check(id)) != nil else {
        isNamingWrong = true
        return "?"
      }
      return id
    case .unseen:
      let id = DocumentID(JSONString("?" + environment.randomBytes(4).hexadecimal))
      standIns.append(StandIn(id: id, revision: nil))
      return id
    }
  }

  /// The incarnation of a store that comes into being.
  mutating func incarnation() -> JSONString { JSONString(environment.randomBytes(16).hexadecimal) }

  /// The revision that an edit makes, `badRevision` when there is none.
  mutating func revision(
    of id: DocumentID, after parent: Revision?, deleted: Bool, body: JSONValue,
    _ set: AttachmentSet, in store: ModelStore
  ) throws(Faults) -> Revision {
    if !isOpaque(store) {
      return try RevisionDigest.revision(
        after: parent, deleted: deleted, body: body, attachments: set.attachments,
        store.revisionIDs, content: { set.contents[$0] ?? store.blobs[$0] ?? [] })
    }
    let generation = try RevisionDigest.nextGeneration(after: parent)
    let standIn = Revision(
      generation: generation, suffix: JSONString("?" + environment.randomBytes(4).hexadecimal))
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
    // A name that is in use already can only be that of the same edit, made elsewhere.
    let document = store.documents[id]
    if let document, document.tree.contains(chosen),
      !document.mayBeEdit(chosen, deleted: deleted, body, attachments: set.attachments)
    {
      isNamingWrong = true
    }
    return chosen
  }

  /// Checks that a revision can be the parent of an edit, `badRevision` when it cannot.
  func checkParent(_ parent: Revision?, in store: ModelStore) throws(Faults) {
    if isOpaque(store) {
      _ = try RevisionDigest.nextGeneration(after: parent)
    } else {
      try RevisionDigest.checkParent(parent, store.revisionIDs)
    }
  }

  /// The error that an operation with these faults answers with, or one record of it.
  ///
  /// An error changes nothing, so no other choice needs to be followed than the one that agrees with
  /// the implementation under test.
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

  /// Whether an attachment may have no name, asked where one has none.
  mutating func allowsEmptyName(_ attachments: [RevisionAttachment]) -> Bool {
    attachments.contains { $0.name == "" } && alternatives.choose(.emptyName, of: 2) == 1
  }

  /// Goes on to the next write of a batch.
  mutating func nextWrite() {
    guard case .observed(var names) = naming else { return }
    names.nextWrite()
    naming = .observed(names)
  }
}

/// A new thing whose name nobody has seen: a document, or a revision of one.
struct StandIn: Hashable {
  var id: DocumentID
  /// Nil when the document's id is what is not known.
  var revision: Revision?
}

/// The names of new things as an implementation under test has given them, write by write.
struct ObservedNames {
  /// What one write of a batch, or the operation itself, was seen to make.
  struct Write {
    var id: DocumentID?
    var revisions: [RevisionID]
  }

  private var waiting: [Write]

  init(_ result: OperationResult) {
    waiting = Self.writes(in: result)
  }

  private static func writes(in result: OperationResult) -> [Write] {
    switch result {
    case .written(let id, let rev): [Write(id: id, revisions: [rev])]
    case .resolved(let rev, let tombstones): [Write(id: nil, revisions: [rev] + tombstones)]
    case .batch(let results): results.flatMap { writes(in: $0) }
    default: [Write(id: nil, revisions: [])]
    }
  }

  /// Goes on to the names of the next write of a batch.
  mutating func nextWrite() { waiting.removeFirst(min(1, waiting.count)) }

  var documentID: DocumentID? { waiting.first?.id }

  /// The names of this generation that nothing is called by yet.
  func revisions(ofGeneration generation: Int64, _ collation: Collation) -> [Revision] {
    (waiting.first?.revisions ?? []).compactMap { collation.revision($0) }
      .filter { $0.generation == generation }
  }

  mutating func take(_ revision: Revision, _ collation: Collation) {
    waiting[0].revisions.removeAll { collation.revision($0) == revision }
  }
}

/// A place where the rules accept more than one outcome; the first alternative is the model's own.
enum ChoicePoint: Hashable, Sendable {
  /// Several errors of one operation, in the order in which the model checks them. Some invalid edits
  /// have two: an edit of an unknown document is `notFound(missing)` and `conflict`, an edit
  /// of what is no leaf, all leaves being deleted, is `conflict` and `notFound(deleted)`.
  case fault
  /// An edit of a deleted leaf: a child, `conflict`, `notFound(deleted)`.
  case tombstoneEdit
  /// An edit whose revision the document holds already: ok, `conflict`.
  case heldEdit
  /// The body of a revision that was known without one: kept, ignored.
  case lateBody
  /// A longer history of a known revision: adopted, ignored.
  case longerHistory
  /// A stub that says something else than what it stands for, its digest apart: `missingStub`, ok.
  case stubClaim
  /// An attachment without a name: `badAttachment`, kept.
  case emptyName
  /// Content that no revision has, after a compaction: gone, still here.
  case unusedContent
  /// Pieces of content that were brought before a store was opened again: still here, gone.
  case uploadsAfterOpening
  /// Which of several observed names belongs to which new revision.
  case whichName
}

/// A walk through all combinations of alternatives, the model's own first.
///
/// A run asks at each choice point that it meets; `advance` then moves on to the next combination,
/// the last point first, like an odometer whose number of wheels may change on the way.
struct Alternatives {
  private var planned: [Int] = []
  private var taken: [(choice: Int, count: Int)] = []

  /// Which of `count` alternatives this run takes here.
  mutating func choose(_ point: ChoicePoint, of count: Int) -> Int {
    let choice = taken.count < planned.count ? planned[taken.count] : 0
    taken.append((choice, count))
    return choice
  }

  /// Prepares the next run; false when all combinations have been run.
  mutating func advance() -> Bool {
    while let last = taken.last, last.choice + 1 >= last.count { taken.removeLast() }
    guard let last = taken.popLast() else { return false }
    planned = taken.map { $0.choice } + [last.choice + 1]
    taken = []
    return true
  }
}
