internal import Adapters
public import Datastore
internal import JSON

/// The adapter side of the protocol for a resolver: serves a closure over the standard streams.
///
///     ResolverServer(name: "notes", version: "1") { conflict in … }.serveAndExit()
public struct ResolverServer {
  private var server: AdapterServer

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - name: the name of the resolver in reports.
  ///   - version: its version.
  ///   - resolve: the resolver; an error that it throws ends the process.
  public init(
    name: String, version: String,
    _ resolve: @escaping (DocumentConflict) throws(HarnessError) -> ConflictResolution
  ) {
    let description = ImplementationDescription(
      name: name, version: version, language: "Swift")
    server = AdapterServer(resolver: description) { json throws(HarnessError) in
      let conflict: DocumentConflict
      do throws(DecodingFailure) { conflict = try DocumentConflict(json) } catch {
        throw HarnessError("\(error)")
      }
      return try resolve(conflict).json
    }
  }

  /// Answers requests until the last one or the end of the input, and exits.
  ///
  /// The exit code is 0 after `bye` and at the end of the input, 1 if the runner violates the
  /// protocol, and 3 if the resolver throws.
  public mutating func serveAndExit() -> Never { server.serveAndExit() }
}
