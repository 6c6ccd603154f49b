import Datastore
import JSON
import Testing

@Suite struct EditTests {
  @Test func editsOfWhatIsNotThere() {
    let bench = Bench()
    #expect(bench.failure(.update(id: "d", rev: "1-a", body: [:])) == .notFound(.missing))
    #expect(bench.failure(.delete(id: "d", rev: "1-a")) == .notFound(.missing))
    #expect(bench.failure(.resolve(id: "d", leaves: ["1-a"], keep: "1-a")) == .conflict)
    bench.insert("d", ["2-b", "1-a"])
    #expect(bench.failure(.update(id: "d", rev: "1-a", body: [:])) == .conflict)
    #expect(bench.failure(.update(id: "d", rev: "2-x", body: [:])) == .conflict)
    #expect(bench.failure(.create(id: "d", body: [:])) == .conflict)
    #expect(bench.last == 1)
  }

  @Test func aTombstoneCanBeEdited() {
    let bench = Bench()
    bench.insert("d", ["1-a"], deleted: true, body: ["why": "x"])
    #expect(bench.body("d", "1-a") == ["why": "x"])
    let next = bench.written(.update(id: "d", rev: "1-a", body: ["n": 2]))
    #expect(bench.path("d", next) == [next, "1-a"])
  }

  @Test func aDeletionKeepsItsBody() {
    let bench = Bench()
    let first = bench.written(.create(id: "d", body: ["n": 1]))
    let second = bench.written(.delete(id: "d", rev: first, body: ["by": "me"]))
    #expect(bench.body("d", second) == ["by": "me"])
    let third = bench.written(.delete(id: "d", rev: second))
    #expect(bench.body("d", third) == [:])
    expectInvariants(in: bench.storage)
  }

  @Test func anEditThatIsThereAlreadyIsFine() {
    let bench = Bench()
    let first = bench.written(.create(id: "d", body: ["n": 1]))
    let second = bench.written(.update(id: "d", rev: first, body: ["n": 2]))
    let other = Bench()
    other.insert("d", [second], body: ["n": 2])
    other.insert("d", [first], body: ["n": 1])
    let last = other.last
    #expect(other.written(.update(id: "d", rev: first, body: ["n": 2])) == second)
    // The edit supplies the parent, which was unknown.
    #expect(other.path("d", second) == [second, first])
    #expect(other.last == last + 1)
    expectInvariants(in: other.storage)
  }

  @Test func thereIsALastGeneration() {
    let bench = Bench()
    bench.insert("d", ["9007199254740991-a"])
    #expect(bench.failure(.update(id: "d", rev: "9007199254740991-a", body: [:])) == .badRevision)
    #expect(bench.failure(.delete(id: "d", rev: "9007199254740991-a")) == .badRevision)
    bench.insert("e", ["9007199254740991-a"], deleted: true)
    #expect(bench.failure(.create(id: "e", body: [:])) == .badRevision)
  }

  @Test func resolvingLeavesOneLiveLeaf() {
    let bench = Bench()
    bench.insert("d", ["2-b", "1-a"], body: ["n": 1])
    bench.insert("d", ["2-c", "1-a"], body: ["n": 2])
    bench.insert("d", ["1-x"], deleted: true)
    #expect(bench.failure(.resolve(id: "d", leaves: ["2-b"], keep: "2-b")) == .conflict)
    #expect(
      bench.failure(.resolve(id: "d", leaves: ["2-b", "2-c", "1-x"], keep: "2-b")) == .conflict)
    let last = bench.last
    guard
      case .ok(.resolved(let rev, let tombstones)) = bench.perform(
        .resolve(id: "d", leaves: ["2-c", "2-b", "2-c"], keep: "2-b"))
    else {
      Issue.record("not resolved")
      return
    }
    #expect(rev == "2-b")
    #expect(tombstones.count == 1)
    #expect(bench.last == last + 1)
    #expect(bench.leaves("d").first == "2-b")
    #expect(bench.leaves("d").filter { !$0.hasPrefix("-") } == ["2-b"])
    // One live leaf, so nothing is written.
    #expect(bench.written(.resolve(id: "d", leaves: ["2-b"], keep: "2-b")) == "2-b")
    #expect(bench.last == last + 1)
    let child = bench.written(.resolve(id: "d", leaves: ["2-b"], keep: "2-b", body: ["n": 3]))
    #expect(bench.path("d", child) == [child, "2-b", "1-a"])
    #expect(bench.body("d") == ["n": 3])
    expectInvariants(in: bench.storage)
  }

  @Test func aBatchIsAllOrNothing() {
    let bench = Bench()
    let first = bench.written(.create(id: "d", body: ["n": 1]))
    let failing: [StoreAction] = [
      .create(id: "e", body: [:]), .writeLocal(id: "l", body: [:]),
      .update(id: "d", rev: first, body: ["n": 2]), .update(id: "d", rev: first, body: ["n": 3]),
    ]
    guard case .error(let error) = bench.perform(.batch(failing)) else {
      Issue.record("the batch succeeded")
      return
    }
    #expect(error.kind == .conflict && error.write == 3)
    #expect(bench.last == 1)
    #expect(bench.failure(.read(id: "e")) == .notFound(.missing))
    #expect(bench.failure(.readLocal(id: "l")) == .notFound(.missing))
    guard case .ok(.batch(let results)) = bench.perform(.batch(Array(failing.prefix(3)))) else {
      Issue.record("the batch failed")
      return
    }
    #expect(results.count == 3)
    #expect(bench.last == 3)
    #expect(bench.info?.documents == 2)
    expectInvariants(in: bench.storage)
  }

  @Test func validationRefusesBodiesThatWouldBeStored() {
    let bench = Bench()
    bench.insert("d", ["2-b", "1-a"], body: ["bad": 1])
    bench.insert("d", ["1-x"], body: ["ok": 1])
    bench.perform(.setValidation(refuse: .bodyFieldEquals(field: "bad", value: 1.0)))
    #expect(bench.failure(.create(id: "e", body: ["bad": 1])) == .forbidden)
    #expect(bench.failure(.update(id: "d", rev: "2-b", body: ["bad": 1])) == .forbidden)
    #expect(bench.failure(.delete(id: "d", rev: "2-b", body: ["bad": 1])) == .forbidden)
    #expect(
      bench.failure(.resolve(id: "d", leaves: ["2-b", "1-x"], keep: "2-b", body: ["bad": 1]))
        == .forbidden)
    #expect(bench.insert("e", ["1-a"], body: ["bad": 1])?.kind == .forbidden)
    #expect(bench.insert("d", ["1-a"], body: ["bad": 1])?.kind == .forbidden)
    #expect(bench.insert("d", ["2-b", "1-a"], body: ["bad": 1]) == nil)
    #expect(bench.perform(.writeLocal(id: "l", body: ["bad": 1])) == .ok(.done))
    #expect(bench.last == 2)
    bench.perform(.setValidation(refuse: .live))
    #expect(bench.failure(.create(id: "e", body: [:])) == .forbidden)
    #expect(bench.failure(.delete(id: "d", rev: "2-b")) == nil)
    bench.perform(.setValidation(refuse: .documentIDs(["e"])))
    #expect(bench.failure(.create(id: "e", body: [:])) == .forbidden)
    bench.perform(.setValidation(refuse: nil))
    #expect(bench.failure(.create(id: "e", body: ["bad": 1])) == nil)
    expectInvariants(in: bench.storage)
  }
}
