extension OlderStore {
  /// A store of version 3, written by the program of commit 83b2dbe, the last one with that schema.
  static let version3 = OlderStore(
    version: 3,
    statements: PackageResources.version3_sql,
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
