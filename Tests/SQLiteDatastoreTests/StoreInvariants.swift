import Storage
import Testing

/// What holds of every file between two operations, asked of the file itself.
func expectInvariants(
  of fileName: String = "notes.sqlite", in storage: any Storage,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let database = RawDatabase(fileName, in: storage)
  let laws: [(law: String, violations: String)] = [
    (
      "SQLite finds no damage",
      "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'"
    ),
    (
      "every revision has its document",
      """
      SELECT document, CAST(rev AS TEXT) FROM revision
      WHERE document NOT IN (SELECT document FROM document)
      """
    ),
    (
      "no two documents share a number",
      "SELECT max(id) FROM document GROUP BY document HAVING count(*) > 1"
    ),
    ("no two documents share an id", "SELECT id FROM document GROUP BY id HAVING count(*) > 1"),
    (
      "leaves and only leaves have no child",
      """
      SELECT r.document, CAST(r.rev AS TEXT) FROM revision r WHERE (r.leaf = 0) <>
        EXISTS (SELECT 1 FROM revision c WHERE c.document = r.document AND c.parent = r.rev)
      """
    ),
    (
      "the leaves of branched documents have ranks, and nothing else",
      """
      SELECT r.document, CAST(r.rev AS TEXT) FROM revision r JOIN document d USING (document)
      WHERE (r.rank IS NOT NULL) <> (r.leaf = 1 AND d.branched = 1)
      """
    ),
    (
      "a document that is not branched has one leaf",
      """
      SELECT d.id FROM document d
      WHERE d.branched = 0
        AND 1 <> (SELECT count(*) FROM revision r WHERE r.document = d.document AND r.leaf = 1)
      """
    ),
    (
      "leaves have a flag and a body",
      """
      SELECT document, CAST(rev AS TEXT) FROM revision
      WHERE leaf = 1 AND (deleted IS NULL OR body IS NULL)
      """
    ),
    (
      "a parent is there, one generation below its child",
      """
      SELECT c.document, CAST(c.rev AS TEXT) FROM revision c
      WHERE c.parent IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM revision p
        WHERE p.document = c.document AND p.generation = c.generation - 1 AND p.rev = c.parent)
      """
    ),
    (
      "every document has its winner",
      """
      SELECT d.id FROM document d LEFT JOIN revision w
        ON w.document = d.document AND w.rev = d.winner
      WHERE w.leaf IS NOT 1 OR w.deleted <> d.deleted
      """
    ),
    (
      "a deleted winner means no live leaf",
      """
      SELECT d.id FROM document d JOIN revision l ON l.document = d.document
      WHERE d.deleted = 1 AND l.leaf = 1 AND l.deleted = 0
      """
    ),
    (
      "the counts are right",
      """
      SELECT live_documents, deleted_documents FROM store
      WHERE live_documents <> (SELECT count(*) FROM document WHERE deleted = 0)
        OR deleted_documents <> (SELECT count(*) FROM document WHERE deleted = 1)
        OR last_sequence < (SELECT coalesce(max(sequence), 0) FROM document)
      """
    ),
  ]
  for (law, violations) in laws {
    #expect(database.rows(violations) == [], "\(law)", sourceLocation: sourceLocation)
  }
}
