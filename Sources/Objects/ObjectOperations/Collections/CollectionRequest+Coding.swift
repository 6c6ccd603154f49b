// Written by `tools/operations/generate.py` from the tables of operations.

internal import Datastore
package import JSON

extension CollectionRequest {
  /// The name of the operation as encoded in JSON.
  package var name: String {
    switch self {
    case .save: "saveToCollection"
    case .load: "loadFromCollection"
    case .query: "queryCollection"
    case .count: "countInCollection"
    case .group: "groupInCollection"
    case .remove: "removeFromCollection"
    }
  }

  /// The arguments that are present, in the order of the table.
  package var arguments: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    switch self {
    case .save(let objects):
      list.add("objects", objects)
    case .load(let ids, let policy, let depth):
      list.add("ids", ids)
      list.add("policy", ifPresent: policy)
      list.add("depth", ifPresent: depth)
    case .query(let query, let policy, let depth):
      list.add("query", query)
      list.add("policy", ifPresent: policy)
      list.add("depth", ifPresent: depth)
    case .count(let query):
      list.add("query", query)
    case .group(let by, let function, let field, let query):
      list.add("by", by)
      list.add("function", function)
      list.add("field", ifPresent: field)
      list.add("query", ifPresent: query)
    case .remove(let ids, let objects, let query, let rule):
      list.add("ids", ifPresent: ids)
      list.add("objects", ifPresent: objects)
      list.add("query", ifPresent: query)
      list.add("rule", ifPresent: rule)
    }
    return list.members
  }

  /// Reads the arguments of an operation; nil if no case has its name.
  init?(row name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "saveToCollection":
      self = .save(try reader.value("objects"))
    case "loadFromCollection":
      self = .load(
        try reader.value("ids"), policy: try reader.ifPresent("policy"),
        depth: try reader.ifPresent("depth"))
    case "queryCollection":
      self = .query(
        try reader.value("query"), policy: try reader.ifPresent("policy"),
        depth: try reader.ifPresent("depth"))
    case "countInCollection":
      self = .count(try reader.value("query"))
    case "groupInCollection":
      self = .group(
        by: try reader.value("by"), function: try reader.value("function"),
        field: try reader.ifPresent("field"), query: try reader.ifPresent("query"))
    case "removeFromCollection":
      self = .remove(
        ids: try reader.ifPresent("ids"), objects: try reader.ifPresent("objects"),
        query: try reader.ifPresent("query"), rule: try reader.ifPresent("rule"))
    default: return nil
    }
  }
}
