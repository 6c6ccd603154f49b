import Digest
import Storage
import Testing

/// The invariants of every file between two operations, checked on the file itself.
func expectInvariants(
  of fileName: String = "notes.sqlite", in storage: any Storage,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let database = RawDatabase(fileName, in: storage)
  let laws: [(law: String, violations: String)] = [
    (
      "SQLite reports no damage",
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
      WHERE leaf = 1 AND (deleted IS NULL OR (body IS NULL AND long_body IS NULL))
      """
    ),
    (
      "every long body is that of one revision, which has no other",
      """
      SELECT long_body, count(*) FROM revision WHERE long_body IS NOT NULL GROUP BY long_body
      HAVING count(*) > 1 OR count(body) > 0 OR long_body NOT IN (SELECT number FROM long_body)
      UNION ALL SELECT number, 0 FROM long_body
      WHERE number NOT IN (SELECT long_body FROM revision WHERE long_body IS NOT NULL)
      """
    ),
    (
      "a parent exists, one generation below its child",
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
      "the counts are correct",
      """
      SELECT live_documents, deleted_documents FROM store
      WHERE live_documents <> (SELECT count(*) FROM document WHERE deleted = 0)
        OR deleted_documents <> (SELECT count(*) FROM document WHERE deleted = 1)
        OR last_sequence < (SELECT coalesce(max(sequence), 0) FROM document)
      """
    ),
    (
      "attachments are those of revisions with a body",
      """
      SELECT a.document, CAST(a.rev AS TEXT), a.name FROM attachment a
      LEFT JOIN revision r USING (document, generation, rev)
      WHERE coalesce(r.body, r.long_body) IS NULL OR a.revpos NOT BETWEEN 1 AND a.generation
      """
    ),
    (
      "every attachment has its content",
      """
      SELECT a.document, a.name FROM attachment a LEFT JOIN blob b USING (digest)
      WHERE a.size <> coalesce(b.size, 0) OR (a.encoding IS NULL AND a.length <> a.size)
      """
    ),
    (
      "every live document has one entry of its own values in each index, and no other one has any",
      """
      SELECT i.number, d.id FROM field_index i CROSS JOIN document d
      WHERE i.type = 'json' AND (1 - d.deleted) <> (
        SELECT count(*) FROM entry e WHERE e.number = i.number AND e.id = d.id AND e.own = 1)
      UNION ALL SELECT number, id FROM entry
      WHERE id NOT IN (SELECT id FROM document WHERE deleted = 0)
        OR number NOT IN (SELECT number FROM field_index WHERE type = 'json')
      """
    ),
    (
      "content exists only with the flag",
      """
      SELECT uses_blobs FROM store WHERE uses_blobs = 0
        AND ((SELECT count(*) FROM blob) + (SELECT count(*) FROM attachment)
          + (SELECT count(*) FROM upload)) > 0
      """
    ),
  ]
  for (law, violations) in laws {
    #expect(database.rows(violations) == [], "\(law)", sourceLocation: sourceLocation)
  }
  expectContents(of: fileName, database, in: storage, sourceLocation: sourceLocation)
}

/// Every content with a row is in its file, complete.
private func expectContents(
  of fileName: String, _ database: RawDatabase, in storage: any Storage,
  sourceLocation: SourceLocation
) {
  for row in database.rows("SELECT lower(hex(digest)), size FROM blob") {
    let name = "\(fileName)-\(row[0]).blob"
    var witness = DigestStream(.sha256)
    var count = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
    defer { buffer.deallocate() }
    while let file = try? storage.open(name, .reading),
      let more = try? file.read(at: count, into: buffer), more > 0
    {
      witness.update(UnsafeRawBufferPointer(rebasing: buffer[..<more]))
      count += more
    }
    #expect("\(count)" == row[1], "\(name)", sourceLocation: sourceLocation)
    let digest = witness.finish().hexadecimal
    #expect(digest == row[0], "\(name)", sourceLocation: sourceLocation)
  }
}
