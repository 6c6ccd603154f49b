internal import Datastore
internal import JSON

extension ObjectFetch {
  /// The arguments in JSON.
  var encodedArguments: [(JSONString, JSONValue?)] {
    func list(_ elements: [JSONValue]) -> JSONValue? { elements.isEmpty ? nil : .array(elements) }
    return [
      ("entity", .string(entity)), ("predicate", predicate.map { .string($0) }),
      ("arguments", list(arguments)), ("sort", list(sort.map { $0.json })),
      ("offset", offset.map { .integer($0) }), ("limit", limit.map { .integer($0) }),
      ("result", result == .objects ? nil : .text(result.rawValue)), ("columns", list(columns)),
      ("groupBy", list(groupBy.map { .string($0) })),
    ]
  }

  init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(
      try reader.text("entity"), predicate: try reader.optionalText("predicate"),
      arguments: try reader.optionalArray("arguments") ?? [],
      sort: try reader.optionalElements("sort") { (element, path) throws(DecodingFailure) in
        try SortKey(element, path: path)
      } ?? [],
      offset: try reader.optionalInteger("offset"), limit: try reader.optionalInteger("limit"),
      result: try reader.optionalChoice("result") ?? .objects,
      columns: try reader.optionalArray("columns") ?? [],
      groupBy: try reader.optionalElements("groupBy") { (element, path) throws(DecodingFailure) in
        try element.text(at: path)
      } ?? [])
  }
}
