#if HTTP
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// An endpoint of CouchDB: its methods and its path, and the response of the service.
  struct Route: Sendable {
    /// Whether the service offers the endpoint.
    enum Support: Sendable {
      case yes
      /// What is missing.
      case partly(String)
      /// The reason, and the feature for the error.
      case no(String)
    }

    let methods: [String]
    /// Parts in braces stand for names: `{db}`, `{id}` for a document, `{design}` and `{local}` for
    /// those with such a prefix, `{name}` for the rest of the path.
    let pattern: String
    let support: Support
    /// Whether it needs no credentials.
    let isOpen: Bool
    let perform: @Sendable (ServiceCall) throws(ServiceError) -> ServerResponse

    private let parts: [String]

    init(
      _ methods: String, _ pattern: String, support: Support = .yes, isOpen: Bool = false,
      perform: @escaping @Sendable (ServiceCall) throws(ServiceError) -> ServerResponse
    ) {
      self.methods = methods.split(separator: " ").map { String($0) }
      (self.pattern, self.support, self.isOpen, self.perform) = (pattern, support, isOpen, perform)
      parts = pattern.split(separator: "/").map { String($0) }
    }

    /// An endpoint that is not offered.
    init(_ methods: String, _ pattern: String, no feature: String) {
      self.init(methods, pattern, support: .no(feature)) { _ throws(ServiceError) in
        throw .notImplemented(JSONString(feature))
      }
    }

    /// The route of a request, with the names in its path.
    static func find(
      _ method: String, _ path: RoutePath
    ) throws(ServiceError) -> (Route, [String: JSONString]) {
      // A HEAD request is a GET request whose body is not sent.
      let wanted = method.utf8.elementsEqual("HEAD".utf8) ? "GET" : method
      var allowed: [String] = []
      for route in all {
        guard let names = route.names(in: path) else { continue }
        if route.methods.contains(where: { $0.utf8.elementsEqual(wanted.utf8) }) {
          return (route, names)
        }
        allowed += route.methods.filter { !allowed.contains($0) }
        // The next pattern that fits is for documents.
        break
      }
      guard !allowed.isEmpty else { throw .notFound("missing") }
      if allowed.contains("GET") { allowed.append("HEAD") }
      let list = allowed.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      var error = ServiceError(
        405, "method_not_allowed",
        reason: JSONString("Only \(list.joined(separator: ",")) allowed"))
      error.headers = [("Allow", list.joined(separator: ","))]
      throw error
    }

    /// The names in a path; nil if it does not fit the pattern.
    private func names(in path: RoutePath) -> [String: JSONString]? {
      var names: [String: JSONString] = [:]
      for (place, part) in parts.enumerated() {
        guard place < path.parts.count else { return nil }
        let given = path.parts[place]
        switch part {
        case "{name}":
          let rest = path.parts[place...].map { $0.string }
          names["name"] = JSONString(rest.joined(separator: "/"))
          return names
        case "{design}":
          guard given.utf8.starts(with: "_design/".utf8) else { return nil }
          names["id"] = given
        case "{local}":
          guard given.utf8.starts(with: "_local/".utf8) else { return nil }
          names["id"] = JSONString(validating: given.utf8.dropFirst("_local/".utf8.count))
        case "{db}", "{id}", "{key}":
          names[String(part.dropFirst().dropLast())] = given
        default: guard given.utf8.elementsEqual(part.utf8) else { return nil }
        }
      }
      return parts.count == path.parts.count ? names : nil
    }
  }

  /// The decoded parts of a path; `_design/x` and `_local/x` are one part.
  struct RoutePath {
    let parts: [JSONString]

    init(_ path: String) throws(ServiceError) {
      var parts: [JSONString] = []
      for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
        // As in CouchDB, a plus stands for a space also in a path.
        let spaced = String(part.map { $0 == "+" ? " " : $0 })
        guard let decoded = JSONString(spaced).percentDecoded else {
          throw .badRequest("the path has an invalid escape")
        }
        if parts.count == 2, ["_design", "_local"].contains(parts[1]) {
          parts[1] = JSONString("\(parts[1])/\(decoded)")
        } else {
          parts.append(decoded)
        }
      }
      if parts.count <= 2, parts.last == "" { parts.removeLast() }
      self.parts = parts
    }
  }
#endif
