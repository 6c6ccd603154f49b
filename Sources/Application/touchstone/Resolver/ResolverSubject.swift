internal import Adapters
internal import Conformance
internal import Datastore
internal import ResolverChecking
internal import ResolverDefects

/// The resolver that a command line names.
enum ResolverSubject {
  case adapter(AdapterPlace)
  case example(ExampleResolver)
  case mutant(ResolverDefect)

  private static let mutantPrefix = "mutant:"

  init(_ name: String, _ manual: Manual) throws(UsageError) {
    do throws(AdapterPlace.Fault) {
      if let place = try AdapterPlace(name) {
        self = .adapter(place)
        return
      }
    } catch {
      throw UsageError("\(error)", manual)
    }
    if let example = ExampleResolver(rawValue: name) {
      self = .example(example)
      return
    }
    let mutants = ResolverDefect.allCases.map { Self.mutantPrefix + $0.rawValue }
    if name.hasPrefix(Self.mutantPrefix),
      let mutant = ResolverDefect(rawValue: String(name.dropFirst(Self.mutantPrefix.count)))
    {
      self = .mutant(mutant)
      return
    }
    let known = ExampleResolver.allCases.map(\.rawValue)
    throw UsageError(
      "unknown resolver '\(name)'; expected exec:COMMAND, \(known.joined(separator: ", ")) or "
        + "mutant:NAME", manual, suggestion: nearest(to: name, among: known + mutants))
  }

  /// The place of an adapter; nil for a bundled resolver.
  var place: AdapterPlace? { if case .adapter(let place) = self { place } else { nil } }

  /// Makes a bundled resolver; nil for an adapter.
  var closure: (@Sendable (_ device: String) -> ConflictResolverCheck.Closure)? {
    switch self {
    case .adapter: nil
    case .example(let example): { _ in { conflict in example.resolve(conflict) } }
    case .mutant(let mutant): { device in mutant.closure(device: device) }
    }
  }

  /// Serves a bundled resolver over the standard streams.
  func serve() -> Never {
    let name =
      switch self {
      case .adapter(let place): place.description
      case .example(let example): example.rawValue
      case .mutant(let mutant): mutant.rawValue
      }
    let make = closure
    // A resolver with state is made for each device.
    var resolvers: [String: ConflictResolverCheck.Closure] = [:]
    var server = ResolverServer(name: name, version: toolVersion) {
      (conflict) throws(HarnessError) in
      // Each time a closure passes through the dictionary it is wrapped again, so it is stored once.
      if resolvers[conflict.device] == nil { resolvers[conflict.device] = make?(conflict.device) }
      do {
        return try resolvers[conflict.device]?(conflict) ?? .unresolved
      } catch {
        throw HarnessError("\(error)")
      }
    }
    server.serveAndExit()
  }
}
