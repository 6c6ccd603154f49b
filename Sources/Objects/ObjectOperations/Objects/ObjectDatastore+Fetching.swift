internal import Datastore
internal import JSON
public import ObjectMapping

// Fetches of the contract.

extension ObjectDatastore {
  func fetch(
    _ fetch: ObjectFetch, _ store: IncrementalStore
  ) throws(StoreError) -> ObjectAnswer {
    let request = try request(fetch)
    switch fetch.result {
    case .objects: return .objects(try store.fetch(request).map { $0.json })
    case .ids: return .ids(try store.fetchIDs(request))
    case .count: return .count(try store.count(request))
    case .groups:
      var columns: [GroupRequest.Column] = []
      for column in fetch.columns { columns.append(try self.column(column)) }
      let groups = try store.fetchGroups(
        request, GroupRequest(columns, groupBy: fetch.groupBy))
      return .groups(
        groups.map { group in
          let members = group.filter { $0.value != .none }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
          return .object(JSONObject(members.map { ($0.key, $0.value.json) }))
        })
    }
  }

  /// The request of a call.
  public func request(_ fetch: ObjectFetch) throws(StoreError) -> ObjectFetchRequest {
    ObjectFetchRequest(
      fetch.entity, where: try predicate(fetch.predicate, fetch.arguments),
      sort: fetch.sort.map { FetchSortDescriptor($0.path, ascending: !$0.descending) },
      offset: fetch.offset ?? 0, limit: fetch.limit)
  }

  func updateAll(
    _ entity: JSONString, _ predicate: JSONString?, arguments: [JSONValue], values: JSONValue,
    store: IncrementalStore
  ) throws(StoreError) -> ObjectAnswer {
    _ = try store.entity(entity)
    let changes = try object(
      ["id": "any", "entity": .string(entity), "values": values], store.model)
    let request = ObjectFetchRequest(entity, where: try self.predicate(predicate, arguments))
    return .updated(try store.updateAll(request, to: changes.properties))
  }

  func predicate(
    _ text: JSONString?, _ arguments: [JSONValue]
  ) throws(StoreError) -> FetchPredicate? {
    guard let text else {
      guard arguments.isEmpty else {
        throw StoreError(
          FetchPredicateError(.badFormat, nil, message: "arguments without a predicate"))
      }
      return nil
    }
    do throws(FetchPredicateError) {
      var operands: [PredicateArgument] = []
      for argument in arguments { operands.append(try PredicateArgument(argument)) }
      return try FetchPredicate(text, operands)
    } catch {
      throw StoreError(error)
    }
  }

  private func column(_ json: JSONValue) throws(StoreError) -> GroupRequest.Column {
    if case .string(let name) = json { return .attribute(name) }
    do throws(DecodingFailure) {
      var reader = try ObjectReader(json, path: "column")
      let name = try reader.text("function")
      guard let function = GroupRequest.Function(rawValue: name.string) else {
        throw DecodingFailure(path: "column.function", message: "unknown function '\(name)'")
      }
      let column = GroupRequest.Column.reckoned(
        function, of: try reader.text("of"), as: try reader.text("as"))
      try reader.finish()
      return column
    } catch {
      throw StoreError(FetchPredicateError(.badFormat, "columns", message: error.description))
    }
  }
}
