internal import Datastore
internal import JSON
internal import WireConformance
internal import WireDefects

#if HTTP
  internal import HTTPClient
#endif

extension ImplementationEntry {
  typealias WireMaker = @Sendable () throws(HarnessError) -> any WireTransport

  /// The same implementation with connections for the vectors of HTTP.
  func with(wire: @escaping WireMaker) -> ImplementationEntry {
    var entry = self
    entry.makeWire = wire
    return entry
  }

  /// The mutant and the server of a name such as `mutant:wire-put-status@couchdb:URL`; nil for a
  /// name of another form.
  static func wireMutantParts(of name: String) -> (mutant: String, server: String)? {
    guard let words = mutantName(name), words.utf8.starts(with: WireMutant.prefix.utf8) else {
      return nil
    }
    // The URL may have another @.
    let parts = words.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, serverPrefix(of: String(parts[1])) != nil else { return nil }
    return (String(parts[0]), String(parts[1]))
  }

  /// Returns a server behind a mutant of the HTTP interface; nil for a name of another form.
  static func wireMutant(
    _ name: String, _ manual: Manual, context: Context, options: ServerOptions
  ) throws(UsageError) -> ImplementationEntry? {
    guard let (mutantName, server) = wireMutantParts(of: name) else { return nil }
    guard let mutant = WireMutant.all.first(where: { $0.name == mutantName }) else {
      throw UsageError(
        "unknown mutant '\(mutantName)'", manual,
        suggestions: nearestIDs(to: mutantName, among: WireMutant.all.map(\.name)).map {
          "\(mutantPrefix)\($0)@\(server)"
        })
    }
    guard let base = try Self.server(server, manual, context: context, options: options),
      let wire = base.makeWire
    else { return nil }
    return ImplementationEntry(
      name: "\(mutantPrefix)\(mutantName)@\(base.name)", keepsFiles: false, followsModel: false,
      runsBesideItself: base.runsBesideItself, serverOptions: options,
      secretVariables: base.secretVariables
    ) { _ throws(HarnessError) in
      throw HarnessError("\(mutantName) is a mutant of the HTTP interface: add --profile http")
    }.with(wire: { () throws(HarnessError) in mutant.applied(to: try wire()) })
  }
}

#if HTTP
  /// A connection to a server, for the vectors of HTTP.
  final class ServerWire: WireTransport {
    private let client: HTTPClient

    init(_ client: HTTPClient) { self.client = client }

    func send(_ request: WireRequest) throws(WireFailure) -> WireResponse {
      let raw = RawHTTPRequest(
        request.method.string, request.target,
        headers: request.headers.map { ($0.name.string, $0.value.string) }, body: request.body)
      do throws(HTTPFailure) {
        let response = try client.send(raw)
        return WireResponse(
          response.status,
          headers: response.headers.map { WireHeader(JSONString($0.name), JSONString($0.value)) },
          body: response.body)
      } catch {
        switch error {
        case .notConnected, .unknownHost, .outOfMemory:
          throw .notConnected("\(client.address): \(error)")
        case .interrupted, .timedOut, .invalidAddress, .invalidRequest, .invalidResponse:
          throw .noResponse("\(error)")
        }
      }
    }
  }
#endif
