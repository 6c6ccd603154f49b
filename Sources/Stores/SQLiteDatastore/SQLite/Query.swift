/// Every statement that runs more than once during the use of a store file.
///
/// A test checks the query plan of each, and finds no full table scans except the intended ones.
enum Query: Int, CaseIterable {
  case beginImmediate, commit, rollback
  case store, insertStore, updateStore
  case document, insertDocument, updateDocument, deleteDocument
  case live, liveDescending, changes
  case revision, isKnown, content, parentOf, revisionsBelow, insertRevision
  case setParent, setRank, setInner, setContent, deleteRevision
  case insertLongBody, anyLongBody, dropInnerBodies, dropInnerLongBodies
  case leaves, leafSpan, roots, childOf, revisionsAbove
  case revisionsUpTo, deleteUpTo, cutBelow, cutFrom
  case local, setLocal, deleteLocal
  case attachments, attachment, insertAttachment, deleteAttachments, deleteAttachmentsUpTo
  case dropInnerAttachments
  case scan, scanByID, liveBody, entries, ordered, orderedDescending
  case indexes, insertIndex, deleteIndex, entriesOf, insertEntry, deleteEntry, dropEntries
  case blob, insertBlob, dropUnusedBlobs, upload, setUpload, deleteUpload, dropUploads
}

extension Query {
  var sql: String {
    switch self {
    case .beginImmediate: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .store, .insertStore, .updateStore: storeSQL
    case .document, .insertDocument, .updateDocument, .deleteDocument: documentSQL
    case .live, .liveDescending, .changes: pageSQL
    case .insertRevision, .setParent, .setRank, .setInner, .setContent, .deleteRevision,
      .insertLongBody, .dropInnerBodies, .dropInnerLongBodies, .deleteUpTo, .cutBelow, .cutFrom:
      revisionChangeSQL
    case .local, .setLocal, .deleteLocal: localSQL
    case .attachments, .attachment, .insertAttachment, .deleteAttachments, .deleteAttachmentsUpTo,
      .dropInnerAttachments:
      attachmentSQL
    case .blob, .insertBlob, .dropUnusedBlobs, .upload, .setUpload, .deleteUpload, .dropUploads:
      blobSQL
    case .scan, .scanByID, .liveBody, .entries, .ordered, .orderedDescending: findSQL
    case .indexes, .insertIndex, .deleteIndex, .entriesOf, .insertEntry, .deleteEntry,
      .dropEntries:
      indexSQL
    default: revisionSQL
    }
  }

  private var storeSQL: String {
    switch self {
    case .store:
      """
      SELECT incarnation, revision_ids, collation, history_limit, refuse,
        last_sequence, live_documents, deleted_documents, uses_blobs,
        index_changes
      FROM store WHERE only = 1
      """
    case .insertStore:
      """
      INSERT OR REPLACE INTO store (only, incarnation, revision_ids, collation)
      VALUES (1, ?1, ?2, ?3)
      """
    default:
      """
      UPDATE store SET history_limit = ?1, refuse = ?2,
        last_sequence = ?3, live_documents = ?4, deleted_documents = ?5, uses_blobs = ?6,
        index_changes = ?7
      WHERE only = 1
      """
    }
  }

  private var documentSQL: String {
    switch self {
    case .document:
      """
      SELECT sequence, document, deleted, branched, winner FROM document
      WHERE deleted = ?1 AND id = ?2
      """
    case .insertDocument:
      """
      INSERT INTO document (sequence, document, deleted, branched, winner, id)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """
    case .updateDocument:
      """
      UPDATE document SET sequence = ?2, deleted = ?3, branched = ?4, winner = ?5
      WHERE sequence = ?1
      """
    default: "DELETE FROM document WHERE sequence = ?1"
    }
  }

  /// Pages: documents along one index, up to a limit.
  private var pageSQL: String {
    switch self {
    case .live:
      "SELECT id, winner FROM document WHERE deleted = 0 AND id >= ?1 ORDER BY id LIMIT ?2"
    case .liveDescending:
      "SELECT id, winner FROM document WHERE deleted = 0 AND id <= ?1 ORDER BY id DESC LIMIT ?2"
    default:
      """
      SELECT sequence, document, deleted, branched, winner, id FROM document
      WHERE sequence > ?1 ORDER BY sequence
      """
    }
  }

  private var revisionSQL: String {
    switch self {
    case .revision:
      """
      SELECT parent, leaf, deleted, body IS NOT NULL OR long_body IS NOT NULL FROM revision
      WHERE document = ?1 AND generation = ?2 AND rev = ?3
      """
    case .isKnown:
      "SELECT 1 FROM revision WHERE document = ?1 AND generation = ?2 AND rev = ?3"
    case .content:
      """
      SELECT parent, leaf, deleted, body IS NOT NULL OR long_body IS NOT NULL,
        \(Self.body(of: "revision"))
      FROM revision WHERE document = ?1 AND generation = ?2 AND rev = ?3
      """
    case .parentOf:
      "SELECT parent FROM revision WHERE document = ?1 AND generation = ?2 AND rev = ?3"
    case .revisionsBelow:
      """
      SELECT rev, parent, generation FROM revision WHERE document = ?1 AND generation < ?2
      ORDER BY generation DESC
      """
    // The first row is the winner, except under the collation cdt (see Winner).
    case .leaves:
      """
      SELECT rev, rank FROM revision INDEXED BY leaf
      WHERE document = ?1 AND rank IS NOT NULL ORDER BY rank DESC, rev DESC LIMIT ?2
      """
    case .leafSpan:
      """
      SELECT min(generation), max(generation) FROM revision INDEXED BY leaf
      WHERE document = ?1 AND rank IS NOT NULL
      """
    case .roots:
      """
      SELECT rev FROM revision INDEXED BY root
      WHERE document = ?1 AND parent IS NULL AND generation > 1 AND generation BETWEEN ?2 AND ?3
      ORDER BY generation DESC
      """
    case .childOf:
      """
      SELECT 1 FROM revision WHERE document = ?1 AND generation = ?2 AND parent = ?3 LIMIT 1
      """
    case .revisionsAbove:
      """
      SELECT rev, parent FROM revision WHERE document = ?1 AND generation > ?2
      ORDER BY generation
      """
    case .anyLongBody: "SELECT number FROM long_body LIMIT 1"
    default: "SELECT rev FROM revision WHERE document = ?1 AND generation <= ?2"
    }
  }

  private var revisionChangeSQL: String {
    switch self {
    case .insertRevision:
      """
      INSERT INTO revision (document, generation, rev, parent, leaf, rank, deleted, body, long_body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """
    case .setParent:
      "UPDATE revision SET parent = ?4 WHERE document = ?1 AND generation = ?2 AND rev = ?3"
    case .setRank:
      "UPDATE revision SET rank = ?4 WHERE document = ?1 AND generation = ?2 AND rev = ?3"
    case .setInner:
      """
      UPDATE revision SET leaf = 0, rank = NULL
      WHERE document = ?1 AND generation = ?2 AND rev = ?3
      """
    // A compacted revision keeps its flag.
    case .setContent:
      """
      UPDATE revision SET deleted = coalesce(deleted, ?4), body = ?5, long_body = ?6
      WHERE document = ?1 AND generation = ?2 AND rev = ?3
      """
    case .deleteRevision:
      "DELETE FROM revision WHERE document = ?1 AND generation = ?2 AND rev = ?3"
    case .dropInnerBodies: "UPDATE revision SET body = NULL WHERE leaf = 0 AND body IS NOT NULL"
    // A separate statement, because an update takes twice as long with a trigger on the changed
    // column.
    case .dropInnerLongBodies:
      "UPDATE revision SET long_body = NULL WHERE leaf = 0 AND long_body IS NOT NULL"
    case .insertLongBody: "INSERT INTO long_body (body) VALUES (?1) RETURNING number"
    case .cutBelow:
      """
      UPDATE revision SET parent = NULL
      WHERE document = ?1 AND generation = ?2 AND parent IS NOT NULL
      """
    case .cutFrom:
      "UPDATE revision SET parent = NULL WHERE document = ?1 AND generation = ?2 AND parent = ?3"
    default: "DELETE FROM revision WHERE document = ?1 AND generation <= ?2 RETURNING rev"
    }
  }

  /// The body of a revision from either column; NULL if it is not stored.
  static func body(of revision: String) -> String {
    """
    coalesce(\(revision).body,
      (SELECT l.body FROM long_body l WHERE l.number = \(revision).long_body))
    """
  }

  private var localSQL: String {
    switch self {
    case .local: "SELECT body FROM local WHERE id = ?1"
    case .setLocal: "INSERT OR REPLACE INTO local (id, body) VALUES (?1, ?2)"
    default: "DELETE FROM local WHERE id = ?1"
    }
  }
}
