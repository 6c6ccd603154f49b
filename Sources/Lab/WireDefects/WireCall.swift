internal import JSON
internal import WireConformance

/// A request with the parts of its target, and the requests before it.
struct WireCall: Sendable {
  let request: WireRequest
  /// The earlier requests, in order.
  let earlier: [WireCall]
  /// The parts of the path, not decoded.
  let segments: [String]
  private let parameters: [(name: String, value: String)]

  init(_ request: WireRequest, earlier: [WireCall] = []) {
    self.request = request
    self.earlier = earlier
    segments = request.path.string.split(separator: "/").map(String.init)
    parameters = (request.query?.string ?? "").split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// What the path names.
  enum Resource: Hashable, Sendable {
    case root, database, document, attachment, local, design
    /// A resource of the server, such as `_up`.
    case server
    /// A resource of a database, such as `_changes`.
    case part(String)
  }

  var resource: Resource {
    guard let first = segments.first else { return .root }
    if first.utf8.first == UInt8(ascii: "_") { return .server }
    guard segments.count > 1 else { return .database }
    switch segments[1] {
    case "_local": return .local
    case "_design": return segments.count > 3 ? .attachment : .design
    case let name where name.utf8.starts(with: "_design%2F".utf8): return .design
    case let name where name.utf8.first == UInt8(ascii: "_"): return .part(name)
    default: return segments.count > 2 ? .attachment : .document
    }
  }

  /// The path of the database.
  var database: String { "/\(segments.first ?? "")" }

  /// The path of the document.
  var document: String { "\(database)/\(segments.count > 1 ? segments[1] : "")" }

  /// The value of a parameter of the query, percent-encoded; nil if absent.
  func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The body as JSON; nil if it is not valid.
  var json: JSONValue? { request.body.flatMap { try? JSONValue.parse($0) } }

  /// The request with another value of a parameter of the query; nil removes it.
  func with(_ name: String, _ value: String?) -> WireRequest {
    var kept = parameters.filter { $0.name != name }.map { "\($0.name)=\($0.value)" }
    if let value { kept.append("\(name)=\(value)") }
    var request = request
    request.query = kept.isEmpty ? nil : JSONString(kept.joined(separator: "&"))
    return request
  }

  /// The request with another value of a header field; nil removes it.
  func with(header name: JSONString, _ value: JSONString?) -> WireRequest {
    var request = request
    request.headers.removeAll { $0.name == name }
    if let value { request.headers.append(WireHeader(name, value)) }
    return request
  }

  /// The request with a changed JSON body; the same request if it has none.
  func with(json change: (inout JSONValue) -> Void) -> WireRequest {
    guard var json else { return request }
    change(&json)
    var request = request
    request.body = json.serializedBytes()
    return request
  }

  /// The documents of earlier requests that wrote several to this database, in order.
  var earlierDocuments: [JSONObject] {
    earlier.filter { $0.database == database && $0.resource == .part("_bulk_docs") }
      .flatMap { $0.json?["docs"].arrayValue ?? [] }.compactMap(\.objectValue)
  }
}

/// The condition on a request under which a mutant acts.
struct When: Sendable {
  private let holds: @Sendable (WireCall) -> Bool

  /// - Parameters:
  ///   - methods: separated by `|`; `*` for any.
  ///   - resource: nil for any.
  ///   - parameter: a parameter of the query that the request must have.
  ///   - earlier: a resource that an earlier request must have named.
  init(
    _ methods: String, _ resource: WireCall.Resource? = nil, with parameter: String? = nil,
    after earlier: WireCall.Resource? = nil,
    where condition: @escaping @Sendable (WireCall) -> Bool = { _ in true }
  ) {
    let methods = methods.split(separator: "|").map { JSONString(String($0)) }
    holds = { call in
      (methods == ["*"] || methods.contains(call.request.method))
        && (resource == nil || call.resource == resource)
        && (parameter == nil || parameter.flatMap { call.parameter($0) } != nil)
        && (earlier == nil || call.earlier.contains { $0.resource == earlier })
        && condition(call)
    }
  }

  func callAsFunction(_ call: WireCall) -> Bool { holds(call) }
}
