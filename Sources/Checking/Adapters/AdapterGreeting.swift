internal import Datastore
internal import JSON

/// The description of an adapter in its response to `hello`.
struct AdapterGreeting: Hashable {
  let description: ImplementationDescription
  let canPipeline: Bool
  /// How further connections to the same stores are opened; nil if there is only one.
  var connections: ConnectionKind?
  /// Whether the adapter resolves conflicts.
  var hasResolver = false

  /// The supported version of the protocol.
  static let version: Int64 = 1

  /// The `hello` request of the runner.
  ///
  /// - Parameters:
  ///   - folder: the folder for its files; nil if this process did not start the adapter.
  ///   - secret: the secret for an adapter that listens; nil without one.
  static func question(
    runner: String, folder: String?, secret: AdapterSecret? = nil, servesPass: Bool = false
  ) -> JSONValue {
    var hello: JSONObject = [
      "protocol": ["first": .integer(version), "last": .integer(version)],
      "runner": .text(runner),
    ]
    hello["folder"] = folder.map { .text($0) }
    let served: [JSONValue] = ["time", "random", "exchange", "sleep"]
    hello["serves"] = .array(served + (servesPass ? ["pass"] : []))
    hello["secret"] = secret.map { .text($0.text) }
    return .object(hello)
  }

  /// The request as the adapter reads it.
  struct Question {
    let versions: ClosedRange<Int64>
    let folder: String?
    let serves: Set<JSONString>

    /// The folder, unless it cannot be a path: a C string ends at its first NUL.
    var usableFolder: String? {
      folder.flatMap { $0.utf8.isEmpty || $0.utf8.contains(0) ? nil : $0 }
    }

    init(_ json: JSONValue) throws(DecodingFailure) {
      var reader = try ObjectReader(json, path: "hello")
      var range = try reader.reader("protocol")
      let (first, last) = (try range.integer("first"), try range.integer("last"))
      guard first <= last else {
        throw DecodingFailure(
          path: "hello.protocol", message: "the first version is greater than the last")
      }
      versions = first...last
      folder = try reader.optionalText("folder")?.string
      serves = Set(
        try reader.optionalElements("serves") { (element, path) throws(DecodingFailure) in
          try element.text(at: path)
        } ?? [])
      // Unknown members of later runners are ignored.
    }
  }

  /// The response for an implementation that is served.
  ///
  /// - Parameters:
  ///   - canPipeline: whether requests may arrive while the adapter waits for the runner.
  ///   - secret: the secret for a runner that listens; nil without one.
  static func answer(
    _ description: ImplementationDescription, canPipeline: Bool, secret: AdapterSecret? = nil,
    connections: ConnectionKind? = nil, hasResolver: Bool = false
  ) -> JSONValue {
    var answer: JSONObject = ["protocol": .integer(version)]
    for member in description.declarations.members { answer[member.name] = member.value }
    answer["deterministic"] = .bool(description.isDeterministic)
    answer["crashes"] = ImplementationDescription.names(description.crashes)
    answer["pipelining"] = .bool(canPipeline)
    answer["connections"] = connections.map { .text($0.rawValue) }
    if hasResolver { answer["resolver"] = true }
    answer["secret"] = secret.map { .text($0.text) }
    return .object(answer)
  }

  /// Reads the response.
  init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: "ok")
    let version = try reader.integer("protocol")
    guard version == Self.version else {
      throw DecodingFailure(
        path: "ok.protocol", message: "expected version \(Self.version), found \(version)")
    }
    var description = try ImplementationDescription(declaredIn: &reader)
    description.crashes = try reader.choices("crashes")
    guard description.crashes.isSubset(of: [.kill]) else {
      throw DecodingFailure(
        path: "ok.crashes", message: "expected kill, the only kind of crash over the protocol")
    }
    description.isDeterministic = try reader.optionalBool("deterministic") ?? false
    canPipeline = try reader.optionalBool("pipelining") ?? false
    if let name = try reader.optionalText("connections") {
      guard let kind = ConnectionKind(rawValue: name.string) else {
        throw DecodingFailure(
          path: "ok.connections", message: "expected process or socket, found \(name.string)")
      }
      connections = kind
    }
    hasResolver = try reader.optionalBool("resolver") ?? false
    // The secret is checked earlier, if the runner requires one.
    _ = try reader.optionalText("secret")
    try reader.finish()
    self.description = description
  }
}

/// How an adapter lets several connections use the same stores at once.
public enum ConnectionKind: String, Sendable {
  /// Further processes of the command with the same folder.
  case process
  /// Further connections to a Unix socket on which the first process listens.
  case socket
}
