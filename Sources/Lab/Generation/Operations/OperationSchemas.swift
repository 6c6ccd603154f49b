internal import Datastore
internal import JSON

/// The JSON Schemas generated from the table of operations.
struct OperationSchemas {
  let table: OperationTable
  /// In the order of reports.
  let capabilities: [Capability]

  /// The files by their names.
  var files: [(name: String, schema: JSONValue)] {
    [
      ("operation.schema.json", operation), ("outcome.schema.json", outcome),
      ("expectation.schema.json", expectation),
    ]
  }

  private func schema(
    _ name: JSONString, title: JSONValue, description: JSONValue,
    _ members: [(JSONString, JSONValue)]
  ) -> JSONValue {
    let id = "https://touchstone.invalid/vectors/schemas/\(name.string).schema.json"
    return .object(
      JSONObject(
        [
          ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("$id", .text(id)),
          ("title", title), ("description", description),
        ] + members))
  }

  private func reference(_ name: JSONString) -> JSONValue {
    ["$ref": .text("#/$defs/\(name.string)")]
  }

  // MARK: Operations

  private var operation: JSONValue {
    let shapes = ShapeSchema(table: table, hasReferences: true)
    let rows = table.rows.map { row -> (JSONString, JSONValue) in
      let schema = shapes.object(
        row.arguments,
        constants: [("op", ["const": .text(row.name)]), ("store", ["type": "string"])])
      guard let description = row.description, let object = schema.objectValue else {
        return (JSONString(row.name), schema)
      }
      let members = object.members.map { ($0.name, $0.value) }
      return (
        JSONString(row.name), .object(JSONObject([("description", .text(description))] + members))
      )
    }
    let definitions = shapes.definitions(below: table.rows.flatMap { $0.arguments.map(\.shape) }) {
      shapes.schema($0)
    }
    return schema(
      "operation", title: "Operation",
      description: """
        An operation on a store. In a vector {"$ref": name} may replace an id, a revision id or a \
        sequence; elsewhere it may not. Generated from the table of operations.
        """,
      ShapeSchema.cases(of: "op", rows.map { ($0.0, reference($0.0)) })
        + [
          (
            "$defs",
            .object(
              JSONObject(
                Self.references + [("capability", capability), ("write", write(shapes))]
                  + definitions + rows))
          )
        ])
  }

  private var capability: JSONValue {
    ["enum": .array(capabilities.map { .text($0.rawValue) })]
  }

  private static let references: [(JSONString, JSONValue)] = [
    (
      "name",
      [
        "description": """
        An id, a revision id, or in a vector a value bound by an earlier result.
        """,
        "anyOf": [["type": "string"], ["$ref": "#/$defs/hole"]],
      ]
    ),
    (
      "hole",
      [
        "type": "object", "properties": ["$ref": ["type": "string", "minLength": 1]],
        "required": ["$ref"], "additionalProperties": false,
      ]
    ),
    (
      "sequence",
      ["anyOf": [["$ref": "outcome.schema.json#/$defs/sequence"], ["$ref": "#/$defs/hole"]]]
    ),
  ]

  /// An operation in a batch: one of the core, without a store.
  private func write(_ shapes: ShapeSchema) -> JSONValue {
    let rows = OperationTable.core.rows.filter { $0.name != "batch" && $0.name != "replicate" }
    let cases = ShapeSchema.cases(
      of: "op",
      rows.map { row in
        let name: (JSONString, JSONValue) = ("op", ["const": .text(row.name)])
        return (JSONString(row.name), shapes.object(row.arguments, constants: [name]))
      })
    let description: JSONValue = """
      An operation in a batch, which has no store of its own. A store accepts create, update, delete, \
      resolve and writeLocal.
      """
    return .object(JSONObject([("description", description)] + cases))
  }

  // MARK: Outcomes

  /// The names of the results, in the order of the operations, with the operations that have them.
  private var results: [(name: JSONString, operations: [String])] {
    var results: [(name: JSONString, operations: [String])] = []
    for row in table.rows {
      for name in [row.result] + row.variants.map(\.result) {
        if let place = results.firstIndex(where: { $0.name == name }) {
          results[place].operations.append(row.name)
        } else {
          results.append((name, [row.name]))
        }
      }
    }
    return results
  }

  /// The definitions of results, each with the operations that have it.
  private func definitions(_ schema: (ValueShape) -> JSONValue) -> [(JSONString, JSONValue)] {
    let results = results
    let shapes = ShapeSchema(table: table, hasReferences: false)
    return shapes.definitions(below: results.map { .definition($0.name) }, schema) { name in
      let operations = results.first { $0.name == name }?.operations ?? []
      return operations.isEmpty ? "" : "Of \(operations.joined(separator: ", "))."
    }
  }

  private var outcome: JSONValue {
    let shapes = ShapeSchema(table: table, hasReferences: false)
    func only(_ name: JSONString, _ schema: JSONValue) -> JSONValue {
      [
        "type": "object", "properties": .one(name, schema),
        "required": [.string(name)], "additionalProperties": false,
      ]
    }
    let errors = table.errors.map { kind, members in
      let text = ValueShape.scalar(.text, [:])
      var message = ValueShape.Member("message", text)
      var write = ValueShape.Member("write", .write)
      (message.presence, write.presence) = (.optional, .optional)
      return (
        kind, shapes.object(members + [write, message], constants: [("kind", shapes.schema(text))])
      )
    }
    let fixed: [(JSONString, JSONValue)] = [
      ("sequence", Self.sequence),
      ("error", .object(JSONObject(ShapeSchema.cases(of: "kind", errors)))),
    ]
    let definitions = definitions { shapes.schema($0) }
    return schema(
      "outcome", title: "Outcome",
      description: """
        The outcome of an operation. The operation determines the result under `ok`; each result \
        is a definition. Generated from the table of operations.
        """,
      [
        (
          "oneOf",
          [
            only("ok", ["anyOf": .array(results.map { reference($0.name) })]),
            only("error", reference("error")), only("unknown", shapes.object([])),
          ]
        ),
        ("$defs", .object(JSONObject(fixed + definitions))),
      ])
  }

  private static let sequence: JSONValue = [
    "description": "Opaque: only the store that returned it can interpret it.",
    "anyOf": [
      ["type": "string"],
      ["type": "integer", "minimum": .integer(.min), "maximum": .integer(.max)],
      ["type": "array", "items": ["type": ["string", "integer"]], "minItems": 1],
    ],
  ]

  // MARK: Expectations

  private var expectation: JSONValue {
    let patterns = ShapePattern(table: table)
    let error: [(JSONString, JSONValue)] = [("error", patterns.error)]
    let definitions = definitions { patterns.schema($0) }
    let outcomes = results.flatMap { name, _ -> [(JSONString, JSONValue)] in
      let plain: JSONString = JSONString("plain-\(name.string)")
      return [
        (
          JSONString("expect-\(name.string)"),
          [
            "oneOf": [
              reference(plain),
              [
                "type": "object",
                "properties": [
                  "oneOf": ["type": "array", "items": reference(plain), "minItems": 2]
                ],
                "required": ["oneOf"], "additionalProperties": false,
              ],
            ]
          ]
        ),
        (
          plain,
          [
            "type": "object",
            "properties": ["ok": reference(name), "error": reference("error" as JSONString)],
            "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
          ]
        ),
      ]
    }
    return schema(
      "expectation", title: "Expectation",
      description: """
        The expectation of a step of a vector: the operation determines the result. Absent members \
        may have any value. Generated from the table of operations.
        """,
      [
        ("allOf", .array(conditions)),
        ("$defs", .object(JSONObject(error + definitions + outcomes))),
      ])
  }

  /// For each result: the steps with an expectation of it.
  private var conditions: [JSONValue] {
    func condition(_ operation: JSONValue, _ result: JSONString) -> JSONValue {
      [
        "if": ["properties": ["do": operation]],
        "then": ["properties": ["expect": reference(JSONString("expect-\(result.string)"))]],
      ]
    }
    func operation(_ names: [String]) -> JSONObject {
      ["properties": ["op": ["enum": .array(names.map { .text($0) })]]]
    }
    let fixed = results.compactMap { name, _ -> JSONValue? in
      let names = table.rows.filter { $0.variants.isEmpty && $0.result == name }.map(\.name)
      return names.isEmpty ? nil : condition(.object(operation(names)), name)
    }
    let varying = table.rows.filter { !$0.variants.isEmpty }.flatMap { row -> [JSONValue] in
      let variants = row.variants.map { variant -> JSONObject in
        [
          "properties": .one(variant.argument, ["const": variant.value]),
          "required": [.string(variant.argument)],
        ]
      }
      var other = operation([row.name])
      other["not"] = ["anyOf": .array(variants.map { .object($0) })]
      return [condition(.object(other), row.result)]
        + zip(row.variants, variants).map { variant, schema in
          condition(
            ["allOf": [.object(operation([row.name])), .object(schema)]], variant.result)
        }
    }
    return fixed + varying
  }
}
