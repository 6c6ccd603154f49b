// Written by `tools/operations/generate.py` from the tables of operations.

internal import Datastore
package import JSON

extension CollectionAction {
  /// The name of the operation as encoded in JSON.
  public var name: String {
    switch self {
    case .client(_, let inner): inner.name
    case .setRules: "setBackendRules"
    }
  }

  /// The arguments that are present, in the order of the table.
  package var arguments: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    switch self {
    case .client(let client, let inner): return [("client", client.json)] + inner.arguments
    case .setRules(let collection, let rules):
      list.add("collection", collection)
      list.add("rules", rules)
    }
    return list.members
  }

  /// Reads the arguments of an operation; nil if no case has its name.
  init?(row name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "setBackendRules":
      self = .setRules(collection: try reader.value("collection"), try reader.value("rules"))
    default: return nil
    }
  }
}
