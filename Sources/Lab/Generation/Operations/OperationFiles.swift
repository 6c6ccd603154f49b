internal import Datastore
internal import JSON

/// The files below `Vectors` that follow from the table of operations.
public enum OperationFiles {
  /// The folder of the schemas.
  public static let folder = "schemas"

  /// The files, by their paths below `Vectors`; the families of operations have to be registered.
  public static var all: [VectorGenerator.File] {
    let table = OperationTable.current
    let listing = OperationListing(table: table).json
    let json = OperationSchemas(table: table).files.map { ("\(folder)/\($0.name)", $0.schema) }
    return (json + [("operations.json", listing)]).map { name, value in
      VectorGenerator.File(name: name, text: value.pretty(indent: 1, width: 150) + "\n")
    } + [VectorGenerator.File(name: "operations.md", text: OperationPage(table: table).text)]
  }
}
