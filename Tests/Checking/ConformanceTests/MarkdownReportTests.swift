import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct MarkdownReportTests {
  @Test func everyVerdict() throws {
    let text = ReportFormat.markdown.text(of: try MachineReportTests.report())
    #expect(
      text == """
        # ❌ fake 1

        **not conformant** (grade contract): 1 vector failed

        1 passed, 1 failed, 1 deviate from a recommendation, 1 without a verdict, 1 skipped; 4 of \
        4 vectors run by touchstone \(toolVersion).

        | core, capability or profile | grade | passed | failed | failed (contract) | deviates | no verdict | skipped |
        | --- | --- | --: | --: | --: | --: | --: | --: |
        | core | not conformant | 1/4 | 1 |  | 1 | 1 |  |
        | purge | not offered | 0/1 |  |  |  |  | 1 |

        | family of clauses | passed | failed | failed (contract) | deviates | no verdict | skipped |
        | --- | --: | --: | --: | --: | --: | --: |
        | TREE | 1/3 |  |  |  | 1 | 1 |
        | EDIT | 0/2 | 1 |  | 1 |  |  |

        ## Failures

        ### `edit-stale`

        A stale edit must not win.

        * **EDIT-001 MUST** Only a leaf can be edited.
        * Hint: accepts an operation that must be rejected as conflict

        In core/tree.json, step 3:

        ```json
        {"op": "update", "store": "a", "id": "d", "rev": "1-5d61f2770041fe35", "body": {}}
        ```

        ```diff
        - {"error":{"kind":"conflict"}}
        + {"ok":{"id":"d","rev":"3-27f7271c4fc81c04"}}
        ```

        ```sh
        touchstone run --filter edit-stale
        ```

        ### `edit-quick` (deviates from a recommendation)

        A stale edit must not win.

        * **EDIT-002 SHOULD** Edits are quick.
        * Hint: accepts an operation that must be rejected as conflict

        In core/tree.json, step 3:

        ```json
        {"op": "update", "store": "a", "id": "d", "rev": "1-8a42c689bcc66ce9", "body": {}}
        ```

        ```diff
        - {"error":{"kind":"conflict"}}
        + {"ok":{"id":"d","rev":"3-3e98f5c2ee3a6bac"}}
        ```

        ```sh
        touchstone run --filter edit-quick
        ```

        ## No verdict

        * `tree-lost`: step 2: a \\<pipe\\> \\& "more"

        ## Not run

        | reason | vectors |
        | --- | --: |
        | capability purge not offered | 1 |

        """, "\(text)")
  }

  @Test func aRunInWhichAllIsWell() throws {
    let text = ReportFormat.markdown.text(of: Fixtures.report([try Fixtures.passing()]))
    #expect(text.hasPrefix("# ✅ fake 1\n\n**conformant** (grade contract)\n\n1 passed, 0 failed"))
    #expect(!text.contains("##"))
  }

  /// Build servers truncate long pages.
  @Test func ofManyFailuresTheFirstAreTold() throws {
    let vectors = try (1...40).map { try Fixtures.conflicting("edit-stale-\($0)") }
    let report = Fixtures.report(vectors, FakeDatastore(.noConflicts))
    let text = ReportFormat.markdown.text(of: report)
    #expect(text.split(separator: "\n").count { $0.hasPrefix("### ") } == 30)
    #expect(text.contains("\nAnd 10 more:\n\n* `edit-stale-31` EDIT-001\n"))
  }

  @Test func marksAreText() {
    #expect(
      Markdown.text("a_b *c* [d](e) <f> `g` | h\ni") == #"a\_b \*c\* \[d\](e) \<f\> \`g\` \| h\\ni"#
    )
    #expect(Markdown.block(["a ``` b"], language: "") == ["````", "a ``` b", "````"])
  }
}
