#if HTTP
  public import Datastore

  /// A way to send requests to one server.
  public protocol HTTPTransport: AnyObject {
    /// The address of the server.
    var address: ServerAddress { get }
    /// The credentials of the requests; nil if there are none, or none that are known here.
    var credentials: Credentials? { get }

    /// Sends a request, and returns the response, whatever its status.
    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse

    /// A connection of its own to the same server, which another thread may use; nil if there is none.
    ///
    /// - Parameter limitSeconds: the time limit of a request.
    func another(limitSeconds: Int) throws(HTTPFailure) -> HTTPClient?
  }

  extension HTTPTransport {
    public var credentials: Credentials? { nil }

    public func another(limitSeconds: Int) throws(HTTPFailure) -> HTTPClient? { nil }
  }
#endif
