public import JSON

/// The number of a request of a client, counted from 1.
public typealias RequestNumber = Int64

/// A request of a client to the backend.
public struct BackendRequest: Hashable, Sendable {
  /// The methods of requests.
  public enum Method: String, Sendable {
    /// Creates an entity, or groups the entities of a collection.
    case post = "POST"
    /// Reads entities, or counts them.
    case get = "GET"
    /// Saves an entity with an id.
    case put = "PUT"
    /// Removes entities.
    case delete = "DELETE"
  }

  /// The number of the request, unique for its client.
  public var number: RequestNumber
  /// The method.
  public var method: Method
  /// The name of the collection.
  public var collection: JSONString
  /// The id of an entity, or the name of a request for the complete collection.
  public var path: JSONString?
  /// `query`, `sort`, `limit` and `skip`.
  public var parameters: JSONObject
  /// The body; nil without one.
  public var body: JSONValue?

  /// Creates a request.
  public init(
    _ number: RequestNumber, _ method: Method, collection: JSONString, path: JSONString? = nil,
    parameters: JSONObject = JSONObject(), body: JSONValue? = nil
  ) {
    self.number = number
    self.method = method
    self.collection = collection
    self.path = path
    self.parameters = parameters
    self.body = body
  }

  /// Requests for a complete collection; no entity has such an id.
  public static let count: JSONString = "_count"
  /// The aggregates of groups of entities.
  public static let group: JSONString = "_group"
  /// The ids of the entities that a query matches, each with a version that identifies its state.
  public static let versions: JSONString = "_versions"
}

extension BackendRequest: CustomStringConvertible {
  /// The request in readable form: `GET Recipe?query={"name":"Pancakes"}`.
  public var description: String {
    var text = "\(method.rawValue) \(collection)"
    if let path { text += "/\(path)" }
    let parameters = parameters.members.map { "\($0.name)=\($0.value.serialized())" }
    if !parameters.isEmpty { text += "?" + parameters.joined(separator: "&") }
    if let body { text += " \(body.serialized())" }
    return text
  }
}

/// A response of the backend.
public struct BackendResponse: Hashable, Sendable {
  /// The status code, such as 200.
  public var status: Int64
  /// The body.
  public var body: JSONValue

  /// Creates a response.
  public init(_ status: Int64, _ body: JSONValue) {
    self.status = status
    self.body = body
  }

  var isSuccess: Bool { 200..<300 ~= status }

  /// The response as an error, with the message of the backend if it has one.
  var asError: CollectionError {
    let body = body.objectValue
    let name = body?["error"]?.textValue ?? "Unknown"
    return CollectionError(
      .backend(status: status, name: name, field: body?["field"]?.textValue),
      body?["description"]?.textValue?.string ?? "the backend returned status \(status)")
  }
}

/// The outcome of a request.
public enum BackendReply: Hashable, Sendable {
  /// A response arrived, whatever its status.
  case response(BackendResponse)
  /// No response arrived.
  case failure(NetworkFailure)

  /// The body of a success, or the error.
  var result: Result<JSONValue, CollectionError> {
    switch self {
    case .response(let response) where response.isSuccess: .success(response.body)
    case .response(let response): .failure(response.asError)
    case .failure(let failure): .failure(failure.asError)
    }
  }
}
