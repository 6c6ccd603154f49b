internal import Datastore
public import JSON
internal import Scenarios

extension Clause {
  /// The clause as it stands in `clauses.json`.
  public var json: JSONValue {
    var members: [(Text, JSONValue)] = [
      ("id", id.json), ("level", .text(level.rawValue)), ("text", .string(text)),
      ("source", .string(source)),
    ]
    switch status {
    case .agreed: members.append(("status", "agreed"))
    case .ambiguous(let accepted):
      members.append(("status", "ambiguous"))
      members.append(("accepted", .array(accepted.map { .string($0) })))
    }
    if !observed.isEmpty {
      let products = JSONObject(observed.map { ($0.product, .string($0.behaviour)) })
      members.append(("observed", .object(products)))
    }
    return .object(JSONObject(members))
  }

  /// Reads a clause; an ambiguous one names two accepted outcomes or more.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try ClauseID(try reader.required("id"), path: reader.path(to: "id"))
    guard id.isWellFormed else {
      throw DecodingFailure(
        path: reader.path(to: "id"), message: "expected letters-123, found '\(id)'")
    }
    level = try reader.choice("level")
    text = try reader.text("text")
    source = try reader.text("source")
    status = try Self.status(&reader)
    observed = try Self.observations(&reader)
    try reader.finish()
  }

  private static func status(_ reader: inout ObjectReader) throws(DecodingFailure) -> Status {
    let name = try reader.text("status")
    switch name {
    case "agreed": return .agreed
    case "ambiguous":
      let accepted = try reader.elements("accepted") { (element, path) throws(DecodingFailure) in
        try element.text(at: path)
      }
      guard accepted.count >= 2 else {
        throw DecodingFailure(
          path: reader.path(to: "accepted"), message: "expected two or more outcomes")
      }
      return .ambiguous(accepted: accepted)
    default:
      throw DecodingFailure(
        path: reader.path(to: "status"), message: "'\(name)' is not one of agreed, ambiguous")
    }
  }

  private static func observations(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> [Observation] {
    guard let value = reader.optional("observed") else { return [] }
    let path = reader.path(to: "observed")
    guard case .object(let object) = value else {
      throw DecodingFailure(path: path, expected: "an object", found: value)
    }
    var observations: [Observation] = []
    for member in object.members {
      let behaviour = try member.value.text(at: "\(path).\(member.name)")
      observations.append(Observation(product: member.name, behaviour: behaviour))
    }
    return observations
  }
}
