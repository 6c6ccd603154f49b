internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Scenarios

/// Operations, and their outcomes in the model and in every correct store.
struct Asked {
  let operations: [StoreOperation]
  /// One list of outcomes for each alternative of the rules, the model's own first.
  let histories: [[Outcome]]

  /// Performs operations on stores that are open and empty.
  init(_ operations: [StoreOperation]) {
    self.operations = operations
    var stores: [StoreName] = []
    for operation in operations where !stores.contains(operation.store) {
      stores.append(operation.store)
    }
    let opening = stores.map { StoreOperation($0, .open()) }
    histories = ReferenceDatastore.histories(of: opening + operations)
      .map { Array($0.dropFirst(opening.count)) }
  }

  /// The model's outcomes.
  var outcomes: [Outcome] { histories.first ?? [] }

  /// True if every correct store has the same outcomes.
  var isAgreed: Bool { histories.count == 1 }
}

extension Step {
  /// A step parsed from the JSON of a generator.
  static func generated(
    _ operation: JSONValue, _ expectation: JSONValue?
  ) throws(GenerationError) -> Step {
    do throws(DecodingFailure) {
      let step: JSONObject = ["do": operation]
      var whole = step
      whole["expect"] = expectation
      return try Step(.object(whole), path: "")
    } catch {
      throw GenerationError("invalid step: \(error): \(operation.serialized())")
    }
  }
}

extension RevisionAnswer {
  /// The expectation for a result: with an explicit flag of a live revision.
  var expectation: JSONValue {
    var object: JSONObject = ["rev": rev.json]
    switch found {
    case .records(let records):
      object["records"] = .array(
        records.map { record in
          [
            "path": .array(record.path.map { $0.json }), "deleted": .bool(record.deleted),
            "body": record.body,
          ]
        })
    case .missing: object["missing"] = "missing"
    case .bodyMissing: object["missing"] = "bodyMissing"
    }
    return .object(object)
  }
}

extension Leaf {
  /// The expectation for the leaf.
  var expectation: JSONValue { ["rev": rev.json, "deleted": .bool(deleted)] }
}

extension [Leaf] {
  /// The winner first, the others in any order.
  var winnerFirst: JSONValue {
    guard let winner = first else { return [] }
    guard count > 2 else { return .array(map { $0.expectation }) }
    return .array([winner.expectation] + dropFirst().map { _ in ["$any": true] })
  }

  /// All of them in any order.
  var unordered: JSONValue {
    count == 1 ? .array(map { $0.expectation }) : ["$unordered": .array(map { $0.expectation })]
  }
}
