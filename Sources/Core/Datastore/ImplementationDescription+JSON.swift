package import JSON

// The declarations of an implementation as JSON, as in the response to `hello` and in product files.

extension ImplementationDescription {
  /// The declared properties: name, version, capabilities, restrictions, profiles, limits and
  /// defaults.
  package var declarations: JSONObject {
    var json: JSONObject = ["name": .text(name), "version": .text(version)]
    json["language"] = language.map { .text($0) }
    json["homepage"] = homepage.map { .text($0) }
    for member in capabilityDeclarations.members { json[member.name] = member.value }
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

  /// The list of capabilities: in its first version, which every reader supports, unless only a
  /// part of the attachments is offered or there are restrictions.
  private var capabilityDeclarations: JSONObject {
    let parts = Capability.attachmentParts
    // Without attachments their parts have no meaning.
    let offered =
      capabilities.contains(.attachment) ? capabilities : capabilities.subtracting(parts)
    guard restrictions.isEmpty else {
      return [
        "capabilitiesVersion": 3, "capabilities": Self.names(offered),
        "restrictions": Self.names(restrictions),
      ]
    }
    guard offered.contains(.attachment), !offered.isSuperset(of: parts) else {
      return ["capabilities": Self.names(offered.subtracting(parts))]
    }
    return ["capabilitiesVersion": 2, "capabilities": Self.names(offered)]
  }

  private var limitDeclarations: JSONValue {
    let hasAttachments = capabilities.contains(.attachment)
    let hasPieces = capabilities.contains(.attachmentPieces)
    var json: JSONObject = [:]
    for name in LimitName.allCases where limits.declared.contains(name) {
      if name == .inlineBytes, !hasAttachments { continue }
      if name == .attachmentBytes, !hasPieces { continue }
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
    try readCapabilities(&reader)
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

  /// Reads the list of capabilities in the declared version of the list, and the restrictions.
  ///
  /// In version 1 `attachment` stands for all capabilities of attachments. From version 2 on each
  /// is listed. Restrictions need version 3: a reader of earlier versions would ignore them, and
  /// report vectors as failed that the store cannot perform.
  private mutating func readCapabilities(_ reader: inout ObjectReader) throws(DecodingFailure) {
    let version = try reader.optionalInteger("capabilitiesVersion") ?? 1
    guard (1...3).contains(version) else {
      throw DecodingFailure(
        path: reader.path(to: "capabilitiesVersion"),
        message: "expected version 1, 2 or 3, found \(version)")
    }
    capabilities = try reader.choices("capabilities")
    let parts = Capability.attachmentParts
    let part = Capability.core.first { parts.contains($0) && capabilities.contains($0) }
    if let part, version == 1 || !capabilities.contains(.attachment) {
      throw DecodingFailure(
        path: reader.path(to: "capabilities"),
        message: "'\(part.rawValue)' needs "
          + (version == 1 ? "\"capabilitiesVersion\": 2" : "'attachment'; add it to the list"))
    }
    if version == 1, capabilities.contains(.attachment) { capabilities.formUnion(parts) }
    restrictions = try reader.choices("restrictions")
    let faults =
      restrictions.isEmpty || version == 3
      ? restrictionFaults : ["restrictions need \"capabilitiesVersion\": 3"]
    if let fault = faults.first {
      throw DecodingFailure(path: reader.path(to: "restrictions"), message: fault)
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
