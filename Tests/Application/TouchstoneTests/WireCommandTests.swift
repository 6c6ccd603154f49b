import Testing

@testable import touchstone

/// `run --profile http` and `defects --http`.
@Suite struct WireCommandTests {
  private static let server = "couchdb:http://127.0.0.1:1"
  private static let profile = ["--profile", "http"]

  private static let wrong: [([String], String)] = [
    (["run"] + profile, "--profile http needs one server"),
    (["run", "--implementation", "reference"] + profile, "not reference"),
    (["run", "--profile", "core"] + profile, "--profile http runs alone"),
    (["run", "--grade", "family"] + profile, "--grade does not apply to --profile http"),
    (["run", "--fail-fast"] + profile, "--fail-fast does not apply to --profile http"),
    (["run", "--report", "junit=a"] + profile, "--profile http has only the report jsonl"),
    (["defects", "--http", "sqlite"], "--http 'sqlite': expected couchdb:URL"),
    (["defects", "--allow-remote"], "--allow-remote needs --http couchdb:URL"),
  ]

  @Test(arguments: wrong)
  func wrongUsage(arguments: [String], says: String) {
    let world = TestWorld()
    #expect(world.run(all: arguments) == .usage)
    #expect(world.error.contains(says), "\(world.error)")
  }

  #if HTTP
    private static let wrongWithServer: [([String], String)] = [
      (
        ["run", "--implementation", server, "--filter", "wire-server-welcom"] + profile,
        "did you mean 'wire-server-welcome'"
      ),
      (
        ["run", "--implementation", "mutant:wire-etag-unquote@\(server)"] + profile,
        "did you mean 'mutant:wire-etag-unquoted@\(server)'"
      ),
      (["defects", "--http", server, "--write"], "--write does not apply to --http"),
      (["defects", "--http", server, "--filter", "no-such"], "no mutant matches --filter"),
    ]

    @Test(arguments: wrongWithServer)
    func wrongUsageOfAServer(arguments: [String], says: String) {
      let world = TestWorld()
      #expect(world.run(all: arguments) == .usage)
      #expect(world.error.contains(says), "\(world.error)")
    }

    /// Without a server there is no verdict.
    @Test(arguments: [
      ["run", "--implementation", server] + profile,
      ["run", "--implementation", "mutant:wire-etag-unquoted@\(server)"] + profile,
      ["defects", "--http", server, "--filter", "WIR-001"],
    ])
    func anAbsentServerIsAFailureOfTheHarness(arguments: [String]) {
      let world = TestWorld()
      #expect(world.run(all: arguments) == .harness)
      #expect(world.error.contains("http://127.0.0.1:1: no connection"), "\(world.error)")
    }

    /// A mutant of HTTP is no store.
    @Test func aMutantNeedsTheProfile() {
      let world = TestWorld()
      let name = "mutant:wire-etag-unquoted@\(Self.server)"
      #expect(world.run("run", "--implementation", name) == .harness)
      #expect(world.error.contains("add --profile http"))
    }
  #endif
}
