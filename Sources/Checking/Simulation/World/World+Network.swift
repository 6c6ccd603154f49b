internal import Datastore
internal import JSON
internal import Replication
internal import Scenarios

/// Messages between replicas, and their delivery.
extension World {
  /// The duration of a session's request to the store of its own replica, in nanoseconds.
  static let localNanoseconds: UInt64 = 200_000

  /// Sends a request of a session.
  mutating func send(
    _ session: Int, _ number: RequestNumber, side: ReplicationSide, content: PeerRequest,
    attempt: Int
  ) {
    let by = sessions[session].by
    let to = sessions[session].place(of: side)
    lastMessage += 1
    var message = RequestMessage(
      session: session, number: number, side: side, content: content, attempt: attempt,
      message: lastMessage, life: replicas[to].life)
    if case .changes(let since, _, _) = content {
      sessions[session].awaited.updateValue(since, forKey: number)
    }
    emit(.sent(message, isRemote: to != by))
    guard to != by else { return queue.insert(.request(message), at: now + Self.localNanoseconds) }
    queue.insert(
      .timeout(session: session, number),
      at: now + sessions[session].configuration.requestTimeout)
    var random = choices.random(key(of: message, .request))
    let latency = draw(&random)
    let fate = self.fate(of: message, .request, &random)
    var damaged: PeerRequest?
    if fate == .damaged { damaged = content.damaged(draw: random.next()) }
    emitFate(of: message, .request, fate, hasEffect: fate != .damaged || damaged != nil)
    switch fate {
    case .lost: break
    case .twice:
      queue.insert(.request(message), at: now + latency)
      message.isRepetition = true
      queue.insert(.request(message), at: now + latency + extraLatency(&random))
    case .late(let milliseconds):
      queue.insert(.request(message), at: now + latency + UInt64(milliseconds) * 1_000_000)
    case .status(let code):
      queue.insert(
        .response(
          session: session, number, .status(Int(code)), message: message.message,
          left: now + latency), at: now + 2 * latency)
    case .damaged, .delivered, .truncated, .partial:
      message.content = damaged ?? content
      queue.insert(.request(message), at: now + latency)
    }
  }

  /// Delivers a request to its receiver, which may be down.
  mutating func arrive(_ message: RequestMessage) throws(HarnessError) {
    let session = sessions[message.session]
    let to = session.place(of: message.side)
    let isLocal = to == session.by
    // The requests of a crashed program to its own store end with it.
    if isLocal, !session.isAlive { return }
    guard replicas[to].life == message.life else { return }
    guard replicas[to].isUp else {
      emit(.unserved(message, replica: to))
      return queue.insert(
        .refused(session: message.session, message.number), at: now + Self.localNanoseconds)
    }
    if !isLocal, !links[session.by, to] {
      return emit(.blocked(message, .request, isOneWay: links[to, session.by]))
    }
    if !isLocal { eventCount += 1 }
    let (operation, outcome) = try answer(message, at: to)
    emit(.served(message, replica: to, operation, outcome))
    switch (operation.action, outcome) {
    case (.readLocal(let id), .ok(.local)): session.checkpoint = id
    case (.writeLocal, .ok): session.isSaving = message.side == .target
    case (.insertRevisions, .ok(.inserted(let errors))):
      if errors.contains(where: { $0?.kind == .forbidden }) { hasRefusedRecord = true }
    default: break
    }
    guard let response = message.content.response(to: outcome) else {
      // A live program is informed at once that the outcome at its own store is unknown.
      guard isLocal, sessions[message.session].isAlive else { return }
      return queue.insert(.refused(session: message.session, message.number), at: now)
    }
    respond(response, to: message, isLocal: isLocal)
  }

  /// Sends a response.
  private mutating func respond(
    _ response: PeerResponse, to message: RequestMessage, isLocal: Bool
  ) {
    func delivery(_ response: PeerResponse) -> Happening {
      .response(
        session: message.session, message.number, response, message: message.message,
        left: isLocal ? nil : now)
    }
    guard !isLocal else { return queue.insert(delivery(response), at: now) }
    let session = sessions[message.session]
    guard links[session.place(of: message.side), session.by] else {
      let isOneWay = links[session.by, session.place(of: message.side)]
      return emit(.blocked(message, .response, isOneWay: isOneWay))
    }
    var random = choices.random(key(of: message, .response))
    let latency = draw(&random)
    let fate = self.fate(of: message, .response, &random)
    var changed: PeerResponse?
    switch fate {
    case .damaged: changed = response.damaged(draw: random.next())
    case .partial: changed = response.withoutLastItem
    default: changed = response
    }
    emitFate(of: message, .response, fate, hasEffect: changed != nil)
    switch fate {
    case .lost: break
    case .truncated:
      queue.insert(.refused(session: message.session, message.number), at: now + latency)
    case .twice:
      queue.insert(delivery(response), at: now + latency)
      queue.insert(delivery(response), at: now + latency + extraLatency(&random))
    case .late(let milliseconds):
      queue.insert(delivery(response), at: now + latency + UInt64(milliseconds) * 1_000_000)
    case .damaged, .partial, .delivered, .status:
      queue.insert(delivery(changed ?? response), at: now + latency)
    }
  }

  /// Delivers a response to the program that sent the request, if it is alive.
  mutating func arrive(
    _ response: PeerResponse, to session: Int, _ number: RequestNumber, message: Int64,
    left: UInt64?
  ) throws(HarnessError) {
    guard sessions[session].isAlive else {
      return emit(.unheard(session: session, message: message))
    }
    if let left { emit(.heard(session: session, message: message, left: left, response)) }
    if sessions[session].isRemote { eventCount += 1 }
    digest.fold(now)
    digest.fold(UInt64(bitPattern: number))
    try notify(session, .response(number, response))
  }

  /// The delivery of a message: an override, or a random draw.
  private func fate(
    of message: RequestMessage, _ leg: Leg, _ random: inout KeyedRandom
  ) -> Fate {
    let drawn = conditions.fate(&random, leg)
    return choices.override(key(of: message, leg)) ?? drawn
  }

  private mutating func emitFate(
    of message: RequestMessage, _ leg: Leg, _ fate: Fate, hasEffect: Bool
  ) {
    guard fate != .delivered else { return }
    sessions[message.session].hasTrouble = true
    emit(.spoilt(message, leg, fate, hasEffect: hasEffect))
  }

  private func draw(_ random: inout KeyedRandom) -> UInt64 {
    let range = max(1, (conditions.latencyMax - conditions.latencyMin) * 1000)
    return UInt64(conditions.latencyMin) * 1_000_000 + UInt64(random.below(Int(range))) * 1000
  }

  private func extraLatency(_ random: inout KeyedRandom) -> UInt64 {
    UInt64(random.below(Int(conditions.lateMax) + 1)) * 1_000_000
  }

  private func key(of message: RequestMessage, _ leg: Leg) -> ChoiceKey {
    var key = sessions[message.session].key
    key.fold(literal: message.side == .source ? "/source/" : "/target/")
    for byte in message.content.action.name.utf8 { key.fold(byte) }
    key.fold(literal: "/")
    key.fold(message.content.subject)
    key.fold(literal: "/")
    key.fold(message.attempt)
    key.fold(literal: "/")
    key.fold(literal: leg.name)
    return key
  }
}

extension World.RequestMessage {
  /// The text whose bytes `World.key(of:_:)` hashes.
  func keyText(_ leg: World.Leg, _ session: Session) -> JSONString {
    JSONString(
      "\(session.name)/\(side.rawValue)/\(content.action.name)/\(content.subject)/\(attempt)/"
        + "\(leg.name)")
  }
}

extension PeerRequest {
  /// The outcome as the response of a peer, with the filter applied; nil for an unknown outcome.
  func response(to outcome: Outcome) -> PeerResponse? { Peer.response(to: self, outcome) }
}

extension PeerResponse {
  /// The response without its last item; nil if it has no items.
  var withoutLastItem: PeerResponse? {
    switch self {
    case .ok(.revisions(let answers)) where !answers.isEmpty: .ok(.revisions(answers.dropLast()))
    case .ok(.inserted(let errors)) where !errors.isEmpty: .ok(.inserted(errors.dropLast()))
    default: nil
    }
  }
}
