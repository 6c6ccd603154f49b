#if HTTP
  internal import Digest
  public import HTTPServer
  internal import JSON

  /// A request and the response that the client received, as recorded.
  public struct Exchange: Sendable {
    /// The number of the request, from 1.
    public let number: Int
    /// The name of the client.
    public let client: String
    /// The request.
    public let request: ServerRequest
    /// The response; nil if none arrived.
    public var response: ServerResponse?
    /// The fault; nil for none.
    public var fault: WireFault?
    /// Milliseconds of the request and of the response since the start.
    public var startMilliseconds: Int
    public var endMilliseconds: Int

    private static let shownHeaders = [
      "content-type", "accept", "if-match", "if-none-match", "range", "etag", "retry-after",
      "content-range", "location", "user-agent", "content-encoding",
    ]

    /// The exchange as a line of a recording. Credentials and cookies are not part of it.
    var json: JSONValue {
      var members: [(JSONString, JSONValue)] = [
        ("n", .integer(Int64(number))), ("ms", .integer(Int64(startMilliseconds))),
        ("end", .integer(Int64(endMilliseconds))), ("client", .text(client)),
        (
          "request",
          .object(
            JSONObject(
              [
                ("method", .text(request.method)), ("target", .text(request.target)),
                ("headers", Self.json(request.headers.sorted { $0.key < $1.key })),
              ] + body(request.body)))
        ),
      ]
      if let response {
        var bytes: [UInt8] = []
        if case .bytes(let body) = response.body { bytes = body }
        members.append(
          (
            "response",
            .object(
              JSONObject(
                [
                  ("status", .integer(Int64(response.status))),
                  ("headers", Self.json(response.headers.map { ($0.name.lowercased(), $0.value) })),
                ] + body(bytes)))
          ))
      } else {
        members.append(("cut", true))
      }
      if let fault { members.append(("fault", .text(fault.rawValue))) }
      return .object(JSONObject(members))
    }

    private static func json(_ headers: [(key: String, value: String)]) -> JSONValue {
      .object(
        JSONObject(
          headers.filter { shownHeaders.contains($0.key) }
            .map { (JSONString($0.key), JSONValue.text($0.value)) }))
    }

    /// Whether bodies may have passwords: those of replications, sessions and users.
    private var hasSecrets: Bool {
      ["/_replicat", "/_session", "/_users"].contains { request.target.hasPrefix($0) }
    }

    /// JSON as it is, anything else in base64; without what may be a password.
    private func body(_ bytes: [UInt8]) -> [(JSONString, JSONValue)] {
      guard !bytes.isEmpty else { return [] }
      if hasSecrets {
        guard let json = try? JSONValue.parse(bytes) else { return [("body", "…")] }
        return [("body", json.withoutSecrets)]
      }
      if let json = try? JSONValue.parse(bytes) { return [("body", json)] }
      return [("bytes", .text(Base64.encode(bytes)))]
    }
  }

  extension JSONValue {
    /// The value with `…` in place of passwords, headers and the credentials in URLs.
    fileprivate var withoutSecrets: JSONValue {
      switch self {
      case .object(let object):
        return .object(
          JSONObject(
            object.members.map { member in
              let isSecret = ["password", "auth", "headers", "derived_key", "salt"].contains(
                member.name)
              return (member.name, isSecret ? "…" : member.value.withoutSecrets)
            }))
      case .array(let elements): return .array(elements.map(\.withoutSecrets))
      case .string(let text):
        guard let scheme = text.string.firstRange(of: "://"),
          let sign = text.string[scheme.upperBound...].lastIndex(of: "@")
        else { return self }
        return .text(
          text.string[..<scheme.upperBound] + "…" + String(text.string[sign...]))
      default: return self
      }
    }
  }
#endif
