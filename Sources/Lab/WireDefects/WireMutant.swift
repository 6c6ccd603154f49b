public import WireConformance

/// A mutant of the HTTP interface: an error that is added to any server from outside.
///
/// It is between the client and a correct server, and changes requests or responses. So it proves
/// that the vectors kill every server with this behavior.
public struct WireMutant: Sendable {
  /// The name, which begins with `wire-`.
  public let name: String
  /// The id of the violated clause.
  public let clause: String
  /// The error of such a server.
  public let sentence: String
  /// Sends a request in the changed way.
  private let exchange: Exchange

  /// A request, and the correct server.
  typealias Exchange =
    @Sendable (WireCall, _ server: any WireTransport) throws(WireFailure) -> WireResponse

  /// The beginning of the names.
  public static let prefix = "wire-"

  /// - Parameter name: without its prefix.
  init(
    _ name: String, _ clause: String, says sentence: String, exchange: @escaping Exchange
  ) {
    (self.name, self.clause, self.sentence) = (Self.prefix + name, clause, sentence)
    self.exchange = exchange
  }

  /// The given server with the mutant.
  public func applied(to server: any WireTransport) -> any WireTransport {
    MutatedTransport(server, exchange)
  }

  /// All mutants, in the order of the files of vectors.
  public static let all: [WireMutant] =
    ofServer + ofDatabases + ofDocuments + ofEdits + ofRevisions + ofBulk + ofDifferences
    + ofChanges + ofLists + ofLocalDocuments + ofAttachments + ofFind + ofReplication
}

/// A server with a mutant in front of it.
private final class MutatedTransport: WireTransport {
  private let server: any WireTransport
  private let exchange: WireMutant.Exchange
  /// The requests so far, so that a mutant can depend on them.
  private var earlier: [WireCall] = []

  init(_ server: any WireTransport, _ exchange: @escaping WireMutant.Exchange) {
    (self.server, self.exchange) = (server, exchange)
  }

  func send(_ request: WireRequest) throws(WireFailure) -> WireResponse {
    let call = WireCall(request, earlier: earlier)
    earlier.append(WireCall(request))
    return try exchange(call, server)
  }
}
