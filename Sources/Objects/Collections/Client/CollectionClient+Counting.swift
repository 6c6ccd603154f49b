internal import JSON

// Counts and groups: values computed by the backend and not cached.

extension CollectionClient {
  mutating func count(_ query: CollectionQuery, in open: OpenCollection) {
    calls[lastCall] = .value
    send(
      .get, open.description.name, path: BackendRequest.count,
      parameters: CollectionQuery(query.filter).parameters, for: .count(lastCall))
  }

  mutating func counted(_ reply: BackendReply, of call: CallNumber) {
    switch reply.result {
    case .success(let body):
      guard let count = body.objectValue?["count"]?.integerValue else {
        return fail(call, CollectionError(.badAnswer, "the response contains no count"))
      }
      finish(call, .count(count))
    case .failure(let error): fail(call, error)
    }
  }

  mutating func group(_ request: CollectionGrouping, in open: OpenCollection) {
    calls[lastCall] = .value
    var body: JSONObject = [
      "key": .array(request.fields.map { .string($0) }),
      "function": .text(request.function.rawValue),
    ]
    body["field"] = request.field.map { .string($0) }
    if !request.condition.filter.terms.isEmpty { body["condition"] = request.condition.filter.json }
    send(
      .post, open.description.name, path: BackendRequest.group, body: .object(body),
      for: .group(lastCall))
  }

  mutating func grouped(_ reply: BackendReply, of call: CallNumber) {
    switch Self.entities(reply) {
    case .success(let groups): finish(call, .groups(groups))
    case .failure(let error): fail(call, error)
    }
  }
}
