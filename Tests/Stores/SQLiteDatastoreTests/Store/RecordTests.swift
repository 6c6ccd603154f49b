import Datastore
import JSON
import Testing

@Suite struct RecordTests {
  @Test func theDifferenceIsAnsweredPerQuery() {
    let bench = Bench()
    bench.insert("d", ["3-c", "2-b", "1-a"])
    bench.insert("d", ["2-x", "1-a"], deleted: true)
    let queries = [
      RevisionQuery(id: "d", revs: ["3-c", "2-b"]),
      RevisionQuery(id: "d", revs: ["4-d", "3-c", "4-d", "1-z"]),
      RevisionQuery(id: "d", revs: ["3-y"]), RevisionQuery(id: "d", revs: ["1-z"]),
      RevisionQuery(id: "e", revs: ["2-q", "1-q"]), RevisionQuery(id: "d", revs: []),
    ]
    #expect(
      bench.perform(.revsDiff(queries))
        == .ok(
          .revsDiff([
            Difference(id: "d", missing: ["4-d", "1-z"], possibleAncestors: ["3-c", "2-x"]),
            Difference(id: "d", missing: ["3-y"], possibleAncestors: ["2-x"]),
            Difference(id: "d", missing: ["1-z"], possibleAncestors: []),
            Difference(id: "e", missing: ["2-q", "1-q"], possibleAncestors: []),
          ])))
  }

  @Test func revisionsComeWithTheirPaths() {
    let bench = Bench()
    bench.insert("d", ["3-c", "2-b", "1-a"], body: ["n": 3])
    bench.insert("d", ["3-y", "2-b"], deleted: true, body: ["n": 4])
    bench.insert("d", ["1-z"], body: ["n": 5])
    let c = RevisionRecord(id: "d", path: ["3-c", "2-b", "1-a"], body: ["n": 3])
    let y = RevisionRecord(id: "d", path: ["3-y", "2-b", "1-a"], deleted: true, body: ["n": 4])
    func asked(_ revs: [RevisionID], latest: Bool = false) -> [RevisionAnswer.Found] {
      let query = RevisionQuery(id: "d", revs: revs, latest: latest)
      guard case .ok(.revisions(let answers)) = bench.perform(.getRevisions([query])) else {
        return []
      }
      #expect(answers.map { $0.rev } == revs)
      return answers.map { $0.found }
    }
    #expect(
      asked(["3-c", "2-b", "9-q", "3-c"])
        == [.records([c]), .bodyMissing, .missing, .records([c])])
    #expect(asked(["1-a", "3-y"], latest: true) == [.records([c, y]), .records([y])])
    #expect(asked(["1-q"], latest: true) == [.missing])
    #expect(
      bench.perform(.getRevisions([RevisionQuery(id: "e", revs: ["1-a"])]))
        == .ok(.revisions([RevisionAnswer(id: "e", rev: "1-a", found: .missing)])))
  }

  /// One call for several revisions of one document returns the same as several calls, also with a
  /// history limit and with shared ancestors.
  @Test(arguments: [nil, 1, 2, 3, 5] as [Int64?])
  func pathsInOneCallAreThoseOfSingleCalls(historyLimit: Int64?) {
    let bench = Bench()
    let revs: [RevisionID] = ["5-a", "4-a", "3-a", "2-a", "1-a"]
    for count in 1...5 { bench.insert("d", Array(revs.suffix(count)), body: ["n": 1]) }
    bench.insert("d", ["4-b", "3-b", "2-a", "1-a"])
    bench.insert("d", ["4-c", "3-b", "2-a"])
    if let historyLimit { bench.perform(.historyLimit(historyLimit)) }
    for latest in [false, true] {
      let asked: [RevisionID] = ["4-b", "2-a", "5-a", "3-b", "4-c", "5-a", "1-a", "3-a", "4-a"]
      func answers(_ queries: [RevisionQuery]) -> [RevisionAnswer] {
        guard case .ok(.revisions(let answers)) = bench.perform(.getRevisions(queries)) else {
          return []
        }
        return answers
      }
      let alone = asked.flatMap { answers([RevisionQuery(id: "d", revs: [$0], latest: latest)]) }
      #expect(alone.count == asked.count)
      #expect(answers([RevisionQuery(id: "d", revs: asked, latest: latest)]) == alone)
      let queries = asked.map { RevisionQuery(id: "d", revs: [$0], latest: latest) }
      #expect(answers(queries) == alone)
    }
  }

  /// More bytes than the memory of a statement.
  @Test func longNamesAreKept() {
    let bench = Bench()
    let long = { (first: String) in
      RevisionID(JSONString("\(first)-\(String(repeating: "x", count: 2000))"))
    }
    bench.insert("d", [long("2"), long("1")], body: ["n": 2])
    let query = RevisionQuery(id: "d", revs: [long("2")])
    let record = RevisionRecord(id: "d", path: [long("2"), long("1")], body: ["n": 2])
    #expect(
      bench.perform(.getRevisions([query]))
        == .ok(
          .revisions([RevisionAnswer(id: "d", rev: long("2"), found: .records([record]))])))
  }

  @Test func aRecordFailsAlone() {
    let bench = Bench()
    let records = [
      RevisionRecord(id: "b", path: ["1-a"], body: [:]),
      RevisionRecord(id: "_x", path: ["1-a"], body: [:]),
      RevisionRecord(id: "a", path: ["1-a", "2-b"], body: [:]),
      RevisionRecord(id: "a", path: ["1-a"], body: ["n": 1]),
      RevisionRecord(id: "b", path: ["2-b", "1-a"], body: []),
      RevisionRecord(id: "b", path: ["1-a"], body: ["other": 1]),
    ]
    guard case .ok(.inserted(let results)) = bench.perform(.insertRevisions(records)) else {
      Issue.record("the call failed")
      return
    }
    #expect(results.map { $0?.kind } == [nil, .badID, .badRevision, nil, .badBody, nil])
    #expect(bench.body("b") == [:])
    // One position in the feed per document, in the order of the first records.
    guard case .ok(.changes(let page)) = bench.perform(.changes()) else { return }
    #expect(page.rows.map { $0.id } == ["b", "a"])
    #expect(bench.last == 2)
    #expect(bench.perform(.insertRevisions([])) == .ok(.inserted([])))
  }

  @Test func whatWasKnownByNameIsFilledOnce() {
    let bench = Bench()
    bench.insert("d", ["2-b", "1-a"], body: ["n": 2])
    #expect(bench.insert("d", ["1-a"], deleted: true, body: ["n": 1]) == nil)
    #expect(bench.last == 2)
    #expect(bench.body("d", "1-a") == ["n": 1])
    bench.insert("d", ["1-a"], body: ["n": 9])
    #expect(bench.last == 2)
    bench.perform(.compact)
    bench.insert("d", ["1-a"], body: ["n": 7])
    #expect(bench.last == 3)
    guard case .ok(.document(let filled)) = bench.perform(.read(id: "d", rev: "1-a")) else {
      Issue.record("not filled")
      return
    }
    // The flag of a compacted revision is kept, whatever the record contains.
    #expect(filled.deleted && filled.body == ["n": 7])
    expectInvariants(in: bench.storage)
  }

  @Test func aPathJoinsRoots() {
    let bench = Bench()
    bench.insert("d", ["1-a"])
    bench.insert("d", ["4-d", "3-c"])
    #expect(bench.leaves("d") == ["4-d", "1-a"])
    bench.insert("d", ["5-e", "4-d", "3-c", "2-b", "1-a"])
    #expect(bench.leaves("d") == ["5-e"])
    #expect(bench.path("d", "5-e") == ["5-e", "4-d", "3-c", "2-b", "1-a"])
    // A known parent is not replaced; only the body is new.
    bench.insert("d", ["3-c", "2-x", "1-x"])
    #expect(bench.path("d", "5-e") == ["5-e", "4-d", "3-c", "2-b", "1-a"])
    #expect(bench.leaves("d") == ["5-e"])
    #expect(bench.last == 4)
    expectInvariants(in: bench.storage)
  }

  @Test func purgeTakesLeavesAndWhatOnlyTheyNeed() {
    let bench = Bench()
    bench.insert("d", ["3-c", "2-b", "1-a"])
    bench.insert("d", ["2-x", "1-a"], deleted: true)
    #expect(bench.perform(.purge(id: "d", revs: ["2-b", "9-q", "1-a"])) == .ok(.purged([])))
    #expect(bench.perform(.purge(id: "e", revs: ["1-a"])) == .ok(.purged([])))
    #expect(bench.last == 2)
    #expect(bench.perform(.purge(id: "d", revs: ["3-c", "3-c"])) == .ok(.purged(["3-c"])))
    #expect(bench.leaves("d") == ["-2-x"])
    #expect(bench.failure(.read(id: "d", rev: "2-b")) == .notFound(.missing))
    #expect(bench.failure(.read(id: "d", rev: "1-a")) == .notFound(.bodyMissing))
    #expect(bench.info?.deletedDocuments == 1 && bench.last == 3)
    #expect(bench.perform(.purge(id: "d", revs: ["2-x"])) == .ok(.purged(["2-x"])))
    #expect(bench.failure(.leaves(id: "d")) == .notFound(.missing))
    #expect(bench.info?.deletedDocuments == 0 && bench.last == 3)
    guard case .ok(.changes(let page)) = bench.perform(.changes()) else { return }
    #expect(page.rows.isEmpty && page.last == bench.info?.last)
    expectInvariants(in: bench.storage)
  }
}
