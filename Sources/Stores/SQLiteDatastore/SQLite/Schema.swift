/// The database of one store.
///
/// Four tables contain the documents. `store` has one row: the properties fixed at creation, the
/// settings, and the counters. `document` has a row for each document with a known revision, in the
/// order of the feed, with its winner. `revision` has a row for each revision, which forms the
/// tree:
///
///     1-a ── 2-b ── 3-c          document  generation  rev  parent  leaf  rank
///       └─── 2-x ── 3-y (del)    1         1           1-a          0
///                                1         2           2-b  1-a     0
///                                1         2           2-x  1-a     0
///                                1         3           3-c  2-b     1     01 …03 c
///                                1         3           3-y  2-x     1     00 …03 y
///
/// Most documents always have one leaf: their row names it, and no index covers their tree. A
/// document that ever had two leaves is `branched`. From then on its leaves have a `rank`, whose
/// byte order is the order of the leaves: live before deleted, then the collation of the store
/// (`Rank`). So the first entry of the index `leaf` for a document *is* its winner, and no merge
/// needs to read the rest of the tree.
///
/// Names of revisions are blobs because a suffix may contain NUL, which is undefined in SQL text;
/// in the shell, `SELECT CAST(rev AS TEXT), body FROM revision` displays them.
///
/// A body of more than `inlineBodyMax` bytes is stored in `long_body`. A row of the tree that does
/// not fit into a quarter of a page gets overflow pages, which may be nearly empty and are all
/// rewritten when the revision gets a child. In `long_body` the bodies are packed, and each is
/// written once. Triggers remove bodies that no revision refers to.
///
/// Two more tables describe attachments: `attachment` has a row for each name of a revision, and
/// `blob` has one for each content, which is stored in a separate file (`BlobFiles`) and may be
/// shared by any number of attachments. `upload` lists unfinished uploads.
///
/// The last two describe indexes: `field_index` has a row for each index, `entry` the keys of the
/// documents in indexes of values. Each index of words is an FTS5 table, named `words_` and its
/// number.
enum Schema {
  /// "Tch1" in ASCII, at offset 68 of the file: distinguishes our files from those of other
  /// applications.
  static let applicationID: Int64 = 0x5463_6831

  /// The version that this code reads and writes; a file with another number was written by another
  /// version.
  static let version: Int64 = 6

  /// The oldest version that can be migrated to this one.
  static let oldestVersion: Int64 = 2

  /// The maximum length in bytes of a body in the row of its revision.
  ///
  /// An entry of a tree without row ids keeps up to 1,002 bytes in its page of 4,096; the names in
  /// the row need about 130. A store with smaller pages keeps the rest of a longer entry in pages of its own.
  static let inlineBodyMax = 800

  /// Creates all tables in an empty file in one transaction, so a crash leaves all or nothing.
  static let creation = """
    -- What holds for the store as a whole; exactly one row.
    CREATE TABLE store (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      incarnation TEXT NOT NULL,        -- 32 hexadecimal digits, drawn at creation
      revision_ids TEXT NOT NULL,       -- the digest that names new revisions
      collation TEXT NOT NULL,          -- the order of revisions
      history_limit INTEGER,            -- revisions kept per branch; NULL keeps all
      refuse TEXT,                      -- the filter of validation, as JSON; NULL refuses nothing
      last_sequence INTEGER NOT NULL DEFAULT 0,
      live_documents INTEGER NOT NULL DEFAULT 0,
      deleted_documents INTEGER NOT NULL DEFAULT 0,
      -- 0: nothing was ever in the tables of contents. Then: how often an index was made or dropped
      uses_blobs INTEGER NOT NULL DEFAULT 0,
      index_changes INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- One row per document.
    CREATE TABLE document (
      sequence INTEGER PRIMARY KEY,     -- the latest change
      document INTEGER NOT NULL,        -- what revisions refer to; taken from the feed, given once
      deleted INTEGER NOT NULL,         -- whether the winner is
      branched INTEGER NOT NULL,        -- 0: the winner is the only leaf, and no leaf has a rank
      winner BLOB NOT NULL,             -- the name of a revision
      id TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX document_by_id ON document (deleted, id);

    -- One row per revision. The bodies come last: walking the tree never reads past them.
    CREATE TABLE revision (
      document INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      rev BLOB NOT NULL,                -- the whole name, '2-b'
      parent BLOB,                      -- a name of the generation below; NULL: a root
      leaf INTEGER NOT NULL,            -- 1: has no children
      rank BLOB,                        -- the place among the leaves of a branched document
      deleted INTEGER,                  -- NULL: known by name only
      body TEXT,                        -- JSON; NULL: is long, never came, or compacted away
      long_body INTEGER,                -- the number of a long one
      PRIMARY KEY (document, generation, rev)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX leaf ON revision (document, rank DESC, rev DESC) WHERE rank IS NOT NULL;
    -- Nothing can ever be put below a root of generation 1.
    CREATE INDEX root ON revision (document, generation) WHERE parent IS NULL AND generation > 1;

    -- Documents that are never replicated.
    CREATE TABLE local (
      id TEXT PRIMARY KEY,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    \(blobTables)

    \(indexTables)

    \(longBodyTable)

    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    """

  /// Migrates a store of an older version to this one, also in one transaction.
  static func migration(from old: Int64) -> String {
    let blobs = """
      ALTER TABLE store ADD COLUMN uses_blobs INTEGER NOT NULL DEFAULT 0;
      \(blobTables)
      """
    let indexes = """
      ALTER TABLE store ADD COLUMN index_changes INTEGER NOT NULL DEFAULT 0;
      \(indexTables)
      """
    // Existing bodies remain in their column.
    let longBodies = """
      ALTER TABLE revision ADD COLUMN long_body INTEGER;
      \(longBodyTable)
      """
    // The order in which existing attachments were named is unknown: equal places are ordered by
    // name.
    let places = "ALTER TABLE attachment ADD COLUMN place INTEGER NOT NULL DEFAULT 0;"
    return """
      \(old < 3 ? blobs : "")
      \(old < 4 ? indexes : "")
      \(old < 5 ? longBodies : "")
      \(old >= 3 ? places : "")
      PRAGMA user_version = \(version);
      """
  }

  private static let longBodyTable = """
    -- One row per body that is too long for the tree; exactly one revision has its number.
    CREATE TABLE long_body (
      number INTEGER PRIMARY KEY,
      body TEXT NOT NULL                -- JSON
    ) STRICT;
    CREATE TRIGGER revision_removed AFTER DELETE ON revision WHEN old.long_body IS NOT NULL BEGIN
      DELETE FROM long_body WHERE number = old.long_body;
    END;
    CREATE TRIGGER body_dropped AFTER UPDATE OF long_body ON revision
    WHEN old.long_body IS NOT NULL AND old.long_body IS NOT new.long_body BEGIN
      DELETE FROM long_body WHERE number = old.long_body;
    END;
    """

  private static let indexTables = """
    -- Indexes of what is in documents.
    CREATE TABLE field_index (
      number INTEGER PRIMARY KEY,
      name BLOB NOT NULL,               -- may hold NUL
      type TEXT NOT NULL,               -- 'json' or 'text'
      fields TEXT NOT NULL              -- the paths, as JSON
    ) STRICT;

    -- The keys of each live winner in each index of values.
    CREATE TABLE entry (
      number INTEGER NOT NULL,
      key BLOB NOT NULL,
      id TEXT NOT NULL,
      own INTEGER NOT NULL,             -- 1: of the values themselves, and of no element
      PRIMARY KEY (number, key, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entry_by_id ON entry (id);
    """

  private static let blobTables = """
    -- One row per attachment of a revision whose body is here.
    CREATE TABLE attachment (
      document INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      rev BLOB NOT NULL,
      name TEXT NOT NULL,
      type BLOB NOT NULL,               -- may hold NUL
      digest BLOB NOT NULL,             -- the SHA-256 of its content as stored
      length INTEGER NOT NULL,          -- the number of bytes, decoded
      revpos INTEGER NOT NULL,          -- the generation that brought the content
      encoding TEXT,                    -- 'gzip'; NULL: none
      size INTEGER NOT NULL,            -- the number of bytes as stored
      md5 BLOB,                         -- where revisions are named as CouchDB does
      place INTEGER NOT NULL DEFAULT 0, -- among those of the revision, as they were named
      PRIMARY KEY (document, generation, rev, name)
    ) STRICT, WITHOUT ROWID;

    -- Content that is here: it lies whole in the file that its digest names.
    CREATE TABLE blob (
      digest BLOB PRIMARY KEY,
      size INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Content that is being brought: so much of it is durable in the file of this number.
    CREATE TABLE upload (
      digest BLOB PRIMARY KEY,
      number INTEGER NOT NULL,
      length INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
