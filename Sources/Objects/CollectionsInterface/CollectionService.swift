#if HTTP
  public import Collections
  internal import Datastore
  public import HTTPServer
  public import JSON
  internal import Synchronization

  /// The REST interface of Kinvey for the collections of a backend.
  ///
  /// | request | answer |
  /// |---|---|
  /// | `GET /appdata/KID` | the handshake |
  /// | `GET /appdata/KID/COLLECTION?query=…&sort=…&limit=…&skip=…&fields=…` | entities |
  /// | `POST /appdata/KID/COLLECTION` | the created entity, 201 |
  /// | `GET`, `PUT`, `DELETE /appdata/KID/COLLECTION/ID` | one entity |
  /// | `DELETE /appdata/KID/COLLECTION?query=…` | the number of removed entities |
  /// | `GET /appdata/KID/COLLECTION/_count?query=…` | the number of entities |
  /// | `POST /appdata/KID/COLLECTION/_group` | the aggregates of groups |
  /// | `GET /appdata/KID/COLLECTION/_versions?query=…` | ids and versions, an extension |
  /// | `POST /user/KID/login`, `POST /user/KID/_logout` | the start and the end of a session |
  ///
  /// The backend decides what a request means; the service adds only `fields` and the
  /// authentication. Other differences from Kinvey: a `PUT` of a new entity returns 200, entities
  /// have no `_kmd` and `_acl`, and there is no `_deltaset`, because the backend stores no times.
  ///
  /// Requests may come from several threads; the backend performs them one after the other.
  ///
  /// Source: Kinvey's REST guides, "Data Store", "Users" and "Troubleshooting".
  public final class CollectionService: @unchecked Sendable {
    /// The options of a service.
    public struct Options: Sendable {
      /// The key of the application, `KID` in paths.
      public var appKey: JSONString = "kid_touchstone"
      /// The secret of the application, for basic authentication with its key; nil if every request
      /// is accepted.
      public var appSecret: JSONString?
      /// The users with their passwords.
      public var users: [(name: JSONString, password: JSONString)] = []
      /// The seed of ids and of session tokens.
      public var seed: UInt64 = 0

      /// The default options: every request is accepted.
      public init() {}
    }

    let options: Options
    private let backend: CollectionBackend
    private let environment: RunEnvironment
    private var sessions: SessionTokens
    /// Protects the members above.
    private let lock = Mutex(())

    /// A service for a backend, which nothing else may use at the same time as a request.
    public init(_ backend: CollectionBackend, _ options: Options = Options()) {
      self.backend = backend
      self.options = options
      environment = RunEnvironment(seed: options.seed)
      sessions = SessionTokens(seed: options.seed &+ 1)
    }

    /// The response to a request; nil if its outcome is unknown, so that its connection is cut.
    public func response(to request: ServerRequest) -> ServerResponse? {
      do throws(CollectionServiceError) {
        let path = try ServicePath(request.target)
        guard path.segments.count > 1, path.segments[1] == options.appKey else {
          throw CollectionServiceError(
            404, "AppNotFound", description: "the server has no such application")
        }
        return switch (path.segments[0], path.segments.dropFirst(2).first) {
        case ("appdata", _): try appdata(request, path)
        case ("user", "login"?) where path.segments.count == 3: try logIn(request)
        case ("user", "_logout"?) where path.segments.count == 3: try logOut(request)
        default: throw .noResource
        }
      } catch {
        return error.response(appKey: options.appKey)
      }
    }

    /// Performs a request on the backend; nil if its outcome is unknown.
    func perform(
      _ request: BackendRequest
    ) throws(CollectionServiceError) -> BackendResponse? {
      let result = lock.withLock { _ in
        Result { () throws(HarnessError) in try backend.answer(request, environment) }
      }
      do throws(HarnessError) { return try result.get() } catch {
        throw CollectionServiceError(
          500, "KinveyInternalErrorStop", description: "the backend failed",
          debug: JSONString(error.message))
      }
    }

    /// Reads or changes the sessions of users.
    func withSessions<Value: Sendable>(_ body: (inout SessionTokens) -> Value) -> Value {
      lock.withLock { _ in body(&sessions) }
    }
  }
#endif
