internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// The kinds of mutants of collections.

extension Defect {
  /// Changes the arguments of openCollection.
  static func hearingOpenings(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout CollectionOpening) -> Void
  ) -> Defect {
    hearingClients(name, clause, sentence: sentence) { call in
      guard case .open(var opening) = call else { return }
      change(&opening)
      call = .open(opening)
    }
  }

  /// Sets an option of all collections.
  static func withOption(
    _ name: String, _ clause: String, sentence: String, option: JSONString, value: JSONValue
  ) -> Defect {
    hearingOpenings(name, clause, sentence: sentence) { opening in
      var options = opening.options?.objectValue ?? JSONObject()
      options[option] = value
      opening.options = .object(options)
    }
  }

  /// Replaces one policy by another, wherever it is given.
  static func takingCachePolicy(
    _ name: String, _ clause: String, sentence: String, policy: JSONString,
    for other: JSONString
  ) -> Defect {
    hearingClients(name, clause, sentence: sentence) { call in
      switch call {
      case .open(var opening) where opening.policy == policy:
        opening.policy = other
        call = .open(opening)
      case .collection(let name, .query(let steps, policy?, let depth)):
        call = .collection(name, .query(steps, policy: other, depth: depth))
      default: break
      }
    }
  }

  /// Changes the steps of queries.
  static func hearingQueries(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable ([JSONObject]) -> [JSONObject]
  ) -> Defect {
    hearingClients(name, clause, sentence: sentence) { call in
      guard case .collection(let name, .query(let steps, let policy, let depth)) = call else {
        return
      }
      let changed = change(steps.compactMap { $0.objectValue })
      call = .collection(
        name, .query(changed.map { .object($0) }, policy: policy, depth: depth))
    }
  }

  /// Changes objects before they are saved.
  static func hearingSaves(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (JSONObject) -> JSONObject
  ) -> Defect {
    hearingClients(name, clause, sentence: sentence) { call in
      guard case .collection(let name, .save(let objects)) = call else { return }
      call = .collection(
        name, .save(objects.map { .object(change($0.objectValue ?? JSONObject())) }))
    }
  }

  /// Changes the references of saved objects; nil removes a reference.
  static func hearingRelations(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (JSONObject) -> JSONObject?
  ) -> Defect {
    hearingSaves(name, clause, sentence: sentence) { $0.changingRelated(change) }
  }

  /// Replaces one rule of removals by another.
  static func takingRemovalRule(
    _ name: String, _ clause: String, sentence: String, rule: JSONString, for other: JSONString
  ) -> Defect {
    hearingClients(name, clause, sentence: sentence) { call in
      guard case .collection(let name, .remove(let ids, let objects, let query, rule?)) = call
      else { return }
      call = .collection(name, .remove(ids: ids, objects: objects, query: query, rule: other))
    }
  }

  /// Changes the requests to clients.
  static func hearingClients(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout CollectionAction.Call) -> Void
  ) -> Defect {
    mishearing(name, clause, sentence: sentence) { operation, _ in
      guard case .client(let client, var call)? = operation.action.collections else {
        return operation
      }
      change(&call)
      return StoreOperation(operation.store, .collections(.client(client, call)))
    }
  }

  /// Changes the result of a call.
  static func tellingClients(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (CollectionAction.Call, inout CollectionReport) -> Void
  ) -> Defect {
    answering(name, clause, sentence: sentence) { operation, result, _ in
      guard case .client(_, let call)? = operation.action.collections,
        case .report(var report)? = result.collections
      else { return .ok(result) }
      change(call, &report)
      return .ok(.collections(.report(report)))
    }
  }

  /// Changes the objects of callbacks.
  static func tellingObjects(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (CollectionRequest, [JSONObject]) -> [JSONObject]
  ) -> Defect {
    tellingClients(name, clause, sentence: sentence) { call, report in
      guard case .collection(_, let request) = call else { return }
      report.callbacks = report.callbacks.map { callback in
        callback.changing("objects") { objects in
          let objects = objects.arrayValue?.compactMap { $0.objectValue } ?? []
          return .array(change(request, objects).map { .object($0) })
        }
      }
    }
  }

  /// Changes the errors of callbacks; nil replaces one by an empty list of objects.
  static func tellingErrors(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (CollectionRequest, JSONObject) -> JSONObject?
  ) -> Defect {
    tellingClients(name, clause, sentence: sentence) { call, report in
      guard case .collection(_, let request) = call else { return }
      report.callbacks = report.callbacks.map { callback in
        guard let error = callback.objectValue?["problem"]?.objectValue else { return callback }
        guard let changed = change(request, error) else {
          return ["objects": [], "fromCache": false]
        }
        return callback.changing("problem") { _ in .object(changed) }
      }
    }
  }
}

extension JSONObject {
  /// The object with its referenced objects changed; nil removes one.
  fileprivate func changingRelated(_ change: (JSONObject) -> JSONObject?) -> JSONObject {
    var object = self
    guard let related = object["related"]?.objectValue else { return self }
    object["related"] = .object(
      JSONObject(
        related.members.map { relation in
          let ends = (relation.value.arrayValue ?? []).compactMap { end -> JSONValue? in
            guard let object = end.objectValue else { return end }
            return change(object).map { .object($0.changingRelated(change)) }
          }
          return (relation.name, .array(ends))
        }))
    return object
  }

  /// The object without a member.
  func without(_ name: JSONString) -> JSONObject {
    var object = self
    object[name] = nil
    return object
  }
}

extension JSONValue {
  /// The value with a member changed, if it has the member.
  func changing(_ name: JSONString, _ change: (JSONValue) -> JSONValue) -> JSONValue {
    guard var object = objectValue, let value = object[name] else { return self }
    object[name] = change(value)
    return .object(object)
  }
}
