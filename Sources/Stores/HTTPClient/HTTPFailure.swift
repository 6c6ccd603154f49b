#if HTTP
  /// The reason that a request has no response.
  public enum HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not the address of a server.
    case invalidAddress(String)
    /// No connection to the server; nothing was sent.
    case notConnected(String)
    /// The name of the host was not resolved; nothing was sent. This may be a wrong name, or a
    /// machine without network.
    case unknownHost(String)
    /// The connection ended before the response was complete: the server may have performed the
    /// request.
    case interrupted(String)
    /// The time limit passed before the response was complete: the server may have performed the
    /// request.
    case timedOut(String)
    /// The response is not valid.
    case invalidResponse(String)
    /// The request cannot be sent.
    case invalidRequest(String)
    /// The system has no memory for a connection.
    case outOfMemory

    public var description: String {
      switch self {
      case .invalidAddress(let reason): reason
      case .notConnected(let reason), .unknownHost(let reason): "no connection: \(reason)"
      case .interrupted(let reason), .timedOut(let reason): "no response: \(reason)"
      case .invalidResponse(let reason): "invalid response: \(reason)"
      case .invalidRequest(let reason): "the request cannot be sent: \(reason)"
      case .outOfMemory: "no memory for a connection"
      }
    }
  }
#endif
