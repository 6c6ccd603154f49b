internal import Collections
internal import Datastore
internal import JSON
internal import Oracles
internal import Simulation

// Requests in transit to the backend, and their responses.

extension CollectionWorld {
  /// The timeout of a request in milliseconds.
  private static let patience: UInt64 = 2_000

  /// Performs the effects of a client.
  mutating func take(_ effects: [CollectionEffect], at device: Int) throws(HarnessError) {
    for effect in effects {
      guard result.findings.isEmpty else { return }
      switch effect {
      case .send(let request): send(request, from: device)
      case .progress(let call, let progress):
        note(ledger.progress(device, call, done: progress.done, total: progress.total))
      case .callBack(let callback): try take(callback, at: device)
      case .fill: continue
      case .queue(let event): try take(event, at: device)
      }
    }
  }

  private mutating func send(_ request: BackendRequest, from device: Int) {
    result.requests += 1
    digest.fold(JSONString(request.description))
    traceSent(request, from: device)
    var key = ChoiceKey("request/")
    key.fold(device)
    key.fold(literal: "/")
    key.fold(Int(clamping: request.number))
    var random = KeyedRandom(seed: workload.seed, key: key.hash)
    let latency = UInt64(1 + random.below(random.chance(1, in: 8) ? 1_500 : 120))
    guard now >= devices[device].offlineUntil else {
      trace(device, .blocked(request.number))
      events.insert(
        .reply(device: device, request.number, .failure(.notConnected)), at: now + 1)
      return
    }
    events.insert(
      .arrive(device: device, life: devices[device].life, request, way(&random)),
      at: now + latency)
  }

  /// Records a request, and whether it repeats a save.
  private mutating func traceSent(_ request: BackendRequest, from device: Int) {
    guard records else { return }
    var isRepeat = false
    if let stamp = request.body?.objectValue?[Self.stamp]?.textValue {
      isRepeat = !recorded.sent.insert(stamp).inserted
    }
    trace(device, .sent(request.number, "\(request)", isRepeat: isRepeat))
  }

  /// The entities that a request may have changed, with their stamps before it.
  private func changedEntities(
    _ request: BackendRequest, _ answer: BackendResponse
  ) -> [(key: CollectionLedger.Key, before: JSONString?)] {
    guard 200..<300 ~= answer.status else { return [] }
    var ids: [JSONString] = []
    switch (request.method, request.path) {
    case (.put, let id?), (.delete, let id?): ids = [id]
    case (.post, nil): ids = [answer.body.objectValue?[EntityField.id]?.textValue ?? ""]
    case (.delete, nil):
      let test = request.parameters["query"]?.objectValue?[EntityField.id]?.objectValue?["$in"]
      ids = test?.arrayValue?.compactMap { $0.textValue } ?? []
    default: break
    }
    return ids.map { id in
      let key = CollectionLedger.Key(request.collection, id)
      return (key, ledger.stamp(of: key))
    }
  }

  private func way(_ random: inout KeyedRandom) -> Way {
    guard !isSound else { return .answered }
    switch random.below(100) {
    case 0..<4: return .lost
    case 4..<10: return .answerLost
    case 10..<13: return .refused
    default: return .answered
    }
  }

  mutating func arrive(
    _ device: Int, _ life: Int, request: BackendRequest, way: Way
  ) throws(HarnessError) {
    var key = ChoiceKey("answer/")
    key.fold(device)
    key.fold(literal: "/")
    key.fold(Int(clamping: request.number))
    var random = KeyedRandom(seed: workload.seed, key: key.hash)
    let arrival = now + UInt64(1 + random.below(120))
    func reply(_ reply: BackendReply, at time: UInt64) {
      events.insert(.reply(device: device, request.number, reply), at: time)
    }
    switch way {
    case .lost:
      result.lostRequests += 1
      trace(device, .dropped(request.number))
      reply(.failure(.timedOut), at: now + Self.patience)
    case .refused:
      result.refusals += 1
      trace(device, .refused(request.number))
      reply(
        .response(BackendResponse(500, ["error": "InternalServerError", "description": "no"])),
        at: arrival)
    case .answered, .answerLost:
      let answer = try backend.answer(request, environment)
      guard let answer else { throw HarnessError("the backend did not answer \(request)") }
      digest.fold(JSONString(answer.body.serialized()))
      let isLost = way == .answerLost || life != devices[device].life
      if isLost { result.lostAnswers += 1 }
      if !isLost, request.method == .post {
        devices[device].answers[request.number] = request.body?.objectValue?[Self.stamp]?.textValue
      }
      let entities = records ? changedEntities(request, answer) : []
      note(
        ledger.arrived(
          device, CollectionLedger.Request(request), status: answer.status, answer: answer.body,
          isLost: isLost, at: now))
      let performed = CollectionTrace.Performed(
        request: request.number, arrival: ledger.arrivals, status: answer.status, isLost: isLost,
        changes: entities.map { key, before in
          CollectionTrace.Change(key: key, before: before, after: ledger.stamp(of: key))
        })
      trace(device, .performed(performed))
      reply(
        isLost ? .failure(.timedOut) : .response(answer),
        at: isLost ? now + Self.patience : arrival)
    }
  }
}

extension CollectionLedger.Request {
  fileprivate init(_ request: BackendRequest) {
    self.init(
      method: JSONString(request.method.rawValue), collection: request.collection, id: request.path,
      filter: request.parameters["query"], body: request.body)
  }
}
