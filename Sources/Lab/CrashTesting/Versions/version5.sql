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
  long_body INTEGER,
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
CREATE TABLE long_body (
  number INTEGER PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
CREATE TRIGGER revision_removed AFTER DELETE ON revision WHEN old.long_body IS NOT NULL BEGIN
  DELETE FROM long_body WHERE number = old.long_body;
END;
CREATE TRIGGER body_dropped AFTER UPDATE OF long_body ON revision
WHEN old.long_body IS NOT NULL AND old.long_body IS NOT new.long_body BEGIN
  DELETE FROM long_body WHERE number = old.long_body;
END;
INSERT INTO store VALUES (1, 'c15c0289ec2d0a9167ec8e65a18debbe', 'cdt-digest-2', 'bytes', NULL, NULL, 14, 8, 1, 1, 1);
INSERT INTO document VALUES (4, 3, 1, 0, X'322D3563333530333338383135633566373362306435306138613630363735303865', 'c');
INSERT INTO document VALUES (5, 5, 0, 1, X'322D63', 't');
INSERT INTO document VALUES (6, 2, 0, 0, X'322D3037313336646334383663393864626463663866336662343535393334343765', 'b');
INSERT INTO document VALUES (8, 7, 0, 0, X'322D3434386539323766346462653438653836633330383830623834666263643166', 'l');
INSERT INTO document VALUES (9, 9, 0, 0, X'312D6439386530363265363165303462373063303132636466343065613338356139', 'm');
INSERT INTO document VALUES (11, 10, 0, 0, X'322D3733646330653836663562373730653463333765633363333239326438303963', 'p');
INSERT INTO document VALUES (12, 12, 0, 0, X'312D3136396238653236316561343930633066626634613762353732636431653566', 'x');
INSERT INTO document VALUES (13, 13, 0, 0, X'312D3431376466643266393033313030623561393831633561373137336664636564', 'y');
INSERT INTO document VALUES (14, 1, 0, 0, X'322D6433353565376433313335386236346535333630616564343363663538353335', 'a');
INSERT INTO revision VALUES (1, 1, X'312D6362613339623738663665633466663062613332663163663535626666653230', NULL, 0, NULL, 0, '{"kind":"note","n":1}', NULL);
INSERT INTO revision VALUES (1, 2, X'322D6433353565376433313335386236346535333630616564343363663538353335', X'312D6362613339623738663665633466663062613332663163663535626666653230', 1, NULL, 0, '{"kind":"note","n":30}', NULL);
INSERT INTO revision VALUES (2, 1, X'312D6436663062613366656263363662343337303130303639623865623030613536', NULL, 0, NULL, 0, '{"kind":"note","n":2}', NULL);
INSERT INTO revision VALUES (2, 2, X'322D3037313336646334383663393864626463663866336662343535393334343765', X'312D6436663062613366656263363662343337303130303639623865623030613536', 1, NULL, 0, '{"kind":"note","n":7}', NULL);
INSERT INTO revision VALUES (3, 1, X'312D3336613237316365306633633330363237303533613531643031633133666463', NULL, 0, NULL, 0, '{"kind":"note","n":3}', NULL);
INSERT INTO revision VALUES (3, 2, X'322D3563333530333338383135633566373362306435306138613630363735303865', X'312D3336613237316365306633633330363237303533613531643031633133666463', 1, NULL, 1, '{}', NULL);
INSERT INTO revision VALUES (5, 1, X'312D61', NULL, 0, NULL, NULL, NULL, NULL);
INSERT INTO revision VALUES (5, 2, X'322D62', X'312D61', 1, X'01000000000000000262', 0, '{"kind":"note","n":4}', NULL);
INSERT INTO revision VALUES (5, 2, X'322D63', X'312D61', 1, X'01000000000000000263', 0, '{"kind":"note","n":5}', NULL);
INSERT INTO revision VALUES (7, 1, X'312D3439613030373635313134633135373363636230643033636637643166363162', NULL, 0, NULL, 0, NULL, 1);
INSERT INTO revision VALUES (7, 2, X'322D3434386539323766346462653438653836633330383830623834666263643166', X'312D3439613030373635313134633135373363636230643033636637643166363162', 1, NULL, 0, NULL, 2);
INSERT INTO revision VALUES (9, 1, X'312D6439386530363265363165303462373063303132636466343065613338356139', NULL, 1, NULL, 0, NULL, 3);
INSERT INTO revision VALUES (10, 1, X'312D3731373138303263623866326434313264396439666531343966386534663965', NULL, 0, NULL, 0, '{"kind":"note","n":11}', NULL);
INSERT INTO revision VALUES (10, 2, X'322D3733646330653836663562373730653463333765633363333239326438303963', X'312D3731373138303263623866326434313264396439666531343966386534663965', 1, NULL, 0, '{"kind":"note","n":12}', NULL);
INSERT INTO revision VALUES (12, 1, X'312D3136396238653236316561343930633066626634613762353732636431653566', NULL, 1, NULL, 0, '{"kind":"note","n":20}', NULL);
INSERT INTO revision VALUES (13, 1, X'312D3431376466643266393033313030623561393831633561373137336664636564', NULL, 1, NULL, 0, NULL, 4);
INSERT INTO local VALUES ('replication-665e2415d9e59741920d5e920092054b', '{"version":1,"side":"source","history":[{"session":"ed8f01dbe4140b1d89a9817b8a6f46b3","recorded":"11-c15c0289"},{"session":"ed8f01dbe4140b1d89a9817b8a6f46b3","recorded":"9-c15c0289"}]}');
INSERT INTO local VALUES ('replication-87457e7192a0124a8aa81a406fa17940', '{"version":1,"side":"target","history":[{"session":"01dd50d0a6e8eb9ccfc9ab66fb64a712","recorded":"9-ce56971c"},{"session":"01dd50d0a6e8eb9ccfc9ab66fb64a712","recorded":"6-ce56971c"}]}');
INSERT INTO local VALUES ('settings', '{"colour":"gold"}');
INSERT INTO attachment VALUES (10, 1, X'312D3731373138303263623866326434313264396439666531343966386534663965', 'a', X'6170706C69636174696F6E2F6F637465742D73747265616D', X'7843A64EDC69BCD78672A300B48809FA9FFBD2CE493A9E24F39729BFD804AE10', 41, 1, NULL, 41, NULL);
INSERT INTO attachment VALUES (10, 1, X'312D3731373138303263623866326434313264396439666531343966386534663965', 'k', X'746578742F706C61696E', X'52DEB26FB283BF10C230EF1E289D10BF425F0A32A3F19874C7F6896063190DD2', 49, 1, NULL, 49, NULL);
INSERT INTO attachment VALUES (10, 1, X'312D3731373138303263623866326434313264396439666531343966386534663965', 'z', X'746578742F706C61696E', X'7843A64EDC69BCD78672A300B48809FA9FFBD2CE493A9E24F39729BFD804AE10', 41, 1, NULL, 41, NULL);
INSERT INTO attachment VALUES (10, 2, X'322D3733646330653836663562373730653463333765633363333239326438303963', 'a', X'6170706C69636174696F6E2F6F637465742D73747265616D', X'7843A64EDC69BCD78672A300B48809FA9FFBD2CE493A9E24F39729BFD804AE10', 41, 1, NULL, 41, NULL);
INSERT INTO attachment VALUES (10, 2, X'322D3733646330653836663562373730653463333765633363333239326438303963', 'b', X'746578742F706C61696E', X'FC60C4261E2E9551CD6249FC42B283525B4D3A7C077F6F51B7BB7E053C04D2BC', 18, 2, NULL, 18, NULL);
INSERT INTO attachment VALUES (10, 2, X'322D3733646330653836663562373730653463333765633363333239326438303963', 'z', X'746578742F706C61696E', X'7843A64EDC69BCD78672A300B48809FA9FFBD2CE493A9E24F39729BFD804AE10', 41, 1, NULL, 41, NULL);
INSERT INTO attachment VALUES (13, 1, X'312D3431376466643266393033313030623561393831633561373137336664636564', 'q', X'746578742F706C61696E', X'FC60C4261E2E9551CD6249FC42B283525B4D3A7C077F6F51B7BB7E053C04D2BC', 18, 1, NULL, 18, NULL);
INSERT INTO blob VALUES (X'52DEB26FB283BF10C230EF1E289D10BF425F0A32A3F19874C7F6896063190DD2', 49);
INSERT INTO blob VALUES (X'7843A64EDC69BCD78672A300B48809FA9FFBD2CE493A9E24F39729BFD804AE10', 41);
INSERT INTO blob VALUES (X'FC60C4261E2E9551CD6249FC42B283525B4D3A7C077F6F51B7BB7E053C04D2BC', 18);
INSERT INTO field_index VALUES (1, X'6B696E64', 'json', '["kind"]');
INSERT INTO entry VALUES (1, X'406C6F6E670001', 'l', 1);
INSERT INTO entry VALUES (1, X'406C6F6E670001', 'm', 1);
INSERT INTO entry VALUES (1, X'406C6F6E670001', 'y', 1);
INSERT INTO entry VALUES (1, X'406E6F74650001', 'a', 1);
INSERT INTO entry VALUES (1, X'406E6F74650001', 'b', 1);
INSERT INTO entry VALUES (1, X'406E6F74650001', 'p', 1);
INSERT INTO entry VALUES (1, X'406E6F74650001', 't', 1);
INSERT INTO entry VALUES (1, X'406E6F74650001', 'x', 1);
INSERT INTO long_body VALUES (1, '{"kind":"long","n":8,"text":"a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, "}');
INSERT INTO long_body VALUES (2, '{"kind":"long","n":9,"text":"a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, "}');
INSERT INTO long_body VALUES (3, '{"kind":"long","n":10,"text":"a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, "}');
INSERT INTO long_body VALUES (4, '{"kind":"long","n":21,"text":"a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, a body of more than 800 bytes has a table of its own, "}');
PRAGMA application_id = 1415800881;
PRAGMA user_version = 5;
