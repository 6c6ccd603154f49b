import Datastore
import JSON
import Testing

@Suite struct ReadTests {
  @Test func readingSaysWhatIsAbsent() {
    let bench = Bench()
    bench.insert("d", ["2-b", "1-a"], body: ["n": 2])
    #expect(bench.failure(.read(id: "x")) == .notFound(.missing))
    #expect(bench.failure(.read(id: "d", rev: "2-x")) == .notFound(.missing))
    #expect(bench.failure(.read(id: "d", rev: "1-a")) == .notFound(.bodyMissing))
    bench.insert("d", ["3-c", "2-b"], deleted: true)
    #expect(bench.failure(.read(id: "d")) == .notFound(.deleted))
    #expect(bench.body("d", "2-b") == ["n": 2])
    bench.perform(.compact)
    #expect(bench.failure(.read(id: "d", rev: "2-b")) == .notFound(.bodyMissing))
    #expect(bench.body("d", "3-c") == [:])
    #expect(bench.last == 2)
  }

  @Test func listingFollowsBytes() {
    let bench = Bench()
    let ids = ["10", "9", "A", "Z", "_design/d", "a", "b", "e\u{301}", "é"]
    for id in ids.shuffledFixed {
      bench.perform(.create(id: DocumentID(JSONString(id)), body: [:]))
    }
    bench.insert("gone", ["1-a"], deleted: true)
    func listed(_ from: String?, _ limit: Int64? = nil, descending: Bool = false) -> [String] {
      let action = StoreAction.list(
        from: from.map { DocumentID(JSONString($0)) }, limit: limit, descending: descending)
      guard case .ok(.list(let rows)) = bench.perform(action) else { return ["failed"] }
      return rows.map { $0.id.text.string }
    }
    func equal(_ left: [String], _ right: some Sequence<String>) -> Bool {
      left.map { JSONString($0) } == right.map { JSONString($0) }
    }
    #expect(equal(listed(nil), ids))
    #expect(equal(listed(nil, descending: true), ids.reversed()))
    #expect(equal(listed("A", 2), ["A", "Z"]))
    #expect(equal(listed("B", 2), ["Z", "_design/d"]))
    #expect(equal(listed("B", 2, descending: true), ["A", "9"]))
    #expect(equal(listed("A", descending: true), ["A", "9", "10"]))
    #expect(equal(listed("A\u{0}", 1), ["Z"]))
    #expect(equal(listed("A\u{0}", 1, descending: true), ["A"]))
    #expect(listed(nil, 0) == [])
    #expect(listed(nil, .max).count == ids.count)
  }

  @Test func changesComeInPages() throws {
    let bench = Bench()
    for id in ["a", "b", "c"] as [DocumentID] { bench.insert(id, ["1-a"]) }
    bench.insert("a", ["2-b", "1-a"], deleted: true)
    bench.insert("b", ["1-b"])
    func page(_ since: UpdateSequence?, _ limit: Int64?) throws -> ChangesPage {
      let outcome = bench.perform(.changes(since: since, limit: limit))
      guard case .changes(let page)? = outcome.result else {
        throw DatastoreError(.badRequest(path: "\(outcome)"))
      }
      return page
    }
    let all = try page(nil, nil)
    #expect(all.rows.map { $0.id } == ["c", "a", "b"])
    #expect(all.rows.map { $0.deleted } == [false, true, false])
    #expect(all.rows.last?.leaves == [Leaf(rev: "1-b"), Leaf(rev: "1-a")])
    #expect(!all.more && all.last == bench.info?.last)
    let first = try page(nil, 2)
    #expect(first.rows == Array(all.rows.prefix(2)) && first.more)
    #expect(first.last == first.rows.last?.seq)
    let second = try page(first.last, 2)
    #expect(second.rows == Array(all.rows.suffix(1)) && !second.more && second.last == all.last)
    #expect(try page(first.last, 0) == ChangesPage(rows: [], last: first.last, more: true))
    #expect(try page(all.last, 0) == ChangesPage(rows: [], last: all.last, more: false))
    #expect(try page(nil, 0).more)
    #expect(try page(nil, .max) == all)
    #expect(try page(try page(nil, 0).last, nil) == all)
  }

  @Test func aForeignSequenceIsBad() throws {
    let bench = Bench()
    bench.insert("a", ["1-a"])
    guard case .text(let last)? = bench.info?.last else {
      Issue.record("no sequence")
      return
    }
    let tail = last.string.drop { $0 != "-" }
    for text in [
      "", "1", "1-00000000", "2\(tail)", "01\(tail)", "+1\(tail)", "\(last)x", "-1\(tail)",
    ] {
      #expect(bench.failure(.changes(since: .text(JSONString(text)))) == .badSequence, "\(text)")
    }
    #expect(bench.failure(.changes(since: .integer(1))) == .badSequence)
    #expect(bench.failure(.changes(since: .text(JSONString("0\(tail)")))) == nil)
  }
}

extension [String] {
  /// Another fixed order.
  fileprivate var shuffledFixed: [String] {
    var random = SplitMix(state: 11)
    var rest = self
    var result: [String] = []
    while !rest.isEmpty { result.append(rest.remove(at: random.below(rest.count))) }
    return result
  }
}
