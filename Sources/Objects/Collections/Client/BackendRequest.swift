public import JSON

/// The number of a request of a client, counted from 1.
public typealias RequestNumber = Int64

/// A request of a client to the backend.
public struct BackendRequest: Hashable, Sendable {
  public enum Method: String, Sendable {
    case post = "POST"
    case get = "GET"
    case put = "PUT"
    case delete = "DELETE"
  }

  public var number: RequestNumber
  public var method: Method
  public var collection: JSONString
  /// The id of an entity, or the name of a request for the complete collection.
  public var path: JSONString?
  /// `query`, `sort`, `limit` and `skip`.
  public var parameters: JSONObject
  public var body: JSONValue?

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
  public var status: Int64
  public var body: JSONValue

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
  case response(BackendResponse)
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
