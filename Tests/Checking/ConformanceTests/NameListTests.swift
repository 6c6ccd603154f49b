import Datastore
import JSON
import Testing

@testable import Conformance

/// Names of other products, in the forms in which they are typed.
@Suite struct NameListTests {
  private static let list = """
    {"format": "touchstone-names", "version": 1, "products": [
      {"product": "A Kit", "text": "Start here.", "pages": ["docs/a.md", "Vectors/b.md"], "sections": [
        {"title": "Stores", "names": [
          {"name": "ATree", "here": [{"code": "Tree", "file": "Sources/Tree.swift"}],
           "operations": ["read"], "text": "It has a `leaf`.", "clauses": ["TREE-001"]},
          {"name": "-cutTree:error:", "also": ["cutTree"], "text": "None: trees grow."},
          {"name": "+treeOfKind:", "text": "One."},
          {"name": "+treeOfKind:andAge:", "text": "Two."},
          {"name": "leaf", "text": "A word, too."}]}]},
      {"product": "B Kit", "text": "Start there.", "pages": ["docs/b.md"], "sections": [
        {"title": "All", "names": [
          {"name": "performClosure", "text": "A closure."},
          {"name": "atree", "text": "In lower case."},
          {"name": "@objc(APerson)", "text": "An attribute."}]}]}]}
    """

  private static func handbook() throws -> Handbook {
    let handbook = try HandbookTests.handbook()
    let names = try NameList(try JSONValue.parse(list)).names
    return Handbook(
      handbook.corpus, handbook.mutants, terms: handbook.terms, foreignNames: names)
  }

  private static func names(_ query: JSONString) throws -> [JSONString] {
    guard case .name(let names, _)? = try handbook().explanation(of: query) else { return [] }
    return names.map(\.name)
  }

  @Test(
    arguments: [
      // The exact name, with case.
      ("ATree", ["ATree"]), ("atree", ["atree"]), ("ATREE", ["ATree", "atree"]),
      // Signs, receivers and arguments.
      ("cutTree", ["-cutTree:error:"]), ("cutTree:error:", ["-cutTree:error:"]),
      ("-cutTree:error:", ["-cutTree:error:"]), ("-[ATree cutTree:error:]", ["-cutTree:error:"]),
      ("[ATree cutTree: oak error: nil];", ["-cutTree:error:"]),
      ("CUTTREE:ERROR:", ["-cutTree:error:"]),
      ("performClosure(_:)", ["performClosure"]), ("performClosure()", ["performClosure"]),
      ("DataStore.performClosure(_:)", ["performClosure"]), ("objc(APerson)", ["@objc(APerson)"]),
      // With other arguments all methods of the name match, and with the same only one.
      ("treeOfKind", ["+treeOfKind:", "+treeOfKind:andAge:"]),
      ("treeOfKind:andAge:", ["+treeOfKind:andAge:"]), ("treeOfKind:", ["+treeOfKind:"]),
      // Parts of names are words.
      ("cut", []), ("Tree", []), ("-", []), ("+[]", []),
    ] as [(JSONString, [JSONString])])
  func formsOfNames(_ query: JSONString, _ expected: [JSONString]) throws {
    #expect(try Self.names(query) == expected)
  }

  @Test func aName() throws {
    let handbook = try Self.handbook()
    let text = ExplanationText(handbook, width: 80, style: .plain)
    let tree = try #require(handbook.explanation(of: "ATree"))
    #expect(
      text.text(tree) == """
        ATree  A Kit
          here       Tree
                     Sources/Tree.swift
          operation  read
          It has a `leaf`.
          rules      TREE-001

        """)
    let cut = try #require(handbook.explanation(of: "cutTree"))
    #expect(
      text.text(cut) == """
        -cutTree:error:  A Kit
          also       cutTree
          here       none
          None: trees grow.

        """)
    let json = try #require(handbook.json(tree).objectValue)
    #expect(json["kind"] == "name")
    let name = try #require(json["names"]?.arrayValue?.first?.objectValue)
    #expect(name["product"] == "A Kit")
    #expect(name["here"] == [["code": "Tree", "file": "Sources/Tree.swift"]])
    #expect(json["clauses"] == [])
  }

  /// A name that is also a word of the language has the results of the word.
  @Test func aWordToo() throws {
    let handbook = try Self.handbook()
    guard case .name(let names, let findings)? = handbook.explanation(of: "leaf") else {
      Issue.record("not a name")
      return
    }
    #expect(names.map(\.text) == ["A word, too."])
    #expect(findings.terms.map(\.name) == ["leaf"])
    #expect(findings.clauses.map(\.id.text) == ["EDIT-001"])
  }

  /// A search for a part of a name, or for a product, lists names.
  @Test func words() throws {
    let handbook = try Self.handbook()
    let text = ExplanationText(handbook, width: 80, style: .plain)
    let found = text.text(try #require(handbook.explanation(of: "kit")))
    #expect(found.hasPrefix("Names of other products  8\n  ATree  A Kit: Tree\n"))
    // Words inside of names count, and other parts do not.
    #expect(text.text(try #require(handbook.explanation(of: "kind"))).contains("  +treeOfKind:  "))
    #expect(handbook.explanation(of: "losure") == nil)
    #expect(text.text(try #require(handbook.explanation(of: "closure"))).contains(": none\n"))
    #expect(handbook.names.contains("+treeOfKind:andAge:"))
  }

  @Test func problems() throws {
    let corpus = try HandbookTests.handbook().corpus
    let list = try NameList(try JSONValue.parse(Self.list))
    #expect(list.problems(in: corpus) == [])
    let wrong = try NameList(
      try JSONValue.parse(
        Self.list.replacing(#""also": ["cutTree"]"#, with: #""also": ["ATree"]"#)
          .replacing("TREE-001", with: "TREE-009")))
    #expect(
      wrong.problems(in: corpus).map(\.description) == [
        "names.json: ATree: unknown clause 'TREE-009'",
        "names.json: -cutTree:error:: A Kit has 'ATree' twice",
      ])
    for (old, new) in [
      ("touchstone-names", "touchstone-glossary"), (#""text": "One.""#, #""text": """#),
      (#""file": "Sources/Tree.swift""#, #""path": """#),
    ] {
      #expect(throws: DecodingFailure.self) {
        try NameList(try JSONValue.parse(Self.list.replacing(old, with: new)))
      }
    }
  }

  @Test func thePage() throws {
    let page = ComingFromPage(try NameList(try JSONValue.parse(Self.list))).text
    #expect(page.hasPrefix("# Coming from A Kit and B Kit\n"))
    #expect(page.contains("\n9 names of these products,"))
    let pages = "\n\nPages: [a.md](a.md), [Vectors/b.md](../Vectors/b.md).\n"
    #expect(page.contains("\nStart here." + pages))
    let row =
      "| `ATree` | [`Tree`](../Sources/Tree.swift)<br>operations `read` "
      + "| It has a `leaf`. (TREE-001) |\n"
    #expect(page.contains(row))
    #expect(page.contains("| `-cutTree:error:`<br>`cutTree` | none | None: trees grow. |\n"))
  }
}
