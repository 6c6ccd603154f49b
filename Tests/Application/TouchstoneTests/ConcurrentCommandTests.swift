import JSON
import Testing

@testable import touchstone

struct ConcurrentCommandTests {
  @Test func theBundledStores() {
    for name in ["sqlite", "reference"] {
      for schedule in ["free", "controlled"] {
        let world = TestWorld()
        #expect(
          world.run(
            "concurrent", "--implementation", name, "--schedule", schedule, "--seeds", "1..5")
            == .success)
        #expect(world.output.hasPrefix("\(name) keeps the order of 4 clients: 5 histories, "))
        #expect(world.error == "")
      }
    }
  }

  @Test func aFinding() throws {
    let folder = try TemporaryFolder([])
    let world = TestWorld()
    #expect(
      world.run(
        "concurrent", "--implementation", "mutant:race-update-checked-before", "--schedule",
        "controlled", "--page", "\(folder.path)/page.html", "--history",
        "\(folder.path)/history.jsonl") == .failure)
    #expect(world.output.contains("mutant:race-update-checked-before has no order at seed "))
    #expect(world.output.contains("Possible states, whatever the order was:"))
    #expect(world.output.contains("none\n"))
    #expect(world.output.contains("--schedule controlled --seeds "))
    let page = try folder.text("page.html")
    #expect(
      page.contains("none: this is the contradiction") && page.contains("class=\"interval marked\"")
    )
    let lines = try folder.text("history.jsonl").split(separator: "\n")
    #expect(lines.count > 200)
    for line in lines.prefix(3) {
      let operation = try JSONValue.parse(String(line)).objectValue
      #expect(operation?["perform"] != nil && operation?["call"]?.integerValue != nil)
    }
  }

  @Test func aFullDiskAndWrongClocks() {
    let world = TestWorld()
    #expect(
      world.run(
        "concurrent", "--schedule", "controlled", "--faults", "full,clock", "--seeds", "1..10")
        == .success)
    #expect(world.error == "")
  }

  @Test func theProof() {
    let world = TestWorld()
    #expect(world.run("concurrent", "--prove", "--seeds", "1..3") == .usage)
    #expect(world.error.contains("--prove needs --schedule controlled"))
  }

  @Test func processesThatAreKilled() throws {
    let (end, output) = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" concurrent --processes --connections 3 --operations 60 --seeds 1..4 "
        + "--faults kill 2>&1")
    #expect(end == .exited(0), "\(output)")
    #expect(output.contains("sqlite keeps the order of 3 clients: 4 histories"))
  }

  @Test func anAdapterOverSockets() throws {
    guard try BuiltProgram.shell("command -v python3 >/dev/null").end == .exited(0) else { return }
    let adapter = "exec:python3 '\(ShippedAdapter.top)/tools/adapters/python/concurrent_adapter.py'"
    for options in [["--schedule", "controlled"], ["--faults", "cut"]] {
      let world = TestWorld()
      let code = world.run(
        all: ["concurrent", "--implementation", adapter, "--seeds", "1..3"] + options)
      #expect(code == .success, "\(world.output)\(world.error)")
    }
    // An adapter that does not say how it is shared has one connection.
    let world = TestWorld()
    let single = "exec:python3 '\(ShippedAdapter.top)/tools/adapters/python/adapter.py'"
    #expect(world.run("concurrent", "--implementation", single, "--seeds", "1") == .harness)
    #expect(world.error.contains("declares no \"connections\""))
  }

  @Test(arguments: [
    (["--faults", "kill"], "--faults kill and pause need --processes"),
    (["--faults", "full"], "--faults full needs"),
    (["--faults", "fire"], "unknown fault 'fire'"),
    (["--without", "truth"], "unknown guarantee 'truth'"),
    (["--schedule", "wild"], "expected free or controlled"),
    (["--processes", "--implementation", "reference"], "--processes is for"),
    (["--processes", "--schedule", "controlled"], "connections in this process"),
    (["--implementation", "variant:none"], "unknown"),
  ])
  func wrongOptions(_ options: [String], _ message: String) {
    let world = TestWorld()
    let code = world.run(all: ["concurrent"] + options)
    #expect(code == .usage)
    #expect(
      world.error.contains(message) || world.error.contains("unknown mutant"), "\(world.error)")
  }
}
