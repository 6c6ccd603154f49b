import Datastore
import JSON
import Oracles
import Testing

/// The oracle of clients of one backend, with a client and a backend that violate its rules.
struct CollectionLedgerTests {
  private typealias Key = CollectionLedger.Key
  private typealias Draft = CollectionLedger.Draft

  /// A ledger, and shorthands for its events.
  private struct Scene {
    var ledger = CollectionLedger()
    var time: UInt64 = 0
    var findings: [JSONString] = []

    mutating func note(_ finding: OracleFinding?) {
      if let finding { findings.append(finding.shape) }
    }

    mutating func begin(_ client: Int, _ call: Int64, _ drafts: [Draft] = []) {
      time += 1
      ledger.begin(client, call, drafts: drafts, at: time)
    }

    /// A request that succeeds.
    mutating func put(_ client: Int, _ id: JSONString, _ stamp: JSONString, isLost: Bool = false) {
      time += 1
      let body: JSONValue = ["_id": .string(id), "stamp": .string(stamp)]
      note(
        ledger.arrived(
          client, .init(method: "PUT", collection: "R", id: id, body: body), status: 200,
          answer: body,
          isLost: isLost, at: time))
    }

    mutating func post(_ client: Int, _ id: JSONString, _ stamp: JSONString, isLost: Bool = false) {
      time += 1
      note(
        ledger.arrived(
          client, .init(method: "POST", collection: "R", body: ["stamp": .string(stamp)]),
          status: 201, answer: ["_id": .string(id), "stamp": .string(stamp)], isLost: isLost,
          at: time))
    }

    mutating func saved(_ client: Int, _ call: Int64, _ stamps: [JSONString]) {
      note(ledger.progress(client, call, done: 1, total: 1))
      note(ledger.saved(client, call, stamps: stamps))
    }

    mutating func told(
      _ client: Int, _ call: Int64, _ id: JSONString, _ stamp: JSONString, isFromCache: Bool = false
    ) {
      time += 1
      note(ledger.progress(client, call, done: 1, total: 1))
      note(
        ledger.told(
          client, call, found: [(Key("R", id), stamp)], isFromCache: isFromCache, isLast: true,
          at: time))
    }

    mutating func end(_ stored: [JSONString: JSONString], waiting: [Int] = []) {
      let entities = Dictionary(
        uniqueKeysWithValues: stored.map { id, stamp in
          (Key("R", id), ["_id": .string(id), "stamp": .string(stamp)] as JSONObject)
        })
      findings += ledger.conclude(entities, waiting: waiting).map { $0.shape }
    }
  }

  @Test func allIsWell() {
    var scene = Scene()
    scene.begin(0, 1, [Draft(stamp: "a")])
    scene.put(0, "x", "a")
    scene.saved(0, 1, ["a"])
    scene.begin(1, 1)
    scene.told(1, 1, "x", "a")
    scene.begin(1, 2, [Draft(stamp: "b", base: "a")])
    scene.put(1, "x", "b")
    scene.saved(1, 2, ["b"])
    scene.end(["x": "b"])
    #expect(scene.findings == [])
    #expect(scene.ledger.losses == CollectionLedger.Losses())
  }

  @Test func acknowledgedAndNeverWritten() {
    var scene = Scene()
    scene.begin(0, 1, [Draft(stamp: "a")])
    scene.saved(0, 1, ["a"])
    #expect(scene.findings == ["acknowledged"])
  }

  @Test func writtenAndGone() {
    var scene = Scene()
    scene.begin(0, 1, [Draft(stamp: "a")])
    scene.put(0, "x", "a")
    scene.saved(0, 1, ["a"])
    scene.end([:])
    #expect(scene.findings == ["stored"])
  }

  /// A lost update outside of the guarantees is counted, but is no finding.
  @Test func whoHasNotSeenWhatTheyWriteOver() {
    var scene = Scene()
    for (client, stamp): (Int, JSONString) in [(0, "a"), (1, "b")] {
      scene.begin(client, 1, [Draft(stamp: stamp)])
      scene.put(client, "x", stamp)
      scene.saved(client, 1, [stamp])
    }
    scene.end(["x": "b"])
    #expect(scene.findings == [])
    #expect(scene.ledger.losses.overwritten == 1)
  }

  @Test func madeTwice() {
    for isLost in [true, false] {
      var scene = Scene()
      scene.begin(0, 1, [Draft(stamp: "a")])
      scene.post(0, "x", "a", isLost: isLost)
      scene.post(0, "y", "a")
      #expect(scene.findings == (isLost ? [] : ["twice"]))
      #expect(scene.ledger.losses.madeTwice == 1)
    }
  }

  @Test func answersOfYesterday() {
    var scene = Scene()
    scene.begin(0, 1, [Draft(stamp: "a")])
    scene.put(0, "x", "a")
    scene.begin(0, 2, [Draft(stamp: "b", base: "a")])
    scene.put(0, "x", "b")
    scene.time += 1
    scene.begin(1, 1)
    scene.told(1, 1, "x", "a")
    scene.begin(1, 2)
    scene.told(1, 2, "x", "b", isFromCache: true)
    #expect(scene.findings == ["stale", "remembered"])
  }

  @Test func callsThatEndTwiceOrNever() {
    var scene = Scene()
    scene.begin(0, 1)
    scene.begin(0, 2)
    scene.note(scene.ledger.progress(0, 1, done: 2, total: 2))
    scene.note(scene.ledger.end(0, 1))
    scene.note(scene.ledger.end(0, 1))
    scene.note(scene.ledger.progress(0, 2, done: 1, total: 2))
    scene.note(scene.ledger.progress(0, 2, done: 0, total: 2))
    scene.end([:])
    #expect(scene.findings == ["callback", "progress", "callback"])
  }

  @Test func whatWaitsForEver() {
    var scene = Scene()
    scene.begin(0, 1, [Draft(stamp: "a")])
    scene.ledger.wait(0, "a")
    scene.end([:], waiting: [1])
    #expect(scene.findings == ["queue", "queue", "callback"])
  }

  @Test func wrongAnswers() {
    var scene = Scene()
    scene.begin(0, 1, [Draft(stamp: "a")])
    scene.put(0, "x", "a")
    for (filter, found): (JSONValue?, JSONValue) in [
      (nil, []), (["stamp": "b"], [["_id": "x", "stamp": "a"]]),
    ] {
      scene.note(
        scene.ledger.arrived(
          0, .init(method: "GET", collection: "R", filter: filter), status: 200, answer: found,
          isLost: false, at: 9))
    }
    #expect(scene.findings == ["answer", "answer"])
  }

  /// On replicated stores a revision is kept if it is a leaf or an ancestor of one; otherwise it is
  /// lost.
  @Test func acknowledgedRevisions() {
    var keeping = ReplicatedKeeping()
    for rev: RevisionID in ["1-a", "2-b", "2-c"] { keeping.acknowledge("d", rev) }
    let leaf = RevisionRecord(id: "d", path: ["2-b", "1-a"], body: [:])
    #expect(keeping.lost([leaf]).map { $0.shape } == ["replicated"])
    let other = RevisionRecord(id: "d", path: ["2-c", "1-a"], body: [:])
    #expect(keeping.lost([leaf, other]) == [])
  }
}
