#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// What a request does, by its method and its endpoint: faults are counted by kind.
  struct RequestKind {
    /// The database in the path; nil for a request to the server.
    let database: JSONString?
    /// The endpoint, such as `_changes`; `document`, `attachment`, `_local` or `server` for others.
    let endpoint: String
    let method: String
    /// The document in the path.
    let id: DocumentID?
    let query: Parameters

    init(_ request: ServerRequest) {
      method = request.method
      let parts = request.target.split(
        separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      query =
        Parameters(query: parts.count > 1 ? JSONString(String(parts[1])) : nil)
        ?? .none
      let path = (parts.first ?? "").split(separator: "/").map {
        JSONString(String($0)).percentDecoded ?? ""
      }
      guard let first = path.first, first.utf8.first != UInt8(ascii: "_") || path.count > 1 else {
        (database, endpoint, id) = (nil, "server", nil)
        return
      }
      database = first
      guard path.count > 1 else {
        (endpoint, id) = ("database", nil)
        return
      }
      let rest = path.dropFirst().map { $0.string }
      switch path[1] {
      case "_local":
        (endpoint, id) = ("_local", DocumentID(JSONString(rest.dropFirst().joined(separator: "/"))))
      case "_design":
        endpoint = path.count > 3 ? "attachment" : "document"
        id = DocumentID(JSONString(rest.prefix(2).joined(separator: "/")))
      case let name where name.utf8.first == UInt8(ascii: "_"):
        (endpoint, id) = (name.string, nil)
      default:
        (endpoint, id) = (path.count > 2 ? "attachment" : "document", DocumentID(path[1]))
      }
    }

    /// The name by which requests are counted.
    var name: String { "\(method) \(endpoint)" }

    /// Whether the request changes documents.
    var isWrite: Bool {
      switch endpoint {
      case "document", "attachment", "_local": !["GET", "HEAD"].contains(method)
      case "database": method == "POST"
      case "_bulk_docs": true
      default: false
      }
    }

    var isFeed: Bool { endpoint == "_changes" }

    /// Whether faults may concern the request: not the beginning and the end of a database, and not
    /// the questions of a person.
    var isSubject: Bool {
      guard database != nil else { return false }
      if endpoint == "database" { return method == "GET" || method == "HEAD" || method == "POST" }
      return true
    }
  }
#endif
