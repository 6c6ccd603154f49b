import ReferenceDatastore
import TestSeeds
import Testing
import TouchstoneKit

/// The model as a server with one kind of revision ids and one order.
///
/// It passes every vector that it runs. A vector that fails here needs other defaults and must
/// declare them in `needs`.
private final class FixedDatastore: ImplementationUnderTest {
  private let store: any ImplementationUnderTest = ReferenceDatastore()
  private let defaults: ImplementationDescription.Defaults
  private let profiles: Set<Profile>
  private let forgetsLeaves: Bool

  init(
    _ defaults: ImplementationDescription.Defaults, _ profiles: Set<Profile>,
    forgetsLeaves: Bool = false
  ) {
    self.defaults = defaults
    self.profiles = profiles
    self.forgetsLeaves = forgetsLeaves
  }

  var description: ImplementationDescription {
    var description = store.description
    description.profiles = profiles
    description.defaults = defaults
    return description
  }

  func reset() throws(HarnessError) { try store.reset() }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    if forgetsLeaves, case .leaves = operation.action {
      return .error(DatastoreError(.notFound(.missing)))
    }
    guard case .open(let revisionIDs, let collation) = operation.action else {
      return try store.perform(operation, environment)
    }
    for (asked, fixed) in [
      (revisionIDs?.rawValue, defaults.revisionIDs.rawValue),
      (collation?.rawValue, defaults.collation.rawValue),
    ] {
      if let asked, asked != fixed {
        return .error(DatastoreError(.unsupported(what: asked)))
      }
    }
    let open = StoreOperation(
      operation.store,
      .open(revisionIDs: defaults.revisionIDs, collation: defaults.collation))
    return try store.perform(open, environment)
  }

  func crash(_ kind: CrashKind) throws(HarnessError) { try store.crash(kind) }

  func shutdown() throws(HarnessError) { try store.shutdown() }
}

@Suite struct FixedDefaultsTests {
  struct Server: Sendable, CustomTestStringConvertible {
    let defaults: ImplementationDescription.Defaults
    let profiles: Set<Profile>
    var testDescription: String { "\(defaults.revisionIDs) \(defaults.collation)" }
  }

  static let rest: Set<Profile> = [.exactNumbers, .denseChanges, .incarnationSequences]

  static let servers = [
    Server(
      defaults: .init(revisionIDs: .couchdb, collation: .couchdb),
      profiles: rest.union([.couchdb])),
    Server(
      defaults: .init(revisionIDs: .cdtDigest, collation: .cdt),
      profiles: rest.union([.cdtDigest, .cdtCollation])),
  ]

  @Test(arguments: servers) func aServerWithFixedDefaultsPassesWhatItIsAsked(
    _ server: Server
  ) throws {
    let corpus = try Corpus.standard()
    let runner = Runner(FixedDatastore(server.defaults, server.profiles))
    var failed: [String] = []
    var skipped = 0
    // A quarter is enough, because defaults affect all vectors alike.
    for (place, vector) in corpus.vectors.enumerated() where place % 4 == 0 {
      switch runner.verdict(on: vector) {
      case .pass: break
      case .skipped(let skip): skipped += skip.isOfAnotherKind ? 1 : 0
      case .fail, .harnessError: failed.append("\(vector.id)")
      }
    }
    #expect(failed.isEmpty, "\(failed.count): \(failed.prefix(400).joined(separator: " "))")
    // Without skipped vectors, the member `needs` would be useless.
    #expect(skipped > 0)
  }

  /// `compare` requests only features of the server, whatever its profiles are.
  @Test(arguments: servers) func aComparisonAsksForTheDefaultsOnly(_ server: Server) throws {
    let differential = Differential { FixedDatastore(server.defaults, server.profiles) }
    for seed in RotatingSeeds.next(6) {
      switch try differential.run(seed: seed) {
      case .agreed, .inconclusive: break
      case .disagreed(let found):
        Issue.record("seed \(seed): \(found.steps.suffix(1)), accepted \(found.accepted)")
      }
    }
  }

  /// A disagreement is a vector that can be run against any store with the profile.
  @Test func aDisagreementSaysWhatTheStoresAre() throws {
    let server = Self.servers[0]
    let differential = Differential {
      FixedDatastore(server.defaults, server.profiles, forgetsLeaves: true)
    }
    // The forgotten leaves must be found, which they are under these seeds.
    for seed in 1...50 as ClosedRange<UInt64> {
      guard case .disagreed(let found) = try differential.run(seed: seed) else { continue }
      let shrunk = try differential.shrunk(found)
      let vector = try shrunk.vector()
      #expect(vector.profile == .couchdb)
      let verdict = Runner(ReferenceDatastore()).verdict(
        on: CorpusVector(vector, clauses: [], file: "found.json"))
      #expect(verdict == .pass)
      return
    }
    Issue.record("no seed found the disagreement")
  }

  /// The oracles of a simulation use the defaults of the server.
  @Test(arguments: servers) func aSimulationKnowsTheDefaults(_ server: Server) throws {
    let store = FixedDatastore(server.defaults, server.profiles)
    var generator = ScenarioGenerator(capabilities: store.description.capabilities, crashes: [])
    generator.defaults = [server.defaults]
    let participants = World.Participants(makeStore: { _ in
      PlainStore(FixedDatastore(server.defaults, server.profiles), followsModel: true)
    })
    for seed in RotatingSeeds.next(6) {
      let run = try Campaign(generator, participants).run(seed: seed)
      #expect(run.findings.isEmpty, "seed \(seed): \(run.findings.prefix(1))")
    }
  }

  @Test func defaultsWithoutTheirProfileAreAnError() throws {
    let sentence =
      "the declared default revisionIDs couchdb needs the profile couchdb, which is not declared"
    let defaults = Self.servers[0].defaults
    #expect(throws: HarnessError(sentence)) {
      try Differential { FixedDatastore(defaults, []) }.run(seed: 1)
    }
    let participants = World.Participants(makeStore: { _ in PlainStore(FixedDatastore(defaults, []))
    })
    #expect(throws: HarnessError(sentence)) {
      let scenario = ScenarioGenerator(capabilities: [], crashes: []).scenario(seed: 1)
      _ = try World(scenario, participants)
    }
  }
}
