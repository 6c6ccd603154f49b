#if HTTP
  internal import Datastore
  internal import HTTPClient
  public import HTTPServer
  internal import JSON
  internal import Replication
  internal import Synchronization

  /// The requests below `/_touchstone`, which are for people and for tests: no replicator sends them.
  ///
  /// | request | response |
  /// |---|---|
  /// | `GET /_touchstone` | the live page |
  /// | `GET /_touchstone/events` | its data, as server-sent events |
  /// | `GET /_touchstone/verdict` | the verdict; `?peer=URL&database=NAME` reads a client first |
  /// | `POST /_touchstone/client` | what a client holds |
  /// | `POST /_touchstone/plan` | `{"plan": "cuts:7"}`: all counts begin at 0 |
  public final class ControlEndpoint: Sendable {
    private let peer: HostilePeer
    private let held = Mutex<[HeldDocuments]>([])

    /// Creates the endpoint of a layer.
    public init(_ peer: HostilePeer) { self.peer = peer }

    /// The verdict so far.
    ///
    /// - Parameter headers: the credentials with which the server is read.
    public func verdict(headers: [String: String] = [:]) -> Verdict {
      let asked = ServerRequest(
        method: "GET", target: "/", headers: headers, body: [], connection: 0)
      return peer.verdict(held.withLock { $0 }, as: asked)
    }

    /// Whether a request is below `/_touchstone`.
    public static func owns(_ request: ServerRequest) -> Bool {
      let path = request.target.prefix { $0 != "?" }
      return path.utf8.elementsEqual("/_touchstone".utf8)
        || path.utf8.starts(with: "/_touchstone/".utf8)
    }

    /// The response to a request without credentials.
    public static let unauthorized: ServerResponse = {
      var response = ServerResponse.error(
        401, "unauthorized", reason: "Name or password is incorrect.")
      response.headers.append(("WWW-Authenticate", "Basic realm=\"touchstone\""))
      return response
    }()

    /// The response to a request below `/_touchstone`; nil for any other request.
    public func response(to request: ServerRequest) -> ServerResponse? {
      let parts = request.target.split(
        separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let path = parts.first ?? ""
      guard
        path.utf8.elementsEqual("/_touchstone".utf8)
          || path.utf8.starts(with: "/_touchstone/".utf8)
      else { return nil }
      let query =
        Parameters(query: parts.count > 1 ? JSONString(String(parts[1])) : nil) ?? .none
      switch (request.method, path) {
      case ("GET", "/_touchstone"), ("GET", "/_touchstone/"): return LivePage.page
      case ("GET", "/_touchstone/events"): return LivePage.events(peer, self, as: request)
      case ("GET", "/_touchstone/verdict"): return verdict(query, request)
      case ("POST", "/_touchstone/client"): return addClient(request)
      case ("POST", "/_touchstone/plan"): return setPlan(request)
      default: return .error(404, "not_found", reason: "no such control request")
      }
    }

    private func verdict(_ query: Parameters, _ request: ServerRequest) -> ServerResponse {
      var held = held.withLock { $0 }
      if let url = query["peer"], let database = query["database"] {
        do throws(HTTPFailure) {
          held.append(try HostilePeer.read(url.string, as: database))
        } catch {
          return .error(502, "bad_gateway", reason: "\(error)")
        }
      }
      return .json(200, peer.verdict(held, as: request).json.serialized())
    }

    private func addClient(_ request: ServerRequest) -> ServerResponse {
      guard let json = try? JSONValue.parse(request.body) else {
        return .error(400, "bad_request", reason: "the body is not JSON")
      }
      do throws(DecodingFailure) {
        let documents = try HeldDocuments(json)
        held.withLock { held in
          held.removeAll { $0.client == documents.client && $0.database == documents.database }
          held.append(documents)
        }
        return .json(201, #"{"ok":true}"#)
      } catch {
        let text = JSONValue.text("\(error)").serialized()
        return .json(400, #"{"error":"bad_request","reason":\#(text)}"#)
      }
    }

    private func setPlan(_ request: ServerRequest) -> ServerResponse {
      guard let json = try? JSONValue.parse(request.body),
        let text = json.objectValue?["plan"]?.textValue, let plan = FaultPlan(text.string)
      else {
        return .error(400, "bad_request", reason: "expected a plan, such as 7, cuts or cuts:7")
      }
      held.withLock { $0 = [] }
      peer.begin(plan)
      return .json(200, #"{"ok":true,"plan":"\#(plan.text)"}"#)
    }
  }
#endif
