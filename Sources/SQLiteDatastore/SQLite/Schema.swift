/// The database of one store.
///
/// Three tables carry the documents. `store` has one row: what was fixed at creation, what can be set,
/// and the counters. `document` has a row for each document that a revision is known of, with its
/// place in the feed and its winner. `revision` has a row for each revision, which is the tree:
///
///     1-a ── 2-b ── 3-c          revision  document  generation  rev  parent  rank
///       └─── 2-x ── 3-y (del)    1         1         1           1-a          NULL
///                                2         1         2           2-b  1       NULL
///                                3         1         3           3-c  2       01 …03 c
///                                4         1         2           2-x  1       NULL
///                                5         1         3           3-y  4       00 …03 y
///
/// `rank` is there for leaves only and orders them as bytes: live before deleted, then the
/// collation of the store (`Rank`). So the first entry of the index `leaf` for a document *is* its
/// winner, and no merge needs to look at the rest of the tree.
///
/// Names of revisions are blobs because a suffix may hold NUL, about which SQL text promises
/// nothing; in the shell, `SELECT CAST(rev AS TEXT), body FROM revision` reads well.
enum Schema {
  /// "Tch1" in ASCII, at offset 68 of the file: tells our files from those of others.
  static let applicationID: Int64 = 0x5463_6831

  /// What this code reads and writes. A higher number in a file means that a newer one wrote it.
  static let version: Int64 = 1

  /// Everything from an empty file; one transaction, so that a crash leaves all of it or nothing.
  static let creation = """
    -- What holds for the store as a whole; exactly one row.
    CREATE TABLE store (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      incarnation TEXT NOT NULL,        -- 32 hexadecimal digits, drawn at creation
      revision_ids TEXT NOT NULL,       -- the digest that names new revisions
      collation TEXT NOT NULL,          -- the order of revisions
      history_limit INTEGER,            -- revisions kept per branch; NULL keeps all
      refuse TEXT,                      -- the filter of validation, as JSON; NULL refuses nothing
      refuse_escaped INTEGER NOT NULL DEFAULT 0,
      last_sequence INTEGER NOT NULL DEFAULT 0,
      live_documents INTEGER NOT NULL DEFAULT 0,
      deleted_documents INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- One row per document. The columns that follow from its revisions are NULL only inside the
    -- transaction that brings the first of them.
    CREATE TABLE document (
      document INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      sequence INTEGER UNIQUE,          -- the latest change
      winner INTEGER,                   -- a revision; unchecked, since nothing deletes it alone
      deleted INTEGER                   -- whether the winner is
    ) STRICT;
    CREATE INDEX live_document ON document (id) WHERE deleted = 0;

    -- One row per revision. The body comes last: walking the tree never reads past it.
    CREATE TABLE revision (
      revision INTEGER PRIMARY KEY,
      document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
      generation INTEGER NOT NULL,
      rev BLOB NOT NULL,                -- the whole name, '2-b'
      parent INTEGER REFERENCES revision ON DELETE SET NULL,
      rank BLOB,                        -- the place among the leaves; NULL: has children
      deleted INTEGER,                  -- NULL: known by name only
      escaped INTEGER NOT NULL DEFAULT 0,  -- 1: the body needs BodyEscapes
      body TEXT,                        -- JSON; NULL: never came, or compacted away
      UNIQUE (document, generation, rev)
    ) STRICT;
    CREATE INDEX child ON revision (parent) WHERE parent IS NOT NULL;
    CREATE INDEX root ON revision (document, generation) WHERE parent IS NULL;
    CREATE INDEX leaf ON revision (document, rank DESC, rev DESC) WHERE rank IS NOT NULL;

    -- Documents that are never replicated.
    CREATE TABLE local (
      id TEXT PRIMARY KEY,
      escaped INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    """
}
