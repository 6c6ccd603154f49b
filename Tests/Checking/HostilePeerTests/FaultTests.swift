#if HTTP
  import CouchDBInterface
  import HTTPServer
  import JSON
  import ReferenceDatastore
  import Synchronization
  import Testing

  @testable import HostilePeer

  struct FaultTests {
    /// A request of a client.
    static func request(
      _ method: String, _ target: String, _ body: String = "", client: String = "c"
    ) -> ServerRequest {
      ServerRequest(
        method: method, target: target,
        headers: [
          "user-agent": client, "content-type": "application/json", "accept": "application/json",
          "authorization": "Basic c2VjcmV0",
        ], body: Array(body.utf8), connection: 1)
    }

    /// The faults that a plan chooses for a sequence of requests.
    private static func faults(_ plan: FaultPlan, client: String = "c") -> [WireFault?] {
      let kind = RequestKind(request("GET", "/db/_changes"))
      return (1...200).map {
        plan.choice(for: kind, of: client, number: $0, faultsInRow: 0)?.fault
      }
    }

    @Test func aSeedRepeats() {
      let plan = FaultPlan(.all, seed: 7)
      #expect(Self.faults(plan) == Self.faults(FaultPlan(.all, seed: 7)))
      #expect(Self.faults(plan) != Self.faults(FaultPlan(.all, seed: 8)))
      #expect(Self.faults(plan) != Self.faults(plan, client: "d"))
      let count = Self.faults(plan).count { $0 != nil }
      #expect((20...60).contains(count))
      #expect(Self.faults(FaultPlan(.friendly, seed: 7)).allSatisfy { $0 == nil })
      #expect(Set(Self.faults(FaultPlan(.slow, seed: 7))) == [nil, .delayed, .drip])
    }

    /// A request that is repeated passes in the end.
    @Test func notMoreThanTwoInRow() {
      let kind = RequestKind(Self.request("PUT", "/db/x"))
      for number in 1...500 {
        let choice = FaultPlan(.all, seed: 1).choice(
          for: kind, of: "c", number: number, faultsInRow: 2)
        #expect(choice == nil)
      }
    }

    @Test(
      arguments: [
        ("7", "all:7"), ("cuts", "cuts:1"), ("slow:9", "slow:9"), ("x", nil), ("all:x", nil),
        ("", nil),
        ("1:2:3", nil),
      ] as [(String, String?)])
    func plansAsText(text: String, expected: String?) {
      #expect(FaultPlan(text)?.text == expected)
    }

    /// A server that counts requests, and one fault for each request of a kind.
    private static func response(
      _ fault: WireFault, to request: ServerRequest, body: String = #"{"ok":true,"last_seq":"5-x"}"#
    ) throws -> (response: ServerResponse?, performed: Int) {
      let count = Counter()
      let server: HostilePeer.Server = { _ in
        count.add()
        return .json(200, body)
      }
      for seed in 0..<20_000 as Range<UInt64> {
        let plan = FaultPlan(.all, seed: seed)
        let choice = plan.choice(
          for: RequestKind(request), of: "c", number: 1, faultsInRow: 0)
        guard choice?.fault == fault else { continue }
        let peer = HostilePeer(plan, log: ExchangeLog(), server: server)
        return (peer.response(to: request), count.value.withLock { $0 })
      }
      throw Missing()
    }

    private struct Missing: Error {}

    private final class Counter: Sendable {
      let value = Mutex(0)
      func add() { value.withLock { $0 += 1 } }
    }

    @Test func whatIsPerformed() throws {
      let request = Self.request("PUT", "/db/x", "{}")
      for (fault, status, performed) in [
        (.refused, nil, 0), (.unavailable, 503, 0), (.limited, 429, 0), (.delayed, 200, 1),
        (.duplicated, 200, 2), (.failedAfterwards, 500, 1), (.lostAfterwards, nil, 1),
        (.closed, 200, 1),
      ] as [(WireFault, Int?, Int)] {
        let found = try Self.response(fault, to: request)
        #expect(found.response?.status == status, "\(fault)")
        #expect(found.performed == performed, "\(fault)")
      }
      let limited = try Self.response(.limited, to: request).response
      #expect(limited?.headers.contains { $0.name == "Retry-After" } == true)
      #expect(try Self.response(.closed, to: request).response?.closesConnection == true)
    }

    @Test func bodiesThatDoNotArrive() throws {
      let request = Self.request("GET", "/db/x")
      let cut = try #require(try Self.response(.cut, to: request).response)
      #expect(cut.collected() == nil)
      let truncated = try #require(try Self.response(.truncated, to: request).response?.bytes)
      #expect((try? JSONValue.parse(truncated)) == nil)
      let drip = try #require(try Self.response(.drip, to: request).response)
      guard case .stream = drip.body else {
        Issue.record("the body is not in pieces")
        return
      }
      #expect(
        drip.collected().map { String(decoding: $0, as: UTF8.self) }
          == #"{"ok":true,"last_seq":"5-x"}"# + "\n")
    }

    /// A lost checkpoint is acknowledged, and the next read does not find it.
    @Test func lostCheckpoints() throws {
      let write = try Self.response(.checkpointLost, to: Self.request("PUT", "/db/_local/c", "{}"))
      #expect(write.response?.status == 201)
      #expect(write.performed == 0)
      let read = try Self.response(.checkpointLost, to: Self.request("GET", "/db/_local/c"))
      #expect(read.response?.status == 404)
    }

    /// A sequence in another encoding is a valid `since` later.
    @Test func sequencesInAnotherEncoding() throws {
      let found = try Self.response(.reencoded, to: Self.request("GET", "/db/_changes"))
      let bytes = try #require(found.response?.bytes)
      let last = try #require(try JSONValue.parse(bytes).objectValue?["last_seq"]?.textValue)
      #expect(last != "5-x")
      let next = SequenceCode.decoded(Self.request("GET", "/db/_changes?since=\(last)&limit=1"))
      #expect(next.target == "/db/_changes?since=5-x&limit=1")
    }
  }
#endif
