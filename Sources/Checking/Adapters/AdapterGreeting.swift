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
    var answer: JSONObject = [
      "protocol": .integer(version), "name": .text(description.name),
      "version": .text(description.version),
    ]
    answer["language"] = description.language.map { .text($0) }
    answer["homepage"] = description.homepage.map { .text($0) }
    answer["capabilities"] = names(description.capabilities)
    answer["profiles"] = names(description.profiles)
    answer["limits"] = limits(of: description)
    if description.defaults != ImplementationDescription.Defaults() {
      answer["defaults"] = [
        "revisionIDs": .text(description.defaults.revisionIDs.rawValue),
        "collation": .text(description.defaults.collation.rawValue),
      ]
    }
    answer["deterministic"] = .bool(description.isDeterministic)
    answer["crashes"] = names(description.crashes)
    answer["pipelining"] = .bool(canPipeline)
    answer["secret"] = secret.map { .text($0.text) }
    return .object(answer)
  }

  private static func limits(of description: ImplementationDescription) -> JSONValue {
    let isAboutAttachments = { (name: LimitName) in name == .inlineBytes || name == .attachmentBytes
    }
    let hasAttachments = description.capabilities.contains(.attachment)
    var json: JSONObject = [:]
    for name in LimitName.allCases where description.limits.declared.contains(name) {
      if isAboutAttachments(name), !hasAttachments { continue }
      json[JSONString(name.rawValue)] = .integer(Int64(description.limits[name]))
    }
    return .object(json)
  }

  private static func names<Choice: RawRepresentable & CaseIterable & Hashable>(
    _ choices: Set<Choice>
  ) -> JSONValue where Choice.RawValue == String {
    .array(Choice.allCases.filter { choices.contains($0) }.map { .text($0.rawValue) })
  }

  /// Reads the response.
  init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: "ok")
    let version = try reader.integer("protocol")
    guard version == Self.version else {
      throw DecodingFailure(
        path: "ok.protocol", message: "expected version \(Self.version), found \(version)")
    }
    var description = ImplementationDescription(
      name: try reader.text("name").string, version: try reader.text("version").string)
    guard !description.name.isEmpty else {
      throw DecodingFailure(path: "ok.name", message: "expected a name")
    }
    description.language = try reader.optionalText("language")?.string
    description.homepage = try reader.optionalText("homepage")?.string
    description.capabilities = try Self.choices("capabilities", &reader)
    description.profiles = try Self.choices("profiles", &reader)
    description.crashes = try Self.choices("crashes", &reader)
    guard description.crashes.isSubset(of: [.kill]) else {
      throw DecodingFailure(
        path: "ok.crashes", message: "expected kill, the only kind of crash over the protocol")
    }
    if var limits = try reader.optionalReader("limits") {
      description.limits = try Self.limits(&limits)
    }
    if var defaults = try reader.optionalReader("defaults") {
      if let ids = try Self.choice("revisionIDs", &defaults) as RevisionIDProfile? {
        description.defaults.revisionIDs = ids
      }
      if let collation = try Self.choice("collation", &defaults) as CollationName? {
        description.defaults.collation = collation
      }
      try defaults.finish()
    }
    description.isDeterministic = try reader.optionalBool("deterministic") ?? false
    canPipeline = try reader.optionalBool("pipelining") ?? false
    // The secret is checked earlier, if the runner requires one.
    _ = try reader.optionalText("secret")
    try reader.finish()
    self.description = description
  }

  private static func limits(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> ImplementationDescription.Limits {
    let least = ImplementationDescription.Limits.minimum
    var limits = least
    for name in LimitName.allCases {
      guard let size = try reader.optionalInteger(JSONString(name.rawValue)) else { continue }
      limits[name] = Int(size)
      limits.declared.insert(name)
    }
    try reader.finish()
    guard limits.reaches(least) else {
      throw DecodingFailure(
        path: "ok.limits",
        message:
          "below the minimum: every store accepts bodies of \(least.bodyBytesMax) bytes and depth "
          + "\(least.depthMax), ids of \(least.idBytesMax) bytes, and with attachments "
          + "\(least.inlineBytesMax) bytes inline and \(least.attachmentBytesMax) in total")
    }
    return limits
  }

  private static func choices<Choice: RawRepresentable & CaseIterable & Hashable>(
    _ name: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> Set<Choice> where Choice.RawValue == String {
    guard reader.optional(name) != nil else { return [] }
    let choices = try reader.elements(name) { (element, path) throws(DecodingFailure) -> Choice in
      guard let text = element.textValue else {
        throw DecodingFailure(path: path, message: "expected a string, found \(element.kind)")
      }
      return try choice(text, path: path)
    }
    return Set(choices)
  }

  /// Reads one value of an enumeration; nil if the member is absent.
  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> Choice? where Choice.RawValue == String {
    guard let text = try reader.optionalText(name) else { return nil }
    return try choice(text, path: reader.path(to: name))
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ text: JSONString, path: String
  ) throws(DecodingFailure) -> Choice where Choice.RawValue == String {
    if let choice = Choice.allCases.first(where: { JSONString($0.rawValue) == text }) {
      return choice
    }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw DecodingFailure(path: path, message: "'\(text)' is not one of \(known)")
  }
}
