#if HTTP
  /// A fault that a hostile peer injects into one exchange of HTTP.
  public enum WireFault: String, CaseIterable, Sendable {
    /// The connection is closed before the request is performed.
    case refused
    /// The response is 503, and the request is not performed.
    case unavailable
    /// The response is 429 with `Retry-After: 1`, and the request is not performed.
    case limited
    /// The request is performed after a pause.
    case delayed
    /// The connection is cut inside the body of the response.
    case cut
    /// The request is performed twice; the response is that of the first time.
    case duplicated
    /// The request is performed, and the response is 500.
    case failedAfterwards = "failed-afterwards"
    /// The request is performed, and the connection is closed without a response.
    case lostAfterwards = "lost-afterwards"
    /// The body of the response ends early, with a length that fits.
    case truncated
    /// Sequences of changes have another encoding, which is valid in later requests.
    case reencoded
    /// The body of the response arrives in small pieces with pauses.
    case drip
    /// The connection is closed after the response.
    case closed
    /// The database is compacted before the request.
    case compacted
    /// Another client edits a document of the request before it is performed.
    case edited
    /// A local document, such as a checkpoint, is acknowledged and not stored, or not found.
    case checkpointLost = "checkpoint-lost"

    /// The fault in a few words, for lists.
    public var words: String {
      switch self {
      case .refused: "connection closed before the request is performed"
      case .unavailable: "503, not performed"
      case .limited: "429 with Retry-After, not performed"
      case .delayed: "performed after a pause"
      case .cut: "connection cut inside the response"
      case .duplicated: "performed twice"
      case .failedAfterwards: "performed, and answered with 500"
      case .lostAfterwards: "performed, and not answered"
      case .truncated: "response with a truncated body"
      case .reencoded: "sequences in another encoding"
      case .drip: "response in small pieces"
      case .closed: "connection closed after the response"
      case .compacted: "database compacted before the request"
      case .edited: "document edited before the request"
      case .checkpointLost: "checkpoint acknowledged and not stored, or not found"
      }
    }

    /// Whether the client receives the response of the store as it is.
    var deliversResponse: Bool {
      switch self {
      case .delayed, .duplicated, .reencoded, .drip, .closed, .compacted, .edited: true
      default: false
      }
    }
  }
#endif
