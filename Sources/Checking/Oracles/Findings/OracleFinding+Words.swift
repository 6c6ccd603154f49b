public import Datastore
public import JSON

/// A finding in words, as traces and reports have it.
struct RenderedFinding {
  var oracle: JSONString
  var shape: JSONString
  var sentence: JSONString
  var document: DocumentID?

  init(
    _ oracle: JSONString, _ shape: JSONString, sentence: String, about document: DocumentID? = nil
  ) {
    self.oracle = oracle
    self.shape = shape
    self.sentence = JSONString(sentence)
    self.document = document
  }
}

extension OracleFinding {
  public var oracle: JSONString { rendered.oracle }
  /// Two findings with equal oracle and shape have one cause.
  public var shape: JSONString { rendered.shape }
  public var sentence: JSONString { rendered.sentence }
  /// The document that it is about, when it is about one.
  public var document: DocumentID? { rendered.document }

  private var rendered: RenderedFinding {
    switch self {
    case .wrongRead(let id, let rev, let winner, let replica):
      RenderedFinding(
        "winner", "read",
        sentence: "\(replica) reads \(rev.map(\.description) ?? "nothing") of \(id), and "
          + "\(winner.map(\.description) ?? "nothing") wins", about: id)
    case .wrongDeletion(let id, let isListedDeleted, let replica):
      RenderedFinding(
        "winner", "deleted",
        sentence: "\(replica) lists \(id) as \(state(isListedDeleted)), its winner is not",
        about: id)
    case .wrongOrder(let id, let first, let winner, let replica):
      RenderedFinding(
        "winner", "leaves",
        sentence: "\(replica) puts \(first.rev) of \(id) first, and \(winner.rev) wins: "
          + (first.deleted && !winner.deleted
            ? "a deleted leaf before a live one" : "not the highest revision"),
        about: id)
    case .differentLeaves(let id, let left, let onlyLeft, let right, let onlyRight):
      RenderedFinding(
        "convergence", "leaves",
        sentence:
          "\(left) and \(right) disagree about \(id): only \(left) has \(list(onlyLeft)), only "
          + "\(right) has \(list(onlyRight))", about: id)
    case .differentBodies(let id, let rev, let left, let right):
      RenderedFinding(
        "convergence", "bodies",
        sentence: "\(left) and \(right) hold different bodies of \(rev) of \(id)",
        about: id)
    case .differentAttachments(let id, let rev, let left, let right):
      RenderedFinding(
        "convergence", "attachments",
        sentence: "\(left) and \(right) hold different attachments of \(rev) of \(id)", about: id)
    case .lostWrite(let id, let rev, let isDeletion, let step, let origin, let replica):
      RenderedFinding(
        "fate", isDeletion ? "lost deletion" : "lost write",
        sentence:
          "\(replica) does not know \(rev) of \(id), which step \(step) wrote at \(origin) with "
          + "success", about: id)
    case .wrongState(let id, let rev, let isDeleted, let step, let replica):
      RenderedFinding(
        "fate", "turned",
        sentence:
          "\(rev) of \(id) is \(state(isDeleted)) at \(replica), and step \(step) wrote the opposite",
        about: id)
    case .alteredBody(let id, let rev, let step, let replica):
      RenderedFinding(
        "fate", "altered",
        sentence: "\(replica) holds another body of \(rev) of \(id) than step \(step) wrote",
        about: id)
    case .stranger(let id, let rev, let isDeleted, let replica):
      RenderedFinding(
        "fate", isDeleted ? "stranger, deleted" : "stranger",
        sentence: "\(replica) holds \(rev) of \(id), which nobody wrote", about: id)
    case .lostReplicated(let id, let rev):
      RenderedFinding(
        "collections", "replicated", sentence: "\(rev) of \(id) is lost, and was acknowledged",
        about: id)
    case .attachment(let name, let id, let rev, let fault, let replica):
      RenderedFinding(
        "attachments", JSONString(fault.rawValue),
        sentence: "'\(name)' of \(rev) of \(id) \(fault.words) at \(replica)", about: id)
    case .strangePiece(let name, let id, let replica):
      RenderedFinding(
        "attachments", "stranger",
        sentence: "\(replica) reads '\(name)' of \(id), which has content that nobody wrote",
        about: id)
    case .damagedPiece(let name, let id, let offset, let count, let replica):
      RenderedFinding(
        "attachments", "damaged",
        sentence:
          "\(replica) reads \(count) bytes from \(offset) on of '\(name)' of \(id), and they are not "
          + "those that were written", about: id)
    case .rescan(let session):
      RenderedFinding(
        "waste", "rescan",
        sentence:
          "session \(session) starts from the beginning, and both sides remember a checkpoint")
    case .unsavedCheckpoint(let session, let reached):
      RenderedFinding(
        "waste", "unsaved",
        sentence: "session \(session) is complete up to \(reached) and has not saved it")
    case .unknownStart(let session, let since):
      RenderedFinding(
        "checkpoint", "start",
        sentence:
          "session \(session) starts after \(since), where no checkpoint of these stores and this "
          + "filter has been")
    case .unknownCheckpoint(let session, let recorded):
      RenderedFinding(
        "checkpoint", "unseen",
        sentence: "session \(session) saves \(recorded), where none of its pages ends")
    case .earlyCheckpoint(let session, let recorded, let id, let rev, let target):
      RenderedFinding(
        "checkpoint", "ahead",
        sentence:
          "session \(session) saves \(recorded), and \(target) does not hold \(rev) of \(id)",
        about: id)
    case .replacedStore(let session, let replica):
      RenderedFinding(
        "identity", "replaced",
        sentence:
          "session \(session) ends as complete, and the store of \(replica) became another one "
          + "meanwhile")
    case .repeatedObject(let id, let operation, let context, let step, let replica):
      RenderedFinding(
        "identity", operation,
        sentence: "context \(context) at \(replica) has '\(id)' twice in step \(step)",
        about: DocumentID(id))
    case .save(let fault, let context, let step, let replica):
      RenderedFinding(
        "saves", fault.shape,
        sentence: "the save of context \(context) at \(replica) in step \(step) \(fault.words)",
        about: fault.id)
    case .graph(let fault, let replica): fault.rendered(at: replica)
    case .collections(let fault):
      RenderedFinding("collections", fault.rendered.shape, sentence: fault.rendered.sentence)
    }
  }

  private func state(_ isDeleted: Bool) -> String { isDeleted ? "deleted" : "live" }

  private func list(_ leaves: [Leaf]) -> String {
    guard !leaves.isEmpty else { return "nothing" }
    return leaves.map { "\($0.rev)\($0.deleted ? " (deleted)" : "")" }.joined(separator: ", ")
  }
}

extension OracleFinding.AttachmentFault {
  fileprivate var words: String {
    switch self {
    case .unreadable: "cannot be read to its end"
    case .extra: "was not written, and is"
    case .altered: "does not have the bytes that were written"
    case .stranger: "has content that nobody wrote"
    case .description: "is not described as it is"
    case .lost: "is not"
    }
  }
}
