internal import Datastore
package import JSON

extension ContextAction {
  /// The arguments that are present, in the order of the table.
  package var arguments: [(JSONString, JSONValue)] {
    [("context", context.json)] + call.arguments
  }

  /// Reads the arguments of an operation; nil if the name is not that of an operation on contexts.
  init?(_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    guard let call = try Call(row: name, &reader) else { return nil }
    self.init(try reader.value("context"), call)
  }
}
