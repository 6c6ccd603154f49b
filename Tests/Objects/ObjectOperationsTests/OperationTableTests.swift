import Datastore
import JSON
import ObjectOperations
import Testing

/// The table of operations agrees with the decoders and encoders of all families.
@Suite struct OperationTableTests {
  private static let table: OperationTable = {
    OperationFamily.registerObjects()
    return .current
  }()

  private static var rows: [OperationRow] { table.rows }

  private func operation(_ row: OperationRow, _ arguments: JSONObject) -> JSONValue {
    .object(
      JSONObject(
        [("op", .text(row.name)), ("store", "s")]
          + arguments.members.map { ($0.name, $0.value) }))
  }

  private func arguments(_ row: OperationRow, isFull: Bool) -> JSONObject {
    Sample(table: Self.table, isFull: isFull).object(row.arguments)
  }

  @Test(arguments: rows.map(\.name))
  func decodersAgreeWithTheRow(_ name: String) throws {
    let row = try #require(Self.table[name])
    let least = arguments(row, isFull: false)
    let action = try StoreOperation(operation(row, least)).action
    #expect(action.name == name)
    #expect(action.capabilities == row.capabilities)
    for member in least.members {
      var fewer = least
      fewer[member.name] = nil
      #expect(throws: DecodingFailure.self, "\(name) without \(member.name.string)") {
        try StoreOperation(operation(row, fewer))
      }
    }
    var more = least
    more["noSuchArgument"] = 1
    #expect(throws: DecodingFailure.self) { try StoreOperation(operation(row, more)) }
  }

  @Test(arguments: rows.map(\.name))
  func argumentsHaveTheTypesOfTheRow(_ name: String) throws {
    let row = try #require(Self.table[name])
    for argument in row.arguments {
      if case .data = Self.table.resolved(argument.shape) { continue }
      var wrong = arguments(row, isFull: true)
      wrong[argument.name] = argument.shape.isList ? ["no": "value"] : [["no": "value"]]
      #expect(throws: DecodingFailure.self, "\(name) with a wrong \(argument.name.string)") {
        try StoreOperation(operation(row, wrong))
      }
    }
  }

  @Test(arguments: rows.map(\.name))
  func encodersWriteTheArgumentsInOrder(_ name: String) throws {
    let row = try #require(Self.table[name])
    var full = arguments(row, isFull: true)
    // `waits` and `unheard` exclude each other.
    if full["waits"] != nil { full["unheard"] = nil }
    let action = try StoreOperation(operation(row, full)).action
    let json = try #require(StoreOperation("s", action).json.objectValue)
    #expect(json.members.map(\.name) == ["op", "store"] + full.members.map(\.name))
    #expect(JSONValue.object(json) == operation(row, full))
    #expect(action.capabilities == row.capabilities.union(needs(of: row.arguments)))
  }

  /// The capabilities that the sample of all arguments requires, which has the first of each
  /// choice, and no optional members in the maps of elements.
  private func needs(of members: [ValueShape.Member], isElement: Bool = false) -> Set<Capability> {
    members.reduce(into: []) { needs, member in
      if let capability = member.capability { needs.insert(capability) }
      if case .list(let element, _) = member.shape,
        case .members(let inner) = Self.table.resolved(element)
      {
        needs.formUnion(self.needs(of: inner, isElement: true))
      }
      // A map that needs no capability itself is only passed on.
      if !isElement, member.capability != nil,
        case .data(let map?) = Self.table.resolved(member.shape),
        case .map(let value, _) = Self.table.resolved(map),
        case .members(let inner) = Self.table.resolved(value)
      {
        needs.formUnion(self.needs(of: inner.filter { $0.presence != .choice }))
      }
    }
  }

  @Test(arguments: rows.map(\.name))
  func answersHaveTheShapeOfTheRow(_ name: String) throws {
    let row = try #require(Self.table[name])
    let action = try StoreOperation(operation(row, arguments(row, isFull: false))).action
    let result = try #require(Self.table.definitions[row.result])
    for isFull in [false, true] {
      let answer = Sample(table: Self.table, isFull: isFull).value(result)
      #expect(throws: Never.self, "\(answer.serialized())") {
        try Outcome(["ok": answer], of: action)
      }
      var more = try #require(answer.objectValue)
      more["noSuchMember"] = 1
      #expect(throws: DecodingFailure.self) { try Outcome(["ok": .object(more)], of: action) }
    }
    // The decoder of attachments also reads those of writes, which have fewer members.
    if name == "readAttachment" { return }
    let least = try #require(Sample(table: Self.table, isFull: false).value(result).objectValue)
    for member in least.members {
      var fewer = least
      fewer[member.name] = nil
      #expect(throws: DecodingFailure.self, "\(name) without \(member.name.string)") {
        try Outcome(["ok": .object(fewer)], of: action)
      }
    }
  }

  /// The operations of all families, each with an answer for each shape of its result.
  private func familyExchanges() throws -> [(action: StoreAction, result: OperationResult)] {
    var exchanges: [(action: StoreAction, result: OperationResult)] = []
    for row in Self.rows {
      let results =
        [(JSONObject(), row.result)] + row.variants.map { ([$0.argument: $0.value], $0.result) }
      for (variant, result) in results {
        var least = arguments(row, isFull: false)
        for member in variant.members { least[member.name] = member.value }
        let action = try StoreOperation(operation(row, least)).action
        guard case .family = action else { break }
        let shape = try #require(Self.table.definitions[result])
        for isFull in [false, true] {
          let answer = Sample(table: Self.table, isFull: isFull).value(shape)
          exchanges.append((action, try OperationResult(answer, of: action, path: "")))
        }
      }
    }
    return exchanges
  }

  /// A result of its own operation needs no second decoding.
  @Test func answersOfFamiliesFitTheirOperation() throws {
    let exchanges = try familyExchanges()
    #expect(exchanges.count > 100)
    for (action, result) in exchanges {
      #expect(result.fits(action), "\(action.name): \(result.json.serialized())")
    }
  }

  /// A result fits no operation whose decoder rejects it or reads it as another one.
  @Test func fittingAnswersAreReadAsTheyAre() throws {
    let exchanges = try familyExchanges()
    for (action, _) in exchanges {
      for (_, result) in exchanges where result.fits(action) {
        let read = try? OperationResult(result.json, of: action, path: "")
        #expect(read == result, "\(action.name): \(result.json.serialized())")
      }
    }
  }

  @Test func allNamesAreDefined() {
    for (place, shape) in Self.rows.flatMap({ row in row.arguments.map { (row.name, $0.shape) } })
      + Self.table.names.map({ ($0.string, Self.table.definitions[$0] ?? .null) })
    {
      for name in names(in: shape) where name != "write" && name != "error" {
        #expect(Self.table.definitions[name] != nil, "\(place) uses \(name.string)")
      }
    }
    for row in Self.rows {
      for name in [row.result] + row.variants.map(\.result) {
        #expect(Self.table.definitions[name] != nil, "\(row.name) has no \(name.string)")
      }
      let kinds = Self.table.errors.map(\.kind.string)
      #expect(Set(row.errors).isSubset(of: kinds), "\(row.name)")
      #expect(row.capabilities.isSubset(of: Capability.allCases), "\(row.name)")
    }
  }

  private func names(in shape: ValueShape) -> [JSONString] {
    switch shape {
    case .definition(let name): [name]
    case .data(let shape): shape.map { names(in: $0) } ?? []
    case .members(let members): members.flatMap { names(in: $0.shape) }
    case .map(let shape, _), .list(let shape, _): names(in: shape)
    case .tuple(let shapes), .alternatives(let shapes): shapes.flatMap { names(in: $0) }
    default: []
    }
  }
}

extension ValueShape {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}

/// Values of shapes: with the required members only, or with all.
private struct Sample {
  let table: OperationTable
  let isFull: Bool

  func object(_ members: [ValueShape.Member], depth: Int = 0) -> JSONObject {
    var json = JSONObject()
    var hasChoice = false
    for member in members {
      switch member.presence {
      case .required: break
      case .optional: if !isFull || depth > 3 { continue }
      case .choice:
        if hasChoice { continue }
        hasChoice = true
      }
      json[member.name] = value(member.shape, depth: depth)
    }
    return json
  }

  func value(_ shape: ValueShape, depth: Int = 0) -> JSONValue {
    switch shape {
    case .scalar(let kind, let keywords):
      if let constant = keywords["const"] { return constant }
      if case .array(let values)? = keywords["enum"] { return values[values.count - 1] }
      if keywords["pattern"] != nil { return "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=" }
      return switch kind {
      case .text: "t"
      case .integer, .number: 2
      case .bool: true
      }
    case .null: return .null
    case .name: return "1-a"
    case .sequence: return 1
    case .data(let inner): return inner.map { value($0, depth: depth) } ?? ["a": 1]
    case .object: return ["a": 1]
    case .array: return [["a": 1]]
    case .members(let members): return .object(object(members, depth: depth + 1))
    case .map(let inner, _): return ["k": value(inner, depth: depth + 1)]
    case .list(let element, let order):
      if case .results = order { return [[:]] }
      return [value(element, depth: depth + 1)]
    case .tuple(let shapes): return .array(shapes.map { value($0, depth: depth + 1) })
    case .alternatives(let shapes): return value(shapes[shapes.count - 1], depth: depth)
    case .definition("write"): return ["op": "writeLocal", "id": "d", "body": ["a": 1]]
    case .definition("error"): return ["kind": "conflict"]
    case .definition: return value(table.resolved(shape), depth: depth)
    }
  }
}
