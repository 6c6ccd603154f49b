#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif
  internal import Digest
  public import HTTPServer
  internal import JSON
  internal import Replication

  /// The keys of session cookies: a cookie has the user, the time and a digest of both.
  struct SessionKeys: Sendable {
    let secret: [UInt8]
    private static let lifeSeconds = 600

    func cookie(for user: String) -> String {
      let time = String(time(nil), radix: 16)
      return Base64.encode("\(user):\(time):\(digest(user, time))".utf8)
    }

    /// The user of a valid cookie.
    func user(of cookie: some StringProtocol) -> String? {
      guard let bytes = Base64.decode(cookie.utf8) else { return nil }
      let parts = String(decoding: bytes, as: UTF8.self).split(
        separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 3, let start = Int(parts[1], radix: 16),
        time(nil) - start <= Self.lifeSeconds,
        digest(String(parts[0]), String(parts[1])).utf8.elementsEqual(parts[2].utf8)
      else { return nil }
      return String(parts[0])
    }

    private func digest(_ user: String, _ time: String) -> String {
      let inner = DigestAlgorithm.sha256.digest(of: secret + Array("\(user):\(time)".utf8))
      return DigestAlgorithm.sha256.digest(of: secret + inner).hexadecimal
    }
  }

  /// Users and sessions.
  extension CouchDBService {
    /// Whether a request has the credentials of the service.
    public func isKnown(_ request: ServerRequest) -> Bool {
      ((try? user(of: request)) ?? nil) != nil
    }

    /// The user of a request: everyone is an administrator without a password. Nil without
    /// credentials; wrong ones are an error.
    func user(of request: ServerRequest) throws(ServiceError) -> JSONString? {
      guard let known = options.credentials else { return "" }
      if let header = request.headers["authorization"] {
        guard header.lowercased().utf8.starts(with: "basic ".utf8) else {
          throw .badRequest("only basic authentication is offered")
        }
        let text = header.dropFirst("basic ".count).filter { $0 != " " }
        let given = Base64.decode(text.utf8) ?? []
        guard given.elementsEqual("\(known.user):\(known.password)".utf8) else {
          throw Self.wrongPassword
        }
        return JSONString(known.user)
      }
      for part in (request.headers["cookie"] ?? "").split(separator: ";") {
        let pair = part.drop { $0 == " " }
        guard pair.utf8.starts(with: "AuthSession=".utf8) else { continue }
        return sessions.user(of: pair.dropFirst("AuthSession=".count)).map { JSONString($0) }
      }
      return nil
    }

    fileprivate static let wrongPassword = ServiceError(
      401, "unauthorized", reason: "Name or password is incorrect.")
  }

  extension ServiceCall {
    func session() throws(ServiceError) -> ServerResponse {
      switch request.method {
      case "POST":
        let (name, password) = try credentialsInBody()
        guard let known = service.options.credentials else {
          return .json(200, ["ok": true, "name": .string(name), "roles": ["_admin"]])
        }
        guard name.utf8.elementsEqual(known.user.utf8),
          password.utf8.elementsEqual(known.password.utf8)
        else { throw CouchDBService.wrongPassword }
        let cookie = service.sessions.cookie(for: known.user)
        return .json(
          200, ["ok": true, "name": .string(name), "roles": ["_admin"]],
          headers: [("Set-Cookie", "AuthSession=\(cookie); Version=1; Path=/; HttpOnly")])
      case "DELETE":
        return .json(
          200, ["ok": true],
          headers: [("Set-Cookie", "AuthSession=; Version=1; Path=/; HttpOnly")])
      default:
        let isAdmin = user != nil
        let name = user.flatMap { $0.isEmpty ? nil : $0 }
        return .json(
          200,
          [
            "ok": true,
            "userCtx": [
              "name": name.map { .string($0) } ?? .null, "roles": isAdmin ? ["_admin"] : [],
            ],
            "info": [
              "authentication_handlers": ["cookie", "default"],
              "authenticated": isAdmin ? "default" : .null,
            ],
          ])
      }
    }

    /// The name and the password of a form or an object.
    private func credentialsInBody() throws(ServiceError) -> (JSONString, JSONString) {
      let type = request.headers["content-type"] ?? ""
      if type.utf8.starts(with: "application/json".utf8) {
        let object = try object()
        return (
          object["name"]?.textValue ?? object["username"]?.textValue ?? "",
          object["password"]?.textValue ?? ""
        )
      }
      guard let text = JSONString(validating: request.body),
        let form = Parameters(query: text)
      else { throw .badRequest("the body is not a form") }
      return (form["name"] ?? form["username"] ?? "", form["password"] ?? "")
    }
  }
#endif
