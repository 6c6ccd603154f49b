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
    ("every reference leads somewhere", "SELECT * FROM pragma_foreign_key_check"),
    (
      "leaves and only leaves have a rank",
      """
      SELECT r.revision FROM revision r WHERE (r.rank IS NULL) <>
        EXISTS (SELECT 1 FROM revision c WHERE c.parent = r.revision)
      """
    ),
    (
      "leaves have a flag and a body",
      "SELECT revision FROM revision WHERE rank IS NOT NULL AND (deleted IS NULL OR body IS NULL)"
    ),
    (
      "a child is one generation above its parent, in the same document",
      """
      SELECT c.revision FROM revision c JOIN revision p ON p.revision = c.parent
      WHERE c.generation <> p.generation + 1 OR c.document <> p.document
      """
    ),
    (
      "every document has its winner",
      """
      SELECT d.id FROM document d LEFT JOIN revision w ON w.revision = d.winner
      WHERE w.rank IS NULL OR w.document <> d.document OR w.deleted <> d.deleted
      """
    ),
    (
      "a deleted winner means no live leaf",
      """
      SELECT d.id FROM document d JOIN revision l ON l.document = d.document
      WHERE d.deleted = 1 AND l.rank IS NOT NULL AND l.deleted = 0
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
