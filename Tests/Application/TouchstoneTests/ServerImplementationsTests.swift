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
    @Test(arguments: [
      "TOUCHSTONE_COUCHDB_USER=admin", "TOUCHSTONE_COUCHDB_USER=admin TOUCHSTONE_COUCHDB_PASSWORD=",
    ])
    func aUserOfTheEnvironmentWithoutAPassword(_ variables: String) throws {
      let (end, output) = try BuiltProgram.shell(
        "unset TOUCHSTONE_COUCHDB_PASSWORD; \(variables) \"$TOUCHSTONE\" run "
          + "--implementation couchdb:http://127.0.0.1:1 2>&1")
      #expect(end == .exited(2))
      #expect(output.contains("the user of the server has no password"))
    }

    /// Workers receive the user of a URL in the environment, so both follow one rule.
    @Test(arguments: ["admin@", "admin:@"])
    func aUserOfTheURLWithoutAPassword(_ user: String) {
      let world = TestWorld()
      let name = "couchdb:http://\(user)127.0.0.1:1"
      #expect(world.run("run", "--implementation", name) == .usage)
      #expect(world.error.contains("the user of the server has no password"))
    }
  #endif
}
