internal import Datastore
internal import JSON

/// The description of an adapter in its response to `hello`.
struct AdapterGreeting: Hashable {
  let description: ImplementationDescription
  let canPipeline: Bool

  /// The supported version of the protocol.
  static let version: Int64 = 1

  /// The `hello` request of the runner.
  ///
  /// - Parameters:
  ///   - folder: the folder for its files; nil if this process did not start the adapter.
  ///   - secret: the secret for an adapter that listens; nil without one.
  static func question(
    runner: String, folder: String?, secret: AdapterSecret? = nil
  ) -> JSONValue {
    var hello: JSONObject = [
      "protocol": ["first": .integer(version), "last": .integer(version)],
      "runner": .text(runner),
    ]
    hello["folder"] = folder.map { .text($0) }
    hello["serves"] = ["time", "random", "exchange", "sleep"]
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
    _ description: ImplementationDescription, canPipeline: Bool, secret: AdapterSecret? = nil
  ) -> JSONValue {
    var answer: JSONObject = ["protocol": .integer(version)]
    for member in description.declarations.members { answer[member.name] = member.value }
    answer["deterministic"] = .bool(description.isDeterministic)
    answer["crashes"] = ImplementationDescription.names(description.crashes)
    answer["pipelining"] = .bool(canPipeline)
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
    // The secret is checked earlier, if the runner requires one.
    _ = try reader.optionalText("secret")
    try reader.finish()
    self.description = description
  }
}
