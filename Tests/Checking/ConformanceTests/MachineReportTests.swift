import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct MachineReportTests {
  /// One vector of each verdict.
  static func report() throws -> RunReport {
    let vectors = [
      try Fixtures.passing(), try Fixtures.conflicting(),
      try Fixtures.conflicting("edit-quick", clauses: #"["EDIT-002"]"#),
      try Fixtures.passing("tree-purge", more: #", "capabilities": ["purge"]"#),
    ]
    let failure = HarnessFailure("a <pipe> & \"more\"", step: 2)
    let report = Fixtures.report(vectors, FakeDatastore(.noConflicts))
    let broken = RunReport.Result(
      vector: try Fixtures.passing("tree-lost"), verdict: .harnessError(failure),
      durationNanoseconds: 1_234_567_890)
    return RunReport(
      implementation: report.implementation, corpus: report.corpus,
      results: report.results + [broken])
  }

  @Test func jsonLines() throws {
    let operation = #"{"op":"update","store":"a","id":"d","rev":"1-5d61f2770041fe35","body":{}}"#
    let text = ReportFormat.jsonl.text(of: try Self.report())
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count == 7)
    #expect(
      lines[0] == """
        {"kind":"header","format":"touchstone-run","version":1,\
        "tool":{"name":"touchstone","version":"\(toolVersion)"},\
        "implementation":{"name":"fake","version":"1","capabilitiesVersion":3,"capabilities":[],"restrictions":[],"profiles":[],"sharedLayers":[],\
        "limits":{"bodyBytesMax":1000000,"idBytesMax":240,"depthMax":64},\
        "defaults":{"revisionIDs":"own","collation":"bytes"},"deterministic":true,"crashes":[]},\
        "corpus":{"vectors":4,"clauses":4,"manifest":null,"released":true,"differences":[]},\
        "grade":"contract","selected":5}
        """)
    #expect(
      lines[1] == """
        {"kind":"vector","id":"tree-pass","file":"core/tree.json","clauses":["TREE-001"],\
        "profile":"core","capabilities":[],"verdict":"pass","required":true,"weight":"required"}
        """)
    #expect(
      lines[2].hasPrefix(
        """
        {"kind":"vector","id":"edit-stale","file":"core/tree.json","clauses":["EDIT-001"],\
        "profile":"core","capabilities":[],"verdict":"fail","required":true,"weight":"required",\
        "witness":{"message":"step 3 update: accepts an operation that must be rejected as conflict","step":3,\
        "operation":\(operation),"expected":{"error":{"kind":"conflict"}},\
        "actual":{"ok":{"id":"d","rev":"3-27f7271c4fc81c04"}},\
        "differences":[{"path":"","expected":{"error":{"kind":"conflict"}},\
        "actual":{"ok":{"id":"d","rev":"3-27f7271c4fc81c04"}}}],"transcript":[{
        """), "\(lines[2])")
    #expect(lines[3].contains(#""verdict":"fail","required":false"#))
    #expect(
      lines[4].hasSuffix(
        #""verdict":"skipped","required":true,"weight":"required","reason":"capability purge not offered"}"#
      ))
    #expect(lines[5].hasSuffix(#""reason":"step 2: a <pipe> & \"more\""}"#))
    #expect(
      lines[6] == """
        {"kind":"footer","conclusion":"notConformant","reasons":["1 vector failed"],"stopped":null,\
        "executed":4,"passed":1,"failed":2,"deviations":1,"contractOnly":0,"known":0,"knownFailureProblems":[],\
        "skipped":1,"notTested":0,"harnessErrors":1,\
        "offers":[{"name":"core","offered":true,"grade":"notConformant","passed":1,"count":4},\
        {"name":"purge","offered":false,"grade":"notOffered","passed":0,"count":1}],\
        "clauses":[{"id":"TREE-001","level":"MUST","binds":"contract","verdict":"harnessError"},\
        {"id":"EDIT-001","level":"MUST","binds":"contract","verdict":"fail"},\
        {"id":"EDIT-002","level":"SHOULD","binds":"contract","verdict":"fail"},\
        {"id":"EDIT-003","level":"MUST","binds":"contract","verdict":"notAsked"}]}
        """)
    for line in lines { #expect(try JSONValue.parse(line).objectValue != nil) }
  }

  @Test func jUnit() throws {
    let text = ReportFormat.junit.text(of: try Self.report())
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="touchstone" tests="5" failures="1" errors="1" skipped="2" time="1.234">
          <testsuite name="core/tree.json" tests="5" failures="1" errors="1" skipped="2" time="1.234">
            <testcase classname="touchstone.TREE" name="tree-pass" time="0.000"/>
            <testcase classname="touchstone.EDIT" name="edit-stale" time="0.000">
              <failure type="EDIT-001" message="Only a leaf can be edited.">FAIL edit-stale  \
        core/tree.json
          A stale edit must not win.
          EDIT-001 MUST Only a leaf can be edited.
          1       create {&quot;store&quot;:&quot;a&quot;,&quot;id&quot;:&quot;d&quot;,\
        &quot;body&quot;:{&quot;n&quot;:1}} → ok \
        {&quot;id&quot;:&quot;d&quot;,&quot;rev&quot;:&quot;1-5d61f2770041fe35&quot;}
          2       update {&quot;store&quot;:&quot;a&quot;,&quot;id&quot;:&quot;d&quot;,\
        &quot;rev&quot;:&quot;1-5d61f2770041fe35&quot;,&quot;body&quot;:{}}
                  → ok {&quot;id&quot;:&quot;d&quot;,&quot;rev&quot;:\
        &quot;2-45bf457bd9398ae1&quot;}
          step 3  {&quot;op&quot;: &quot;update&quot;, &quot;store&quot;: &quot;a&quot;, \
        &quot;id&quot;: &quot;d&quot;, &quot;rev&quot;: &quot;1-5d61f2770041fe35&quot;, \
        &quot;body&quot;: {}}
          diff    - expected  + actual
                  - {&quot;error&quot;:{&quot;kind&quot;:&quot;conflict&quot;}}
                  + {&quot;ok&quot;:{&quot;id&quot;:&quot;d&quot;,&quot;rev&quot;:\
        &quot;3-27f7271c4fc81c04&quot;}}
          hint    accepts an operation that must be rejected as conflict
          again   touchstone run --filter edit-stale</failure>
            </testcase>
            <testcase classname="touchstone.EDIT" name="edit-quick" time="0.000">
              <skipped message="deviates from: Edits are quick."/>
            </testcase>
            <testcase classname="touchstone.TREE" name="tree-purge" time="0.000">\
        <skipped message="capability purge not offered"/></testcase>
            <testcase classname="touchstone.TREE" name="tree-lost" time="1.234">\
        <error type="harnessError" message="step 2: a &lt;pipe&gt; &amp; &quot;more&quot;"/></testcase>
          </testsuite>
        </testsuites>

        """, "\(text)")
  }

  @Test func tap() throws {
    let text = ReportFormat.tap.text(of: try Self.report())
    #expect(
      text == """
        TAP version 14
        1..5
        ok 1 - tree-pass
        not ok 2 - edit-stale
          ---
          file: "core/tree.json"
          clauses: ["EDIT-001 MUST Only a leaf can be edited."]
          step: 3
          operation: {"op":"update","store":"a","id":"d","rev":"1-5d61f2770041fe35","body":{}}
          expected: {"error":{"kind":"conflict"}}
          actual: {"ok":{"id":"d","rev":"3-27f7271c4fc81c04"}}
          rerun: "touchstone run --filter edit-stale"
          ...
        not ok 3 - edit-quick # TODO deviates from a recommendation
          ---
          file: "core/tree.json"
          clauses: ["EDIT-002 SHOULD Edits are quick."]
          step: 3
          operation: {"op":"update","store":"a","id":"d","rev":"1-8a42c689bcc66ce9","body":{}}
          expected: {"error":{"kind":"conflict"}}
          actual: {"ok":{"id":"d","rev":"3-3e98f5c2ee3a6bac"}}
          rerun: "touchstone run --filter edit-quick"
          ...
        ok 4 - tree-purge # SKIP capability purge not offered
        not ok 5 - tree-lost
          ---
          harnessError: "step 2: a <pipe> & \\"more\\""
          ...

        """, "\(text)")
  }

  /// The formats with all details; a badge shows only the verdict.
  static let whole = ReportFormat.allCases.filter { $0 != .badgeSVG && $0 != .badgeJSON }

  @Test(arguments: whole) func anEmptyRunIsSeenToFail(_ format: ReportFormat) {
    let text = format.text(of: Fixtures.report([]))
    #expect(text.contains("no vector was selected"))
    switch format {
    case .html: #expect(text.contains("<b>not conformant</b>"))
    case .jsonl: #expect(text.contains(#""conclusion":"notConformant""#))
    case .junit: #expect(text.contains(#"tests="1" failures="1""#))
    case .markdown: #expect(text.contains("**not conformant** (grade contract)"))
    case .tap: #expect(text.contains("1..1\nnot ok 1"))
    case .badgeSVG, .badgeJSON: #expect(text.contains("not conformant · contract · core 0/0"))
    }
  }

  @Test(arguments: whole) func smallLimitsAreSeen(_ format: ReportFormat) throws {
    let text = format.text(
      of: Fixtures.report([try Fixtures.passing()], FakeDatastore(.smallLimits)))
    #expect(text.contains("the declared limit bodyBytesMax is 1000"))
  }

  @Test(arguments: ReportFormat.allCases) func equalRunsGiveEqualBytes(_ format: ReportFormat)
    throws
  {
    let texts = try (0..<2).map { _ in JSONString(format.text(of: try Self.report())) }
    #expect(texts[0] == texts[1])
  }

  /// Characters that PyYAML rejects, line separators of Python but not of JSON, and invisible ones.
  @Test(
    arguments: [
      ([0x7F], #"\u007f"#, nil), ([0x85, 0x9F], #"\u0085\u009f"#, nil),
      ([0x61, 0x2028, 0x62, 0x2029], #"a\u2028b\u2029"#, nil),
      ([0xFDD0, 0xFFFE, 0xFFFF], #"\ufdd0\ufffe\uffff"#, nil),
      ([0x1FFFE], #"\ud83f\udffe"#, #"\U0001fffe"#), ([0xA0, 0xE9, 0x1F600], nil, nil),
      ([0xAD, 0x200B, 0xFEFF], #"\u00ad\u200b\ufeff"#, nil),
    ] as [([UInt32], String?, String?)])
  func machinesReadEveryText(_ scalars: [UInt32], _ json: String?, _ yaml: String?) throws {
    let text = String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
    let value: JSONValue = ["k": .array([.text(text)])]
    let safe = SafeJSON(value)
    #expect(JSONString(safe.line) == JSONString(#"{"k":["\#(json ?? text)"]}"#))
    #expect(JSONString(safe.yamlLine) == JSONString(#"{"k":["\#(yaml ?? json ?? text)"]}"#))
    #expect(try JSONValue.parse(safe.line) == value)
  }

  @Test func reportsEscapeWhatSomeReadersRefuse() throws {
    let vector = try Fixtures.vector(
      """
      {"steps": [{"do": {"op": "create", "store": "a", "id": "d", "body": {"k": "\u{85}\u{FFFE}"}}},
        {"do": {"op": "create", "store": "a", "id": "d", "body": {"k": "\u{85}\u{FFFE}"}}}]}
      """)
    for format in [ReportFormat.jsonl, .tap] {
      let text = format.text(of: Fixtures.report([vector]))
      #expect(text.contains(#"{"k":"\u0085\ufffe"}"#), "\(text)")
      #expect(!text.unicodeScalars.contains("\u{85}"))
    }
  }

  @Test(arguments: [
    ("a&b<c>d\"e", "a&amp;b&lt;c&gt;d&quot;e", "a&amp;b&lt;c&gt;d&quot;e"),
    ("]]>", "]]&gt;", "]]&gt;"), ("a\nb\tc", "a\nb\tc", "a&#10;b&#9;c"),
    ("a\rb", "a&#13;b", "a&#13;b"), ("a\u{0}b\u{1B}c", #"a\0b\u{1B}c"#, #"a\0b\u{1B}c"#),
    ("\u{FFFE}\u{FFFF}", #"\u{FFFE}\u{FFFF}"#, #"\u{FFFE}\u{FFFF}"#), ("é😀", "é😀", "é😀"),
  ])
  func xmlHoldsEveryText(_ text: String, _ content: String, _ attribute: String) {
    #expect(JSONString(XML.content(text)) == JSONString(content))
    #expect(JSONString(XML.attribute(text)) == JSONString(attribute))
  }
}
