public import Datastore
internal import JSON

extension StoreError {
  /// The value of `what` in the contract.
  package var what: String {
    switch reason {
    case .mapping(_, let error): error.kind.rawValue
    case .badModel: "model"
    case .unknownEntity: MappingError.Kind.unknownEntity.rawValue
    case .badObject: "object"
    case .modelMismatch: "modelMismatch"
    case .cannotMigrate: "migration"
    case .noRemote: "noRemote"
    case .unknownType: "unknownType"
    case .badURL: "badURL"
    case .alreadyAdded: "alreadyAdded"
    case .badIdentifier: "badIdentifier"
    case .predicate(let error): error.kind.rawValue
    case .missingObject, .datastore, .unanswered, .harness: ""
    }
  }

  /// The property, entity or class concerned.
  private var name: JSONString? {
    switch reason {
    case .mapping(_, let error): error.property
    case .predicate(let error): error.name
    case .cannotMigrate(let entity, let property): property ?? entity
    case .unknownType(let name), .unknownEntity(let name): name
    default: nil
    }
  }

  /// The outcome of an operation that ends with the error; throws when the harness is at fault.
  package func outcome() throws(HarnessError) -> Outcome {
    switch reason {
    case .harness(let failure): throw failure
    case .unanswered: .unknown
    default: .error(asDatastoreError)
    }
  }

  /// The error in the terms of the contract.
  public var asDatastoreError: DatastoreError {
    switch reason {
    case .datastore(_, let error):
      var error = error
      error.message = description
      return error
    case .missingObject: return DatastoreError(.notFound(.missing), description)
    default: return DatastoreError(.badObject(what: what, name: name), description)
    }
  }
}
