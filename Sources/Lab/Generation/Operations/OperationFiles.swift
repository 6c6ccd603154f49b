internal import Datastore
internal import JSON

/// The files below `Vectors` that are generated from the table of operations.
public enum OperationFiles {
  /// The folder of the schemas.
  public static let folder = "schemas"

  /// The files, by their paths below `Vectors`, of the core and of registered families.
  public static func files(ofFamilies names: [String]) -> [VectorGenerator.File] {
    var table = OperationTable.core
    var others: [Capability] = []
    for family in OperationFamily.registered {
      if names.contains(family.name) {
        table.join(family.table)
      } else {
        others += family.capabilities
      }
    }
    let capabilities = Capability.allCases.filter { !others.contains($0) }
    let schemas = OperationSchemas(table: table, capabilities: capabilities).files
    let listing = OperationListing(table: table, capabilities: capabilities).json
    let json =
      schemas.map { ("\(folder)/\($0.name)", $0.schema) } + [("operations.json", listing)]
    return json.map { name, value in
      VectorGenerator.File(name: name, text: value.pretty(indent: 1, width: 150) + "\n")
    } + [VectorGenerator.File(name: "operations.md", text: OperationPage(table: table).text)]
  }
}
