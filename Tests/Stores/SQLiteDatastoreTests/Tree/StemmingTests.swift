import Datastore
import JSON
import Testing

@Suite struct StemmingTests {
  @Test func theExampleOfTheSource() {
    let bench = Bench()
    bench.perform(.historyLimit(2))
    let records = [
      RevisionRecord(id: "d", path: ["4-d", "3-c", "2-b", "1-a"], body: [:]),
      RevisionRecord(id: "d", path: ["2-x", "1-a"], body: [:]),
    ]
    bench.perform(.insertRevisions(records))
    #expect(bench.path("d", "4-d") == ["4-d", "3-c"])
    #expect(bench.path("d", "2-x") == ["2-x", "1-a"])
    #expect(bench.failure(.read(id: "d", rev: "2-b")) == .notFound(.missing))
    #expect(bench.failure(.read(id: "d", rev: "1-a")) == .notFound(.bodyMissing))
    bench.perform(.historyLimit(9))
    #expect(bench.path("d", "4-d") == ["4-d", "3-c"])
    expectInvariants(in: bench.storage)
  }

  @Test func ancestorsThatAreCutAtOnceAreNoChange() {
    let bench = Bench()
    bench.perform(.historyLimit(2))
    bench.insert("d", ["3-c", "2-b"])
    #expect(bench.last == 1)
    bench.insert("d", ["3-c", "2-b", "1-a"])
    #expect(bench.last == 1)
    #expect(bench.failure(.read(id: "d", rev: "1-a")) == .notFound(.missing))
  }

  @Test func whatOnlyAPurgedLeafKeptGoes() {
    let bench = Bench()
    bench.perform(.historyLimit(2))
    bench.perform(
      .insertRevisions([
        RevisionRecord(id: "d", path: ["4-b", "3-b", "2-a"], body: [:]),
        RevisionRecord(id: "d", path: ["3-x", "2-a"], body: [:]),
      ]))
    #expect(bench.failure(.read(id: "d", rev: "2-a")) == .notFound(.bodyMissing))
    bench.perform(.purge(id: "d", revs: ["3-x"]))
    #expect(bench.failure(.read(id: "d", rev: "2-a")) == .notFound(.missing))
    #expect(bench.path("d", "4-b") == ["4-b", "3-b"])
    expectInvariants(in: bench.storage)
  }

  @Test func aLimitTakesEffectAtTheNextChange() {
    let bench = Bench()
    bench.insert("d", ["3-c", "2-b", "1-a"])
    bench.perform(.historyLimit(1))
    #expect(bench.failure(.read(id: "d", rev: "1-a")) == .notFound(.bodyMissing))
    #expect(bench.path("d", "3-c") == ["3-c"])
    bench.insert("d", ["3-c", "2-b", "1-a"])
    #expect(bench.failure(.read(id: "d", rev: "1-a")) == .notFound(.bodyMissing))
    bench.insert("d", ["4-d", "3-c"])
    for rev in ["1-a", "2-b", "3-c"] as [RevisionID] {
      #expect(bench.failure(.read(id: "d", rev: rev)) == .notFound(.missing))
    }
    #expect(bench.last == 2)
  }
}
