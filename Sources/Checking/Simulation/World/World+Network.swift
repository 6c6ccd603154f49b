internal import Datastore
internal import JSON
internal import Oracles
internal import Replication
internal import Scenarios

/// Messages between replicas, and what becomes of them.
extension World {
  /// What a session asks of the store of its own replica takes this long.
  static let localNanoseconds: UInt64 = 200_000

  /// Sends a request of a session on its way.
  mutating func send(
    _ session: Int, _ number: RequestNumber, _ side: ReplicationSide, _ content: PeerRequest,
    attempt: Int
  ) {
    let by = sessions[session].by
    let to = sessions[session].place(of: side)
    lastMessage += 1
    var message = RequestMessage(
      session: session, number: number, side: side, content: content, attempt: attempt,
      message: lastMessage, life: replicas[to].life)
    if attempt > 1 { probes[.retried] += 1 }
    if case .changes(let since, _, _) = content {
      sessions[session].awaited.updateValue(since, forKey: number)
    }
    guard to != by else { return queue.insert(.request(message), at: now + Self.localNanoseconds) }
    if trace != nil { recordDeparture(message) }
    queue.insert(
      .timeout(session: session, number),
      at: now + sessions[session].configuration.requestTimeout)
    var random = choices.random(key(of: message, .request))
    let latency = draw(&random)
    switch fate(of: message, .request, &random) {
    case .lost:
      probes[.requestLost] += 1
      if content.isPiece { probes[.pieceLost] += 1 }
    case .twice:
      queue.insert(.request(message), at: now + latency)
      message.isRepetition = true
      queue.insert(.request(message), at: now + latency + lateness(&random))
    case .late(let milliseconds):
      probes[.messageLate] += 1
      queue.insert(.request(message), at: now + latency + UInt64(milliseconds) * 1_000_000)
    case .status(let code):
      probes[.statusError] += 1
      queue.insert(
        .response(
          session: session, number, .status(Int(code)), message: message.message,
          left: now + latency), at: now + 2 * latency)
    case .damaged:
      if let damaged = content.damaged(draw: random.next()) {
        probes[.damaged] += 1
        message.content = damaged
      }
      queue.insert(.request(message), at: now + latency)
    case .delivered, .truncated, .partial:
      queue.insert(.request(message), at: now + latency)
    }
  }

  /// A request arrives where it was sent to, or finds nobody there.
  mutating func arrive(_ message: RequestMessage) throws(HarnessError) {
    let session = sessions[message.session]
    let to = session.place(of: message.side)
    let isLocal = to == session.by
    // The program that asked is gone, and with it what it had not yet asked its own store.
    if isLocal, !session.isAlive { return }
    guard replicas[to].life == message.life else { return }
    guard replicas[to].isUp else {
      probes[.peerCrashed] += 1
      if trace != nil { recordMishap(message, .request, at: to, .nobodyThere) }
      return queue.insert(
        .refused(session: message.session, message.number), at: now + Self.localNanoseconds)
    }
    if !isLocal, !links[session.by, to] {
      probes[links[to, session.by] ? .oneWay : .partitioned] += 1
      if trace != nil { recordMishap(message, .request, at: session.by, .wayClosed) }
      return
    }
    if message.isRepetition { probes[.messageTwice] += 1 }
    if !isLocal { eventCount += 1 }
    let (operation, outcome) = try answer(message, at: to)
    if trace != nil { recordArrival(message, at: to, operation, outcome) }
    noteProbes(operation, outcome, of: message.session, message.side)
    guard let response = message.content.response(to: outcome) else {
      // A program that lives hears at once that its own store does not know what came of it.
      guard isLocal, sessions[message.session].isAlive else { return }
      return queue.insert(.refused(session: message.session, message.number), at: now)
    }
    respond(response, to: message, isLocal: isLocal)
  }

  /// Sends an answer on its way back.
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
      probes[links[session.by, session.place(of: message.side)] ? .oneWay : .partitioned] += 1
      if trace != nil {
        recordMishap(message, .answer, at: session.place(of: message.side), .wayClosed)
      }
      return
    }
    var random = choices.random(key(of: message, .response))
    let latency = draw(&random)
    switch fate(of: message, .response, &random) {
    case .lost:
      probes[.responseLost] += 1
      if message.content.isPiece { probes[.pieceLost] += 1 }
    case .truncated:
      probes[.truncated] += 1
      queue.insert(.refused(session: message.session, message.number), at: now + latency)
    case .partial:
      if let rest = response.withoutLastItem {
        probes[.partial] += 1
        queue.insert(delivery(rest), at: now + latency)
      } else {
        queue.insert(delivery(response), at: now + latency)
      }
    case .twice:
      probes[.messageTwice] += 1
      queue.insert(delivery(response), at: now + latency)
      queue.insert(delivery(response), at: now + latency + lateness(&random))
    case .late(let milliseconds):
      probes[.messageLate] += 1
      queue.insert(delivery(response), at: now + latency + UInt64(milliseconds) * 1_000_000)
    case .damaged:
      let damaged = response.damaged(draw: random.next())
      if damaged != nil { probes[.damaged] += 1 }
      queue.insert(delivery(damaged ?? response), at: now + latency)
    case .delivered, .status: queue.insert(delivery(response), at: now + latency)
    }
  }

  /// An answer arrives at the program that asked, if it still lives.
  mutating func arrive(
    _ response: PeerResponse, to session: Int, _ number: RequestNumber, _ message: Int64,
    _ left: UInt64?
  ) throws(HarnessError) {
    guard sessions[session].isAlive else {
      probes[.answerToNobody] += 1
      if trace != nil {
        record(
          sessions[session].by, sessions[session].step,
          .spoilt(message: message, .answer, .nobodyWaits))
      }
      return
    }
    if trace != nil, let left {
      record(
        sessions[session].by, sessions[session].step,
        .answered(message: message, left: left, said: response.summary))
    }
    if sessions[session].isRemote { eventCount += 1 }
    digest.fold(now)
    digest.fold(UInt64(bitPattern: number))
    try notify(session, .response(number, response))
  }

  /// What happens to a message: an override, or what the weather brings.
  private mutating func fate(
    of message: RequestMessage, _ leg: Leg, _ random: inout KeyedRandom
  ) -> Fate {
    let drawn = conditions.fate(&random, leg)
    let fate = choices.override(key(of: message, leg)) ?? drawn
    if fates != nil || trace != nil, fate != .delivered {
      let text = keyText(of: message, leg)
      fates?.append(Scenario.Override(key: text, fate: fate))
      if trace != nil {
        let session = sessions[message.session]
        let (place, traced): (Int, Trace.Leg) =
          leg == .request
          ? (session.by, .request) : (session.place(of: message.side), .answer)
        recordMishap(message, traced, at: place, .fate(key: text, fate))
      }
    }
    return fate
  }

  private func draw(_ random: inout KeyedRandom) -> UInt64 {
    let range = max(1, (conditions.latencyMax - conditions.latencyMin) * 1000)
    return UInt64(conditions.latencyMin) * 1_000_000 + UInt64(random.below(Int(range))) * 1000
  }

  private func lateness(_ random: inout KeyedRandom) -> UInt64 {
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

  /// The text whose bytes `key(of:_:)` folds.
  private func keyText(of message: RequestMessage, _ leg: Leg) -> Text {
    let session = sessions[message.session]
    return Text(
      "\(session.name)/\(message.side.rawValue)/\(message.content.action.name)/"
        + "\(message.content.subject)/\(message.attempt)/\(leg.name)")
  }
}

extension PeerRequest {
  /// Whether it or its answer carries bytes of content that travels by itself.
  fileprivate var isPiece: Bool {
    switch self {
    case .readAttachment: true
    case .putBlob(_, _, let bytes): bytes != ""
    default: false
    }
  }

  /// The outcome as a peer answers it, with the filter applied; nil when it is not known.
  func response(to outcome: Outcome) -> PeerResponse? { Peer.response(to: self, outcome) }
}

extension PeerResponse {
  /// The answer without its last item; nil for one that has none.
  var withoutLastItem: PeerResponse? {
    switch self {
    case .ok(.revisions(let answers)) where !answers.isEmpty: .ok(.revisions(answers.dropLast()))
    case .ok(.inserted(let errors)) where !errors.isEmpty: .ok(.inserted(errors.dropLast()))
    default: nil
    }
  }
}
