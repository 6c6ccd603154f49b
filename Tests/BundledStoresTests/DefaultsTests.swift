import ReferenceDatastore
import Testing
import TouchstoneKit

/// The model as a server that knows one kind of revision ids and one order.
///
/// It passes every vector that is asked of it. One that fails here needs other defaults, and says so
/// with its member `needs`.
private final class FixedDatastore: ImplementationUnderTest {
  private let store: any ImplementationUnderTest = ReferenceDatastore()
  private let defaults: ImplementationDescription.Defaults
  private let profiles: Set<Profile>

  init(_ defaults: ImplementationDescription.Defaults, _ profiles: Set<Profile>) {
    self.defaults = defaults
    self.profiles = profiles
  }

  var description: ImplementationDescription {
    var description = store.description
    description.profiles = profiles
    description.defaults = defaults
    return description
  }

  func reset() throws(HarnessError) { try store.reset() }

  func perform(
    _ operation: Operation, _ environment: inout Environment
  ) throws(HarnessError) -> Outcome {
    guard case .open(let revisionIDs, let collation) = operation.action else {
      return try store.perform(operation, &environment)
    }
    for (asked, fixed) in [
      (revisionIDs?.rawValue, defaults.revisionIDs.rawValue),
      (collation?.rawValue, defaults.collation.rawValue),
    ] {
      if let asked, asked != fixed {
        return .error(DatastoreError(.unsupported(what: asked)))
      }
    }
    let open = Operation(
      operation.store,
      .open(revisionIDs: defaults.revisionIDs, collation: defaults.collation))
    return try store.perform(open, &environment)
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
    let corpus = try Corpus(VectorsLocation.find())
    let runner = Runner(FixedDatastore(server.defaults, server.profiles))
    var failed: [String] = []
    var skipped = 0
    for vector in corpus.vectors {
      switch runner.verdict(on: vector) {
      case .pass: break
      case .skipped(let skip): skipped += skip.isOfAnotherKind ? 1 : 0
      case .fail, .harnessError: failed.append("\(vector.id)")
      }
    }
    #expect(failed.isEmpty, "\(failed.count): \(failed.prefix(400).joined(separator: " "))")
    // Without any, the member `needs` would be of no use.
    #expect(skipped > 0)
  }
}
