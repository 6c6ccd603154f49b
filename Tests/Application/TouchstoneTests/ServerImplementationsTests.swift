import Testing

@testable import touchstone

/// Usage errors of the names `couchdb:URL` and `couchdb-replicator:URL`.
@Suite struct ServerImplementationsTests {
  @Test(arguments: ["couchdb:", "couchdb-replicator:"])
  func doctorNamesTheCommandForServersWithoutThePassword(_ prefix: String) {
    let world = TestWorld()
    let name = "\(prefix)http://admin:tomato@127.0.0.1:1"
    #expect(world.run("doctor", "--implementation", name) == .usage)
    #expect(world.error.contains("--implementation \(prefix)URL: doctor checks adapters"))
    #expect(world.error.contains("test it with 'touchstone run'"))
    #expect(!world.error.contains("tomato"))
  }

  @Test(arguments: ["run", "compare", "simulate"])
  func helpNamesTheReplicatorOfTheServer(_ command: String) {
    let world = TestWorld()
    #expect(world.run(command, "--help") == .success)
    #expect(world.output.contains("couchdb-replicator:URL"))
  }

  #if HTTP
    @Test func aUserWithoutAPasswordIsAUsageError() throws {
      let run = "\"$TOUCHSTONE\" run --implementation couchdb:http://127.0.0.1:1 2>&1"
      let (end, output) = try BuiltProgram.shell(
        "unset TOUCHSTONE_COUCHDB_PASSWORD; TOUCHSTONE_COUCHDB_USER=admin \(run)")
      #expect(end == .exited(2))
      #expect(
        output.contains(
          "TOUCHSTONE_COUCHDB_USER is set, but TOUCHSTONE_COUCHDB_PASSWORD is empty or not set"))
    }
  #endif
}
