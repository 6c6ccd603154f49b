// Written by `tools/operations/generate.py` from the tables of operations.

package import JSON

extension FindAction {
  /// The name of the operation as encoded in JSON.
  public var name: String {
    switch self {
    case .find: "find"
    case .explain: "explain"
    case .createIndex: "createIndex"
    case .dropIndex: "dropIndex"
    case .listIndexes: "listIndexes"
    }
  }

  /// The arguments that are present, in the order of the table.
  package var arguments: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    switch self {
    case .find(let findRequest):
      list.add(findRequest)
    case .explain(let findRequest):
      list.add(findRequest)
    case .createIndex(let indexDefinition):
      list.add(indexDefinition)
    case .dropIndex(let name):
      list.add("name", name)
    case .listIndexes: break
    }
    return list.members
  }

  /// Reads the arguments of an operation; nil if no case has its name.
  init?(row name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "find":
      self = .find(try reader.group())
    case "explain":
      self = .explain(try reader.group())
    case "createIndex":
      self = .createIndex(try reader.group())
    case "dropIndex":
      self = .dropIndex(name: try reader.value("name"))
    case "listIndexes":
      self = .listIndexes
    default: return nil
    }
  }
}

extension FindRequest: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    list.add("selector", selector)
    list.add("sort", ifPresent: sort)
    list.add("skip", ifPresent: skip)
    list.add("limit", ifPresent: limit)
    list.add("fields", ifPresent: fields)
    return list.members
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    selector = try reader.value("selector")
    sort = try reader.ifPresent("sort")
    skip = try reader.ifPresent("skip")
    limit = try reader.ifPresent("limit")
    fields = try reader.ifPresent("fields")
  }
}
