internal import Datastore
package import JSON

// Helpers that change queries for documents and their results.

extension StoreOperation {
  /// The query of an operation; nil for other operations.
  var search: FindRequest? {
    if case .finding(.find(let request)) = action { request } else { nil }
  }

  /// The operation with another query, if it has one.
  func mapSearch(_ change: (inout FindRequest) -> Void) -> StoreOperation {
    guard var request = search else { return self }
    change(&request)
    return StoreOperation(store, .finding(.find(request)))
  }
}

extension OperationResult {
  /// The found documents; nil for other results.
  var found: [FoundDocument]? {
    if case .found(.documents(let documents)) = self { documents } else { nil }
  }
}

extension JSONValue {
  /// The value of a top-level member.
  package func member(_ name: JSONString) -> JSONValue? { objectValue?[name] }

  /// The selector with the condition on each field replaced by selectors.
  func mapFields(_ change: (JSONString, JSONValue) -> [JSONValue]) -> JSONValue {
    guard let object = objectValue else { return self }
    var parts: [JSONValue] = []
    for member in object.members {
      switch member.name {
      case "$and", "$or", "$nor":
        let mapped = (member.value.arrayValue ?? []).map { $0.mapFields(change) }
        parts.append([member.name: .array(mapped)])
      case "$not": parts.append([member.name: member.value.mapFields(change)])
      case let name where name.utf8.first == UInt8(ascii: "$"):
        parts.append([name: member.value])
      case let name: parts += change(name, member.value)
      }
    }
    return parts.count == 1 ? parts[0] : ["$and": .array(parts)]
  }

  /// The selector with each operator on a field replaced by others; a plain value is `$eq`.
  func mapConditions(_ change: (JSONString, JSONValue) -> [(JSONString, JSONValue)]) -> JSONValue {
    mapFields { path, value in
      guard let object = value.objectValue else {
        return [[path: .object(JSONObject(change("$eq", value)))]]
      }
      guard object.hasOperators else { return [[path: value]] }
      let members = object.members.flatMap { change($0.name, $0.value) }
      return [[path: .object(JSONObject(members))]]
    }
  }
}

extension JSONObject {
  var hasOperators: Bool { members.contains { $0.name.utf8.first == UInt8(ascii: "$") } }
}

extension Honest {
  /// The names of the indexes of a store.
  func indexes(_ name: StoreName) throws(HarnessError) -> [IndexDefinition] {
    guard case .ok(.found(.indexes(let indexes))) = try ask(name, .finding(.listIndexes)) else {
      return []
    }
    return indexes
  }
}

extension Defect {
  /// Changes the query.
  static func searching(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout FindRequest) -> Void
  ) -> Defect {
    mishearing(name, clause, sentence: sentence) { operation, _ in operation.mapSearch(change) }
  }

  /// Changes the selector, if it is valid.
  static func selecting(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (JSONValue) -> JSONValue
  ) -> Defect {
    searching(name, clause, sentence: sentence) { request in
      guard (try? FindSelector(request.selector)) != nil else { return }
      request.selector = change(request.selector)
    }
  }

  /// Replaces each operator on a field.
  static func conditions(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (JSONString, JSONValue) -> [(JSONString, JSONValue)]
  ) -> Defect {
    selecting(name, clause, sentence: sentence) { $0.mapConditions(change) }
  }

  /// Changes the found documents.
  static func finding(
    _ name: String, _ clause: String, sentence: String,
    change:
      @escaping @Sendable ([FoundDocument], FindRequest, StoreName, Honest) throws(HarnessError) ->
      [FoundDocument]
  ) -> Defect {
    answering(name, clause, sentence: sentence) { operation, result, store throws(HarnessError) in
      guard let request = operation.search, let found = result.found else { return .ok(result) }
      return .ok(.found(.documents(try change(found, request, operation.store, store))))
    }
  }
}
