#if HTTP
  internal import Datastore
  public import HTTPClient
  public import JSON
  public import Replication

  extension ReplicationTarget {
    /// The database of a server with a URL, such as `https://user:password@example.com/recipes`.
    ///
    /// The database must exist. A text that is not such a URL is an error when the replication
    /// starts. Pauses block the thread that performs the steps.
    ///
    /// - Parameters:
    ///   - credentials: those of requests; nil for those in the URL or of the `netrc` file.
    ///   - limitSeconds: the time limit of a request, from 1.
    public static func server(
      _ url: JSONString, credentials: Credentials? = nil, limitSeconds: Int = 60
    ) -> ReplicationTarget {
      ReplicationTarget(pause: ServerPeer.pause) { () throws(HarnessError) in
        do throws(HTTPFailure) {
          return try ServerPeer(
            url: url.string, credentials: credentials, limitSeconds: limitSeconds)
        } catch {
          // The message has no URL, which may contain a password.
          throw HarnessError("not the URL of a database: \(error)")
        }
      }
    }
  }
#endif
