import Testing

@testable import touchstone

struct ExploreCommandTests {
  @Test func aSmallScopeIsRight() {
    let world = TestWorld()
    #expect(world.run("explore", "--operations", "2", "--faults", "0") == .success)
    #expect(world.output.contains("2 replicas, 1 document, up to 2 writes, 1 session and 0 faults"))
    #expect(world.output.contains("healed to 5 ends"))
    #expect(world.output.contains("nothing was lost"))
    #expect(world.error == "")
  }

  @Test func aMistakeIsFoundAndRetold() {
    let world = TestWorld()
    #expect(world.run("explore", "--mistake", "losing-leaves-not-sent") == .failure)
    #expect(world.output.contains("checkpoint/ahead: "))
    #expect(world.error.contains("after 2 moves:\n  1  a: {\"op\":\"create\""))
    #expect(world.output.contains("\"replicas\": ["))
  }

  @Test func whatIsNoScope() {
    let world = TestWorld()
    #expect(world.run("explore", "--replicas", "1") == .usage)
    #expect(world.run("explore", "--mistake", "winner-by-arrival") == .usage)
    #expect(world.error.contains("no mistake 'winner-by-arrival' of a replicator"))
  }
}
