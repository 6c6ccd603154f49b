/// Every statement that runs more than once in the life of a store file.
///
/// A test explains each of them and finds no walk over a whole table but those that are meant.
enum Query: Int, CaseIterable {
  case begin, beginImmediate, commit, rollback
  case store, insertStore, updateStore
  case document, insertDocument, setWinner, updateDocument, deleteDocument
  case live, liveDescending, changes
  case revision, revisionByName, numberByName, content, contentByName, insertRevision
  case setParent, setRank, setContent, deleteRevision, dropInnerBodies
  case leaves, leafSpan, roots, childOf, parentOf, descendantLeaves
  case revisionsUpTo, deleteUpTo
  case local, setLocal, deleteLocal
}

extension Query {
  var sql: String {
    switch self {
    case .begin: "BEGIN"
    case .beginImmediate: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .store, .insertStore, .updateStore: storeSQL
    case .document, .insertDocument, .setWinner, .updateDocument, .deleteDocument: documentSQL
    case .live, .liveDescending, .changes: pageSQL
    case .insertRevision, .setParent, .setRank, .setContent, .deleteRevision, .dropInnerBodies,
      .deleteUpTo:
      revisionChangeSQL
    case .local, .setLocal, .deleteLocal: localSQL
    default: revisionSQL
    }
  }

  private var storeSQL: String {
    switch self {
    case .store:
      """
      SELECT incarnation, revision_ids, collation, history_limit, refuse, refuse_escaped,
        last_sequence, live_documents, deleted_documents
      FROM store WHERE only = 1
      """
    case .insertStore:
      """
      INSERT OR REPLACE INTO store (only, incarnation, revision_ids, collation)
      VALUES (1, ?1, ?2, ?3)
      """
    default:
      """
      UPDATE store SET history_limit = ?1, refuse = ?2, refuse_escaped = ?3,
        last_sequence = ?4, live_documents = ?5, deleted_documents = ?6
      WHERE only = 1
      """
    }
  }

  private var documentSQL: String {
    switch self {
    case .document: "SELECT document, winner, deleted FROM document WHERE id = ?1"
    case .insertDocument: "INSERT INTO document (id, sequence, deleted) VALUES (?1, ?2, ?3)"
    // No index is touched.
    case .setWinner: "UPDATE document SET winner = ?2 WHERE document = ?1"
    case .updateDocument:
      "UPDATE document SET sequence = ?2, winner = ?3, deleted = ?4 WHERE document = ?1"
    // The revisions go with it.
    default: "DELETE FROM document WHERE document = ?1"
    }
  }

  /// Pages: documents along one index, as many as asked for.
  private var pageSQL: String {
    switch self {
    case .live:
      """
      SELECT d.id, w.rev FROM document d JOIN revision w ON w.revision = d.winner
      WHERE d.deleted = 0 AND d.id >= ?1 ORDER BY d.id LIMIT ?2
      """
    case .liveDescending:
      """
      SELECT d.id, w.rev FROM document d JOIN revision w ON w.revision = d.winner
      WHERE d.deleted = 0 AND d.id <= ?1 ORDER BY d.id DESC LIMIT ?2
      """
    default:
      """
      SELECT d.sequence, d.id, d.winner, d.deleted, r.revision, r.rev, r.rank
      FROM document d LEFT JOIN revision r INDEXED BY leaf
      ON r.document = d.document AND r.rank IS NOT NULL
      WHERE d.sequence > ?1 ORDER BY d.sequence
      """
    }
  }

  private var revisionSQL: String {
    switch self {
    case .revision:
      """
      SELECT revision, generation, rev, parent, rank IS NOT NULL, deleted, body IS NOT NULL
      FROM revision WHERE revision = ?1
      """
    case .revisionByName:
      """
      SELECT revision, generation, rev, parent, rank IS NOT NULL, deleted, body IS NOT NULL
      FROM revision WHERE document = ?1 AND generation = ?2 AND rev = ?3
      """
    case .numberByName:
      "SELECT revision FROM revision WHERE document = ?1 AND generation = ?2 AND rev = ?3"
    case .content:
      """
      SELECT revision, generation, rev, parent, rank IS NOT NULL, deleted, body IS NOT NULL,
        escaped, body
      FROM revision WHERE revision = ?1
      """
    case .contentByName:
      """
      SELECT revision, generation, rev, parent, rank IS NOT NULL, deleted, body IS NOT NULL,
        escaped, body
      FROM revision WHERE document = ?1 AND generation = ?2 AND rev = ?3
      """
    // The first row is the winner, except under the collation cdt (see Winner).
    case .leaves:
      """
      SELECT revision, rev, rank FROM revision INDEXED BY leaf
      WHERE document = ?1 AND rank IS NOT NULL ORDER BY rank DESC, rev DESC LIMIT ?2
      """
    case .leafSpan:
      """
      SELECT min(generation), max(generation) FROM revision
      WHERE document = ?1 AND rank IS NOT NULL
      """
    case .roots:
      """
      SELECT revision, generation, rev FROM revision
      WHERE document = ?1 AND parent IS NULL AND generation BETWEEN ?2 AND ?3
      ORDER BY generation DESC
      """
    case .childOf: "SELECT revision FROM revision WHERE parent = ?1 LIMIT 1"
    case .parentOf: "SELECT parent, generation, rev FROM revision WHERE revision = ?1"
    // Comparing the generations ends the walk even in a damaged tree that bites its tail.
    case .descendantLeaves:
      """
      WITH RECURSIVE below (revision, generation) AS (
        SELECT revision, generation FROM revision WHERE revision = ?1
        UNION ALL
        SELECT r.revision, r.generation FROM below JOIN revision r
        ON r.parent = below.revision AND r.generation = below.generation + 1)
      SELECT l.revision, l.rev, l.rank
      FROM below JOIN revision l ON l.revision = below.revision
      WHERE l.rank IS NOT NULL ORDER BY l.rank DESC, l.rev DESC
      """
    default:
      "SELECT revision FROM revision WHERE document = ?1 AND generation <= ?2"
    }
  }

  private var revisionChangeSQL: String {
    switch self {
    case .insertRevision:
      """
      INSERT INTO revision (document, generation, rev, parent, rank, deleted, escaped, body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """
    case .setParent: "UPDATE revision SET parent = ?2 WHERE revision = ?1"
    case .setRank: "UPDATE revision SET rank = ?2 WHERE revision = ?1"
    // A compacted revision keeps the flag that it has.
    case .setContent:
      """
      UPDATE revision SET deleted = coalesce(deleted, ?2), escaped = ?3, body = ?4
      WHERE revision = ?1
      """
    case .deleteRevision: "DELETE FROM revision WHERE revision = ?1"
    case .dropInnerBodies:
      "UPDATE revision SET escaped = 0, body = NULL WHERE rank IS NULL AND body IS NOT NULL"
    default:
      "DELETE FROM revision WHERE document = ?1 AND generation <= ?2 RETURNING revision"
    }
  }

  private var localSQL: String {
    switch self {
    case .local: "SELECT body, escaped FROM local WHERE id = ?1"
    case .setLocal: "INSERT OR REPLACE INTO local (id, body, escaped) VALUES (?1, ?2, ?3)"
    default: "DELETE FROM local WHERE id = ?1"
    }
  }
}
