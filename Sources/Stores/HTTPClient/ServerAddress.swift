#if HTTP
  internal import CCurl
  internal import Digest
  internal import JSON

  /// The address of a server, without credentials.
  public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The name or the number of the host; an IPv6 number without brackets.
    public let host: String
    /// The port of the server.
    public let port: UInt16
    /// The path before that of each request: empty, or beginning with `/` and not ending with it.
    public let path: String

    /// Reads an address such as `http://127.0.0.1:5984`, and the credentials in it.
    ///
    /// - Throws: the reason that the text is no address of a server.
    public static func reading(
      _ text: String
    ) throws(HTTPFailure) -> (address: ServerAddress, credentials: Credentials?) {
      guard let url = curl_url() else { throw .outOfMemory }
      defer { curl_url_cleanup(url) }
      guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else {
        throw .invalidAddress("expected an address such as http://127.0.0.1:5984")
      }
      func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
        var found: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &found, flags) == CURLUE_OK, let found else { return nil }
        defer { curl_free(found) }
        return String(cString: found)
      }
      guard let scheme = part(CURLUPART_SCHEME), ["http", "https"].contains(scheme),
        text.utf8.starts(with: "\(scheme)://".utf8)
      else { throw .invalidAddress("expected http:// or https://") }
      guard part(CURLUPART_QUERY) == nil, part(CURLUPART_FRAGMENT) == nil else {
        throw .invalidAddress("an address has no query and no fragment")
      }
      guard var host = part(CURLUPART_HOST),
        let port = part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap({ UInt16($0) })
      else { throw .invalidAddress("expected a host and a port") }
      if host.utf8.first == UInt8(ascii: "[") { host = String(host.dropFirst().dropLast()) }
      var path = part(CURLUPART_PATH) ?? ""
      while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
      let credentials = part(CURLUPART_USER, UInt32(CURLU_URLDECODE)).map { user in
        Credentials(
          user: user, password: part(CURLUPART_PASSWORD, UInt32(CURLU_URLDECODE)) ?? "")
      }
      return (ServerAddress(scheme: scheme, host: host, port: port, path: path), credentials)
    }

    /// Whether the host is this machine.
    public var isLoopback: Bool {
      if host == "localhost" || host == "::1" { return true }
      let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
      return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// The address as a URL.
    public var description: String {
      let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
      return "\(scheme)://\(host):\(port)\(path)"
    }

    /// Whether another address has the same scheme, host and port.
    func isSameServer(as other: ServerAddress) -> Bool {
      (scheme, host, port) == (other.scheme, other.host, other.port)
    }
  }

  /// The name and the password of a user. They are in no description, so that no report has them.
  public struct Credentials: Sendable, CustomStringConvertible {
    /// The name of the user.
    public let user: String
    /// The password.
    public let password: String

    /// Creates credentials.
    public init(user: String, password: String) {
      (self.user, self.password) = (user, password)
    }

    public var description: String { "(credentials)" }

    /// The value of the header `Authorization`.
    package var basic: String { "Basic \(Base64.encode("\(user):\(password)".utf8))" }

    /// A value with `…` in place of the password in its texts, as it is or in a header.
    func hidden(in value: JSONValue) -> JSONValue {
      switch value {
      case .string(let text):
        var string = text.string
        for secret in [password, Base64.encode("\(user):\(password)".utf8)] where !secret.isEmpty {
          string.replace(secret, with: "…")
        }
        return .text(string)
      case .array(let elements): return .array(elements.map { hidden(in: $0) })
      case .object(let object):
        return .object(JSONObject(object.members.map { ($0.name, hidden(in: $0.value)) }))
      default: return value
      }
    }
  }
#endif
