public import JSON

extension DatastoreError {
  /// The error in JSON: `kind`, the field of the kind, `write` and `message`.
  public var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [("kind", .text(kind.name))]
    switch kind {
    case .badRequest(let path): members.append(("path", .text(path)))
    case .notFound(let absence): members.append(("reason", .text(absence.rawValue)))
    case .tooLarge(let limit): members.append(("limit", .integer(limit)))
    case .unsupported(let what): members.append(("what", .text(what)))
    case .badObject(let what, let name):
      members.append(("what", .text(what)))
      if let name { members.append(("name", .string(name))) }
    case .badSelector(let name, let path):
      members += [("operator", .text(name)), ("path", .text(path))]
    case .storage(let fault): members.append(("fault", .text(fault.rawValue)))
    default: break
    }
    if let write { members.append(("write", .integer(write))) }
    if !message.isEmpty { members.append(("message", .text(message))) }
    return .object(JSONObject(members))
  }

  /// Reads an error; an unknown kind, field or value is a failure.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let name = try reader.text("kind").string
    kind = try Self.kind(named: name, &reader)
    write = try reader.optionalInteger("write")
    message = try reader.optionalText("message")?.string ?? ""
    try reader.finish()
  }

  private static func kind(
    named name: String, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> Kind {
    switch name {
    case "badName": return .badName
    case "badID": return .badID
    case "badRevision": return .badRevision
    case "badBody": return .badBody
    case "badSequence": return .badSequence
    case "badRequest": return .badRequest(path: try reader.text("path").string)
    case "conflict": return .conflict
    case "notFound": return .notFound(try reader.choice("reason"))
    case "forbidden": return .forbidden
    case "missingStub": return .missingStub
    case "badAttachment": return .badAttachment
    case "badObject":
      return .badObject(
        what: try reader.text("what").string, name: try reader.optionalText("name"))
    case "badSelector":
      return .badSelector(
        operator: try reader.text("operator").string, path: try reader.text("path").string)
    case "tooLarge": return .tooLarge(limit: try reader.integer("limit"))
    case "noSuchStore": return .noSuchStore
    case "unsupported": return .unsupported(what: try reader.text("what").string)
    case "storage": return .storage(try reader.choice("fault"))
    case "busy": return .busy
    default:
      throw DecodingFailure(path: reader.path(to: "kind"), message: "unknown error kind '\(name)'")
    }
  }
}
