internal import Conformance
internal import Datastore
internal import ReferenceDatastore
internal import Simulation

/// The implementations that the replicas of a simulation take in turn: replica 0 the first one,
/// replica 1 the second one, and again the first one after the last.
///
/// `--implementation` and `--product` may be repeated, and each `--product` belongs to the
/// `--implementation` before it. With one implementation their order does not matter.
struct SimulatedImplementations {
  /// At least one.
  let all: [SimulatedImplementation]
  private let serverOptions: ServerOptions

  static let manual: [Manual.Option] = [
    Manual.Option(
      name: Manual.Option.implementation.name, value: Manual.Option.implementation.value,
      choices: Manual.Option.implementation.choices, isRepeatable: true,
      help: Manual.Option.implementation.help
        + " If it is repeated, the replicas take the implementations in turn."),
    Manual.Option(
      name: Manual.Option.product.name, value: Manual.Option.product.value, isRepeatable: true,
      help: Manual.Option.product.help
        + " With several implementations, it belongs to the --implementation before it."),
    .requireSecret, .allowRemote, .stopCommand, .startCommand,
  ]

  init(_ arguments: Arguments, _ manual: Manual, context: Context) throws(UsageError) {
    let pairs = try Self.pairs(arguments, manual)
    let names = pairs.map(\.name)
    let requiresSecret = try ImplementationEntry.requiresSecret(arguments, of: names, manual)
    serverOptions = try ServerOptions(arguments, of: names, manual)
    var entries: [String: ImplementationEntry] = [:]
    var all: [SimulatedImplementation] = []
    for (name, productName) in pairs {
      // Equal names share one listener, one pool of adapters and one warning.
      let entry =
        if let known = entries[name] {
          known
        } else {
          try ImplementationEntry.named(
            name, manual, context: context, requiresSecret: requiresSecret,
            serverOptions: serverOptions)
        }
      entries[name] = entry
      all.append(try SimulatedImplementation(entry, productName: productName, manual))
    }
    self.all = all
    try requireOneUser(manual)
  }

  /// The names of the implementations, each with its product.
  private static func pairs(
    _ arguments: Arguments, _ manual: Manual
  ) throws(UsageError) -> [(name: String, product: String?)] {
    let names = (Manual.Option.implementation.name, Manual.Option.product.name)
    var pairs: [(name: String, product: String?)] = []
    // A product before the first implementation.
    var first: String?
    for option in arguments.occurrences(of: [names.0, names.1]) {
      if option.name == names.0 {
        pairs.append((option.value, nil))
      } else if pairs.isEmpty, first == nil {
        first = option.value
      } else if let last = pairs.last, last.product == nil {
        pairs[pairs.count - 1].product = option.value
      } else {
        let whose = pairs.last.map { " for \($0.name)" } ?? ""
        throw UsageError("--product is given twice\(whose)", manual)
      }
    }
    if pairs.isEmpty { pairs = [(ImplementationEntry.defaultName, nil)] }
    guard let first else { return pairs }
    guard pairs.count == 1 else {
      throw UsageError(
        "--product \(first) stands before the first of \(pairs.count) implementations; put each "
          + "--product after its --implementation", manual)
    }
    guard pairs[0].product == nil else {
      throw UsageError("--product is given twice for \(pairs[0].name)", manual)
    }
    pairs[0].product = first
    return pairs
  }

  /// Rejects servers with different users in their URLs: a worker process receives one user, and
  /// would send it to all servers.
  private func requireOneUser(_ manual: Manual) throws(UsageError) {
    let servers = entries.filter { entry in
      ImplementationEntry.serverPrefixes.contains { entry.name.utf8.starts(with: $0.utf8) }
    }
    guard Set(servers.map(\.secretVariables)).count <= 1 else {
      throw UsageError(
        "the URLs of several servers have different users; leave the users out of the URLs and use "
          + "~/.netrc", manual)
    }
  }

  /// Whether replicas have different implementations.
  var areMixed: Bool { all.count > 1 }

  var entries: [ImplementationEntry] { all.map(\.entry) }

  /// The first implementation that only one process can test, or else the first one.
  var mostDemanding: ImplementationEntry {
    entries.first { $0.reasonForOneJob != nil } ?? entries[0]
  }

  /// The options of the command line that name them.
  var words: [String] {
    all.flatMap(\.words)
      + (entries.contains(where: \.requiresSecret) ? [Manual.Option.requireSecret.name] : [])
      + serverOptions.words
  }

  /// The participants of the scenarios.
  ///
  /// - Parameter further: deviations beside the declared ones, with the number of the implementation
  ///   that has them; nil for none.
  func participants(
    with further: (deviations: [Deviation], number: Int)? = nil
  ) -> World.Participants {
    World.Participants(
      inTurn: all.enumerated().map { number, implementation in
        { () throws(HarnessError) in
          let deviations = further?.number == number ? further?.deviations ?? [] : []
          return try makeStore(of: implementation, number: number, deviations: deviations)
        }
      })
  }

  private func makeStore(
    of implementation: SimulatedImplementation, number: Int, deviations: [Deviation]
  ) throws(HarnessError) -> any SimulatedStore {
    do throws(HarnessError) {
      return try implementation.makeStore(number, deviations: deviations)
    } catch {
      guard areMixed else { throw error }
      throw HarnessError(
        "\(implementation.entry.name): \(error.message)", breakdown: error.breakdown)
    }
  }

  /// Returns the descriptions in order.
  func descriptions() throws(HarnessError) -> [ImplementationDescription] {
    var descriptions: [ImplementationDescription] = []
    for implementation in all { descriptions.append(try implementation.description()) }
    return descriptions
  }

  /// Returns the description of the implementation; of several, their names and versions in order.
  func description() throws(HarnessError) -> ImplementationDescription {
    let descriptions = try descriptions()
    guard areMixed else { return descriptions[0] }
    func joined(_ texts: [String]) -> String { texts.joined(separator: " + ") }
    return ImplementationDescription(
      name: joined(descriptions.map(\.name)), version: joined(descriptions.map(\.version)),
      language: descriptions.contains { $0.language != nil }
        ? joined(descriptions.map { $0.language ?? "?" }) : nil,
      isDeterministic: descriptions.allSatisfy(\.isDeterministic))
  }
}
