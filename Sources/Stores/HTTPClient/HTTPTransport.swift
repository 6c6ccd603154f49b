#if HTTP
  public import Datastore

  /// A way to send requests to one server.
  public protocol HTTPTransport: AnyObject {
    /// The address of the server.
    var address: ServerAddress { get }

    /// Sends a request, and returns the response, whatever its status.
    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse
  }
#endif
