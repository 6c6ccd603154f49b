import Conformance
import Datastore
import JSON
import ReferenceDatastore
import Scenarios
import Simulation
import Testing

@testable import touchstone

/// `simulate` and `replay` with several implementations.
@Suite struct MixedReplicasCommandTests {
  private static let pouch = ["--implementation", "product:pouchdb-9", "--product", "pouchdb-9"]
  private static let couch = [
    "--implementation", "product:couchdb-3.5", "--product", "couchdb-3.5",
  ]
  private static let sqlite = ["--implementation", "sqlite"]
  private static let small = ["--operations", "10", "--jobs", "1"]

  private static func options(_ arguments: [String]) throws(UsageError) -> SimulationOptions {
    try SimulationOptions(
      try Arguments(arguments, for: SimulateCommand.manual), SimulateCommand.manual,
      context: TestWorld().context)
  }

  /// Each product belongs to the implementation before it; with one implementation the order does
  /// not matter.
  @Test(arguments: [
    (pouch + sqlite, pouch + sqlite), (sqlite + pouch, sqlite + pouch),
    (couch + pouch + sqlite, couch + pouch + sqlite), (couch + couch, couch + couch),
    (pouch, pouch), (Array(pouch[2...]) + Array(pouch[..<2]), pouch), ([], sqlite),
    (
      ["--implementation=listen:9", "--require-secret"] + sqlite,
      ["--implementation", "listen:9"] + sqlite + ["--require-secret"]
    ),
  ])
  func wordsOfTheList(arguments: [String], words: [String]) throws {
    let options = try Self.options(arguments)
    #expect(options.words == words)
    #expect(try Self.options(options.words).words == words)
  }

  @Test(arguments: [
    (
      ["--product", "pouchdb-9"] + couch + sqlite,
      "--product pouchdb-9 stands before the first of 2 implementations; put each --product after "
        + "its --implementation"
    ),
    (pouch + ["--product", "couchdb-3.5"], "--product is given twice for product:pouchdb-9"),
    (
      ["--product", "pouchdb-9"] + pouch, "--product is given twice for product:pouchdb-9"
    ),
    (["--product", "pouchdb-9", "--product", "pouchdb-9"], "--product is given twice"),
    (
      pouch + sqlite + ["--product", "pouchdb-9"], "sqlite follows the model, so it has no product"
    ),
    (
      sqlite + sqlite + sqlite + sqlite,
      "4 implementations need as many replicas; add --replicas 4 or more"
    ),
    (sqlite + sqlite + ["--require-secret"], "--require-secret needs --implementation listen:PORT"),
  ])
  func ambiguousLists(arguments: [String], message: String) throws {
    let error = try #require(throws: UsageError.self) { try Self.options(arguments) }
    #expect(error.message == message)
  }

  @Test func commandsWithOneImplementation() {
    let world = TestWorld()
    for command in ["compare", "objects", "collections", "diagnose", "doctor"] {
      #expect(world.run(all: [command] + Self.sqlite + Self.sqlite) == .usage)
      #expect(world.error.contains("--implementation is given twice"), "\(world.error)")
    }
    #expect(world.run(all: ["simulate", "--laws"] + Self.sqlite + Self.sqlite) == .usage)
    #expect(world.error.contains("--laws takes one --implementation"))
  }

  /// Replicas of 3 products converge, and the deviations of each are counted.
  @Test func aCampaign() {
    let world = TestWorld()
    let arguments =
      ["simulate", "--seeds", "1..12"] + Self.small + Self.couch + Self.pouch + Self.sqlite
    #expect(world.run(all: arguments) == .success, "\(world.output)")
    #expect(
      world.output.hasPrefix(
        "product:couchdb-3.5 + product:pouchdb-9 + sqlite: 3 replicas, 10 operations each, faults: "
          + "all\n12 runs, "), "\(world.output)")
    #expect(world.output.contains("deviations, as declared: "))
  }

  /// Without the product of one replica its deviations are findings, which name it. The saved
  /// scenario repeats with the same list, and the implementation of each replica is kept.
  @Test func aFinding() throws {
    let folder = try TemporaryFolder()
    let name = "\(folder.path)/found"
    let list = Self.couch + ["--implementation", "deviation:stubs-are-missing"] + Self.sqlite
    let world = TestWorld()
    let code = world.run(
      all: ["simulate", "--seeds", "1..12", "--classes", "1", "--save", name, "--jobs", "1"] + list)
    #expect(code == .failure)
    #expect(world.error.contains("cause:\n  stubs-are-missing (deviation of PouchDB)"))
    #expect(!world.error.contains("vector.json"))
    let scenario = try Scenario(try JSONValue.parse(Files.read("\(name).json")))
    let place = try #require(scenario.replicas.firstIndex(of: "b"))
    #expect(scenario.implementations.count == scenario.replicas.count)
    #expect(scenario.implementations[place] == 1)
    let text = String(decoding: try Files.read("\(name).md"), as: UTF8.self)
    #expect(text.contains("replica b: "))

    let again = list.map(shellQuoted).joined(separator: " ")
    #expect(world.error.contains("again: touchstone replay"))
    #expect(world.error.contains(again), "\(world.error)")
    #expect(world.run(all: ["replay", "\(name).json", "--timeline"] + list) == .failure)
    #expect(world.output.contains("\nmodel/revsDiff: b ("), "\(world.output)")
    // The first implementation has no such deviation.
    #expect(world.run(all: ["replay", "\(name).json"] + Self.sqlite) == .success)
    // Two implementations are fewer than the scenario numbers.
    #expect(scenario.implementations.max() == 2)
    #expect(world.run(all: ["replay", "\(name).json"] + Self.sqlite + Self.sqlite) == .harness)
    #expect(world.error.contains("but the run has 2 implementations"), "\(world.error)")
  }

  /// What one product cannot do, no replica does: a restriction of a product file, and edits of the
  /// largest generation, which a declared deviation accepts.
  @Test func scenariosOfAllProducts() throws {
    let product = """
      {"format": "touchstone-product", "version": 1,
       "store": {"name": "s", "version": "1", "capabilitiesVersion": 3,
                 "capabilities": ["historyLimit"],
                 "restrictions": ["historyLimitAtCreation"]},
       "about": "", "deviations": [{"id": "stubs-are-missing"}]}
      """
    let folder = try TemporaryFolder([("product.json", product)])
    let file = ["--product", "\(folder.path)/product.json"]
    func actions(_ arguments: [String]) throws -> [StoreAction] {
      let generator = try Self.options(arguments).campaign().generator
      var actions: [StoreAction] = []
      for seed in 1...60 as ClosedRange<UInt64> {
        for step in generator.scenario(seed: seed).steps {
          if case .perform(_, let operation) = step.directive { actions.append(operation.action) }
        }
      }
      return actions
    }
    func setsLimit(_ action: StoreAction) -> Bool {
      if case .historyLimit = action { true } else { false }
    }
    func isOfLargestGeneration(_ action: StoreAction) -> Bool {
      guard case .insertRevisions(let records) = action else { return false }
      return records.contains { $0.path[0].text.string.hasPrefix("9007199254740991-") }
    }
    let model = ["--implementation", "variant:sequences-arrays"]
    let both = try actions(model + Self.sqlite)
    #expect(both.contains(where: setsLimit) && both.contains(where: isOfLargestGeneration))
    let limited = try actions(model + file + Self.sqlite)
    #expect(!limited.contains(where: setsLimit))
    #expect(limited.contains(where: isOfLargestGeneration))
    let couch = try actions(Self.sqlite + Self.couch)
    #expect(couch.contains(where: setsLimit) && !couch.contains(where: isOfLargestGeneration))
  }

  /// A report names all implementations, and worker processes receive the list.
  @Test func theReport() throws {
    let list = (Self.pouch + Self.sqlite).joined(separator: " ")
    let whole = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" simulate --seeds 1..4 --operations 10 --jobs 1 \(list) --report -")
    let workers = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" simulate --seeds 1..4 --operations 10 --jobs 2 \(list) --report -")
    #expect(whole.end == .exited(0))
    #expect(workers.output == whole.output)
    let file = try CampaignFile(try JSONValue.parse(Array(whole.output.utf8)))
    let identity = try #require(file.identity)
    #expect(identity.implementation == "product:pouchdb-9 + sqlite")
    #expect(identity.name.string.hasPrefix("PouchDB + "))
    #expect(
      identity.options.map(\.string) == Self.pouch + Self.sqlite + ["--operations", "10"])
    var other = identity
    other.options = identity.options.reversed()
    #expect(identity.differences(from: other).count == 1)
  }

  /// No list of two users reaches a worker, which would send one of them to both servers.
  @Test(arguments: [
    (["http://u:secret1@127.0.0.1:1", "http://v:secret2@127.0.0.1:2"], false),
    (["http://u:secret1@127.0.0.1:1", "http://127.0.0.1:2"], false),
    (["http://u:secret1@127.0.0.1:1", "http://u:secret1@127.0.0.1:2"], true),
    (["http://127.0.0.1:1", "http://127.0.0.1:2"], true),
  ])
  func usersOfServers(addresses: [String], isAccepted: Bool) throws {
    let arguments = addresses.flatMap { ["--implementation", "couchdb:\($0)"] } + Self.sqlite
    do throws(UsageError) {
      let options = try Self.options(arguments)
      #expect(isAccepted)
      #expect(!options.words.joined().contains("secret"))
      let secrets = options.implementations.entries.secretVariables
      #expect(secrets.count == (addresses[0].contains("@") ? 2 : 0))
    } catch {
      #expect(!isAccepted && error.message.contains("different users"))
      #expect(!error.description.contains("secret"))
    }
  }

  /// An error of one of several implementations names it.
  @Test func theImplementationOfAnError() {
    let world = TestWorld()
    world.implementations.append(
      ImplementationEntry(
        name: "broken", keepsFiles: false, followsModel: false, runsBesideItself: true
      ) { _ throws(HarnessError) in throw HarnessError("does not start") })
    let arguments = ["simulate", "--seeds", "1", "--implementation", "broken"] + Self.small
    #expect(world.run(all: arguments + Self.sqlite) == .harness)
    #expect(world.error.contains("broken + sqlite: broken: does not start"), "\(world.error)")
  }
}
