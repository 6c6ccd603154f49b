internal import Collections
internal import Datastore
internal import JSON

// Encoding of events in results.

extension CollectionSession.Report {
  var encoded: CollectionReport {
    CollectionReport(
      requests: requests.map { $0.json }, callbacks: callbacks.map { $0.json },
      progress: progress.map { $0.json },
      fills: fills.map { $0.json }, queue: queueEvents.map { $0.json })
  }
}

extension CollectionProgress {
  var json: JSONValue { ["done": .integer(done), "total": .integer(total)] }
}

extension CollectionSession.Exchange {
  var json: JSONValue {
    var json: JSONObject = [
      "method": .text(request.method.rawValue), "collection": .string(request.collection),
    ]
    json["path"] = request.path.map { .string($0) }
    if !request.parameters.isEmpty { json["parameters"] = .object(request.parameters) }
    json["body"] = request.body
    switch reply {
    case .response(let response): json["status"] = .integer(response.status)
    case .failure(let failure): json["failure"] = .text(failure.rawValue)
    }
    return .object(json)
  }
}

extension CollectionCallback {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    switch result {
    case .objects(let objects): json["objects"] = .array(objects.map { $0.json })
    case .count(let count): json["count"] = .integer(count)
    case .groups(let groups): json["groups"] = .array(groups.map { .object($0) })
    case .error(let error): json["problem"] = error.json
    }
    json["fromCache"] = .bool(isFromCache)
    return .object(json)
  }
}

extension CollectionObject {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json["id"] = id.map { .string($0) }
    json["tag"] = tag.map { .string($0) }
    json["values"] = .object(values)
    let relations = related.keys.inByteOrder.map { name in
      (name, JSONValue.array((related[name] ?? []).map { $0.json }))
    }
    if !relations.isEmpty { json["related"] = .object(JSONObject(relations)) }
    if !unknownFields.isEmpty { json["unknown"] = .object(unknownFields) }
    if isDeleted { json["deleted"] = true }
    return .object(json)
  }
}

extension RelatedObject {
  fileprivate var json: JSONValue {
    switch self {
    case .id(let id): .string(id)
    case .object(let object): object.json
    case .tag(let tag): ["tag": .string(tag)]
    }
  }
}

extension FilledRelation {
  fileprivate var json: JSONValue {
    var json: JSONObject = [
      "collection": .string(collection), "id": .string(id), "relation": .string(relation),
      "objects": .array(objects.map { $0.json }),
    ]
    json["problem"] = error?.json
    return .object(json)
  }
}

extension QueueEvent {
  fileprivate var json: JSONValue {
    var json: JSONObject = [
      "event": .text(kind.rawValue), "collection": .string(key.collection), "id": .string(key.id),
    ]
    json["assigned"] = assigned.map { .string($0) }
    return .object(json)
  }
}

extension OfflineQueue.Entry {
  var json: JSONValue {
    let name: JSONValue = operation == .remove ? "remove" : "save"
    return ["collection": .string(key.collection), "id": .string(key.id), "operation": name]
  }
}

extension CollectionError {
  var json: JSONValue {
    var json = reason.members
    json["code"] = .integer(code)
    json["failures"] = .array(failures.map { $0.json })
    json["succeeded"] = .array(succeeded.map { $0.json })
    json["queued"] = .array(queued.map { .string($0) })
    return .object(json)
  }
}

extension ObjectFailure {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["collection": .string(collection)]
    json["index"] = index.map { .integer($0) }
    json["id"] = id.map { .string($0) }
    for member in reason.members.members { json[member.name] = member.value }
    return .object(json)
  }
}

extension CollectionError.Reason {
  /// The kind of the error as a word, with its members.
  fileprivate var members: JSONObject {
    switch self {
    case .network(let failure): ["reason": "network", "name": .text(failure.rawValue)]
    case .backend(_, let name, let field?):
      ["reason": "backend", "name": .string(name), "field": .string(field)]
    case .backend(_, let name, nil): ["reason": "backend", "name": .string(name)]
    case .badAnswer: ["reason": "badAnswer"]
    case .notInCache: ["reason": "notInCache"]
    case .badQuery(let error):
      ["reason": "badQuery", "name": .text(error.reason.name), "field": .string(error.field)]
    case .noSuchCollection(let name): ["reason": "noSuchCollection", "name": .string(name)]
    case .badMapping(let name): ["reason": "badMapping", "name": .string(name)]
    case .withoutID: ["reason": "withoutID"]
    case .noSuchTag(let tag): ["reason": "noSuchTag", "name": .string(tag)]
    case .mustWait: ["reason": "mustWait"]
    case .relatedFailed: ["reason": "relatedFailed"]
    }
  }
}
