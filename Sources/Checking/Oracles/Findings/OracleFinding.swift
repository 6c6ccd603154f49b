public import Datastore
public import JSON

/// A violation of a rule of the oracles, as data.
public enum OracleFinding: Hashable, Sendable {
  // MARK: Winners

  /// `read` returns another revision than the winner.
  case wrongRead(DocumentID, RevisionID?, winner: RevisionID?, replica: JSONString)
  /// The feed lists a document as deleted whose winner is live, or the reverse.
  case wrongDeletion(DocumentID, isListedDeleted: Bool, replica: JSONString)
  /// The first leaf is not the winner.
  case wrongOrder(DocumentID, first: Leaf, winner: Leaf, replica: JSONString)

  // MARK: Convergence

  case differentLeaves(
    DocumentID, left: JSONString, onlyLeft: [Leaf], right: JSONString, onlyRight: [Leaf])
  /// Two replicas with the same leaves read different ones of them.
  case differentWinners(
    DocumentID, RevisionID?, left: JSONString, RevisionID?, right: JSONString)
  case differentBodies(DocumentID, RevisionID, left: JSONString, right: JSONString)
  case differentAttachments(DocumentID, RevisionID, left: JSONString, right: JSONString)

  // MARK: Contents

  /// Two replicas have different contents under one revision id.
  case unequalContents(
    DocumentID, RevisionID, ContentAspect, left: JSONString, right: JSONString)
  /// A leaf cannot be read.
  case unreadableLeaf(DocumentID, RevisionID, replica: JSONString)
  /// `read` and `getRevisions` return different contents of a leaf.
  case unequalReads(DocumentID, RevisionID, ContentAspect, replica: JSONString)
  /// A local document differs from the one that was written last.
  case alteredLocal(DocumentID, replica: JSONString)

  // MARK: Final states

  /// An acknowledged write that no store and no descendant accounts for.
  case lostWrite(
    DocumentID, RevisionID, isDeletion: Bool, step: JSONString, origin: JSONString,
    replica: JSONString)
  /// A live revision that was written as a deletion, or the reverse.
  case wrongState(
    DocumentID, RevisionID, isDeleted: Bool, step: JSONString, replica: JSONString)
  /// A body that differs from the one written.
  case alteredBody(DocumentID, RevisionID, step: JSONString, replica: JSONString)
  /// A revision that no client wrote.
  case stranger(DocumentID, RevisionID, isDeleted: Bool, replica: JSONString)
  /// An acknowledged revision of the replicated store that is in no leaf's history.
  case lostReplicated(DocumentID, RevisionID)

  // MARK: Attachments

  /// An attachment of a leaf at the end.
  case attachment(
    JSONString, DocumentID, RevisionID, AttachmentFault, replica: JSONString)
  /// A piece of content that no client wrote.
  case strangePiece(JSONString, DocumentID, replica: JSONString)
  case damagedPiece(JSONString, DocumentID, offset: Int64, count: Int, replica: JSONString)

  // MARK: Sessions

  /// A session starts from the beginning although both sides have a checkpoint.
  case rescan(session: JSONString)
  /// A complete session did not save its end position.
  case unsavedCheckpoint(session: JSONString, reached: UpdateSequence)
  /// A session starts at a position without a checkpoint.
  case unknownStart(session: JSONString, since: UpdateSequence)
  /// A session saves a checkpoint that is not the end of one of its pages.
  case unknownCheckpoint(session: JSONString, recorded: UpdateSequence)
  /// A session saves a checkpoint before the target has all revisions up to it.
  case earlyCheckpoint(
    session: JSONString, recorded: UpdateSequence, DocumentID, RevisionID, target: JSONString)
  /// A session ended as complete and did not read the feed to its end.
  case unreadFeed(session: JSONString)
  /// A session ended as complete although the target lacks a revision of its pages.
  case incompleteCopy(session: JSONString, DocumentID, RevisionID, target: JSONString)
  /// A stopped session did not save what it had copied.
  case forgottenProgress(session: JSONString)
  /// A session ended as complete although a store was replaced during it.
  case replacedStore(session: JSONString, replica: JSONString)

  // MARK: Objects

  /// A context lists an object twice.
  case repeatedObject(
    JSONString, operation: JSONString, context: JSONString, step: JSONString, replica: JSONString)
  /// An acknowledged save wrote wrong values.
  case save(SaveFault, context: JSONString, step: JSONString, replica: JSONString)
  /// The objects of an application at the end.
  case graph(GraphFault, replica: JSONString)
  case collections(CollectionFault)

  /// The error of an attachment of a leaf; the raw value is the shape.
  public enum AttachmentFault: String, Hashable, Sendable {
    case unreadable
    /// It was not written.
    case extra
    /// Its bytes are not those that were written.
    case altered
    /// No client wrote its content.
    case stranger
    /// Its digest or its length is not that of its bytes.
    case description
    case lost
  }
}

/// The part in which two contents of one revision differ.
public enum ContentAspect: Hashable, Sendable {
  /// One is deleted, and the other is not.
  case state
  case body
  /// The attachment of this name: its presence, bytes, type or encoding.
  case attachment(JSONString)
}
