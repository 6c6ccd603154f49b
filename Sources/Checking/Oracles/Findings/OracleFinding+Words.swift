public import Datastore
public import JSON

/// A finding as text for traces and reports.
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
  /// The document with the finding, if there is one.
  public var document: DocumentID? { rendered.document }

  private var rendered: RenderedFinding {
    switch self {
    case .wrongRead(let id, let rev, let winner, let replica):
      RenderedFinding(
        "winner", "read",
        sentence: "\(replica) reads \(rev.map(\.description) ?? "nothing") of \(id), but "
          + "\(winner.map(\.description) ?? "nothing") wins", about: id)
    case .wrongDeletion(let id, let isListedDeleted, let replica):
      RenderedFinding(
        "winner", "deleted",
        sentence: "\(replica) lists \(id) as \(state(isListedDeleted)), but its winner is not",
        about: id)
    case .wrongOrder(let id, let first, let winner, let replica):
      RenderedFinding(
        "winner", "leaves",
        sentence: "\(replica) lists \(first.rev) of \(id) first, but \(winner.rev) wins: "
          + (first.deleted && !winner.deleted
            ? "a deleted leaf before a live one" : "not the highest revision"),
        about: id)
    case .differentLeaves(let id, let left, let onlyLeft, let right, let onlyRight):
      RenderedFinding(
        "convergence", "leaves",
        sentence:
          "\(left) and \(right) disagree about \(id): only \(left) has \(list(onlyLeft)), only "
          + "\(right) has \(list(onlyRight))", about: id)
    case .differentWinners(let id, let leftRev, let left, let rightRev, let right):
      RenderedFinding(
        "convergence", "winners",
        sentence:
          "\(left) reads \(leftRev.map(\.description) ?? "nothing") of \(id), \(right) reads "
          + "\(rightRev.map(\.description) ?? "nothing"), and both have the same leaves",
        about: id)
    case .differentBodies(let id, let rev, let left, let right):
      RenderedFinding(
        "convergence", "bodies",
        sentence: "\(left) and \(right) hold different bodies of \(rev) of \(id)",
        about: id)
    case .differentAttachments(let id, let rev, let left, let right):
      RenderedFinding(
        "convergence", "attachments",
        sentence: "\(left) and \(right) hold different attachments of \(rev) of \(id)", about: id)
    case .unequalContents(let id, let rev, let aspect, let left, let right):
      RenderedFinding(
        "contents", aspect.shape,
        sentence: "\(rev) of \(id) has \(aspect.words) "
          + (left == right ? "than before at \(left)" : "at \(right) than at \(left)"),
        about: id)
    case .unreadableLeaf(let id, let rev, let replica):
      RenderedFinding(
        "contents", "unreadable", sentence: "\(replica) cannot read the leaf \(rev) of \(id)",
        about: id)
    case .unequalReads(let id, let rev, let aspect, let replica):
      RenderedFinding(
        "contents", "reads",
        sentence: "read of \(rev) of \(id) at \(replica) returns \(aspect.words) than getRevisions",
        about: id)
    case .alteredLocal(let id, let replica):
      RenderedFinding(
        "contents", "local",
        sentence: "\(replica) reads the local document \(id) with a body that was not written last",
        about: id)
    case .lostWrite(let id, let rev, let isDeletion, let step, let origin, let replica):
      RenderedFinding(
        "fate", isDeletion ? "lost deletion" : "lost write",
        sentence:
          "\(replica) lacks \(rev) of \(id), which step \(step) wrote at \(origin) with "
          + "success", about: id)
    case .wrongState(let id, let rev, let isDeleted, let step, let replica):
      RenderedFinding(
        "fate", "turned",
        sentence:
          "\(rev) of \(id) is \(state(isDeleted)) at \(replica), but step \(step) wrote the opposite",
        about: id)
    case .alteredBody(let id, let rev, let step, let replica):
      RenderedFinding(
        "fate", "altered",
        sentence:
          "the body of \(rev) of \(id) at \(replica) differs from the one that step \(step) wrote",
        about: id)
    case .stranger(let id, let rev, let isDeleted, let replica):
      RenderedFinding(
        "fate", isDeleted ? "stranger, deleted" : "stranger",
        sentence: "\(replica) has \(rev) of \(id), which no client wrote", about: id)
    case .lostReplicated(let id, let rev):
      RenderedFinding(
        "collections", "replicated", sentence: "the acknowledged revision \(rev) of \(id) is lost",
        about: id)
    case .attachment(let name, let id, let rev, let fault, let replica):
      RenderedFinding(
        "attachments", JSONString(fault.rawValue),
        sentence: "'\(name)' of \(rev) of \(id) \(fault.words) at \(replica)", about: id)
    case .strangePiece(let name, let id, let replica):
      RenderedFinding(
        "attachments", "stranger",
        sentence: "\(replica) reads '\(name)' of \(id), whose content no client wrote",
        about: id)
    case .damagedPiece(let name, let id, let offset, let count, let replica):
      RenderedFinding(
        "attachments", "damaged",
        sentence:
          "the \(count) bytes from \(offset) on of '\(name)' of \(id) that \(replica) reads are not "
          + "those that were written", about: id)
    case .rescan(let session):
      RenderedFinding(
        "waste", "rescan",
        sentence:
          "session \(session) starts from the beginning, although both sides have a common checkpoint"
      )
    case .unsavedCheckpoint(let session, let reached):
      RenderedFinding(
        "waste", "unsaved",
        sentence: "session \(session) is complete up to \(reached), but has no checkpoint there")
    case .unknownStart(let session, let since):
      RenderedFinding(
        "checkpoint", "start",
        sentence:
          "session \(session) starts after \(since), where these stores have no checkpoint for this "
          + "direction and filter")
    case .unknownCheckpoint(let session, let recorded):
      RenderedFinding(
        "checkpoint", "unseen",
        sentence:
          "session \(session) saves the checkpoint \(recorded), where none of its pages ends")
    case .earlyCheckpoint(let session, let recorded, let id, let rev, let target):
      RenderedFinding(
        "checkpoint", "ahead",
        sentence:
          "session \(session) saves the checkpoint \(recorded), but \(target) lacks \(rev) of \(id)",
        about: id)
    case .unreadFeed(let session):
      RenderedFinding(
        "completion", "feed",
        sentence: "session \(session) ends as complete, but did not read the changes to their end")
    case .incompleteCopy(let session, let id, let rev, let target):
      RenderedFinding(
        "completion", "copy",
        sentence: "session \(session) ends as complete, but \(target) lacks \(rev) of \(id)",
        about: id)
    case .forgottenProgress(let session):
      RenderedFinding(
        "waste", "stop",
        sentence: "session \(session) was stopped, and did not save what it had copied")
    case .replacedStore(let session, let replica):
      RenderedFinding(
        "identity", "replaced",
        sentence:
          "session \(session) ends as complete, although the store of \(replica) was replaced "
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
  /// The end of a sentence that names the attachment.
  var words: String {
    switch self {
    case .unreadable: "cannot be read completely"
    case .extra: "was never written, but exists"
    case .altered: "differs from the written bytes"
    case .stranger: "has content that no client wrote"
    case .description: "has a wrong description"
    case .lost: "is missing"
    }
  }
}

extension ContentAspect {
  fileprivate var shape: JSONString {
    switch self {
    case .state: "state"
    case .body: "body"
    case .attachment: "attachments"
    }
  }

  /// The object of a sentence, before "than".
  fileprivate var words: String {
    switch self {
    case .state: "another deleted flag"
    case .body: "another body"
    case .attachment(let name): "another attachment '\(name)'"
    }
  }
}
