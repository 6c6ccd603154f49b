import Datastore
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

    private static let server = "couchdb:http://127.0.0.1:1"
    private static let commands = ["--stop-command", "true", "--start-command", "true"]

    @Test(arguments: ["run", "simulate"])
    func crashesOfAServerNeedBothCommandsAndOneJob(_ command: String) {
      let cases: [([String], String)] = [
        (
          ["--implementation", Self.server, "--stop-command", "true"],
          "--stop-command and --start-command need each other"
        ),
        (
          ["--implementation", "sqlite"] + Self.commands,
          "--stop-command needs --implementation couchdb:URL"
        ),
        (
          ["--implementation", Self.server, "--implementation", "couchdb:http://127.0.0.1:2"]
            + Self.commands, "--stop-command needs one server, not 2"
        ),
        (
          ["--implementation", "couchdb:http://example.com", "--allow-remote"] + Self.commands,
          "--stop-command is for a server on this machine"
        ),
        (
          ["--implementation", Self.server, "--jobs", "2"] + Self.commands,
          "--stop-command kills the server of all jobs"
        ),
      ]
      for (options, message) in cases {
        let world = TestWorld()
        #expect(world.run(all: [command] + options) == .usage)
        #expect(world.error.contains(message), "\(options): \(world.error)")
      }
    }

    @Test func aStopCommandMustSucceed() throws {
      let error = try #require(throws: HarnessError.self) {
        try ServerCommands(stopCommand: "echo no >&2; exit 3", startCommand: "true").stop()
      }
      #expect(error.message == "--stop-command ended with the exit code 3: no\n")
      try ServerCommands(stopCommand: "true", startCommand: "true").stop()
    }

    /// The program that serves is not a part of this process.
    @Test func aStartCommandMayKeepRunning() throws {
      let folder = try TemporaryFolder()
      let mark = "\(folder.path)/mark"
      let commands = ServerCommands(
        stopCommand: "true",
        startCommand: "echo $$ >'\(mark).new'; mv '\(mark).new' '\(mark)'; exec sleep 60")
      try commands.start()
      let (end, output) = try BuiltProgram.shell(
        "while ! test -e '\(mark)'; do sleep 0.02; done; kill $(cat '\(mark)') && echo killed")
      #expect(end == .exited(0))
      #expect(output == "killed\n")
    }
  #endif
}
