internal import Datastore
internal import JSON

/// The table of operations as JSON, for tools in other languages.
struct OperationListing {
  let table: OperationTable
  /// In the order of reports.
  let capabilities: [Capability]

  var json: JSONValue {
    [
      "about": """
      The table of operations, written by `touchstone vectors generate`. operations.md explains the \
      notation of types.
      """,
      "capabilities": .array(capabilities.map { .text($0.rawValue) }),
      "operations": .array(table.rows.map { operation($0) }),
      "errors": .object(
        JSONObject(
          table.errors.map { kind, members in
            (kind, .object(JSONObject(members.map { ($0.name, .text($0.notation)) })))
          })),
      "commonErrors": .array(OperationTable.commonErrors.map { .text($0) }),
      "types": .object(
        JSONObject(table.names.map { ($0, .text(table.notations[$0] ?? "")) })),
      "arguments": ["data": dataOfArguments],
      "results": [
        "data": dataOfResults, "maps": names { $0.isMap },
        "unordered": order { if case .open = $0 { true } else { false } },
        "dense": order { if case .inOrderIfDense = $0 { true } else { false } },
      ],
    ]
  }

  private func operation(_ row: OperationRow) -> JSONValue {
    var json: JSONObject = [
      "name": .text(row.name),
      "capabilities": .array(row.sortedCapabilities.map { .text($0.rawValue) }),
      "arguments": .array(row.arguments.map { argument($0) }), "result": .string(row.result),
    ]
    if !row.variants.isEmpty {
      json["variants"] = .array(
        row.variants.map {
          ["argument": .string($0.argument), "value": $0.value, "result": .string($0.result)]
        })
    }
    let needs = needs(of: row.arguments, "")
    if !needs.isEmpty { json["needs"] = .object(JSONObject(needs)) }
    json["errors"] = .array(row.errors.map { .text($0) })
    return .object(json)
  }

  private func argument(_ member: ValueShape.Member) -> JSONValue {
    var json: JSONObject = ["name": .string(member.name), "type": .text(member.notation)]
    switch member.presence {
    case .required: break
    case .optional: json["optional"] = true
    case .choice: json["choice"] = true
    }
    return .object(json)
  }

  /// The capabilities that arguments need, by their paths; `[]` is any element of a list, or any
  /// value of a map.
  private func needs(of members: [ValueShape.Member], _ path: String) -> [(JSONString, JSONValue)] {
    members.flatMap { member -> [(JSONString, JSONValue)] in
      let path = path + member.name.string
      let own = member.capability.map { [(JSONString(path), JSONValue.text($0.rawValue))] } ?? []
      guard let element = element(of: member),
        case .members(let inner) = table.resolved(element)
      else { return own }
      return own + needs(of: inner, path + "[].")
    }
  }

  /// The shape of the elements of a list, or of the values of a map that needs a capability itself:
  /// other maps are only passed on.
  private func element(of member: ValueShape.Member) -> ValueShape? {
    switch table.resolved(member.shape) {
    case .list(let element, _): return element
    case .data(let inner?):
      guard member.capability != nil, case .map(let value, _) = table.resolved(inner) else {
        return nil
      }
      return value
    default: return nil
    }
  }

  // MARK: Names of members

  private var results: [ValueShape] {
    table.rows.flatMap { [$0.result] + $0.variants.map(\.result) }.map { .definition($0) }
  }

  /// The members of a shape and of its parts; a definition counts once.
  private func members(of shape: ValueShape) -> [ValueShape.Member] {
    var seen: Set<JSONString> = []
    return members(of: shape, &seen)
  }

  private func members(of shape: ValueShape, _ seen: inout Set<JSONString>) -> [ValueShape.Member] {
    if case .definition(let name) = shape {
      guard seen.insert(name).inserted, let definition = table.definitions[name] else { return [] }
      return members(of: definition, &seen)
    }
    if case .data = shape { return [] }
    var found: [ValueShape.Member] = []
    if case .members(let members) = shape { found = members }
    for part in shape.parts { found += members(of: part, &seen) }
    return found
  }

  /// The names of the arguments, and of their members, whose values are data.
  private var dataOfArguments: JSONValue {
    let arguments = table.rows.flatMap { $0.arguments }
    let all = arguments + arguments.flatMap { members(of: $0.shape) }
    return distinct(all.filter { isData($0.shape) }.map(\.name))
  }

  /// The names of the members of results whose values are always compared as a whole.
  private var dataOfResults: JSONValue {
    let all = results.flatMap { members(of: $0) }
    let others = Set(all.filter { !isData($0.shape) }.map(\.name))
    return distinct(all.map(\.name).filter { !others.contains($0) })
  }

  /// True if a shape is data, or a list of data.
  private func isData(_ shape: ValueShape) -> Bool {
    switch table.resolved(shape) {
    case .data: true
    case .list(let element, _): isData(element)
    default: false
    }
  }

  private func names(_ isWanted: (ValueShape) -> Bool) -> JSONValue {
    distinct(
      results.flatMap { members(of: $0) }.filter { isWanted(table.resolved($0.shape)) }.map(\.name))
  }

  private func distinct(_ names: [JSONString]) -> JSONValue {
    var seen: Set<JSONString> = []
    return .array(names.filter { seen.insert($0).inserted }.map { .string($0) })
  }

  /// The members of results that are ordered lists, each with its operation.
  private func order(_ isWanted: (ValueShape.Order) -> Bool) -> JSONValue {
    .array(
      table.rows.flatMap { row in
        members(of: .definition(row.result)).compactMap { member -> JSONValue? in
          guard case .list(_, let order) = table.resolved(member.shape), isWanted(order) else {
            return nil
          }
          return [.text(row.name), .string(member.name)]
        }
      })
  }
}

extension OperationRow {
  /// The capabilities in the order of reports.
  var sortedCapabilities: [Capability] {
    Capability.allCases.filter { capabilities.contains($0) }
  }
}

extension ValueShape {
  fileprivate var isMap: Bool { if case .map = self { true } else { false } }
}
