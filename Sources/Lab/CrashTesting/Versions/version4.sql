CREATE TABLE store (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  incarnation TEXT NOT NULL,
  revision_ids TEXT NOT NULL,
  collation TEXT NOT NULL,
  history_limit INTEGER,
  refuse TEXT,
  last_sequence INTEGER NOT NULL DEFAULT 0,
  live_documents INTEGER NOT NULL DEFAULT 0,
  deleted_documents INTEGER NOT NULL DEFAULT 0,
  uses_blobs INTEGER NOT NULL DEFAULT 0,
  index_changes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE document (
  sequence INTEGER PRIMARY KEY,
  document INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  branched INTEGER NOT NULL,
  winner BLOB NOT NULL,
  id TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX document_by_id ON document (deleted, id);
CREATE TABLE revision (
  document INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  rev BLOB NOT NULL,
  parent BLOB,
  leaf INTEGER NOT NULL,
  rank BLOB,
  deleted INTEGER,
  body TEXT,
  PRIMARY KEY (document, generation, rev)
) STRICT, WITHOUT ROWID;
CREATE INDEX leaf ON revision (document, rank DESC, rev DESC) WHERE rank IS NOT NULL;
CREATE INDEX root ON revision (document, generation) WHERE parent IS NULL AND generation > 1;
CREATE TABLE local (
  id TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE attachment (
  document INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  rev BLOB NOT NULL,
  name TEXT NOT NULL,
  type BLOB NOT NULL,
  digest BLOB NOT NULL,
  length INTEGER NOT NULL,
  revpos INTEGER NOT NULL,
  encoding TEXT,
  size INTEGER NOT NULL,
  md5 BLOB,
  PRIMARY KEY (document, generation, rev, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE blob (
  digest BLOB PRIMARY KEY,
  size INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE upload (
  digest BLOB PRIMARY KEY,
  number INTEGER NOT NULL,
  length INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE field_index (
  number INTEGER PRIMARY KEY,
  name BLOB NOT NULL,
  type TEXT NOT NULL,
  fields TEXT NOT NULL
) STRICT;
CREATE TABLE entry (
  number INTEGER NOT NULL,
  key BLOB NOT NULL,
  id TEXT NOT NULL,
  own INTEGER NOT NULL,
  PRIMARY KEY (number, key, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_by_id ON entry (id);
INSERT INTO store VALUES (1, 'c15c0289ec2d0a9167ec8e65a18debbe', 'cdt-digest-2', 'bytes', NULL, NULL, 12, 7, 1, 0, 1);
INSERT INTO document VALUES (4, 3, 1, 0, X'322D3563333530333338383135633566373362306435306138613630363735303865', 'c');
INSERT INTO document VALUES (5, 5, 0, 1, X'322D63', 't');
INSERT INTO document VALUES (6, 2, 0, 0, X'322D6562626466663731333461306162316363396634383835636530336161356163', 'b');
INSERT INTO document VALUES (8, 7, 0, 0, X'322D3236393930396637616163633762393937656165663037343037663334613533', 'l');
INSERT INTO document VALUES (9, 9, 0, 0, X'312D6262353037613163663431393435613332353133356337353563376561343933', 'm');
INSERT INTO document VALUES (10, 10, 0, 0, X'312D3631646435393433316234653764633264366163333965323633616262633764', 'x');
INSERT INTO document VALUES (11, 11, 0, 0, X'312D6664643735363863386236656563616338343931323462356235663637343134', 'y');
INSERT INTO document VALUES (12, 1, 0, 0, X'322D3831633062373561633634663930656537386135626136366630346630663966', 'a');
INSERT INTO revision VALUES (1, 1, X'312D6362613339623738663665633466663062613332663163663535626666653230', NULL, 0, NULL, 0, '{"kind":"note","n":1}');
INSERT INTO revision VALUES (1, 2, X'322D3831633062373561633634663930656537386135626136366630346630663966', X'312D6362613339623738663665633466663062613332663163663535626666653230', 1, NULL, 0, '{"kind":"note","n":20}');
INSERT INTO revision VALUES (2, 1, X'312D3831363262643236643932663361623137616336373034386133656463346232', NULL, 0, NULL, 0, '{"kind":"note","n":2,"text":"a stone to rub gold on"}');
INSERT INTO revision VALUES (2, 2, X'322D6562626466663731333461306162316363396634383835636530336161356163', X'312D3831363262643236643932663361623137616336373034386133656463346232', 1, NULL, 0, '{"kind":"note","n":7}');
INSERT INTO revision VALUES (3, 1, X'312D3336613237316365306633633330363237303533613531643031633133666463', NULL, 0, NULL, 0, '{"kind":"note","n":3}');
INSERT INTO revision VALUES (3, 2, X'322D3563333530333338383135633566373362306435306138613630363735303865', X'312D3336613237316365306633633330363237303533613531643031633133666463', 1, NULL, 1, '{}');
INSERT INTO revision VALUES (5, 1, X'312D61', NULL, 0, NULL, NULL, NULL);
INSERT INTO revision VALUES (5, 2, X'322D62', X'312D61', 1, X'01000000000000000262', 0, '{"kind":"note","n":4}');
INSERT INTO revision VALUES (5, 2, X'322D63', X'312D61', 1, X'01000000000000000263', 0, '{"kind":"note","n":5}');
INSERT INTO revision VALUES (7, 1, X'312D3636633663653832363364313438663739313330646461346466653933646130', NULL, 0, NULL, 0, '{"kind":"long","n":8,"text":"a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, "}');
INSERT INTO revision VALUES (7, 2, X'322D3236393930396637616163633762393937656165663037343037663334613533', X'312D3636633663653832363364313438663739313330646461346466653933646130', 1, NULL, 0, '{"kind":"long","n":9,"text":"a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, "}');
INSERT INTO revision VALUES (9, 1, X'312D6262353037613163663431393435613332353133356337353563376561343933', NULL, 1, NULL, 0, '{"kind":"long","n":10,"text":"a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, a page is not the measure of a text, "}');
INSERT INTO revision VALUES (10, 1, X'312D3631646435393433316234653764633264366163333965323633616262633764', NULL, 1, NULL, 0, '{"kind":"note","n":10}');
INSERT INTO revision VALUES (11, 1, X'312D6664643735363863386236656563616338343931323462356235663637343134', NULL, 1, NULL, 0, '{"kind":"note","n":11}');
INSERT INTO local VALUES ('replication-665e2415d9e59741920d5e920092054b', '{"version":1,"side":"source","history":[{"session":"ed8f01dbe4140b1d89a9817b8a6f46b3","recorded":"9-c15c0289"},{"session":"ed8f01dbe4140b1d89a9817b8a6f46b3","recorded":"5-c15c0289"}]}');
INSERT INTO local VALUES ('replication-87457e7192a0124a8aa81a406fa17940', '{"version":1,"side":"target","history":[{"session":"01dd50d0a6e8eb9ccfc9ab66fb64a712","recorded":"8-ce56971c"},{"session":"01dd50d0a6e8eb9ccfc9ab66fb64a712","recorded":"6-ce56971c"}]}');
INSERT INTO local VALUES ('settings', '{"colour":"gold"}');
INSERT INTO field_index VALUES (1, X'6B696E64', 'json', '["kind"]');
INSERT INTO entry VALUES (1, X'406C6F6E670001', 'l', 1);
INSERT INTO entry VALUES (1, X'406C6F6E670001', 'm', 1);
INSERT INTO entry VALUES (1, X'406E6F74650001', 'a', 1);
INSERT INTO entry VALUES (1, X'406E6F74650001', 'b', 1);
INSERT INTO entry VALUES (1, X'406E6F74650001', 't', 1);
INSERT INTO entry VALUES (1, X'406E6F74650001', 'x', 1);
INSERT INTO entry VALUES (1, X'406E6F74650001', 'y', 1);
PRAGMA application_id = 1415800881;
PRAGMA user_version = 4;
