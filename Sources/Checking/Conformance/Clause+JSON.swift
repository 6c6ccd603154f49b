internal import Datastore
public import JSON
internal import Scenarios

extension Clause {
  /// The clause as `clauses.json` contains it.
  public var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [
      ("id", id.json), ("level", .text(level.rawValue)), ("binds", .text(binds.name)),
      ("text", .string(text)),
      ("source", .string(source)),
    ]
    switch status {
    case .agreed: members.append(("status", "agreed"))
    case .ambiguous(let accepted):
      members.append(("status", "ambiguous"))
      members.append(("accepted", .array(accepted.map { .string($0) })))
    }
    if case .family(let evidence) = binds {
      members.append(("keptBy", .array(evidence.keptBy.map { .string($0) })))
      members.append(("neededBy", .array(evidence.neededBy.map { .text($0.rawValue) })))
    }
    if !observed.isEmpty {
      let products = JSONObject(observed.map { ($0.product, .string($0.behaviour)) })
      members.append(("observed", .object(products)))
    }
    if let basis { members.append(("basis", basis.json)) }
    return .object(JSONObject(members))
  }

  /// Reads a clause; an ambiguous one has two or more accepted outcomes.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try ClauseID(try reader.required("id"), path: reader.path(to: "id"))
    guard id.isWellFormed else {
      throw DecodingFailure(
        path: reader.path(to: "id"), message: "expected letters-123, found '\(id)'")
    }
    level = try reader.choice("level")
    binds = try Self.binding(&reader)
    text = try reader.text("text")
    source = try reader.text("source")
    status = try Self.status(&reader)
    observed = try Self.observations(&reader)
    basis = try Self.basis(&reader, binds)
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

  /// A clause binds the family only with a product that follows it and a request that needs it.
  private static func binding(_ reader: inout ObjectReader) throws(DecodingFailure) -> Binding {
    let name = try reader.text("binds")
    guard name == "family" else {
      switch name {
      case "contract": return .contract
      case "layer": return .layer
      default:
        throw DecodingFailure(
          path: reader.path(to: "binds"),
          message: "'\(name)' is not one of family, contract, layer")
      }
    }
    let keptBy = try reader.elements("keptBy") { (element, path) throws(DecodingFailure) in
      let product = try element.text(at: path)
      // An observation without a version cannot be checked again.
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard product.utf8.contains(where: { digits.contains($0) }) else {
        throw DecodingFailure(path: path, message: "expected a product with its version")
      }
      return product
    }
    let neededBy = try reader.elements("neededBy") { (element, path) throws(DecodingFailure) in
      let name = try element.text(at: path)
      if let request = Request.allCases.first(where: { JSONString($0.rawValue) == name }) {
        return request
      }
      let known = Request.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingFailure(path: path, message: "'\(name)' is not one of \(known)")
    }
    for (member, isEmpty) in [("keptBy", keptBy.isEmpty), ("neededBy", neededBy.isEmpty)]
    where isEmpty {
      throw DecodingFailure(
        path: reader.path(to: JSONString(member)),
        message: "required for a clause that binds the family")
    }
    return .family(Evidence(keptBy: keptBy, neededBy: neededBy))
  }

  /// A clause of a layer rests on sources or rulings; the evidence of the others is elsewhere.
  private static func basis(
    _ reader: inout ObjectReader, _ binds: Binding
  ) throws(DecodingFailure) -> Basis? {
    guard let value = reader.optional("basis") else { return nil }
    let path = reader.path(to: "basis")
    guard binds == .layer else {
      throw DecodingFailure(path: path, message: "only for a clause that binds a layer")
    }
    return try Basis(value, path: path)
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
