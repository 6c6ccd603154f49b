internal import Datastore
internal import JSON

/// The files below `Vectors` that follow from the table of operations.
public enum OperationFiles {
  /// The folder of the schemas.
  public static let folder = "schemas"

  /// The files, by their paths below `Vectors`; the families of operations have to be registered.
  public static var all: [VectorGenerator.File] {
    let table = OperationTable.current
    let schemas = OperationSchemas(table: table).files.map {
      VectorGenerator.File(name: "\(folder)/\($0.name)", text: $0.schema.pretty() + "\n")
    }
    return schemas + [
      VectorGenerator.File(
        name: "operations.json", text: OperationListing(table: table).json.pretty() + "\n"),
      VectorGenerator.File(name: "operations.md", text: OperationPage(table: table).text),
    ]
  }
}
