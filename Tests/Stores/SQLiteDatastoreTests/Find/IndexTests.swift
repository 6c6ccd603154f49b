import Datastore
import JSON
import Storage
import Testing

@testable import SQLiteDatastore

struct IndexTests {
  private func create(
    _ bench: Bench, _ name: JSONString, _ fields: [JSONString], _ type: IndexDefinition.Kind = .json
  ) {
    let definition = IndexDefinition(name, type, fields: fields)
    #expect(bench.perform(.finding(.createIndex(definition))) == .ok(.found(.created(true))))
  }

  private func ids(_ bench: Bench, _ selector: JSONValue, sort: [SortKey] = [], limit: Int64? = nil)
    -> [String]
  {
    let request = FindRequest(selector, sort: sort, limit: limit)
    guard case .ok(.found(.documents(let found))) = bench.perform(.finding(.find(request))) else {
      return ["\(bench.perform(.finding(.find(request))))"]
    }
    return found.map { $0.id.text.string }
  }

  /// The plan of a search, with its index.
  private func plan(_ bench: Bench, _ selector: JSONValue, sort: [SortKey] = []) -> String {
    let request = FindRequest(selector, sort: sort)
    guard
      case .ok(.found(.explanation(let index, let plan))) = bench.perform(
        .finding(.explain(request)))
    else { return "?" }
    let by = plan?.objectValue?["by"]?.textValue ?? "?"
    return index.map { "\(by) \($0)" } ?? "\(by)"
  }

  static let plans: [(JSONValue, [SortKey], String)] = [
    ([:], [], "scan"), (["a": 1], [], "entries a"), (["a": ["$gt": 1]], [], "entries a"),
    (["a": ["$ne": 1]], [], "scan"), (["z": 1], [], "scan"),
    (["$or": [["a": 1], ["$text": ["$search": "x", "$fields": ["t"]]]]], [], "union a"),
    (["$or": [["a": 1], ["z": 1]]], [], "scan"), (["$or": []], [], "union"),
    (["z": 1, "$or": [["a": 1], ["$or": [["a": 2], ["a": 3]]]]], [], "union a"),
    (["a": 1, "$or": [["a": 1], ["a": 2]]], [], "entries a"),
    (["$nor": [["a": 1]]], [], "scan"),
    (["$and": [["z": 1], ["a": ["$in": [1, 2]]]]], [], "entries a"),
    (["a": 1, "b": 2], [], "entries ab"), (["b": 2], [], "scan"),
    (["a": ["$exists": false]], [], "entries a"), (["a": ["$exists": true]], [], "scan"),
    ([:], [SortKey("a")], "order a"), ([:], [SortKey("a", descending: true)], "order a"),
    ([:], [SortKey("a"), SortKey("b")], "order ab"),
    ([:], [SortKey("a"), SortKey("b", descending: true)], "scan"), ([:], [SortKey("b")], "scan"),
    (["a": 1], [SortKey("a")], "entries a"),
    (["$text": ["$search": "x", "$fields": ["t"]]], [], "words t"),
    (["$text": ["$search": "-", "$fields": ["t"]]], [], "scan"),
    (["$text": ["$search": "x", "$fields": ["t", "a"]]], [], "scan"),
    (["$not": ["$text": ["$search": "x", "$fields": ["t"]]]], [], "scan"),
  ]

  @Test(arguments: plans)
  func usesTheIndexThatServes(selector: JSONValue, sort: [SortKey], expected: String) {
    let bench = Bench()
    create(bench, "a", ["a"])
    create(bench, "ab", ["a", "b"])
    create(bench, "t", ["t", "u"], .text)
    #expect(plan(bench, selector, sort: sort) == expected)
  }

  /// A document that several branches yield is returned once.
  @Test func branchesAreOneAnswer() throws {
    let bench = Bench()
    create(bench, "a", ["a"])
    create(bench, "t", ["t"], .text)
    for (id, a) in [("1", 1), ("2", 2), ("3", 3)] as [(DocumentID, Int64)] {
      _ = bench.written(.create(id: id, body: ["a": .integer(a), "t": "x"]))
    }
    let words: JSONValue = ["$text": ["$search": "x", "$fields": ["t"]], "a": ["$gte": 2]]
    let selector: JSONValue = ["$or": [["a": 2], words, ["a": ["$in": [2, 3]]]]]
    #expect(plan(bench, selector) == "union a")
    #expect(ids(bench, selector) == ["2", "3"])
    #expect(ids(bench, selector, sort: [SortKey("a", descending: true)], limit: 1) == ["3"])
    #expect(ids(bench, ["$or": []]) == [])
  }

  /// Every kind of change of a winner updates the entries, in the same transaction.
  @Test(arguments: [false, true])
  func followsTheWinner(isMadeFirst: Bool) throws {
    let bench = Bench()
    func makeIndexes() {
      create(bench, "n", ["n"])
      create(bench, "nm", ["n", "m"])
      create(bench, "t", ["t"], .text)
    }
    func expect(_ selector: JSONValue, _ ids: [String]) {
      #expect(self.ids(bench, selector) == ids, "\(selector)")
      expectInvariants(in: bench.storage)
    }
    func word(_ word: JSONString) -> JSONValue {
      ["$text": ["$search": .string(word), "$fields": ["t"]]]
    }

    if isMadeFirst { makeIndexes() }
    let first = bench.written(.create(id: "d", body: ["n": 1, "t": "one"]))
    bench.insert("e", ["1-a"], body: ["n": [1, 2], "m": [1, 2], "t": ["two", "one"]])
    if !isMadeFirst { makeIndexes() }
    expect(["n": 1], ["d", "e"])
    expect(word("one"), ["d", "e"])
    let second = bench.written(.update(id: "d", rev: first, body: ["n": 2, "t": "two"]))
    expect(["n": 1], ["e"])
    expect(["n": 2, "m": 2], ["e"])
    expect(word("two"), ["d", "e"])
    // A better leaf arrives, and is removed again.
    bench.insert("e", ["1-b"], body: ["n": 3])
    expect(["n": 3], ["e"])
    expect(word("one"), [])
    bench.perform(.purge(id: "e", revs: ["1-b"]))
    expect(["n": 1, "m": 2], ["e"])
    expect(word("one"), ["e"])
    bench.insert("e", ["1-b"], body: ["n": 3])
    bench.perform(.resolve(id: "e", leaves: ["1-a", "1-b"], keep: "1-a"))
    expect(["n": 1, "m": 2], ["e"])
    bench.perform(.compact)
    let third = bench.written(.delete(id: "d", rev: second))
    expect(["n": 2], ["e"])
    _ = bench.written(.update(id: "d", rev: third, body: ["n": 1, "t": "two"]))
    expect(["n": 1], ["d", "e"])
    bench.perform(.purge(id: "e", revs: ["1-a"]))
    expect(word("two"), ["d"])
    bench.perform(.close)
    bench.perform(.open())
    expect(["n": 1], ["d"])
  }

  @Test func aRefusedBatchLeavesNoEntry() {
    let bench = Bench()
    create(bench, "n", ["n"])
    bench.perform(
      .batch([.create(id: "d", body: ["n": 1]), .update(id: "x", rev: "1-a", body: [:])]))
    #expect(ids(bench, ["n": 1]) == [])
    expectInvariants(in: bench.storage)
    // An index whose creation was rolled back does not reappear either.
    #expect(
      bench.failure(.finding(.createIndex(IndexDefinition("n", fields: ["m"]))))
        == .badRequest(path: "name"))
  }

  @Test func droppedIndexesAreGone() {
    let bench = Bench()
    bench.perform(.create(id: "d", body: ["n": 1, "t": "x"]))
    create(bench, "n", ["n"])
    create(bench, "t", ["t"], .text)
    #expect(ids(bench, ["$text": ["$search": "X", "$fields": ["t"]]]) == ["d"])
    for name in ["n", "t"] as [JSONString] {
      #expect(bench.perform(.finding(.dropIndex(name: name))) == .ok(.done))
    }
    #expect(plan(bench, ["n": 1]) == "scan")
    #expect(bench.perform(.finding(.listIndexes)) == .ok(.found(.indexes([]))))
    let raw = RawDatabase("notes.sqlite", in: bench.storage)
    #expect(
      raw.rows(
        "SELECT count(*) FROM entry UNION ALL SELECT count(*) FROM sqlite_schema WHERE name LIKE 'words%'"
      ) == [["0"], ["0"]])
    // A number is never reused, so cached information of another process about the old one is
    // harmless.
    create(bench, "t", ["u"], .text)
    #expect(raw.rows("SELECT number FROM field_index") == [["5"]])
    #expect(bench.perform(.create(id: "e", body: ["u": "x"])).errorKind == nil)
    #expect(ids(bench, ["$text": ["$search": "X", "$fields": ["u"]]]) == ["e"])
  }

  /// Changes of indexes through either connection are visible to both.
  @Test func anotherConnectionSeesThem() {
    let bench = Bench()
    let other = Bench(storage: bench.storage)
    create(bench, "n", ["n"])
    other.perform(.create(id: "d", body: ["n": 1]))
    #expect(plan(other, ["n": 1]) == "entries n")
    #expect(ids(bench, ["n": 1]) == ["d"])
    other.perform(.finding(.dropIndex(name: "n")))
    bench.perform(.create(id: "e", body: ["n": 1]))
    #expect(plan(bench, ["n": 1]) == "scan")
    #expect(ids(other, ["n": 1]) == ["d", "e"])
  }

  /// Two arrays with too many combinations: the document is always a candidate.
  @Test func crowdedDocumentsAreFound() {
    let bench = Bench()
    create(bench, "ab", ["a", "b"])
    let many = JSONValue.array((0..<40).map { .integer($0) })
    bench.perform(.create(id: "d", body: ["a": many, "b": many]))
    bench.perform(.create(id: "e", body: ["a": 7, "b": 8]))
    #expect(plan(bench, ["a": 7, "b": 8]) == "entries ab")
    #expect(ids(bench, ["a": 7, "b": 8]) == ["d", "e"])
    #expect(ids(bench, ["a": 41]) == [])
    #expect(ids(bench, [:], sort: [SortKey("a"), SortKey("b")]) == ["e", "d"])
    let rows = RawDatabase("notes.sqlite", in: bench.storage).rows("SELECT count(*) FROM entry")
    #expect(rows == [["3"]])
  }

  /// Words are split alike by FTS5 and by the matcher: NUL separates words, and only ASCII letters
  /// are folded.
  @Test func wordsAreThoseOfTheMatcher() {
    let bench = Bench()
    let texts: [JSONString] = ["a\u{0}b", "A-É", "ab", "É", "é", "e\u{301}", "a_1", "\u{1f600}x"]
    for (place, text) in texts.enumerated() {
      bench.perform(.create(id: DocumentID(JSONString("\(place)")), body: ["t": .string(text)]))
    }
    func found(_ words: JSONString) -> String {
      ids(bench, ["$text": ["$search": .string(words), "$fields": ["t"]]]).joined()
    }
    let searches: [JSONString] = [
      "B", "a", "É a", "é", "\u{1f600}X", "1", "x", "ab \"OR\" é", "b\u{0}a",
    ]
    let scanned = searches.map(found)
    create(bench, "t", ["t"], .text)
    #expect(searches.map(found) == scanned)
    #expect(scanned == ["0", "016", "1", "4", "7", "6", "", "", "0"])
  }

  /// The end of a text sorts before all continuations, in either direction.
  @Test(arguments: [false, true])
  func sortsTextsThatBeginOthers(hasIndex: Bool) {
    let bench = Bench()
    if hasIndex { create(bench, "t", ["t"]) }
    for (place, text) in (["", "\u{0}", "a", "a\u{0}", "a\u{1}"] as [JSONString]).enumerated() {
      bench.perform(.create(id: DocumentID(JSONString("\(place)")), body: ["t": .string(text)]))
    }
    #expect(ids(bench, [:], sort: [SortKey("t")]) == ["0", "1", "2", "3", "4"])
    #expect(
      ids(bench, [:], sort: [SortKey("t", descending: true)]) == ["4", "3", "2", "1", "0"])
    #expect(ids(bench, [:], sort: [SortKey("t", descending: true)], limit: 2) == ["4", "3"])
  }

  /// A store without indexes does not access the tables of indexes.
  @Test func writesWithoutIndexesAskForNone() {
    let bench = Bench()
    bench.perform(.create(id: "d", body: ["n": 1]))
    let raw = RawDatabase("notes.sqlite", in: bench.storage)
    #expect(raw.execute("DROP TABLE field_index; DROP TABLE entry") == 0)
    #expect(bench.perform(.create(id: "e", body: ["n": 1])).errorKind == nil)
    #expect(ids(bench, ["n": 1]) == ["d", "e"])
  }

  /// An update that does not change the fields of an index writes nothing to it.
  @Test func unchangedEntriesStay() {
    let bench = Bench()
    create(bench, "n", ["n"])
    let rev = bench.written(.create(id: "d", body: ["n": [1, 2]]))
    let raw = RawDatabase("notes.sqlite", in: bench.storage)
    #expect(
      raw.execute(
        "CREATE TRIGGER t BEFORE INSERT ON entry BEGIN SELECT raise(ABORT, 'insert'); END;"
          + "CREATE TRIGGER u BEFORE DELETE ON entry BEGIN SELECT raise(ABORT, 'delete'); END") == 0
    )
    #expect(
      bench.perform(.update(id: "d", rev: rev, body: ["n": [2, 1.0], "m": 1])).errorKind == nil)
  }
}
