internal import Datastore
internal import JSON

extension OracleFinding {
  /// The finding in a sentence for readers who do not know the run: names of replicas and clients,
  /// but no ids.
  public var plain: String {
    switch self {
    case .wrongRead(_, _, _, let replica):
      "Replica \(replica) returned a revision of a document that is not the winner."
    case .wrongDeletion(_, let isListedDeleted, let replica):
      isListedDeleted
        ? "Replica \(replica) lists a live document as deleted."
        : "Replica \(replica) lists a deleted document as live."
    case .wrongOrder(_, _, _, let replica):
      "Replica \(replica) lists another leaf of a document before the winner."
    case .differentLeaves(_, let left, _, let right, _):
      "Replicas \(left) and \(right) ended with different revisions of one document."
    case .differentWinners(_, _, let left, _, let right):
      "Replicas \(left) and \(right) have the same revisions of one document and read different ones."
    case .differentBodies(_, _, let left, let right):
      "Replicas \(left) and \(right) ended with different bodies of one revision."
    case .differentAttachments(_, _, let left, let right):
      "Replicas \(left) and \(right) ended with different attachments of one revision."
    case .unequalContents(_, _, _, let left, let right):
      left == right
        ? "Replica \(left) returned two contents of one revision."
        : "Replicas \(left) and \(right) have different contents under one revision id."
    case .unreadableLeaf(_, _, let replica):
      "Replica \(replica) cannot read a leaf of a document."
    case .unequalReads(_, _, _, let replica):
      "Two reads of one revision at replica \(replica) returned different contents."
    case .alteredLocal(_, let replica):
      "Replica \(replica) returned a local document with a body that was not written last."
    case .lostWrite(_, _, let isDeletion, _, let origin, let replica):
      origin == replica
        ? "Replica \(replica) lost \(noun(isDeletion)) that it had acknowledged."
        : "Replica \(replica) lacks \(noun(isDeletion)) that replica \(origin) acknowledged."
    case .wrongState(_, _, let isDeleted, _, let replica):
      isDeleted
        ? "A revision that a client wrote as live is deleted at replica \(replica)."
        : "A revision that a client wrote as deleted is live at replica \(replica)."
    case .alteredBody(_, _, _, let replica):
      "The body of a revision at replica \(replica) differs from the body that a client wrote."
    case .stranger(_, _, _, let replica):
      "Replica \(replica) has a revision that no client wrote."
    case .lostReplicated: "An acknowledged revision was lost."
    case .attachment(_, _, _, let fault, let replica):
      "An attachment at replica \(replica) \(fault.words)."
    case .strangePiece(_, _, let replica):
      "Replica \(replica) returned an attachment whose content no client wrote."
    case .damagedPiece(_, _, _, _, let replica):
      "Replica \(replica) returned a part of an attachment with bytes that no client wrote."
    case .rescan:
      "A replication run started from the beginning although both sides had a common checkpoint."
    case .unsavedCheckpoint: "A replication run completed and did not save a checkpoint at its end."
    case .unknownStart: "A replication run started at a place where it had no checkpoint."
    case .unknownCheckpoint: "A replication run saved a checkpoint that it had not reached."
    case .earlyCheckpoint(_, _, _, _, let target):
      "A replication run saved a checkpoint before replica \(target) had all revisions up to it."
    case .unreadFeed: "A replication run reported success before it had read all changes."
    case .incompleteCopy(_, _, _, let target):
      "A replication run reported success although replica \(target) lacks a revision."
    case .forgottenProgress:
      "A replication run was stopped and saved no checkpoint for what it had copied."
    case .replacedStore(_, let replica):
      "A replication run reported success although the store of replica \(replica) was replaced."
    case .repeatedObject(_, _, _, _, let replica):
      "A context at replica \(replica) has one object twice."
    case .save(let fault, _, _, let replica): "A save at replica \(replica) \(fault.plain)."
    case .graph(let fault, let replica): fault.plain(at: replica)
    case .collections(let fault): fault.plain
    }
  }

  private func noun(_ isDeletion: Bool) -> String { isDeletion ? "a deletion" : "a write" }
}

extension SaveFault {
  /// The end of a sentence that names the save.
  fileprivate var plain: String {
    switch kind {
    case .value(_, _, _, .lost): "did not write a value that the application set"
    case .value(_, _, _, .againstPolicy), .pulledValue:
      "kept a value that its merge policy does not keep"
    case .value(_, _, _, .unrequested): "wrote a value that the application did not set"
    case .unchangedRelationship: "did not change a relationship as requested"
    case .deletedAgainst: "deleted an object that its merge policy keeps"
    case .unrequestedDeletion: "deleted an object that the application did not delete"
    case .notWritten: "was acknowledged and did not write an object"
    case .keptAgainst: "kept an object that its merge policy deletes"
    }
  }
}

extension GraphFault {
  fileprivate func plain(at replica: JSONString) -> String {
    switch self {
    case .inConflict:
      "A document at replica \(replica) is in conflict although its conflicts were resolved."
    case .repeated: "Replica \(replica) has one object twice."
    case .notFound: "Replica \(replica) does not find the object of a document."
    case .withoutDocument: "Replica \(replica) returned an object without a document."
    case .dangling: "A relationship at replica \(replica) points to an object that does not exist."
    case .oneSided: "A relationship at replica \(replica) has no inverse that points back."
    case .different(_, let other):
      "Replicas \(other) and \(replica) ended with different values of one object."
    case .additional(_, let other): "Replica \(other) lacks an object that replica \(replica) has."
    }
  }
}

extension CollectionFault {
  fileprivate var plain: String {
    switch self {
    case .repeatedID: "The backend assigned an id that was in use."
    case .refused: "The backend rejected a valid request."
    case .wrongAnswer, .savedOtherwise: "The backend returned a wrong response."
    case .withoutStamp(_, let client): "Client \(client) saved an entity without its stamp."
    case .duplicate: "The backend has an entity more than once."
    case .wrongEntity: "The backend ended with another entity than the one saved last."
    case .unknownCall(let call, _):
      "Client \(call.client) got the completion of a call that it never made."
    case .repeatedEnd(let call): "A call of client \(call.client) completed twice."
    case .noEnd(let call): "A call of client \(call.client) never completed."
    case .wrongProgress(let call, _, _, _, _), .incomplete(let call, _, _):
      "A call of client \(call.client) reported wrong progress."
    case .unsaved(_, let client, _):
      "Client \(client) reported a save that the backend does not have."
    case .wrongResult(let call, _, _, let isFromCache):
      isFromCache
        ? "Client \(call.client) returned an entity that was not in its cache."
        : "Client \(call.client) returned an entity that did not exist during the call."
    case .waiting(let client, _): "Client \(client) ended with saves in its queue."
    case .neverSent(_, let client): "Client \(client) never sent a save in its queue."
    }
  }
}
