public import Adapters
internal import Datastore
internal import JSON

/// A resolver behind an adapter: another process, in any language.
final class AdapterResolver: ConflictResolver {
  private let adapter: AdapterImplementation

  /// Wraps an adapter; throws if it does not declare a resolver.
  init(_ adapter: AdapterImplementation) throws(HarnessError) {
    guard adapter.hasResolver else {
      throw HarnessError(
        "\(adapter.place) declares no resolver: its response to hello needs \"resolver\":true")
    }
    self.adapter = adapter
  }

  func resolve(
    _ conflict: DocumentConflict
  ) throws(HarnessError) -> ConflictResolution {
    let answer: JSONValue
    do throws(HarnessError) { answer = try adapter.resolveConflict(conflict.json) } catch {
      throw HarnessError(error.message + log, breakdown: error.breakdown)
    }
    do throws(DecodingFailure) {
      return try ConflictResolution(answer)
    } catch {
      throw HarnessError(
        "invalid response to resolveConflict: \(error): \(answer.serialized())",
        breakdown: .init(shape: "answer", answer: answer))
    }
  }

  func close() { try? adapter.shutdown() }

  /// The end of the standard error of the process, where most languages report a crash.
  private var log: String {
    let lines = adapter.takeLog().split(separator: "\n").suffix(Self.linesMax)
    guard !lines.isEmpty else { return "" }
    return "; its standard error ends with:" + lines.map { "\n    \($0)" }.joined()
  }

  private static let linesMax = 8
}

/// A resolver that several devices share.
private final class SharedResolver: ConflictResolver {
  private let resolver: AdapterResolver

  init(_ resolver: AdapterResolver) { self.resolver = resolver }

  func resolve(_ conflict: DocumentConflict) throws(HarnessError) -> ConflictResolution {
    try resolver.resolve(conflict)
  }
}

extension ConflictResolverCheck {
  /// Checks a resolver behind an adapter.
  ///
  /// A command is started once for each device, and twice for the first one. With a socket all
  /// devices use one connection.
  ///
  /// - Parameters:
  ///   - place: the command or the address of the adapter.
  ///   - expected: the guarantees to check; `answers` and `valid` are always checked.
  ///   - leaves: whether the resolver also receives tombstones.
  ///   - timeLimit: the limit of one answer.
  ///   - runner: the name of the runner for the logs of the adapter.
  ///   - peers: the secrets of sockets; without effect for a command.
  public init(
    _ place: AdapterPlace, expecting expected: Set<ResolverGuarantee> = .all,
    passing leaves: ResolvedLeaves = .all, timeLimit: Duration = .seconds(5),
    runner: String = "touchstone", peers: PeerRules = PeerRules()
  ) {
    let limits = AdapterLimits(operation: timeLimit)
    let connect = { () throws(HarnessError) in
      try AdapterResolver(
        AdapterImplementation(place, runner: runner, limits: limits, peers: peers))
    }
    self.init(expecting: expected, passing: leaves) { () throws(HarnessError) in
      guard case .command = place else {
        let shared = try connect()
        return { _ in SharedResolver(shared) }
      }
      return { _ throws(HarnessError) in try connect() }
    }
  }
}
