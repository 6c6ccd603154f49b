package import JSON

// The declarations of an implementation as JSON, as in the response to `hello` and in product files.

extension ImplementationDescription {
  /// The declared properties: name, version, capabilities, profiles, limits and defaults.
  package var declarations: JSONObject {
    var json: JSONObject = ["name": .text(name), "version": .text(version)]
    json["language"] = language.map { .text($0) }
    json["homepage"] = homepage.map { .text($0) }
    json["capabilities"] = Self.names(capabilities)
    json["profiles"] = Self.names(profiles)
    json["limits"] = limitDeclarations
    if defaults != Defaults() {
      json["defaults"] = [
        "revisionIDs": .text(defaults.revisionIDs.rawValue),
        "collation": .text(defaults.collation.rawValue),
      ]
    }
    return json
  }

  private var limitDeclarations: JSONValue {
    let hasAttachments = capabilities.contains(.attachment)
    var json: JSONObject = [:]
    for name in LimitName.allCases where limits.declared.contains(name) {
      if name == .inlineBytes || name == .attachmentBytes, !hasAttachments { continue }
      json[JSONString(name.rawValue)] = .integer(Int64(limits[name]))
    }
    return .object(json)
  }

  package static func names<Choice: RawRepresentable & CaseIterable & Hashable>(
    _ choices: Set<Choice>
  ) -> JSONValue where Choice.RawValue == String {
    .array(Choice.allCases.filter { choices.contains($0) }.map { .text($0.rawValue) })
  }

  /// Reads the declared properties; other members are left in the reader.
  package init(declaredIn reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(name: try reader.text("name").string, version: try reader.text("version").string)
    guard !name.isEmpty else {
      throw DecodingFailure(path: reader.path(to: "name"), message: "expected a name")
    }
    language = try reader.optionalText("language")?.string
    homepage = try reader.optionalText("homepage")?.string
    capabilities = try reader.choices("capabilities")
    profiles = try reader.choices("profiles")
    let path = reader.path(to: "limits")
    if var limits = try reader.optionalReader("limits") {
      self.limits = try Self.limits(&limits, path: path)
    }
    if var defaults = try reader.optionalReader("defaults") {
      if let ids = try defaults.optionalChoice("revisionIDs") as RevisionIDProfile? {
        self.defaults.revisionIDs = ids
      }
      if let collation = try defaults.optionalChoice("collation") as CollationName? {
        self.defaults.collation = collation
      }
      try defaults.finish()
    }
  }

  private static func limits(
    _ reader: inout ObjectReader, path: String
  ) throws(DecodingFailure) -> Limits {
    let least = Limits.minimum
    var limits = least
    for name in LimitName.allCases {
      guard let size = try reader.optionalInteger(JSONString(name.rawValue)) else { continue }
      limits[name] = Int(size)
      limits.declared.insert(name)
    }
    try reader.finish()
    guard limits.reaches(least) else {
      throw DecodingFailure(
        path: path,
        message:
          "below the minimum: every store accepts bodies of \(least.bodyBytesMax) bytes and depth "
          + "\(least.depthMax), ids of \(least.idBytesMax) bytes, and with attachments "
          + "\(least.inlineBytesMax) bytes inline and \(least.attachmentBytesMax) in total")
    }
    return limits
  }
}
