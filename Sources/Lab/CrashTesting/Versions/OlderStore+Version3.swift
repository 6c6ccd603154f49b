extension OlderStore {
  /// A store of version 3, written by the program of commit 83b2dbe, the last one with that schema.
  static let version3 = OlderStore(
    version: 3,
    statements: """
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
        uses_blobs INTEGER NOT NULL DEFAULT 0
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
      INSERT INTO store VALUES (1, 'afda67e425b1b1d05a90fbd27cf70872', 'cdt-digest-2', 'bytes', NULL, NULL, 9, 6, 1, 1);
      INSERT INTO document VALUES (2, 2, 0, 0, X'312D3831363262643236643932663361623137616336373034386133656463346232', 'b');
      INSERT INTO document VALUES (4, 3, 1, 0, X'322D3563333530333338383135633566373362306435306138613630363735303865', 'c');
      INSERT INTO document VALUES (5, 5, 0, 1, X'322D63', 't');
      INSERT INTO document VALUES (6, 6, 0, 0, X'312D6262383363623138333261386235313130353331393262646235613633643864', 'd');
      INSERT INTO document VALUES (7, 7, 0, 0, X'312D3631646435393433316234653764633264366163333965323633616262633764', 'x');
      INSERT INTO document VALUES (8, 8, 0, 0, X'312D6664643735363863386236656563616338343931323462356235663637343134', 'y');
      INSERT INTO document VALUES (9, 1, 0, 0, X'322D3831633062373561633634663930656537386135626136366630346630663966', 'a');
      INSERT INTO revision VALUES (1, 1, X'312D6362613339623738663665633466663062613332663163663535626666653230', NULL, 0, NULL, 0, '{"kind":"note","n":1}');
      INSERT INTO revision VALUES (1, 2, X'322D3831633062373561633634663930656537386135626136366630346630663966', X'312D6362613339623738663665633466663062613332663163663535626666653230', 1, NULL, 0, '{"kind":"note","n":20}');
      INSERT INTO revision VALUES (2, 1, X'312D3831363262643236643932663361623137616336373034386133656463346232', NULL, 1, NULL, 0, '{"kind":"note","n":2,"text":"a stone to rub gold on"}');
      INSERT INTO revision VALUES (3, 1, X'312D3336613237316365306633633330363237303533613531643031633133666463', NULL, 0, NULL, 0, '{"kind":"note","n":3}');
      INSERT INTO revision VALUES (3, 2, X'322D3563333530333338383135633566373362306435306138613630363735303865', X'312D3336613237316365306633633330363237303533613531643031633133666463', 1, NULL, 1, '{}');
      INSERT INTO revision VALUES (5, 1, X'312D61', NULL, 0, NULL, NULL, NULL);
      INSERT INTO revision VALUES (5, 2, X'322D62', X'312D61', 1, X'01000000000000000262', 0, '{"kind":"note","n":4}');
      INSERT INTO revision VALUES (5, 2, X'322D63', X'312D61', 1, X'01000000000000000263', 0, '{"kind":"note","n":5}');
      INSERT INTO revision VALUES (6, 1, X'312D6262383363623138333261386235313130353331393262646235613633643864', NULL, 1, NULL, 0, '{"kind":"note","n":6}');
      INSERT INTO revision VALUES (7, 1, X'312D3631646435393433316234653764633264366163333965323633616262633764', NULL, 1, NULL, 0, '{"kind":"note","n":10}');
      INSERT INTO revision VALUES (8, 1, X'312D6664643735363863386236656563616338343931323462356235663637343134', NULL, 1, NULL, 0, '{"kind":"note","n":11}');
      INSERT INTO local VALUES ('replication-5bd94c85b2216cbc695a7c21460205d8', '{"version":1,"side":"target","history":[{"session":"d8865fbe5cec4c6413d6ec8918927bad","recorded":"7-ce56971c"},{"session":"d8865fbe5cec4c6413d6ec8918927bad","recorded":"6-ce56971c"}]}');
      INSERT INTO local VALUES ('replication-82d052f7d41c90719a75a540ea559d45', '{"version":1,"side":"source","history":[{"session":"4b9a435038008fd0c95a891d9aca9382","recorded":"6-afda67e4"},{"session":"4b9a435038008fd0c95a891d9aca9382","recorded":"4-afda67e4"}]}');
      INSERT INTO local VALUES ('settings', '{"colour":"gold"}');
      INSERT INTO attachment VALUES (6, 1, X'312D6262383363623138333261386235313130353331393262646235613633643864', 'one', X'746578742F706C61696E', X'570DC7C084AA508001C44C57649E38E027E53083A4A39FDC7A68C71020A6279C', 17, 1, NULL, 17, NULL);
      INSERT INTO attachment VALUES (6, 1, X'312D6262383363623138333261386235313130353331393262646235613633643864', 'two', X'746578742F706C61696E', X'066085A464C84CC7B1517DD07B6004B4808B91236491EEBF645E6A6B95436D38', 10, 1, NULL, 10, NULL);
      INSERT INTO blob VALUES (X'066085A464C84CC7B1517DD07B6004B4808B91236491EEBF645E6A6B95436D38', 10);
      INSERT INTO blob VALUES (X'570DC7C084AA508001C44C57649E38E027E53083A4A39FDC7A68C71020A6279C', 17);
      PRAGMA application_id = 1415800881;
      PRAGMA user_version = 3;
      """,
    lines: #"""
      {"here": {"op":"open","store":"notes"}, "outcome": {"ok":{}}}
      {"here": {"op":"create","store":"notes","id":"a","body":{"kind":"note","n":1}}, "outcome": {"ok":{"id":"a","rev":"1-cba39b78f6ec4ff0ba32f1cf55bffe20"}}}
      {"here": {"op":"create","store":"notes","id":"b","body":{"kind":"note","n":2,"text":"a stone to rub gold on"}}, "outcome": {"ok":{"id":"b","rev":"1-8162bd26d92f3ab17ac67048a3edc4b2"}}}
      {"here": {"op":"create","store":"notes","id":"c","body":{"kind":"note","n":3}}, "outcome": {"ok":{"id":"c","rev":"1-36a271ce0f3c30627053a51d01c13fdc"}}}
      {"here": {"op":"delete","store":"notes","id":"c","rev":"1-36a271ce0f3c30627053a51d01c13fdc"}, "outcome": {"ok":{"id":"c","rev":"2-5c350338815c5f73b0d50a8a6067508e"}}}
      {"here": {"op":"insertRevisions","store":"notes","records":[{"id":"t","path":["2-b","1-a"],"body":{"kind":"note","n":4}},{"id":"t","path":["2-c","1-a"],"body":{"kind":"note","n":5}}]}, "outcome": {"ok":{"results":[{"ok":{}},{"ok":{}}]}}}
      {"here": {"op":"create","store":"notes","id":"d","body":{"kind":"note","n":6},"attachments":{"one":{"type":"text/plain","data":"dGhlIGZpcnN0IGNvbnRlbnQ="},"two":{"type":"text/plain","data":"dGhlIHNlY29uZA=="}}}, "outcome": {"ok":{"id":"d","rev":"1-bb83cb1832a8b511053192bdb5a63d8d"}}}
      {"here": {"op":"writeLocal","store":"notes","id":"settings","body":{"colour":"gold"}}, "outcome": {"ok":{}}}
      {"elsewhere": {"op":"create","store":"notes","id":"x","body":{"kind":"note","n":10}}}
      {"elsewhere": {"op":"create","store":"notes","id":"y","body":{"kind":"note","n":11}}}
      {"elsewhere": {"op":"insertRevisions","store":"notes","records":[{"id":"a","path":["1-cba39b78f6ec4ff0ba32f1cf55bffe20"],"body":{"kind":"note","n":1}},{"id":"b","path":["1-8162bd26d92f3ab17ac67048a3edc4b2"],"body":{"kind":"note","n":2,"text":"a stone to rub gold on"}}]}}
      {"elsewhere": {"op":"insertRevisions","store":"notes","records":[{"id":"c","path":["2-5c350338815c5f73b0d50a8a6067508e","1-36a271ce0f3c30627053a51d01c13fdc"],"deleted":true,"body":{}}]}}
      {"elsewhere": {"op":"insertRevisions","store":"notes","records":[{"id":"t","path":["2-c","1-a"],"body":{"kind":"note","n":5}},{"id":"t","path":["2-b","1-a"],"body":{"kind":"note","n":4}}]}}
      {"elsewhere": {"op":"insertRevisions","store":"notes","records":[{"id":"d","path":["1-bb83cb1832a8b511053192bdb5a63d8d"],"body":{"kind":"note","n":6},"attachments":{"one":{"type":"text/plain","digest":"sha256-Vw3HwISqUIABxExXZJ444CflMIOko5/cemjHECCmJ5w=","length":17,"revpos":1,"data":"dGhlIGZpcnN0IGNvbnRlbnQ="},"two":{"type":"text/plain","digest":"sha256-BmCFpGTITMexUX3Qe2AEtICLkSNkke6/ZF5qa5VDbTg=","length":10,"revpos":1,"data":"dGhlIHNlY29uZA=="}}}]}}
      {"elsewhere": {"op":"writeLocal","store":"notes","id":"replication-82d052f7d41c90719a75a540ea559d45","body":{"version":1,"side":"target","history":[{"session":"4b9a435038008fd0c95a891d9aca9382","recorded":"4-afda67e4"}]}}}
      {"here": {"op":"writeLocal","store":"notes","id":"replication-82d052f7d41c90719a75a540ea559d45","body":{"version":1,"side":"source","history":[{"session":"4b9a435038008fd0c95a891d9aca9382","recorded":"4-afda67e4"}]}}, "outcome": {"ok":{}}}
      {"elsewhere": {"op":"writeLocal","store":"notes","id":"replication-82d052f7d41c90719a75a540ea559d45","body":{"version":1,"side":"target","history":[{"session":"4b9a435038008fd0c95a891d9aca9382","recorded":"6-afda67e4"},{"session":"4b9a435038008fd0c95a891d9aca9382","recorded":"4-afda67e4"}]}}}
      {"here": {"op":"writeLocal","store":"notes","id":"replication-82d052f7d41c90719a75a540ea559d45","body":{"version":1,"side":"source","history":[{"session":"4b9a435038008fd0c95a891d9aca9382","recorded":"6-afda67e4"},{"session":"4b9a435038008fd0c95a891d9aca9382","recorded":"4-afda67e4"}]}}, "outcome": {"ok":{}}}
      {"here": {"op":"insertRevisions","store":"notes","records":[{"id":"x","path":["1-61dd59431b4e7dc2d6ac39e263abbc7d"],"body":{"kind":"note","n":10}},{"id":"y","path":["1-fdd7568c8b6eecac849124b5b5f67414"],"body":{"kind":"note","n":11}}]}, "outcome": {"ok":{"results":[{"ok":{}},{"ok":{}}]}}}
      {"here": {"op":"writeLocal","store":"notes","id":"replication-5bd94c85b2216cbc695a7c21460205d8","body":{"version":1,"side":"target","history":[{"session":"d8865fbe5cec4c6413d6ec8918927bad","recorded":"6-ce56971c"}]}}, "outcome": {"ok":{}}}
      {"elsewhere": {"op":"writeLocal","store":"notes","id":"replication-5bd94c85b2216cbc695a7c21460205d8","body":{"version":1,"side":"source","history":[{"session":"d8865fbe5cec4c6413d6ec8918927bad","recorded":"6-ce56971c"}]}}}
      {"here": {"op":"writeLocal","store":"notes","id":"replication-5bd94c85b2216cbc695a7c21460205d8","body":{"version":1,"side":"target","history":[{"session":"d8865fbe5cec4c6413d6ec8918927bad","recorded":"7-ce56971c"},{"session":"d8865fbe5cec4c6413d6ec8918927bad","recorded":"6-ce56971c"}]}}, "outcome": {"ok":{}}}
      {"elsewhere": {"op":"writeLocal","store":"notes","id":"replication-5bd94c85b2216cbc695a7c21460205d8","body":{"version":1,"side":"source","history":[{"session":"d8865fbe5cec4c6413d6ec8918927bad","recorded":"7-ce56971c"},{"session":"d8865fbe5cec4c6413d6ec8918927bad","recorded":"6-ce56971c"}]}}}
      {"here": {"op":"update","store":"notes","id":"a","rev":"1-cba39b78f6ec4ff0ba32f1cf55bffe20","body":{"kind":"note","n":20}}, "outcome": {"ok":{"id":"a","rev":"2-81c0b75ac64f90ee78a5ba66f04f0f9f"}}}
      {"elsewhere": {"op":"create","store":"notes","id":"z","body":{"kind":"note","n":12}}}
      """#,
    contents: ["the second", "the first content"])
}
