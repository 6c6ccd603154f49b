internal import Datastore
internal import JSON

/// A find or index operation with validated arguments.
enum FindingRequest {
  case find(Search)
  case explain(Search)
  case createIndex(IndexDefinition, [FieldPath])
  case dropIndex(JSONString)
  case listIndexes

  init(_ action: FindAction) throws(DatastoreError) {
    switch action {
    case .find(let request): self = .find(try Search(request))
    case .explain(let request): self = .explain(try Search(request))
    case .createIndex(let definition):
      self = .createIndex(definition, try FieldRule.indexPaths(definition))
    case .dropIndex(let name): self = .dropIndex(name)
    case .listIndexes: self = .listIndexes
    }
  }

  /// Whether it may change the file.
  var isWrite: Bool {
    switch self {
    case .find, .explain, .listIndexes: false
    case .createIndex, .dropIndex: true
    }
  }
}
